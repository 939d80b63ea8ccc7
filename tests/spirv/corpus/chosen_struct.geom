#version 450
/* SPDX-License-Identifier: MIT */
// mate chosen_struct.vert
layout(triangles) in;
layout(points, max_vertices = 3) out;
struct Part {
    vec2 a;
    float b[2];
    mat2 c;
};
layout(location = 0) in Part w[][4];

void main()
{
    for (int k = 0; k < 3; k++) {
        Part x = w[k][(gl_PrimitiveIDIn + k) % 4];
        gl_Position = vec4(x.a.x, x.b[1], 0.0, 1.0);
        EmitVertex();
        EndPrimitive();
    }
}
