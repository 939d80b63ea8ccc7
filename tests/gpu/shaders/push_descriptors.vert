// SPDX-License-Identifier: MIT
#version 450
layout(set = 0, binding = 0) uniform Vertex
{
    uint seen_by_vertex;
};
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) flat out uint value;
#else
layout(location = 0) flat out uint value;
#endif

void main()
{
    value = gl_VertexIndex * 31 + seen_by_vertex * 3;
    gl_Position = vec4((vec2(gl_VertexIndex % 16, gl_VertexIndex / 16) + 0.5) / 8 - 1, 0, 1);
    gl_PointSize = 1;
}
