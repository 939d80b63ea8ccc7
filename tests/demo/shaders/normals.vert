#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 vertex_normal;

void main()
{
    gl_Position = vec4(position, 1.0);
    vertex_normal = normal;
}
