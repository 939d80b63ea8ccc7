#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) flat in uint numbers[];
layout(location = 0) flat out uint number;
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[2];
    float gl_CullDistance[1];
};

void main()
{
    gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position +
                  gl_TessCoord.z * gl_in[2].gl_Position;
    number = numbers[0];
    gl_ClipDistance[0] = 0.301 - gl_TessCoord.y;
    gl_ClipDistance[1] = 0.703 - gl_TessCoord.z;
    gl_CullDistance[0] = number % 4u == 2u ? -1.0 : 1.0;
}
