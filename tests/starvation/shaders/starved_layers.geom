#version 450
// SPDX-License-Identifier: MIT
// The triangle in each layer, elsewhere and of another shade. Vertices are made of one each.
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(set = 0, binding = 0) buffer readonly Shades { vec4 shades[4]; };
layout(location = 0) in vec4 from_vertex[];
layout(location = 0) out vec4 color;

void main()
{
    for (int strip = 0; strip < 2; strip++) {
        for (int i = 0; i < 3; i++) {
            gl_Position = vec4(gl_in[i].gl_Position.xy + vec2(0.75 * strip), 0.0, 1.0);
            gl_Layer = strip;
            color = vec4(0.5 * shades[strip].xyz + 0.0625 * from_vertex[i].w, 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
}
