#version 450
/* SPDX-License-Identifier: MIT
 * Goes round as often as a push constant says. */
layout(push_constant) uniform Push
{
    vec4 unused;
    uint vertex_times;
    int geometry_times;
}
push;
layout(location = 0) in uvec2 seeds;
layout(location = 1) in uint more;
layout(location = 0) flat out uint number;

void main()
{
    uint h = seeds.x ^ seeds.y * 3u ^ more;
    for (uint i = 0u; i < push.vertex_times; i++)
        h = h * 747796405u + 2891336453u;
    number = h ^ uint(gl_VertexIndex);
    gl_Position = vec4(0.0, 0.0, float(h % 64u), 1.0);
}
