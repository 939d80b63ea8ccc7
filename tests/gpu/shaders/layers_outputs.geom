#version 450
/* SPDX-License-Identifier: MIT
 * To the viewport that is pushed. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(push_constant) uniform Push
{
    int number;
    uint place;
};

void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        gl_ViewportIndex = number;
        gl_PrimitiveID = gl_PrimitiveIDIn;
        EmitVertex();
    }
}
