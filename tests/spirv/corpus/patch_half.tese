#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(isolines, fractional_even_spacing) in;
layout(location = 0) in f16vec3 h[];
layout(location = 1) in i16vec2 s[];
layout(location = 2) patch in u16vec3 u;
layout(location = 0) out f16vec4 out_h;
layout(location = 1) flat out i16vec2 out_s;
layout(location = 2) flat out u16vec3 out_u;
void main()
{
    gl_Position = vec4(gl_TessCoord, 1.0);
    out_h = f16vec4(h[0], h[1].x);
    out_s = s[1];
    out_u = u.zyx;
}
