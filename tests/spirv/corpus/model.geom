#version 450
/* SPDX-License-Identifier: MIT */
// The Vulkan memory model, in which what a workgroup shares must say so. Emits what its inputs tell.
// env: vulkan1.2 vulkan1.3
// mate model.vert
#pragma use_vulkan_memory_model
layout(triangles) in;
layout(triangle_strip, max_vertices = 6) out;
layout(location = 0) in vec4 color[];
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out vec4 out_color;
int count = 0;
void main()
{
    for (int i = 0; i < 3; i++) {
        count += int(color[i].x);
        for (int k = 0; k < count; k++) {
            gl_Position = gl_in[i].gl_Position;
            out_color = color[i] * float(k);
            EmitVertex();
        }
    }
}
