#version 450
/* SPDX-License-Identifier: MIT
 * Vertex v stands at a place of its own in the band of its instance: any three make a triangle. KIND
 * says what it does besides: stores and atomics on buffers (0), on images (1) or by pointer (2);
 * nothing, with what it reads declared so that it could (3) or could not (4) be written; capture, too
 * (5). */
#extension GL_EXT_buffer_reference : enable
#extension GL_EXT_buffer_reference_uvec2 : enable
layout(constant_id = 0) const uint SHIFT = 0u; /* added to what is stored */
layout(location = 0) in uint tag;
layout(push_constant) uniform Push
{
    uint place, draw, counts, band; /* where words go, counters go, whether these are exact */
    uvec2 pointer;
}
push;
#if KIND == 4
#define ACCESS readonly
#else
#define ACCESS
#endif
layout(set = 0, binding = 0) ACCESS buffer Words
{
    uint words[];
};
layout(set = 0, binding = 1) ACCESS buffer Counters
{
    uvec4 counters[];
};
#if KIND == 1
layout(set = 0, binding = 2, r32ui) uniform uimage2D picture;
layout(set = 0, binding = 3, r32ui) uniform uimageBuffer texels;
#endif
#if KIND == 2
layout(buffer_reference, buffer_reference_align = 4) buffer Pointed
{
    uint words[];
};
#endif
#if KIND == 5
layout(location = 0, xfb_buffer = 0, xfb_stride = 4, xfb_offset = 0) flat out uint value;
#else
layout(location = 0) flat out uint value;
#endif

void store(uint v, uint i, uint number)
{
#if KIND == 0 || KIND == 5
    words[push.place + 64u * i + v] = number;
    if (push.counts != 0u)
        atomicAdd(counters[push.draw].x, 1u);
    atomicOr(counters[push.draw].y, 1u << (v & 31u));
    atomicMax(counters[push.draw].z, number);
#elif KIND == 1
    imageStore(picture, ivec2(int(v), int(push.draw)), uvec4(number));
    imageAtomicMax(picture, ivec2(40, int(push.draw)), number);
    imageStore(texels, int(push.place + 64u * i + v), uvec4(number + 1u));
#elif KIND == 2
    Pointed pointed = Pointed(push.pointer);
    pointed.words[push.place + 64u * i + v] = number;
    atomicMax(pointed.words[push.place + 63u], number);
#endif
}

void main()
{
    uint v = uint(gl_VertexIndex), i = uint(gl_InstanceIndex), band = push.band + i;
    uint number = tag * 8u + i + 1u + SHIFT;
    vec2 pixel = vec2(3.25 + 7.0 * float(v), 16.0 * float(band) + 2.25 + float((v * 7u + v / 3u) % 12u));
    gl_Position = vec4(pixel / 128.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0 + float(v % 3u) * 2.0;
    store(v, i, number);
    value = number;
#if KIND == 3 || KIND == 4
    value = words[push.place + 64u * i + v] + counters[push.draw].z;
#endif
}
