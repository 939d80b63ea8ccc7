#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in uvec2 place; /* in pixels */
layout(location = 0) flat out uvec2 corner;
layout(location = 1) flat out uint number;
layout(push_constant) uniform Push { uvec2 shift; uint tag; };

void main()
{
    corner = (place + shift + uvec2(gl_InstanceIndex * 5, gl_VertexIndex % 3)) & 63u;
    number = uint(gl_VertexIndex) * 7u + uint(gl_InstanceIndex);
    gl_Position = vec4((vec2(corner) + 0.5) / 32.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
