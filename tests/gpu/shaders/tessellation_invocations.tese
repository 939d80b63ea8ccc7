#version 450
/* SPDX-License-Identifier: MIT */
/* The modes are placeholders, see tess_modes. */
layout(triangles, equal_spacing, cw) in;
layout(location = 0) patch in uvec2 patch_place;
layout(location = 0) out vec2 coord;
layout(location = 1) out uvec3 numbers;

void main()
{
    coord = gl_TessCoord.xy;
    numbers = uvec3(patch_place, gl_PrimitiveID);
    gl_Position = vec4(gl_TessCoord.xy, float(patch_place.x), 1.0);
}
