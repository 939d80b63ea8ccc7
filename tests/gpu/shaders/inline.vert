#version 450
/* SPDX-License-Identifier: MIT
 * What the geometry shader is told comes from every kind of input. */
layout(location = 0) in uint cell;
layout(location = 1) in uvec2 turn; /* one for each instance */
layout(push_constant) uniform Push
{
    uint base;
    uint unused;
}
push;
layout(location = 0) out Told
{
    flat uint number;
    flat uvec2 turn;
}
told;

void main()
{
    told.number = push.base + cell + uint(gl_InstanceIndex) * 1024u;
    told.turn = turn + uvec2(uint(gl_VertexIndex) & 1u, 0u);
    gl_Position = vec4(float(cell % 32u), float(cell / 32u % 32u), 0.0, 1.0);
}
