#version 450
/* SPDX-License-Identifier: MIT
 * Points of many sizes in rows of ten, with any w. */
layout(push_constant) uniform Push
{
    float depth, w, reach, size;
}
push;
layout(location = 3) flat out uint vertex;
layout(location = 0) flat out uint instance;
#ifdef CAPTURED
layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 place;
#else
layout(location = 1) out vec2 place;
#endif
layout(location = 4) out Rest
{
    noperspective float along;
    centroid float beside;
}
rest;
#ifdef BLOCKS
layout(location = 6) out Block
{
    flat uint number;
    noperspective float whole;
}
blocks[2];
struct Plain
{
    vec2 place;
    uint numbers[2];
};
layout(location = 10) flat out Plain plain;
#endif

#ifdef CLIPPED
out float gl_ClipDistance[2];
#endif
#ifdef CULLED
out float gl_CullDistance[1];
#endif

void main()
{
    uint v = uint(gl_VertexIndex), band = uint(gl_InstanceIndex);
    vec2 pixel = vec2(11.25 + 24.0 * float(v % 10u) + 3.125 * float(band),
                      9.5 + 37.0 * float(v / 10u) + 11.5 * float(band) + 3.0 * float(v * v % 3u));
    float w = 1.0 + push.w * float(v % 3u);
    float z = 0.25 + push.depth * float(v % 5u);
#ifndef PLACELESS
    gl_Position = vec4((pixel / 128.0 - 1.0) * push.reach * w, z * w, w);
#endif
    gl_PointSize = push.size + 1.25 * float(v % 4u);
#ifdef CLIPPED
    gl_ClipDistance[0] = 5.0 - float(v % 8u) - float(band);
    gl_ClipDistance[1] = 1.0;
#endif
#ifdef CULLED
    gl_CullDistance[0] = v % 3u == 0u ? 1.0 : -1.0;
#endif
    vertex = v + 1u;
    instance = band;
    place = vec2(float(v % 4u), float(band)) * 0.0625;
    rest.along = float(v % 7u);
    rest.beside = float(v);
#ifdef BLOCKS
    blocks[0].number = v * 3u;
    blocks[0].whole = float(v);
    blocks[1].number = v * 5u;
    blocks[1].whole = float(v * 2u);
    plain = Plain(vec2(float(v), float(band)), uint[2](v, band));
#endif
}
