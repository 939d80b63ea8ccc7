#version 450
/* SPDX-License-Identifier: MIT */
layout(lines_adjacency, invocations = 4) in;
layout(points, max_vertices = 7) out;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; float gl_CullDistance[2]; } gl_in[];
out gl_PerVertex { invariant vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; };
layout(location = 3) flat out ivec2 who;
void main()
{
    for (int i = 0; i < gl_in.length(); i++) {
        gl_Position = gl_in[i].gl_Position;
        gl_PointSize = gl_in[i].gl_PointSize + 1.0;
        gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[2];
        gl_ClipDistance[1] = gl_in[3 - i].gl_ClipDistance[i & 1];
        gl_CullDistance[0] = gl_in[i].gl_CullDistance[1];
        gl_Layer = gl_InvocationID;
        gl_ViewportIndex = i;
        gl_PrimitiveID = gl_PrimitiveIDIn * 2;
        who = ivec2(gl_InvocationID, gl_PrimitiveIDIn);
        EmitVertex();
    }
}
