#version 450
/* SPDX-License-Identifier: MIT */
// args info: -s 3=2
// args control: -s 3=2
layout(constant_id = 3) const int count = 3;
layout(constant_id = 4) const bool enable = true;
layout(vertices = 1) out;
layout(location = 0) in block_in { vec2 values[count]; } each[];
layout(location = 4) out block_out { vec2 values[count]; } results[];
layout(location = 9) patch out float sums[count * 2];
void main()
{
    for (int k = 0; k < count; k++) {
        results[gl_InvocationID].values[k] = each[gl_PatchVerticesIn - 1].values[k];
        sums[k] = each[0].values[k].x;
    }
    gl_TessLevelOuter[0] = enable ? 1.0 : 0.0;
    gl_TessLevelOuter[1] = 2.0;
}
