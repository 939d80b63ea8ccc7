#version 450
/* SPDX-License-Identifier: MIT
 * The levels of a patch are the words of its two vertices, whatever they are. */
layout(vertices = 1) out;
layout(location = 0) in uvec4 levels[];

void main()
{
    gl_TessLevelOuter[0] = uintBitsToFloat(levels[0].x);
    gl_TessLevelOuter[1] = uintBitsToFloat(levels[0].y);
    gl_TessLevelOuter[2] = uintBitsToFloat(levels[0].z);
    gl_TessLevelOuter[3] = uintBitsToFloat(levels[0].w);
    gl_TessLevelInner[0] = uintBitsToFloat(levels[1].x);
    gl_TessLevelInner[1] = uintBitsToFloat(levels[1].y);
}
