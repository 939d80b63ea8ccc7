#version 450
/* SPDX-License-Identifier: MIT
 * INVOCATIONS, MAX and LIMIT (how many vertices a unit may want to emit; above MAX it emits too many) come from the
 * command line. Every vertex is a point whose place and colour follow from its unit and its number; many points fall
 * on one pixel, so their order shows. Only gl_Position goes out, to stay within maxGeometryTotalOutputComponents at
 * 256 vertices: the value travels as depth. */
layout(points, invocations = INVOCATIONS) in;
layout(line_strip, max_vertices = MAX) out;
out gl_PerVertex
{
    vec4 gl_Position;
};
layout(location = 0) flat in uint number[];
layout(set = 0, binding = 0) buffer Log
{
    uint word[];
}
log_;

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
    uint unit = number[0] * uint(INVOCATIONS) + uint(gl_InvocationID);
    uint pairs = hash(unit) % (uint(LIMIT) / 2u + 1u);
    if (unit % 7u == 3u)
        pairs = 0u;
    if (unit % 11u == 5u)
        pairs = uint(LIMIT) / 2u;
    atomicAdd(log_.word[hash(unit + 77u) % 256u], pairs + 1u);
    for (uint i = 0u; i < pairs; i++) {
        uint place = hash(unit * 2048u + i) % 4096u;
        vec2 pixel = vec2(float(place % 64u), float(place / 64u)) + 0.5;
        float depth = float((unit * 131u + i * 7u) % 65521u + 1u) / 65536.0;
        gl_Position = vec4((pixel + vec2(-0.4375, 0.0)) / 32.0 - 1.0, depth, 1.0);
        EmitVertex();
        gl_Position = vec4((pixel + vec2(0.5625, 0.0)) / 32.0 - 1.0, depth, 1.0);
        EmitVertex();
        EndPrimitive();
    }
}
