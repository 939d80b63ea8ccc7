#version 450
// SPDX-License-Identifier: MIT
// As many squares as the data say, so that nobody knows beforehand what is emitted.
layout(triangles) in;
layout(triangle_strip, max_vertices = 16) out;
layout(set = 0, binding = 0) buffer readonly Shades { vec4 shades[4]; };
layout(push_constant) uniform Push { uint most; };
layout(location = 0) in vec4 from_vertex[];
layout(location = 0) out vec4 color;

void main()
{
    const uint count = min(most, 1 + uint(from_vertex[0].w) % 4);
    for (uint i = 0; i < count; i++) {
        const vec2 middle = from_vertex[i % 3].xy;
        for (uint k = 0; k < 4; k++) {
            const vec2 corner = vec2(k & 1, k >> 1) - 0.5;
            gl_Position = vec4(middle + corner * from_vertex[0].z, 0.0, 1.0);
            color = shades[(gl_PrimitiveIDIn + i) % 4]; // undefined after each EmitVertex
            EmitVertex();
        }
        EndPrimitive();
    }
}
