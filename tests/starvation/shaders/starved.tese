#version 450
// SPDX-License-Identifier: MIT
layout(quads, equal_spacing, cw) in;
layout(location = 0) in vec4 from_control[];
layout(location = 0, xfb_buffer = 1, xfb_offset = 0, xfb_stride = 16) out vec4 color;
layout(xfb_buffer = 0, xfb_stride = 16) out gl_PerVertex {
    layout(xfb_offset = 0) vec4 gl_Position;
};

void main()
{
    const vec4 patch_place = from_control[0];
    gl_Position = vec4(patch_place.xy + (gl_TessCoord.xy - 0.5) * patch_place.z, 0.0, 1.0);
    color = vec4(0.25, 0.125 * patch_place.w, 0.5, 1.0);
}
