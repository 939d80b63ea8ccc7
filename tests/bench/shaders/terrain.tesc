#version 450
/* SPDX-License-Identifier: MIT
 * T2, T3: a quad of terrain, whose edges are divided into 1 to 8 parts, as the data say. */
layout(vertices = 4) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color[];

float level(int a, int b)
{
    return 1.0 + 3.5 * (color[a].r + color[b].r);
}

void main()
{
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    out_color[gl_InvocationID] = color[gl_InvocationID];
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter[0] = level(0, 2);
        gl_TessLevelOuter[1] = level(0, 1);
        gl_TessLevelOuter[2] = level(1, 3);
        gl_TessLevelOuter[3] = level(2, 3);
        gl_TessLevelInner[0] = 0.5 * (gl_TessLevelOuter[1] + gl_TessLevelOuter[3]);
        gl_TessLevelInner[1] = 0.5 * (gl_TessLevelOuter[0] + gl_TessLevelOuter[2]);
    }
}
