#version 450
/* SPDX-License-Identifier: MIT */
// mate chosen_matrix.geom
layout(location = 0) out mat3x2 w[6];
layout(location = 0) in vec4 from;

void main()
{
    for (int i = 0; i < 6; i++)
        w[(i + gl_VertexIndex) % 6] = mat3x2(from.x + float(i));
    gl_Position = from;
}
