#version 450
/* SPDX-License-Identifier: MIT */
// env: vulkan1.1
// More than any driver takes: expect info: invalid, expect control: invalid, skip half0
layout(vertices = 33) out;
layout(location = 0) out float x[];
void main()
{
    x[gl_InvocationID] = 1.0;
}
