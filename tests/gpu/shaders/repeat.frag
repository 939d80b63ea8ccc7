#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;
layout(push_constant) uniform Push { uvec2 shift; uint tag; };

void main()
{
    result = value ^ (tag << 24) ^ 0x800000u;
}
