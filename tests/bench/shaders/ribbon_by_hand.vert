#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * ribbon.geom without a geometry shader: an instance is a point, and has 64 vertices. Those that are too many
 * repeat the last one. */
#include "salt.glsl"
layout(location = 0) in vec4 place;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;

void main()
{
    int count = 4 + int(tint.x * 60.0);
    int i = min(gl_VertexIndex, count - 1);
    precise vec2 at = place.xy + vec2(float(i >> 1) * 0.0015, float(i & 1) * 0.006);
    gl_Position = vec4(at, 0.5, 1.0);
    color = SALTED(tint);
}
