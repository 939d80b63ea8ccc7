#version 450
/* SPDX-License-Identifier: MIT */
layout(local_size_x = 1) in;
layout(set = 0, binding = 1) buffer Sums
{
    uint sums[];
};

void main()
{
    sums[gl_WorkGroupID.x] += 1u + gl_WorkGroupID.x;
}
