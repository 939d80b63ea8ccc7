#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "tessellation_io.glsl"
layout(location = 0) in uint tag;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec2 numbers;
layout(location = 2) out Pair pairs[2];
layout(location = 9) out Block
{
    ivec3 a;
    mat2 b;
} block;
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[3];
};

void main()
{
    uint v = uint(gl_VertexIndex), i = uint(gl_InstanceIndex);
    float f = float(v) + 64.0 * float(i);
    gl_Position = vec4(f, float(tag), 0.5, 1.0);
    gl_PointSize = f + 0.25;
    for (int k = 0; k < 3; k++)
        gl_ClipDistance[k] = f + float(k) + 0.75;
    color = vec4(f, f + 1.0, f + 2.0, f + 3.0);
    numbers = uvec2(v, tag);
    for (uint k = 0u; k < 2u; k++) {
        pairs[k].count = 7u * v + k;
        pairs[k].weights[0] = f * 0.5 + float(k);
        pairs[k].weights[1] = f * 0.125;
    }
    block.a = ivec3(-int(v), int(i), 5);
    block.b = mat2(f, 1.0, 2.0, f);
}
