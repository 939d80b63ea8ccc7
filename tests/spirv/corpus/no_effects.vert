#version 450
/* SPDX-License-Identifier: MIT */
// Reads of all kinds, a store in a function, and writes to memory of its own are no side effects. What has them is not
// called.
layout(set = 0, binding = 0, std430) buffer given { uvec4 numbers[]; };
layout(set = 0, binding = 1, r32ui) uniform readonly uimage2D picture;
layout(location = 0) out uvec4 kept;
uvec4 scratch[2];
void mine(inout uvec4 number) { number = numbers[3] + imageLoad(picture, ivec2(1)); }
void others() { numbers[1] = scratch[0]; }
void main()
{
    mine(scratch[gl_VertexIndex & 1]);
    kept = scratch[1];
    gl_Position = vec4(scratch[0]);
}
