#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) out vec4 result;

void main()
{
    uint value = uint(gl_FragCoord.z * 65536.0 + 0.5);
    result = vec4(float(value & 31u) / 31.0, float(value >> 5 & 31u) / 31.0, float(value >> 10 & 31u) / 31.0, 0.5);
}
