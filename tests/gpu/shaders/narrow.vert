/* SPDX-License-Identifier: MIT
 *
 * Varyings of 16 bits, in all their types; a component each, so that two share a location.
 */
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require

layout(location = 0) out f16vec4 halves;
layout(location = 1) flat out i16vec3 shorts;
layout(location = 2, component = 0) flat out uint16_t low;
layout(location = 2, component = 1) flat out u16vec2 pair;
layout(location = 3) out float16_t row[3];

void main()
{
    const float angle = float(gl_VertexIndex) * 0.45;
    gl_Position = vec4(0.9 * cos(angle), 0.9 * sin(angle), 0.0, 1.0);
    halves = f16vec4(gl_Position.xy, angle, -angle);
    shorts = i16vec3(-gl_VertexIndex, 32767 - gl_VertexIndex, -32768 + gl_VertexIndex);
    low = uint16_t(65535 - gl_VertexIndex);
    pair = u16vec2(gl_VertexIndex, gl_VertexIndex * 257);
    for (int i = 0; i < 3; i++)
        row[i] = float16_t(angle * float(i));
}
