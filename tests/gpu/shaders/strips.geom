#version 450
/* SPDX-License-Identifier: MIT
 * OUTPUT is the output primitive, KIND 1 points, 2 lines, 3 triangles. One point in gives up to 8 vertices in a cell
 * of 64 x 16 pixels, cut into strips as the vertex data say. */
layout(points) in;
layout(OUTPUT, max_vertices = 8) out;
layout(location = 0) flat in uvec3 cell_shape[];
layout(location = 1) flat in uint cell[];
layout(location = 0) flat out uint value;

void main()
{
    uvec3 shape = cell_shape[0];
    vec2 origin = vec2(float(cell[0] % 4u) * 64.0, float(cell[0] / 4u) * 16.0);
    for (uint i = 0u; i < min(shape.x, 8u); i++) {
        bool low = ((i ^ shape.z) & 1u) != 0u;
        vec2 pixel = origin + vec2(3.25 + 7.0 * float(i), low ? 12.25 : 2.75);
        gl_Position = vec4(pixel / 128.0 - 1.0, 0.5, 1.0);
#if KIND == 1
        gl_PointSize = 1.0 + float(i % 4u) * 2.0;
#endif
        value = cell[0] * 16u + i + 1u;
        EmitVertex();
        if ((shape.y >> i & 1u) != 0u)
            EndPrimitive();
    }
}
