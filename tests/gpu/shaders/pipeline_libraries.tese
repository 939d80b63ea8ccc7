#version 450
// SPDX-License-Identifier: MIT
layout(triangles, equal_spacing, cw) in;
layout(location = 0) flat in uint values[];
layout(location = 0) flat out uint value;

void main()
{
    value = values[0];
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                  gl_TessCoord.z * gl_in[2].gl_Position;
}
