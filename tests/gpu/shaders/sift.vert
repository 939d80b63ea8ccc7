#version 450
/* SPDX-License-Identifier: MIT
 * Places in and around the clip volume, for instanced.geom, or PLAIN: for instanced.frag. UNREAD: the type of push constants that
 * nobody reads. */
layout(location = 0) in vec4 place;
#ifdef PUSH
layout(push_constant) uniform Push
{
    uint base;
#ifdef UNREAD
    layout(offset = 4) UNREAD unread;
#endif
    layout(offset = 16) uint more[3];
} push;
#define BASE (push.base + push.more[1])
#else
#define BASE 3u
#endif
#ifdef PLAIN
layout(location = 0) out float shade;
layout(location = 1) out flat uint value;
#else
layout(location = 0) out Told
{
    flat uint number;
    float shade;
}
told;
#define shade told.shade
#define value told.number
#endif

void main()
{
    value = BASE + uint(gl_VertexIndex) * 7u + uint(gl_InstanceIndex) * 1024u;
    shade = float(gl_VertexIndex % 5);
    gl_Position = place;
    gl_PointSize = 1.0;
}
