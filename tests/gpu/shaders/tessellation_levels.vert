#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec4 outer;
layout(location = 1) in vec2 inner;
layout(location = 0) out vec4 outer_levels;
layout(location = 1) out vec2 inner_levels;

void main()
{
    outer_levels = outer;
    inner_levels = inner;
}
