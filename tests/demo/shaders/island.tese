#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
#include "island.glsl"
layout(quads, equal_spacing) in;
layout(location = 0) out vec3 domain; /* place in the patch, and the side of the block */

void main()
{
    vec2 at = gl_TessCoord.xy;
    vec4 corner = mix(mix(gl_in[0].gl_Position, gl_in[1].gl_Position, at.x),
                      mix(gl_in[2].gl_Position, gl_in[3].gl_Position, at.x), at.y);
    precise float height = bottom + (surface_height(corner.xy) - bottom) * corner.z;
    gl_Position = vec4(to_world(corner.xy, height), 1.0);
    domain = vec3(at, corner.w);
}
