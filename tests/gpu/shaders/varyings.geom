#version 450
/* SPDX-License-Identifier: MIT */
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(constant_id = 3) const int LENGTH = 2;
layout(constant_id = 5) const int OUT_LENGTH = 1;
struct Inner {
    vec2 pair;
    int whole;
};
struct Outer {
    Inner inner[2];
    mat2x3 matrix;
};
layout(location = 0) in Outer outer[];
layout(location = 6) in vec3 packed_a[];
layout(location = 6, component = 3) in float packed_b[];
layout(location = 7) in Sized
{
    float values[LENGTH];
}
sized[];
layout(location = 11) in Block
{
    vec4 first;
    layout(location = 13) uint second;
    float third[2];
}
block[];
#ifdef PLAIN /* nobody sees what is noted, so that the shader may run more than once */
float log_[2048];
#else
layout(set = 0, binding = 0) buffer Log
{
    float log_[];
};
#endif
layout(location = 0) flat out float out_sized[OUT_LENGTH];
layout(location = 4) out OutBlock
{
    mat3x2 matrix;
    flat uvec2 whole;
}
out_block;
layout(location = 9) flat out vec2 out_low;
layout(location = 9, component = 2) flat out vec2 out_high;
/* gl_PrimitiveID goes through to the fragment shader. */

void main()
{
    int at = gl_PrimitiveIDIn * 3 * 40;
    for (int v = 0; v < 3; v++, at += 40) {
        for (int i = 0; i < 2; i++) {
            log_[at + 3 * i] = outer[v].inner[i].pair.x;
            log_[at + 3 * i + 1] = outer[v].inner[i].pair.y;
            log_[at + 3 * i + 2] = float(outer[v].inner[i].whole);
        }
        for (int i = 0; i < 6; i++)
            log_[at + 6 + i] = outer[v].matrix[i / 3][i % 3];
        for (int i = 0; i < 3; i++)
            log_[at + 12 + i] = packed_a[v][i];
        log_[at + 15] = packed_b[v];
        for (int i = 0; i < LENGTH; i++)
            log_[at + 16 + i] = sized[v].values[i];
        for (int i = 0; i < 4; i++)
            log_[at + 24 + i] = block[v].first[i];
        log_[at + 28] = float(block[v].second);
        log_[at + 29] = block[v].third[0] + block[v].third[1] * 256.0;
    }
    vec2 low = vec2(float(gl_PrimitiveIDIn % 4), float(gl_PrimitiveIDIn / 4)) / 2.0 - 0.9375;
    for (int v = 0; v < 3; v++) {
        gl_Position = vec4(low + vec2(float(v & 1), float(v >> 1)) * 0.40625, 0.25, 1.0);
        for (int i = 0; i < OUT_LENGTH; i++)
            out_sized[i] = sized[v].values[i % LENGTH] + float(i);
        out_block.matrix = mat3x2(outer[0].matrix[0], outer[0].matrix[1]);
        out_block.whole = uvec2(block[v].second, uint(v));
        out_low = packed_a[v].xy;
        out_high = vec2(packed_a[v].z, packed_b[v]);
        gl_PrimitiveID = gl_PrimitiveIDIn * 10 + 7;
        EmitVertex();
    }
}
