#version 450
/* SPDX-License-Identifier: MIT
 * A point that is wanted becomes a triangle around the centre of a pixel that follows from its number. */
layout(points) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat in uint number[];
layout(location = 1) flat in uint wanted[];

void corner(vec2 pixel, float depth, vec2 at)
{
    gl_Position = vec4((pixel + at) / 32.0 - 1.0, depth, 1.0);
    EmitVertex();
}

void main()
{
    if (wanted[0] == 0u)
        return;
    uint place = number[0] * 2654435761u >> 20;
    vec2 pixel = vec2(float(place % 64u), float(place / 64u)) + 0.5;
    float depth = float(number[0] % 65521u + 1u) / 65536.0;
    corner(pixel, depth, vec2(-0.25, -0.25));
    corner(pixel, depth, vec2(0.375, -0.25));
    corner(pixel, depth, vec2(-0.25, 0.375));
}
