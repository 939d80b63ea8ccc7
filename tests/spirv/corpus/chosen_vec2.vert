#version 450
/* SPDX-License-Identifier: MIT */
// mate chosen_vec2.geom
layout(location = 0) out vec2 w[20];
layout(location = 0) in vec4 from;

void main()
{
    for (int i = 0; i < 20; i++)
        w[(i + gl_VertexIndex) % 20] = from.xy + float(i);
    gl_Position = from;
}
