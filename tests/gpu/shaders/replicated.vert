#version 450
/* SPDX-License-Identifier: MIT */
layout(constant_id = 0) const float eighth = 0.5;
layout(location = 0) out vec4 shade;

void main()
{
    const float x = float(gl_VertexIndex % 8);
    gl_PointSize = 1.0;
    gl_Position = vec4(x / 4.0 - 0.9, float(gl_VertexIndex / 8) / 4.0 - 0.9, 0.5, 1.0);
    shade = vec4(x) * vec4(eighth) + vec4(0.0625);
}
