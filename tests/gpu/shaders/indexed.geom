#version 450
/* SPDX-License-Identifier: MIT
 * A point becomes STRIPS strips of EACH vertices, and with LONGER one that has another vertex, in a cell of 32 x 64 pixels:
 * some triangles face away, some lie above others. SMALL: squares of two pixels. LOOPS: behind a loop that a push constant
 * bounds. */
#ifndef STRIPS /* where all shaders are compiled alike */
#define STRIPS 1
#define EACH 4
#define STRIP_KIND triangle_strip
#endif
#ifndef LONGER
#define LONGER 0
#endif
layout(points) in;
layout(STRIP_KIND, max_vertices = STRIPS * EACH + LONGER) out;
#ifdef INVOCATIONS
layout(invocations = INVOCATIONS) in;
#endif
layout(location = 0) flat in uint cell[];
layout(location = 0) flat out uint value;
layout(location = 1) out float shade;
#ifdef LOOPS
layout(push_constant) uniform Push
{
    uint times;
} push;
#endif

/* Whole sixteenths of pixels, so that every rasterizer can be exact. */
vec2 pixel(uint strip, uint i)
{
#ifdef SMALL
    return vec2(float(cell[0] % 128u), float(cell[0] / 128u % 128u)) * 2.0 + vec2(float(i & 1u), float(i >> 1u)) * 2.0;
#else
    uint at = i + uint(gl_InvocationID);
    vec2 corner = vec2(float(at * 5u % 7u), float(at * at % 11u) * 2.0) * 2.5;
    vec2 origin = vec2(float(cell[0] % 8u) * 32.0, float(cell[0] / 8u % 4u) * 64.0);
    return origin + vec2(3.25, 5.75) + corner + vec2(float(strip) * 3.0, float(strip) * 5.0);
#endif
}

void main()
{
    uint salt = 0u;
#ifdef LOOPS
    for (uint i = 0u; i < push.times; i++)
        salt = salt * 3u + cell[0];
#endif
    for (uint s = 0u; s < uint(STRIPS); s++) {
        for (uint i = 0u; i < uint(EACH) + (s == 0u ? uint(LONGER) : 0u); i++) {
            gl_Position = vec4(pixel(s, i) / 128.0 - 1.0, 0.5, 1.0);
            gl_PrimitiveID = int(cell[0] * 64u + s * 8u + i);
            value = (cell[0] + salt) * 64u + s * 8u + i + 1u;
            shade = float(i) / 8.0;
            EmitVertex();
        }
        EndPrimitive();
    }
}
