#version 450
/* SPDX-License-Identifier: MIT */
// The vertex shader in front of own.geom.
layout(location = 0) flat out uint tag;
void main()
{
    tag = uint(gl_VertexIndex) * 2654435761u ^ uint(gl_InstanceIndex) * 40503u;
}
