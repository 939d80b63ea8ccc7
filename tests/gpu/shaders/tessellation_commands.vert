#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in float level;
layout(location = 0) out float patch_level;
layout(location = 1) out uvec2 place;

void main()
{
    patch_level = level;
    place = uvec2(gl_VertexIndex, gl_InstanceIndex);
}
