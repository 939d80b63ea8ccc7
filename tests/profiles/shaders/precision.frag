#version 450
/* SPDX-License-Identifier: MIT */
precision highp float;
precision highp int;
layout(location = 0) in mediump vec3 color;
layout(location = 1) in vec3 place;
layout(location = 2) in Block
{
    vec2 whole;
    mediump float half_;
} block;
layout(location = 0) out vec4 result;

void main()
{
    result = vec4(color + place, block.half_ + block.whole.y);
}
