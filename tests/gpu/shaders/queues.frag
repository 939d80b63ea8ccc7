#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint value;
layout(set = 0, binding = 0) buffer Sums
{
    uint sums[64];
};

void main()
{
    atomicAdd(sums[value & 63u], value);
}
