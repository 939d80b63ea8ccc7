#version 450
/* SPDX-License-Identifier: MIT
 * EFFECTS: it also counts how often it ran for each vertex. */
layout(location = 0) in uint tag;
layout(location = 0, xfb_buffer = 0, xfb_stride = 20, xfb_offset = 0) out uvec4 seen;
layout(location = 1) flat out uint value;

layout(set = 0, binding = 0) uniform Block
{
    uvec4 base;
};
#ifdef EFFECTS
layout(set = 0, binding = 1) buffer Log
{
    uint all;
    uint runs[];
};
#endif
layout(push_constant) uniform Push
{
    uint draw;
};

void main()
{
    uint vertex = uint(gl_VertexIndex);
    seen = uvec4(tag, vertex, base.x + draw, base.w + uint(gl_InstanceIndex));
    value = tag + base.x;
    uvec2 place = uvec2(vertex * 37u + draw * 7u, vertex * 23u + uint(gl_InstanceIndex) * 5u) % 64u;
    gl_Position = vec4((vec2(place) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
#ifdef EFFECTS
    atomicAdd(all, 1u);
    atomicAdd(runs[vertex], 1u);
#endif
}
