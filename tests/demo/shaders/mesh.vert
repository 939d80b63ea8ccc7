#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 color;
layout(location = 0) out vec3 mesh_color;
layout(location = 1) out vec3 mesh_normal;
layout(location = 2) out vec3 world;

void main()
{
    gl_Position = project(position);
    mesh_color = color;
    mesh_normal = normal;
    world = position;
}
