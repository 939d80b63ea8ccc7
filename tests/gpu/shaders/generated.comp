#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 4) in;
layout(binding = 0) buffer Words
{
    uint words[];
};
layout(push_constant) uniform Push
{
    uint first, value;
};

void main()
{
    words[first + gl_GlobalInvocationID.x] += value + gl_GlobalInvocationID.x;
}
