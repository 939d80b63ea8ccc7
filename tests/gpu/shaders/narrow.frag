/* SPDX-License-Identifier: MIT */
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require

layout(location = 0) in f16vec3 color;
layout(location = 1) flat in i16vec2 numbers;
layout(location = 2, component = 2) flat in uint16_t mask;
layout(location = 3) in float16_t ends[2];

layout(location = 0) out uint result;

void main()
{
    const uint level = uint(clamp(vec3(color), 0.0, 1.0).x * 15.0 + 0.5);
    const uint flats = uint(int(numbers.x) + int(numbers.y) * 7) ^ uint(mask) << 3;
    result = 0x80000000u | (flats & 0xFFFFFu) << 8 | level << 4 | uint(float(ends[0]) < float(ends[1]));
}
