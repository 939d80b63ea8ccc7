#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) buffer Log
{
    uint log[];
};
layout(push_constant) uniform Push
{
    uint place, word;
};

void main()
{
    atomicAdd(log[place], word);
}
