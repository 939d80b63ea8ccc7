#version 450
/* SPDX-License-Identifier: MIT */
/* A triangle over a cell, without tessellation. */
layout(location = 1) flat out uint number;

void main()
{
    uint place = uint(gl_VertexIndex) / 3u;
    vec2 cell = vec2(place % 8u, place / 8u);
    vec2 corner = vec2(gl_VertexIndex % 3 == 1, gl_VertexIndex % 3 == 2) * 0.98;
    number = 500u + place;
    gl_Position = vec4((corner + 0.01 + cell) / 4.0 - 1.0, 0.0, 1.0);
}
