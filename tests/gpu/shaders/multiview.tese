#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "multiview.glsl"
/* Bent by as much as the levels permit. All vertices of a patch have one value, so that it does not matter which of them
 * gives it, nor in which order the triangles come. */
layout(quads, equal_spacing, ccw) in;
layout(location = 0) patch in uint patch_value;
layout(location = 0) flat out uint shade;

void main()
{
    const vec4 top = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);
    const vec4 low = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);
    gl_Position = mix(top, low, gl_TessCoord.y);
    gl_Position.y += 0.5 * gl_TessCoord.x * (1.0 - gl_TessCoord.x);
    gl_Position.x += 0.0625 * float(view_index);
    shade = patch_value + 100u * view_index;
}
