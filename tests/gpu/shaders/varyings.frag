#version 450
/* SPDX-License-Identifier: MIT */
layout(constant_id = 5) const int OUT_LENGTH = 1;
layout(location = 0) flat in float out_sized[OUT_LENGTH];
layout(location = 4) in OutBlock
{
    mat3x2 matrix;
    flat uvec2 whole;
}
out_block;
layout(location = 9) flat in vec2 out_low;
layout(location = 9, component = 2) flat in vec2 out_high;
layout(location = 0) out uint result;

uint mix_in(uint sum, float value)
{
    return sum * 33u + uint(int(round(value * 16.0)));
}

void main()
{
    uint sum = uint(gl_PrimitiveID);
    for (int i = 0; i < OUT_LENGTH; i++)
        sum = mix_in(sum, out_sized[i]);
    for (int i = 0; i < 6; i++)
        sum = mix_in(sum, out_block.matrix[i / 2][i % 2]);
    sum = mix_in(sum, float(out_block.whole.x));
    sum = mix_in(sum, float(out_block.whole.y));
    sum = mix_in(mix_in(sum, out_low.x), out_low.y);
    result = mix_in(mix_in(sum, out_high.x), out_high.y);
}
