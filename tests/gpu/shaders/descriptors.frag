// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#define STAGE 4
#include "descriptors.glsl"

layout(location = 0) flat in uint value;
layout(location = 0) out uint color;

void main()
{
    color = weigh(value);
}
