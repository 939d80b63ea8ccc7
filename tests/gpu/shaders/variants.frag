// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) flat in uint result;
layout(location = 0) out uint color;

void main()
{
    color = result;
}
