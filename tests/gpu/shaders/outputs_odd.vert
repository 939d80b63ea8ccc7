#version 450
/* SPDX-License-Identifier: MIT
 * Chooses a layer and a viewport if the constant says so, which it does not by itself. CLIP: every
 * other one is clipped. VIEWS: chooses another viewport in each view. */
#extension GL_ARB_shader_viewport_layer_array : require
#ifdef VIEWS
#extension GL_EXT_multiview : require
#endif

layout(constant_id = 0) const bool chooses = false;
layout(location = 0) flat out uint value;
#ifdef CLIP
out float gl_ClipDistance[1];
#endif

void main()
{
    uint number = uint(gl_InstanceIndex), corner = uint(gl_VertexIndex);
    gl_Position = vec4(vec2((corner * 3u + number) % 8u, (corner * 5u + number * 2u) % 8u) * 0.25 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
    value = number;
#ifdef VIEWS
    value += uint(gl_ViewIndex) * 16u;
    gl_ViewportIndex = (int(number) + gl_ViewIndex) % 4;
#else
    if (chooses) {
        gl_Layer = int((number * 3u + 1u) % 5u);
        gl_ViewportIndex = int(number % 4u);
    }
#endif
#ifdef CLIP
    gl_ClipDistance[0] = (number & 1u) == 0u ? 1.0 : -1.0;
#endif
}
