#version 450
/* SPDX-License-Identifier: MIT
 * Each triangle twice, the second time with other distances. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) flat in uint numbers[];
layout(location = 1) in vec2 places[];
layout(location = 0) flat out uint number;
layout(location = 1) out vec2 place;
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[4];
    float gl_CullDistance[4];
}
gl_in[];
out float gl_ClipDistance[4];
out float gl_CullDistance[4];

void main()
{
    for (int copy = 0; copy < 2; copy++) {
        for (int i = 0; i < 3; i++) {
            gl_Position = gl_in[i].gl_Position;
            gl_Position.x += float(copy) * 0.0625 * gl_Position.w;
            for (int k = 0; k < 4; k++)
                gl_ClipDistance[k] = gl_in[i].gl_ClipDistance[copy == 0 ? k : 3 - k] + float(copy) * 8.0 * gl_Position.w;
            for (int k = 0; k < 4; k++)
                gl_CullDistance[k] = gl_in[i].gl_CullDistance[(k + copy) % 4];
            number = numbers[0] + uint(copy) * 256u;
            place = places[i];
            EmitVertex();
        }
        EndPrimitive();
    }
}
