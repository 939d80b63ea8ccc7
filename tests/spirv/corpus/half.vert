#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in f16vec4 h;
layout(location = 1) in i16vec2 s;
layout(location = 2) in uint16_t u;
layout(location = 0) out f16vec3 out_h;
layout(location = 1) flat out i16vec2 out_s;
layout(location = 2) flat out uint16_t out_u;
void main() { out_h = h.xyz; out_s = s; out_u = u; gl_Position = vec4(h); }
