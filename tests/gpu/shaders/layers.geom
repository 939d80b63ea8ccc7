#version 450
/* SPDX-License-Identifier: MIT
 * Each point to a square in some of the layers, moved by half of its side from one to the next. Or, with POINTS, to a
 * point in each. */
layout(points) in;
#ifdef POINTS
layout(points, max_vertices = 8) out;
#define CORNERS 1
#else
layout(triangle_strip, max_vertices = 32) out;
#define CORNERS 4
#endif
layout(location = 0) flat in uint value[];
layout(location = 0) flat out uint result;
layout(push_constant) uniform Push
{
    vec2 shift;
    float depth;
    uint first_layer, layer_count, tint;
};

void main()
{
    for (uint i = 0u; i < layer_count; i++) {
        for (int corner = 0; corner < CORNERS; corner++) {
            vec2 at = vec2(corner & 1, corner >> 1) * 0.25 + 0.125 * float(i);
            gl_Position = gl_in[0].gl_Position + vec4(at, 0.0, 0.0);
#ifdef POINTS
            gl_Position.xy += 1.0 / 32.0;
            gl_PointSize = 3.0;
#endif
            gl_Layer = int(first_layer + i);
            gl_PrimitiveID = gl_PrimitiveIDIn + 3;
            result = value[0];
            EmitVertex();
        }
        EndPrimitive();
    }
}
