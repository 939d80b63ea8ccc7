#version 450
/* SPDX-License-Identifier: MIT
 * A triangle wherever the index says, in the last row of cells. */
layout(location = 0) flat out uint value;
layout(location = 1) out float shade;

void main()
{
    vec2 at = vec2(float(gl_VertexIndex % 5) * 48.0, 200.0 + float(gl_VertexIndex % 3) * 24.0);
    gl_Position = vec4(at / 128.0 - 1.0, 0.5, 1.0);
    value = 1000000u + uint(gl_VertexIndex);
    shade = 0.5;
}
