#version 450
/* SPDX-License-Identifier: MIT
 * LAYER, VIEWPORT: as outputs.vert. */
#if defined(LAYER) || defined(VIEWPORT)
#extension GL_ARB_shader_viewport_layer_array : require
#endif
#extension GL_GOOGLE_include_directive : require
#include "outputs.glsl"

layout(triangles, equal_spacing, ccw) in;
layout(location = 0) flat in uint patch_value[];
layout(location = 0) flat out uint value;

void main()
{
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                  gl_TessCoord.z * gl_in[2].gl_Position;
    value = patch_value[0];
#ifdef LAYER
    gl_Layer = layer_of(value);
#endif
#ifdef VIEWPORT
    gl_ViewportIndex = viewport_of(value);
#endif
}
