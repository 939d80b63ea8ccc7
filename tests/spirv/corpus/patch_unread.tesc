#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(vertices = 1) out;
layout(location = 0) out float16_t h[];
layout(location = 1) patch out i16vec3 s;
void main()
{
    h[gl_InvocationID] = float16_t(gl_in[0].gl_Position.x);
    s = i16vec3(gl_PrimitiveID);
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = 1.0;
}
