#version 450
/* SPDX-License-Identifier: MIT
 * With PASS defined, for the geometry shader of the same name: only the last stage may capture. With UNSIZED without
 * sizes of points, which not every driver has here. */
layout(quads, equal_spacing, ccw) in;
layout(location = 0) patch in uvec2 patch_place;
#ifdef PASS
layout(location = 0) out vec3 coord;
layout(location = 1) flat out uint number;
#else
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec3 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 12) flat out uint number;
#endif

void main()
{
    coord = gl_TessCoord;
    number = 1u + patch_place.x + 1000u * patch_place.y;
    vec2 cell = vec2(patch_place.x % 8u, patch_place.x / 8u);
    gl_Position = vec4((gl_TessCoord.xy * 0.97 + 0.01 + cell) / 4.0 - 1.0, 0.0, 1.0);
#ifndef UNSIZED
    gl_PointSize = 1.0;
#endif
}
