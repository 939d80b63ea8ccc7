#version 450
/* SPDX-License-Identifier: MIT
 * INPUT and OUTPUT come from the command line. Strips of up to 7 vertices, as many as the number
 * says, or with KNOWN always as many. With STREAMS every third strip goes to stream 1, in its own buffer. */
layout(INPUT, invocations = 2) in;
layout(OUTPUT, max_vertices = 28) out;
layout(location = 0) in uint number[];
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_stride = 20, xfb_offset = 4) flat out uvec3 said;
#ifdef STREAMS
layout(stream = 1, location = 1, xfb_buffer = 1, xfb_stride = 8, xfb_offset = 0) flat out uvec2 aside;
#endif

uint made = 7u; /* in each unit anew */

uint hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

uint length_of(uint strip)
{
#ifdef KNOWN
    return strip + 2u;
#else
    return hash(number[0] * 2u + uint(gl_InvocationID)) >> (3u * strip) & 7u;
#endif
}

void main()
{
    for (uint strip = 0u; strip < 4u; strip++) {
        uint length = length_of(strip);
        for (uint i = 0u; i < length; i++) {
            made += 1u + strip;
#ifdef STREAMS
            if (strip == 2u) {
                aside = uvec2(number[0], made);
                EmitStreamVertex(1);
                continue;
            }
#endif
            said = uvec3(number[0] * 64u + strip * 16u + i, uint(gl_PrimitiveIDIn) * 2u + uint(gl_InvocationID), made);
            vec2 cell = vec2(float(number[0] & 31u), float(number[0] >> 5 & 31u)) + 0.5;
            gl_Position = vec4((cell + vec2(float(i & 1u), float(i >> 1)) * 0.25) / 16.0 - 1.0, 0.5, 1.0);
            gl_PointSize = 1.0;
#ifdef STREAMS
            EmitStreamVertex(0);
#else
            EmitVertex();
#endif
        }
#ifndef STREAMS
        EndPrimitive();
#endif
    }
}
