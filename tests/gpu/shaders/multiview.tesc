#version 450
/* SPDX-License-Identifier: MIT */
#extension GL_GOOGLE_include_directive : require
#include "multiview.glsl"
layout(vertices = 4) out;
layout(location = 0) flat in uint value[];
layout(location = 0) patch out uint patch_value;

void main()
{
    const float level = float(1u << (view_index & 3u));
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelOuter[3] = level;
        gl_TessLevelInner[0] = gl_TessLevelInner[1] = level;
        patch_value = value[0] + 3u * view_index;
    }
}
