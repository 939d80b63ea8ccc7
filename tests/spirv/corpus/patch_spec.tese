#version 450
/* SPDX-License-Identifier: MIT */
// args info: -s 3=2
// args evaluation: -s 3=2
layout(constant_id = 3) const int count = 3;
layout(isolines) in;
layout(location = 4) in block_out { vec2 values[count]; } results[];
layout(location = 9) patch in float sums[count * 2];
layout(location = 0) out float values[count];
void main()
{
    for (int k = 0; k < count; k++)
        values[k] = results[0].values[k].x + sums[k + count];
    gl_Position = vec4(gl_TessCoord.xyz, 1.0);
}
