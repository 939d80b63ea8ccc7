#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) in uint tint[];
layout(location = 0) flat out uint value;

void main()
{
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                  gl_TessCoord.z * gl_in[2].gl_Position;
    value = tint[0];
}
