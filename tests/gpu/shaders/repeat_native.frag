#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 1) flat in uint number;
layout(location = 0) out uint result;

void main()
{
    result = number | 0x40000000u;
}
