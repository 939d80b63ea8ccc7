#version 450
/* SPDX-License-Identifier: MIT */
layout(quads) in;
layout(location = 0) in uvec4 sum[];
layout(location = 1) in uvec2 pair[];
layout(location = 2) patch in uint totals[3];
layout(location = 5) patch in block_once { uvec3 ids; uint last; } once;
layout(location = 0) out uvec4 sums;
layout(location = 1) out uvec4 numbers;
layout(location = 2) out vec4 place;
layout(push_constant) uniform push_block { uint zero; uint offset; } push;

void main()
{
    uvec2 pairs = uvec2(0u);
    for (int k = 0; k < gl_PatchVerticesIn; k++)
        pairs += pair[k] * uint(k + 1);
    sums = sum[gl_PatchVerticesIn - 1] + uvec4(totals[0], totals[1], totals[2], gl_PrimitiveID);
    numbers = uvec4(once.ids.xy, once.last + pairs.x, once.ids.z + pairs.y + push.offset);
    place = vec4(gl_TessCoord, gl_TessLevelOuter[3] + gl_TessLevelInner[1]);
    gl_Position = vec4(gl_TessLevelOuter[0], gl_TessLevelOuter[1], gl_TessLevelOuter[2], gl_TessLevelInner[0]);
}
