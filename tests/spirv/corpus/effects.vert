#version 450
/* SPDX-License-Identifier: MIT */
// expect fused: unsupported
#extension GL_EXT_buffer_reference : require
// The only side effect is a store through an address, in a function.
layout(buffer_reference) buffer node;
layout(buffer_reference, std430) buffer node { uvec4 payload; node next; };
layout(set = 0, binding = 0, std430) readonly buffer given { uvec4 numbers[]; };
layout(set = 0, binding = 1, r32ui) uniform readonly uimage2D picture;
layout(push_constant) uniform push { node first; };
layout(location = 0) out uvec4 kept;
uvec4 scratch[2];
void mine(inout uvec4 number) { number = numbers[3] + imageLoad(picture, ivec2(1)) + first.next.payload; }
void others(node at) { at.payload = scratch[0]; }
void main()
{
    mine(scratch[gl_VertexIndex & 1]);
    kept = scratch[1];
    gl_Position = vec4(scratch[0]);
    others(first);
}
