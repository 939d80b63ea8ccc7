#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT */
#include "resources.glsl"
layout(lines, invocations = 2) in;
layout(triangle_strip, max_vertices = 4) out;
layout(push_constant) uniform Push
{
    layout(offset = 16) uvec4 for_geometry;
    uint log_base;
};
layout(location = 0) flat in uint seen[][6];
layout(location = 0) flat out uint value;

void main()
{
    uint unit = uint(gl_PrimitiveIDIn * 2 + gl_InvocationID);
    uint at = log_base + unit * 24u;
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < 6; i++)
            log_[at + uint(v * 6 + i)] = seen[v][i];
    uint index = unit % 4u;
    uint mine[8];
    mine[0] = plain[index].z;
    mine[1] = table_[unit % 64u] + for_geometry.y;
    mine[2] = imageLoad(cells, int(unit % 16u)).x;
    mine[3] = texture(combined, vec2((float(index) + 0.5) / 4.0, 0.125)).x;
    mine[4] = texelFetch(pictures[2], ivec2(int(index), 3), 0).x;
    mine[5] = moving[0].w + moving_table[unit % 8u];
    mine[6] = several[for_geometry.w % 4u].value[index];
    mine[7] = textureSize(combined, 0).x + imageSize(picture).y;
    uint sum = 0u;
    for (int i = 0; i < 8; i++) {
        log_[at + 12u + uint(i)] = mine[i];
        sum = sum * 31u + mine[i];
    }
    imageStore(picture, ivec2(int(unit % 8u), int(unit / 8u)), uvec4(sum));
    imageStore(cells, int(16u + at / 24u), uvec4(sum ^ for_geometry.z)); /* each its own: the two draws are not ordered */
    atomicAdd(moving_table[16], unit + 1u);
    vec2 low = vec2(float(unit % 4u), float(unit / 4u)) / 2.0 - 1.0;
    for (int i = 0; i < 4; i++) {
        gl_Position = vec4(low + vec2(float(i & 1), float(i >> 1)) * 0.375 + 0.0625, 0.5, 1.0);
        value = sum;
        EmitVertex();
    }
}
