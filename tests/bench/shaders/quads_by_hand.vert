#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * quads.geom without a geometry shader: an instance is a point, and has 4 vertices. */
#include "bound.glsl"
#include "salt.glsl"
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;

void main()
{
    int i = gl_VertexIndex;
    precise vec2 corner = place.xy + (vec2(float(i & 1), float(i >> 1)) - 0.5) * 0.008;
    gl_Position = vec4(corner, 0.5, 1.0);
    color = SALTED(BOUND_TO(tint));
}
