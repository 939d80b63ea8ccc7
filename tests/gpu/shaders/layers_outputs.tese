#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_ARB_shader_viewport_layer_array : require
layout(triangles, equal_spacing, ccw) in;
layout(push_constant) uniform Push
{
    int number;
    uint place;
};

void main()
{
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                  gl_TessCoord.z * gl_in[2].gl_Position;
    gl_Layer = number;
}
