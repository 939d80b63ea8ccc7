#version 450
/* SPDX-License-Identifier: MIT
 * Two triangles of each invocation, no vertex of which is left out: each has a pixel of its own, whose value all vertices
 * but the first one belie. */
#define ROW_PX 256u
layout(points, invocations = 2) in;
layout(triangle_strip, max_vertices = 6) out;
layout(push_constant) uniform Push { layout(offset = 120) uint tag; };
layout(location = 0) flat in uint number[];
layout(location = 0) flat out uint value;

void main()
{
    for (uint k = 0u; k < 2u; k++) {
        uint pixel = number[0] * 4u + uint(gl_InvocationID) * 2u + k;
        vec2 at = vec2(float(pixel % ROW_PX), float(pixel / ROW_PX));
        for (uint v = 0u; v < 3u; v++) {
            vec2 corner = v == 0u ? vec2(0.25) : v == 1u ? vec2(0.875, 0.25) : vec2(0.25, 0.875);
            gl_Position = vec4((at + corner) * 2.0 / float(ROW_PX) - 1.0, 0.0, 1.0);
            value = v == 0u ? pixel + tag : 0xFFFF0000u + v;
            EmitVertex();
        }
        EndPrimitive();
    }
}
