#version 450
/* SPDX-License-Identifier: MIT */
layout(points) in;
/* One vertex is no line: nothing is drawn. (max_vertices = 1 with lines crashes lavapipe 22.3.) */
layout(line_strip, max_vertices = 2) out;
layout(location = 0) flat in uvec4 values[][3];
layout(location = 3) flat in uint instance[];
layout(location = 0) flat out uint value;
layout(set = 0, binding = 0) buffer Log
{
    uvec4 row[];
}
log_;
layout(push_constant) uniform Draw
{
    uint base, first_instance, vertices;
}
draw;

void main()
{
    uint slot = (instance[0] - draw.first_instance) * draw.vertices + uint(gl_PrimitiveIDIn);
    for (int i = 0; i < 3; i++)
        log_.row[draw.base + slot * 3u + uint(i)] = values[0][i];
    gl_Position = gl_in[0].gl_Position;
    value = slot;
    EmitVertex();
}
