#version 450
/* SPDX-License-Identifier: MIT */
// mate chosen_vec2.vert
layout(triangles) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in vec2 w[][20];

void main()
{
    for (int k = 0; k < 3; k++) {
        vec2 x = w[k][(gl_PrimitiveIDIn + k) % 20];
        gl_Position = vec4(x.x, x.y, 0.0, 1.0);
        EmitVertex();
        EndPrimitive();
    }
}
