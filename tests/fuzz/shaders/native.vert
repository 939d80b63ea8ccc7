#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat out uint value;

void main()
{
    uint h = (uint(gl_VertexIndex) * 7u + uint(gl_InstanceIndex) * 131u + 17u) * 0x9E3779B1u;
    h ^= h >> 15;
    gl_Position = vec4((float(h & 127u) - 63.5) / 64.0, (float((h >> 8) & 127u) - 63.5) / 64.0, 0.5, 1.0);
    gl_PointSize = 1.0;
    value = h | 1u;
}
