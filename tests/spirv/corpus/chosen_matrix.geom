#version 450
/* SPDX-License-Identifier: MIT */
// mate chosen_matrix.vert
layout(triangles) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in mat3x2 w[][6];

void main()
{
    for (int k = 0; k < 3; k++) {
        mat3x2 x = w[k][(gl_PrimitiveIDIn + k) % 6];
        gl_Position = vec4(x[1].x, x[k & 1][k & 1], 0.0, 1.0);
        EmitVertex();
        EndPrimitive();
    }
}
