#version 450
/* SPDX-License-Identifier: MIT */
// Captures built-ins, written and not.
layout(lines) in;
layout(triangle_strip, max_vertices = 8) out;
layout(location = 0) in vec4 color[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 96, xfb_offset = 16) out vec4 out_color;
layout(location = 1, xfb_buffer = 2, xfb_stride = 12, xfb_offset = 0) out vec3 normals[1];
layout(xfb_buffer = 0) out gl_PerVertex
{
    layout(xfb_offset = 0) vec4 gl_Position;
    layout(xfb_offset = 32) float gl_PointSize;
    layout(xfb_offset = 40) float gl_ClipDistance[2];
};
void main()
{
    for (int i = 0; i < 2; i++) {
        gl_Position = gl_in[i].gl_Position;
        out_color = color[i];
        normals[0] = vec3(i);
        gl_Layer = i;
        EmitVertex();
    }
    EndPrimitive();
}
