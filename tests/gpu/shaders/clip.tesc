#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 3) out;
layout(location = 0) flat in uint numbers[];
layout(location = 1) in vec2 places[];
layout(location = 0) out uint own_numbers[];
layout(location = 1) out vec2 own_places[];
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[4];
    float gl_CullDistance[4];
}
gl_in[gl_MaxPatchVertices];
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[4];
    float gl_CullDistance[4];
}
gl_out[];

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    for (int k = 0; k < 4; k++) {
        gl_out[gl_InvocationID].gl_ClipDistance[k] = gl_in[gl_InvocationID].gl_ClipDistance[k];
        gl_out[gl_InvocationID].gl_CullDistance[k] = gl_in[gl_InvocationID].gl_CullDistance[k];
    }
    own_numbers[gl_InvocationID] = numbers[gl_InvocationID];
    own_places[gl_InvocationID] = places[gl_InvocationID];
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = 1.0;
    gl_TessLevelInner[0] = 1.0;
}
