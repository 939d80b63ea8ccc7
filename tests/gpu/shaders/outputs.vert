#version 450
/* SPDX-License-Identifier: MIT
 * A primitive for each instance, somewhere in the picture. LAYER, VIEWPORT: each chooses its own.
 * CAPTURE: its vertices are captured. TESSELLATED: they are those of patches. */
#if defined(LAYER) || defined(VIEWPORT)
#extension GL_ARB_shader_viewport_layer_array : require
#endif
#extension GL_GOOGLE_include_directive : require
#include "outputs.glsl"

layout(location = 0) flat out uint value;
#ifdef CAPTURE
layout(xfb_buffer = 0, xfb_stride = 24) out;
layout(xfb_buffer = 0, xfb_offset = 0) out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
};
layout(location = 1, xfb_buffer = 0, xfb_offset = 20) flat out uint captured;
#endif

void main()
{
    uint number = uint(gl_InstanceIndex);
    uint corner = uint(gl_VertexIndex) % 7u;
    vec2 at = vec2(corner * 3u % 8u, (corner * 5u + 3u) % 8u) * 0.125;
    gl_Position = vec4(at + vec2(number * 3u % 5u, number * 2u % 7u) * 0.125 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
    value = number;
#ifdef CAPTURE
    captured = number * 16u + uint(gl_VertexIndex);
#endif
#ifdef LAYER
    gl_Layer = layer_of(number);
#endif
#ifdef VIEWPORT
    gl_ViewportIndex = viewport_of(number);
#endif
}
