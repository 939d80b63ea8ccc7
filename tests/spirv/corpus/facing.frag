#version 450
/* SPDX-License-Identifier: MIT
 * gl_FrontFacing in conditions, choices and functions, beside inputs that are flat. */
layout(location = 0) flat in uvec2 number;
layout(location = 1) in float near;
layout(location = 0) out vec4 color;

float side(float way)
{
    return gl_FrontFacing ? way : -way;
}

void main()
{
    const bool front = gl_FrontFacing;
    if (!front && number.x == 3u)
        discard;
    color = vec4(side(near), front ? 1.0 : 0.25, float(number.y), mix(2.0, 4.0, gl_FrontFacing));
}
