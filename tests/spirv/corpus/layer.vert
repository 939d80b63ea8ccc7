#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.2 vulkan1.3
// No geometry shader can read a layer: expect through1: unsupported, expect through2: unsupported, expect through3: unsupported
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec4 position;
void main()
{
    gl_Position = position;
    gl_Layer = gl_VertexIndex & 1;
}
