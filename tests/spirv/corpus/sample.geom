#version 450
/* SPDX-License-Identifier: MIT */
/* How outputs are interpolated is the fragment shader's business; to say it takes capabilities that only some stages
 * have. */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 value[];
layout(location = 0) sample out vec4 by_sample;
layout(location = 1) centroid out vec4 at_centroid;
layout(location = 2) noperspective out vec4 linear;
layout(location = 3) flat out ivec2 constant;
layout(location = 4) out Block
{
    sample vec4 by_sample;
    noperspective sample vec2 linear;
    flat uint constant;
} block;

void main()
{
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        by_sample = at_centroid = linear = value[i];
        constant = ivec2(value[i].xy);
        block.by_sample = value[i];
        block.linear = value[i].xy;
        block.constant = uint(value[i].z);
        EmitVertex();
    }
}
