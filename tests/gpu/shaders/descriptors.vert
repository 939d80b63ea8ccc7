// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#define STAGE 0
#include "descriptors.glsl"

layout(location = 0) flat out uint value;

// A cell of a grid of 8; CELLS: as two triangles, else a point in its corner.
void main()
{
#ifdef CELLS
    const uint cell = uint(gl_VertexIndex) / 6, corner = uint(gl_VertexIndex) % 6;
    const vec2 inside = vec2(corner == 1 || corner == 2 || corner == 4, corner == 2 || corner == 4 || corner == 5);
#else
    const uint cell = uint(gl_VertexIndex);
    const vec2 inside = vec2(0);
#endif
    value = weigh(cell);
    gl_Position = vec4((vec2(cell % 8, cell / 8) + inside) / 4 - 1, 0, 1);
}
