#version 450
/* SPDX-License-Identifier: MIT
 * One triangle in one of 16 places. LAYER: to the layer that is pushed. */
#ifdef LAYER
#extension GL_ARB_shader_viewport_layer_array : require
#endif
layout(push_constant) uniform Push
{
    int number;
    uint place;
};

void main()
{
    vec2 corner = vec2(gl_VertexIndex == 1 ? 0.375 : 0.0, gl_VertexIndex == 2 ? 0.375 : 0.0);
    gl_Position = vec4(vec2(place & 3u, place >> 2u) * 0.5 - 1.0 + corner, 0.5, 1.0);
#ifdef LAYER
    gl_Layer = number;
#endif
}
