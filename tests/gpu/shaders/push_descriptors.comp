// SPDX-License-Identifier: MIT
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform First
{
    uint first;
};
layout(set = 0, binding = 1) uniform Second
{
    uint second;
};
layout(set = 0, binding = 2, std430) writeonly buffer Result
{
    uint result;
};

void main()
{
    result = first * 3 + second * 5;
}
