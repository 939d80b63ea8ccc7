#version 450
/* SPDX-License-Identifier: MIT
 * As guard.geom of points, to two streams in turn, changed by what descriptors hold: they may be null, or looked at
 * anywhere (SPAN). */
layout(constant_id = 0) const uint SPAN = 16u;
layout(points) in;
layout(points, max_vertices = 6) out;
layout(location = 0) in uvec4 moved[];
layout(set = 0, binding = 0, std430) readonly buffer Words
{
    uint words[];
};
layout(set = 0, binding = 1) uniform Block
{
    uvec4 block[4];
};
layout(set = 0, binding = 2) uniform usamplerBuffer texels;
layout(stream = 0, location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 next;
layout(stream = 0, location = 1) flat out uint value;
layout(stream = 1, location = 2, xfb_buffer = 1, xfb_stride = 24, xfb_offset = 8) out uvec4 other;

void main()
{
    const uint at = moved[0].w % SPAN;
    const uint found = words[at] + block[at % 4u].y + texelFetch(texels, int(at)).x;
    const uint count = moved[0].x % 4u;
    for (uint i = 0u; i < count; i++) {
        next = moved[0] + uvec4(found, 0u, i, gl_PrimitiveIDIn);
        value = next.y;
        gl_Position = vec4((vec2(next.zw % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
        gl_PointSize = 1.0;
        EmitStreamVertex(0);
        if (i == 1u)
            continue;
        other = moved[0] + uvec4(0u, found, gl_PrimitiveIDIn, i);
        EmitStreamVertex(1);
    }
}
