#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) in uint tag;
layout(location = 1) in uint instance_tag;
/* Four bytes of each vertex before it and four behind stay as they are. */
layout(location = 1, xfb_buffer = 0, xfb_stride = 24, xfb_offset = 4) out uvec4 seen;
layout(location = 0) flat out uint value;

void main()
{
    uint vertex = uint(gl_VertexIndex);
    seen = uvec4(vertex, gl_InstanceIndex, tag, instance_tag);
    value = 1u + vertex * 16u + uint(gl_InstanceIndex);
    /* Somewhere in a pixel of the 64 x 64 picture, on no border and no middle of one. */
    uvec2 place = (uvec2(vertex * 37u, vertex * 23u) + uint(gl_InstanceIndex) * uvec2(11u, 5u)) % 64u;
    gl_Position = vec4((vec2(place) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
}
