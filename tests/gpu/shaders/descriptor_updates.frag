// SPDX-License-Identifier: MIT
#version 450
layout(set = 0, binding = 8) uniform Last
{
    uint last;
};
layout(location = 0) flat in uint value;
layout(location = 0) out uint color;

void main()
{
    color = value * 37 + last;
}
