#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.2 vulkan1.3
// A geometry shader that reads them is none for drivers: private through1, private through2, private through3
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec4 position;
void main()
{
    gl_Position = position;
    gl_Layer = gl_VertexIndex & 1;
    gl_ViewportIndex = gl_VertexIndex & 3;
}
