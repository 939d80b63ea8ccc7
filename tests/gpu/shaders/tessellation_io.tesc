#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "tessellation_io.glsl"
layout(vertices = OUTPUTS) out;
layout(location = 0) in vec4 color[];
layout(location = 1) in uvec2 numbers[];
layout(location = 2) in Pair pairs[][2];
layout(location = 9) in Block
{
    ivec3 a;
    mat2 b;
} blocks[];
in gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[3];
} gl_in[];

out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[2];
} gl_out[];
layout(location = 0) out uint own[];
layout(location = 1) out Pair after[][2];
layout(location = 7) out Sent
{
    uvec2 next;
    float number;
} sent[];
layout(location = 10) patch out uint marks[5];
layout(location = 15) patch out Pair whole;
layout(location = 18) patch out Shared
{
    uvec3 folded;
    float third[2];
} common_block;

uint input_hash(int k)
{
    uint h = 1u;
    for (int i = 0; i < 4; i++)
        h = mixed(h, gl_in[k].gl_Position[i]);
    h = mixed(h, gl_in[k].gl_PointSize);
    for (int i = 0; i < 3; i++)
        h = mixed(h, gl_in[k].gl_ClipDistance[i]);
    for (int i = 0; i < 4; i++)
        h = mixed(h, color[k][i]);
    h = mixed(mixed(h, numbers[k].x), numbers[k].y);
    for (int i = 0; i < 2; i++) {
        h = mixed(h, pairs[k][i].count);
        h = mixed(mixed(h, pairs[k][i].weights[0]), pairs[k][i].weights[1]);
    }
    for (int i = 0; i < 3; i++)
        h = mixed(h, uint(blocks[k].a[i]));
    for (int i = 0; i < 4; i++)
        h = mixed(h, blocks[k].b[i / 2][i % 2]);
    return h;
}

void main()
{
    const int me = gl_InvocationID, next = (me + 1) % OUTPUTS;
    own[gl_InvocationID] = mixed(input_hash(me % gl_PatchVerticesIn), uint(me));
    gl_out[gl_InvocationID].gl_Position = vec4(float(me), float(gl_PrimitiveID), float(gl_PatchVerticesIn), 1.0);
    gl_out[gl_InvocationID].gl_PointSize = float(me) + 2.0;
    gl_out[gl_InvocationID].gl_ClipDistance[0] = float(me) * 0.5;
    gl_out[gl_InvocationID].gl_ClipDistance[1] = 3.0;
    for (int i = me; i < 5; i += OUTPUTS)
        marks[i] = 1000u * uint(gl_PrimitiveID) + uint(i);
    barrier();
    sent[gl_InvocationID].next = uvec2(own[next], gl_out[next].gl_PointSize);
    sent[gl_InvocationID].number = float(next) + 0.5;
    after[gl_InvocationID][1].weights[0] = float(marks[me % 5]);
    barrier();
    after[gl_InvocationID][0].count = own[next] ^ sent[next].next.x;
    after[gl_InvocationID][0].weights[0] = sent[next].number;
    after[gl_InvocationID][0].weights[1] = 1.5;
    after[gl_InvocationID][1].count = marks[(me + 3) % 5];
    after[gl_InvocationID][1].weights[1] = float(OUTPUTS);
    if (me == OUTPUTS - 1) {
        uint all = 2u;
        for (int i = 0; i < gl_PatchVerticesIn; i++)
            all = mixed(all, input_hash(i));
        whole.count = all;
        whole.weights[0] = float(gl_PatchVerticesIn);
        for (int i = 0; i < OUTPUTS; i++)
            all = mixed(all, own[i]);
        whole.weights[1] = float(gl_PrimitiveID);
        common_block.folded = uvec3(all, marks[2], own[0]);
        common_block.third[0] = 0.25;
        common_block.third[1] = gl_out[0].gl_Position.z;
    }
    /* One invocation is enough; the inner levels are another's. */
    if (me == 0)
        gl_TessLevelOuter = float[4](2.0, 4.0, 1.0, 2.0);
    if (me == OUTPUTS / 2)
        gl_TessLevelInner = float[2](4.0, 2.0);
}
