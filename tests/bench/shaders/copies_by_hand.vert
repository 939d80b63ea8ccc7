#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * layers.geom with ONE_LAYER without a geometry shader: 18 vertices. */
#include "salt.glsl"
#include "triangle_by_hand.glsl"

void main()
{
    int number = gl_VertexIndex / 3;
    vec4 at = place_of(gl_VertexIndex % 3);
    vec2 turned = (number & 1) == 0 ? at.xy : vec2(-at.y, at.x);
    precise vec2 moved = turned + float(number >> 1) * 0.75;
    gl_Position = vec4(moved, at.zw);
    color = SALTED(tint_of(gl_VertexIndex % 3));
}
