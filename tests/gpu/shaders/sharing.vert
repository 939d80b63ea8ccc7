// SPDX-License-Identifier: MIT
#version 450
layout(location = 0) in uint number;
layout(location = 0) flat out uint value;
layout(set = 0, binding = 0) uniform Factor
{
    uint factor;
};
layout(push_constant) uniform Row
{
    uint row, sum;
};

void main()
{
    value = number * factor + sum;
    gl_Position = vec4((vec2(gl_VertexIndex, row) + 0.5) / 4 - 1, 0, 1);
    gl_PointSize = 1;
}
