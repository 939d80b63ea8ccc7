#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in ivec4 place_kind_life;
layout(location = 1) in ivec4 motion_seed;
layout(location = 0) flat out ivec4 a;
layout(location = 1) flat out ivec4 b;

void main()
{
    a = place_kind_life;
    b = motion_seed;
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
