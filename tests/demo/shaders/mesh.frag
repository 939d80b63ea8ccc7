#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "camera.glsl"
layout(location = 0) in vec3 mesh_color;
layout(location = 1) in vec3 mesh_normal;
layout(location = 2) in vec3 world;
layout(location = 0) out vec4 result;

void main()
{
    result = display(shade(mesh_color, normalize(mesh_normal), world, 0.5));
}
