#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in uint number; // not bound for all vertices
layout(location = 0) flat out uint value;
layout(set = 0, binding = 0) readonly buffer Words
{
    uint words[];
};
layout(set = 0, binding = 1) uniform Block
{
    uvec4 block[64];
};
layout(push_constant) uniform Push
{
    uint beyond; // an index far out of every range
};

void main()
{
    const uint i = uint(gl_VertexIndex);
    gl_Position = vec4(float(i % 8u) / 4.0 - 0.9, float(i / 8u) / 2.0 - 0.9, 0.5, 1.0);
    gl_PointSize = 1.0;
    value = words[i % 4u] + words[beyond + i] + block[i % 4u].x + block[min(beyond, 63u)].y + number;
}
