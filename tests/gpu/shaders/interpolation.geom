#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 value[];
layout(location = 0) sample out float first;
layout(location = 1) noperspective out float second;
layout(location = 2) flat out float third;
layout(location = 3) centroid out float fourth;
layout(location = 4) out Block
{
    sample noperspective vec2 both;
} block;

void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        first = value[i].x;
        second = value[i].y;
        third = value[i].z;
        fourth = value[i].w;
        block.both = value[i].xy;
        EmitVertex();
    }
}
