#version 450
#extension GL_EXT_fragment_shading_rate : require
/* SPDX-License-Identifier: MIT */
// A geometry shader that reads it is none for drivers: private through1, private through2, private through3
layout(location = 0) in vec4 place;
layout(location = 0) out vec4 color;

void main()
{
    color = place.yxwz;
    gl_Position = place;
    gl_PointSize = 1.0;
    gl_PrimitiveShadingRateEXT = gl_VertexIndex & 5;
}
