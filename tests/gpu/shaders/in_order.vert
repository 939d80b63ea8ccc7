#version 450
/* SPDX-License-Identifier: MIT */
layout(push_constant) uniform Push { layout(offset = 124) uint per_instance; };
layout(location = 0) flat out uint number;

void main()
{
    number = uint(gl_VertexIndex) + uint(gl_InstanceIndex) * per_instance;
}
