#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.1
// expect instanced: unsupported
// expect sift: unsupported
// mate view.vert
#extension GL_EXT_multiview : require
layout(triangles) in;
layout(points, max_vertices = 6) out;
layout(location = 0) flat in int view[];
layout(location = 0) flat out int both;
void main()
{
    for (int i = 0; i <= gl_ViewIndex; i++) {
        gl_Position = gl_in[0].gl_Position;
        both = view[1] + gl_ViewIndex;
        EmitVertex();
    }
}
