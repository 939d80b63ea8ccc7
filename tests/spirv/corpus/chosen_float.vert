#version 450
/* SPDX-License-Identifier: MIT */
// mate chosen_float.geom
layout(location = 0) out float w[20];
layout(location = 0) in vec4 from;

void main()
{
    for (int i = 0; i < 20; i++)
        w[(i + gl_VertexIndex) % 20] = from.x + float(i);
    gl_Position = from;
}
