#version 450
/* SPDX-License-Identifier: MIT */
// One struct comes in and goes out.
layout(quads) in;
struct many { vec4 v[4]; mat3 m; };
layout(location = 0) in block_out { many all; } results[32];
layout(location = 8) patch in many once;
layout(location = 0) out many o;
void main()
{
    o = results[int(gl_TessCoord.x * 31.0)].all;
    o.m += once.m;
    gl_Position = o.v[int(gl_TessLevelInner[0])];
}
