#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(constant_id = 1) const uint count = 2u;
layout(location = 0) in vec4 shade[];
layout(location = 0) flat out uint value;

void main()
{
    const float table[3] = float[3](0.5, 0.5, 0.5);
    const uvec2 counts = uvec2(count);
    for (uint i = 0u; i < 4u; i++) {
        const vec2 corner = vec2(i % 2u, i / 2u) * vec2(0.2);
        gl_Position = shade[0] * vec4(0.0) + gl_in[0].gl_Position + vec4(corner, 0.0, 0.0);
        const vec2 sums = mat2(vec2(shade[0].x), vec2(shade[0].x)) * vec2(table[i % 3u]);
        value = uint(sums.x * 64.0) + counts.y * 1000u + 1u;
        EmitVertex();
    }
}
