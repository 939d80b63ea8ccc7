#version 450
/* SPDX-License-Identifier: MIT */
/* IN vectors for each vertex. */
layout(location = 0) out vec4 v[IN];

void main()
{
    for (int i = 0; i < IN; i++)
        v[i] = vec4(gl_VertexIndex, i, 0.5 * float(i), 1.0) + 0.25 * float(gl_InstanceIndex);
    gl_Position = vec4(0.0, 0.0, 0.0, 1.0);
}
