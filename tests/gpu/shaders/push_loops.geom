#version 450
/* SPDX-License-Identifier: MIT
 * LINES comes from the command line: up to three lines for each triangle, or else four vertices of a quad. Both go round
 * as often as a push constant says before they emit; the depth says whose they are. */
layout(triangles) in;
#if LINES
layout(line_strip, max_vertices = 6) out;
#else
layout(triangle_strip, max_vertices = 4) out;
#endif
layout(push_constant) uniform Push
{
    vec4 unused;
    uint vertex_times;
    int geometry_times;
}
push;
layout(location = 0) flat in uint number[];

uint hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

void corner(uint place, uint whose, vec2 at)
{
    vec2 pixel = vec2(float(place % 64u), float(place / 64u % 64u)) + 0.5;
    gl_Position = vec4((pixel + at) / 32.0 - 1.0, float(whose % 65521u + 1u) / 65536.0, 1.0);
    EmitVertex();
}

uint stirred(uint h)
{
    for (int i = 0; i < push.geometry_times; i++)
        h = hash(h + uint(gl_in[1].gl_Position.z));
    return h;
}

void main()
{
    uint h = stirred(number[0]);
#if LINES
    for (uint k = 0u; k < 3u; k++) {
        if (((h >> k ^ number[k]) & 1u) == 0u)
            continue;
        uint place = hash(number[k] + k);
        corner(place, h, vec2(-0.4375, 0.0));
        corner(place, h, vec2(0.5625, 0.0));
        EndPrimitive();
    }
#else
    uint place = hash(h ^ number[2]);
    for (uint k = 0u; k < 4u; k++)
        corner(place, number[1], vec2(float(k & 1u), float(k >> 1)) * 0.75 - 0.375);
#endif
}
