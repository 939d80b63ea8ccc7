#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint value;
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(1.0, float(value & 63u) / 63.0, float(value >> 6 & 63u) / 63.0, 1.0);
}
