#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec4 shade;
layout(location = 0) out uint result;
layout(constant_id = 0) const uint value = 1u;

void main()
{
    result = value + (isnan(shade.x) ? 100u : 0u);
}
