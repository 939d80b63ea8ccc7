#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat out dvec3 doubles; /* two locations */
layout(location = 2) flat out i64vec2 longs;

void main()
{
    double d = double(gl_VertexIndex) / 3.0lf;
    doubles = dvec3(d, d * d, -d);
    longs = i64vec2(int64_t(gl_VertexIndex) * 0x123456789abl, -int64_t(gl_VertexIndex) - 1l);
    gl_Position = vec4(0.0);
}
