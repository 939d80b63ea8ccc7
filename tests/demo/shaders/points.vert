#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in vec4 position_radius;
layout(location = 1) in vec3 color;
layout(location = 0) out vec3 point_color;
layout(location = 1) out float point_radius;

void main()
{
    gl_Position = vec4(position_radius.xyz, 1.0);
    point_radius = position_radius.w;
    point_color = color;
}
