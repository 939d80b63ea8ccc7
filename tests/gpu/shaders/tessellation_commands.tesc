#version 450
/* SPDX-License-Identifier: MIT */
layout(vertices = 1) out;
layout(location = 0) in float patch_level[];
layout(location = 1) in uvec2 place[];
layout(location = 0) patch out uvec2 patch_place;

void main()
{
    patch_place = place[0];
    for (int i = 0; i < 4; i++)
        gl_TessLevelOuter[i] = patch_level[0];
    for (int i = 0; i < 2; i++)
        gl_TessLevelInner[i] = patch_level[0];
}
