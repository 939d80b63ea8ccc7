#version 450
#extension GL_GOOGLE_include_directive : require
/* SPDX-License-Identifier: MIT
 * W4: a triangle goes to the six layers of a cube, turned for each. ONE_LAYER: all to the same one. */
#include "salt.glsl"
layout(triangles, invocations = 6) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 color[];
layout(location = 0) out vec4 out_color;

void main()
{
    for (int i = 0; i < 3; i++) {
        vec4 at = gl_in[i].gl_Position;
        vec2 turned = (gl_InvocationID & 1) == 0 ? at.xy : vec2(-at.y, at.x);
        precise vec2 moved = turned + float(gl_InvocationID >> 1) * 0.75;
        gl_Position = vec4(moved, at.zw);
#ifndef ONE_LAYER
        gl_Layer = gl_InvocationID;
#endif
        out_color = SALTED(color[i]);
        EmitVertex();
    }
}
