// SPDX-License-Identifier: MIT
#version 450
layout(set = 0, binding = 0) uniform First
{
    uint first;
};
layout(set = 0, binding = 2) uniform Shared
{
    uint both;
};
layout(set = 0, binding = 5) uniform sampler nearest;
layout(set = 0, binding = 6) uniform utexture2D picture;

layout(location = 0) flat out uint value;

void main()
{
    value = gl_VertexIndex + first * 3 + both * 5 + texelFetch(usampler2D(picture, nearest), ivec2(1), 0).x * 7;
    gl_Position = vec4((vec2(gl_VertexIndex % 8, gl_VertexIndex / 8) + 0.5) / 4 - 1, 0, 1);
    gl_PointSize = 1;
}
