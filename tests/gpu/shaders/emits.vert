#version 450
/* SPDX-License-Identifier: MIT
 * Of each hundred vertices about `share` are to become something. */
layout(push_constant) uniform block
{
    uint share;
};
layout(location = 0) flat out uint number;
layout(location = 1) flat out uint wanted;

void main()
{
    uint x = uint(gl_VertexIndex);
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    number = uint(gl_VertexIndex);
    wanted = x % 100u < share ? 1u : 0u;
    gl_Position = vec4(0.0);
    gl_PointSize = 1.0;
}
