#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 4) in;
layout(set = 0, binding = 1) buffer Counters
{
    uint counters[];
};
layout(push_constant) uniform Push
{
    layout(offset = 64) uint at;
    uint value;
};

void main()
{
    counters[at + gl_LocalInvocationID.x] += value + gl_LocalInvocationID.x;
}
