#version 450
/* SPDX-License-Identifier: MIT
 * INPUT, INVOCATIONS and, with LOG, a buffer that counts come from the command line. Up to 16 small squares for each
 * invocation, of which several fall on a pixel, so that their order shows. */
layout(INPUT, invocations = INVOCATIONS) in;
layout(triangle_strip, max_vertices = 64) out;
layout(location = 0) flat in uint number[];
layout(location = 0) flat out vec4 color;
#ifdef LOG
layout(set = 0, binding = 0) buffer Log
{
    uint word[];
}
log_;
#endif

uint hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

void main()
{
    uint unit = hash(number[0] + uint(gl_PrimitiveIDIn) * 977u) + uint(gl_InvocationID);
    for (int i = 1; i < number.length(); i++)
        unit += hash(number[i] * uint(i + 2));
    const uint squares = hash(unit) % 17u;
#ifdef LOG
    atomicAdd(log_.word[hash(unit + 77u) % 256u], squares + 1u);
#endif
    for (uint i = 0u; i < squares; i++) {
        const uint place = hash(unit + i * 31u) % 4096u;
        const vec2 at = vec2(float(place % 64u), float(place / 64u)) / 32.0 - 1.0;
        const float depth = float(hash(unit * 3u + i) % 1021u) / 1024.0;
        for (uint corner = 0u; corner < 4u; corner++) {
            gl_Position = vec4(at + vec2(float(corner & 1u), float(corner >> 1)) / 16.0, depth, 1.0);
            color = vec4(float(unit % 5u), float(unit / 5u % 5u), float(i % 5u), 2.0) / 4.0;
            gl_PrimitiveID = gl_PrimitiveIDIn;
            EmitVertex();
        }
        EndPrimitive();
    }
}
