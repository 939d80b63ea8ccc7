#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * edges.geom without a geometry shader: 6 vertices. Edges that are not selected lie outside of the view volume. */
#include "salt.glsl"
#include "triangle_by_hand.glsl"

void main()
{
    int edge = gl_VertexIndex >> 1, next = (edge + 1) % 3;
    int at = (gl_VertexIndex & 1) == 0 ? edge : next;
    bool selected = tint_of(edge).x + tint_of(next).y >= 1.0;
    gl_Position = selected ? place_of(at) : vec4(2.0, 2.0, 2.0, 1.0);
    color = SALTED(tint_of(at));
}
