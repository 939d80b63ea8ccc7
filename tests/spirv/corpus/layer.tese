#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.2 vulkan1.3
// expect place: unsupported
// A geometry shader that reads them is none for drivers: private through1, private through2, private through3
#extension GL_ARB_shader_viewport_layer_array : require
layout(triangles) in;
void main()
{
    gl_Position = vec4(gl_TessCoord, 1.0);
    gl_Layer = gl_PrimitiveID & 1;
    gl_ViewportIndex = gl_PrimitiveID & 3;
}
