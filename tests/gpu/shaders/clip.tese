#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles, equal_spacing, ccw) in;
layout(location = 0) flat in uint numbers[];
layout(location = 1) in vec2 places[];
layout(location = 0) flat out uint number;
layout(location = 1) out vec2 place;
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[4];
    float gl_CullDistance[4];
}
gl_in[gl_MaxPatchVertices];
out float gl_ClipDistance[4];
out float gl_CullDistance[1];

void main()
{
    gl_Position = vec4(0);
    place = vec2(0);
    for (int k = 0; k < 4; k++)
        gl_ClipDistance[k] = 0.0;
    for (int i = 0; i < 3; i++) {
        gl_Position += gl_in[i].gl_Position * gl_TessCoord[i];
        place += places[i] * gl_TessCoord[i];
        for (int k = 0; k < 4; k++)
            gl_ClipDistance[k] += gl_in[i].gl_ClipDistance[k] * gl_TessCoord[i];
    }
    gl_CullDistance[0] = gl_in[0].gl_CullDistance[2];
    number = numbers[0];
}
