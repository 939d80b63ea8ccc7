#version 450
/* SPDX-License-Identifier: MIT */
/* Two triangles over the picture, so that no corner is rounded on its way to the window. */
layout(location = 0) centroid out vec4 value;

void main()
{
    const vec2 place = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    const float w = float(1 << gl_VertexIndex);
    gl_Position = vec4(place * w, 0.5 * w, w);
    value = vec4(0.125, 0.25, 0.5, 1.0) * float(gl_VertexIndex) / 3.0;
}
