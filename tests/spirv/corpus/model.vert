#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.2 vulkan1.3
// mate model.geom
#pragma use_vulkan_memory_model
layout(location = 0) in vec4 position;
layout(location = 0) out vec4 color;
void main()
{
    gl_Position = position;
    color = position.wzyx;
}
