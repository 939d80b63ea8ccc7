// SPDX-License-Identifier: MIT
#version 450
#ifdef BUFFERED
#extension GL_EXT_samplerless_texture_functions : require
#endif
layout(points) in;
layout(points, max_vertices = 1) out;
layout(set = 0, binding = 1, std430) readonly buffer List
{
    uint number;
}
list[2];
layout(set = 0, binding = 2, std430) readonly buffer Single
{
    uint number;
}
single;
layout(set = 0, binding = 4) uniform usamplerBuffer texels;
layout(set = 0, binding = 6) uniform usampler2D image;
#ifdef BUFFERED
layout(set = 0, binding = 7) uniform utexture2D other_image;
#endif
#ifdef EMBEDDED
layout(set = 2, binding = 0) uniform sampler embedded;
#endif
layout(set = 1, binding = 0) uniform Dynamic
{
    uint bound;
};

layout(location = 0) flat in uint value[];
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) flat out uint next;
#else
layout(location = 0) flat out uint next;
#endif

void main()
{
    next = value[0] + list[0].number * 5 + list[1].number * 7 + single.number * 11 + bound * 17;
    next += texelFetch(texels, 0).x * 13 + textureLod(image, vec2(0.5), 0).x * 29;
#ifdef EMBEDDED
    next += textureLod(usampler2D(other_image, embedded), vec2(0.5), 0).x * 37;
#elif defined(BUFFERED)
    next += texelFetch(other_image, ivec2(0), 0).x * 37;
#endif
    gl_Position = gl_in[0].gl_Position;
    gl_PointSize = 1;
    EmitVertex();
}
