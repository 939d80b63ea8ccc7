#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(vertices = 2) out;
layout(location = 0) in f16vec3 h[];
layout(location = 1) in i16vec2 s[];
layout(location = 0) out f16vec3 out_h[];
layout(location = 1) out i16vec2 out_s[];
layout(location = 2) patch out u16vec3 u;
layout(location = 3) patch out float16_t unread;
void main()
{
    out_h[gl_InvocationID] = h[gl_InvocationID];
    out_s[gl_InvocationID] = s[gl_InvocationID].yx;
    barrier();
    u = u16vec3(out_s[1].xyx);
    unread = out_h[0].x;
    gl_TessLevelOuter[0] = 3.0;
    gl_TessLevelOuter[1] = 2.0;
}
