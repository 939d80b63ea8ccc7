#version 450
/* SPDX-License-Identifier: MIT */
layout(push_constant) uniform Push
{
    uint base;
}
push;
layout(location = 0) in uint cell;
layout(location = 0) out uint number;

uint steps = 3u;

void main()
{
    steps += cell & 1u;
    number = (cell + push.base + uint(gl_InstanceIndex) * 37u + steps) & 1023u;
}
