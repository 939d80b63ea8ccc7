#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat out uint value;
layout(push_constant) uniform Push
{
    float shift;
    uint tint;
};

void main()
{
    const int i = gl_VertexIndex;
    gl_Position = vec4(float(i % 4) / 2.0 - 0.95 + shift, float(i / 4) / 2.0 - 0.95, 0.5, 1.0);
    value = tint + uint(i);
    gl_PointSize = 1.0;
}
