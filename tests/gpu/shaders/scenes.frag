#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) flat in vec4 color; // interpolated it would depend on the place
layout(location = 0) out vec4 target;

void main()
{
    target = abs(color);
}
