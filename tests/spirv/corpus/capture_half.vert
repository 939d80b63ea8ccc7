#version 450
/* SPDX-License-Identifier: MIT */
// expect fused: invalid
#extension GL_AMD_gpu_shader_half_float : require
// expect info: invalid
// expect vertex: invalid
// expect captured: invalid
// expect through1: invalid
// expect through2: invalid
// expect through3: invalid
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out f16vec2 narrow;
layout(location = 0) in f16vec2 given;
void main() { narrow = given; gl_Position = vec4(0.0); }
