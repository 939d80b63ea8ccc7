#version 450
/* SPDX-License-Identifier: MIT */
// What the language lets nobody put on another stream than 0 goes along with the vertices of each.
layout(points) in;
layout(points, max_vertices = 2) out;
layout(stream = 1, location = 0) out vec4 color;
layout(stream = 1) out gl_PerVertex { vec4 gl_Position; };
void main()
{
    EmitStreamVertex(0);
    gl_Position = vec4(0.5);
    gl_Layer = 1;
    gl_ViewportIndex = 2;
    gl_PrimitiveID = gl_PrimitiveIDIn;
    color = vec4(1.0);
    EmitStreamVertex(1);
}
