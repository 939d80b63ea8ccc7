// SPDX-License-Identifier: MIT
#version 450
layout(set = 0, binding = 0) uniform Bound
{
    uint bound;
};
layout(location = 0) flat out uint value;

void main()
{
    value = gl_VertexIndex * 31 + bound;
    gl_Position = vec4((vec2(gl_VertexIndex % 16, gl_VertexIndex / 16) + 0.5) / 8 - 1, 0, 1);
    gl_PointSize = 1;
}
