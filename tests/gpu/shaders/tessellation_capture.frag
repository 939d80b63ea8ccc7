#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) out uint color;

void main()
{
    color = 1u;
}
