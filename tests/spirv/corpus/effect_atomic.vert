#version 450
/* SPDX-License-Identifier: MIT */
// expect fused: unsupported
layout(set = 0, binding = 0, std430) buffer given { uvec4 numbers[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D picture;
void main()
{
    atomicAdd(numbers[0].x, 1u);
    gl_Position = vec4(0.0);
}
