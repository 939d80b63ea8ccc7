#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "tessellation_io.glsl"
layout(quads, equal_spacing, point_mode) in;
layout(location = 0) in uint own[];
layout(location = 1) in Pair after[][2];
layout(location = 7) in Sent
{
    uvec2 next;
    float number;
} sent[];
layout(location = 10) patch in uint marks[5];
layout(location = 15) patch in Pair whole;
layout(location = 18) patch in Shared
{
    uvec3 folded;
    float third[2];
} common_block;
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[2];
} gl_in[];

layout(location = 0, xfb_buffer = 0, xfb_stride = 48, xfb_offset = 0) out vec2 coord;
layout(location = 1, xfb_buffer = 0, xfb_offset = 8) out uvec2 numbers;
layout(location = 2, xfb_buffer = 0, xfb_offset = 16) out uvec4 hashes;
layout(location = 3, xfb_buffer = 0, xfb_offset = 32) out vec4 between;

void main()
{
    uint h = 3u, d = 4u;
    for (int i = 0; i < gl_PatchVerticesIn; i++) {
        h = mixed(h, own[i]);
        h = mixed(mixed(h, sent[i].next.x), sent[i].next.y);
        h = mixed(h, sent[i].number);
        for (int k = 0; k < 2; k++) {
            h = mixed(h, after[i][k].count);
            h = mixed(mixed(h, after[i][k].weights[0]), after[i][k].weights[1]);
        }
        for (int k = 0; k < 4; k++)
            d = mixed(d, gl_in[i].gl_Position[k]);
        d = mixed(d, gl_in[i].gl_PointSize);
        d = mixed(mixed(d, gl_in[i].gl_ClipDistance[0]), gl_in[i].gl_ClipDistance[1]);
    }
    uint p = 5u;
    for (int i = 0; i < 5; i++)
        p = mixed(p, marks[i]);
    p = mixed(mixed(mixed(p, whole.count), whole.weights[0]), whole.weights[1]);
    for (int i = 0; i < 3; i++)
        p = mixed(p, common_block.folded[i]);
    p = mixed(mixed(p, common_block.third[0]), common_block.third[1]);
    for (int i = 0; i < 4; i++)
        p = mixed(p, gl_TessLevelOuter[i]);
    p = mixed(mixed(p, gl_TessLevelInner[0]), gl_TessLevelInner[1]);

    coord = gl_TessCoord.xy;
    numbers = uvec2(gl_PrimitiveID, gl_PatchVerticesIn);
    hashes = uvec4(h, d, p, gl_TessCoord.z == 0.0);
    int last = gl_PatchVerticesIn - 1;
    between = mix(gl_in[0].gl_Position, gl_in[last].gl_Position, gl_TessCoord.x);
    gl_Position = vec4(coord * 2.0 - 1.0, 0.0, 1.0);
    gl_PointSize = 1.0;
}
