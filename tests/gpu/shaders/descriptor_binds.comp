// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 6, std430) buffer Result
{
    uint result;
};
layout(set = 0, binding = SECOND) uniform Second
{
    uint second;
};

void main()
{
    result = second;
}
