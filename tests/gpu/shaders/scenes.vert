#version 450
// SPDX-License-Identifier: MIT
layout(location = 0) in vec4 place; // x, y, size, number
layout(location = 0) out vec4 to_next;

void main()
{
    to_next = place + vec4(0.0, 0.125 * float(gl_InstanceIndex), 0.0, 0.0);
    gl_Position = vec4(to_next.xy, 0.0, 1.0);
    gl_PointSize = 1.0;
}
