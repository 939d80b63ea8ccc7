#version 450
/* SPDX-License-Identifier: MIT
 * The triangles of a quad of four vertices that are large, or its corners' order turned. */
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec4 given[];
layout(location = 0) out vec4 color;
layout(push_constant) uniform Pushed { float least; vec4 tint; } pushed;

#define MAKE(i) gl_Position = gl_in[i].gl_Position, color = given[i] * pushed.tint, EmitVertex()

void main()
{
    vec4 a = gl_in[1].gl_Position - gl_in[0].gl_Position, b = gl_in[2].gl_Position - gl_in[0].gl_Position;
    if (abs(a.x * b.y - a.y * b.x) < pushed.least) {
        MAKE(0);
        MAKE(1);
        MAKE(2);
        if (given[3].w > 0.0)
            MAKE(3);
    } else if (gl_PrimitiveIDIn % 3 != 0) {
        MAKE(3);
        MAKE(2);
        MAKE(1);
        EndPrimitive();
        MAKE(0);
        MAKE(1);
        MAKE(3);
    }
}
