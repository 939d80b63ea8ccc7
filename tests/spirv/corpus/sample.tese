#version 450
/* SPDX-License-Identifier: MIT */
// mate patch.tesc
layout(triangles) in;
layout(location = 0) in vec4 value[];
layout(location = 0) sample out vec4 by_sample;
layout(location = 1) centroid out vec4 at_centroid;
layout(location = 2) noperspective out vec4 linear;
layout(location = 3) flat out ivec2 constant;
layout(location = 4) out Block
{
    sample vec4 by_sample;
    flat uint constant;
} block;

void main()
{
    gl_Position = value[1];
    by_sample = at_centroid = linear = value[1];
    constant = ivec2(value[0].xy);
    block.by_sample = value[1];
    block.constant = uint(value[0].z);
}
