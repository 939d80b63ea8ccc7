#version 450
/* SPDX-License-Identifier: MIT
 * A stair of axis-parallel lines within the band of its instance, or any lines, with any w. */
layout(push_constant) uniform Push
{
    float depth, w, turn, reach;
}
push;
layout(location = 3) flat out uint vertex;
layout(location = 0) flat out uint instance;
#ifdef CAPTURED
layout(location = 1, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 8) out vec2 place;
#else
layout(location = 1) out vec2 place;
#endif
layout(location = 2) out float along;

#ifdef CLIPPED
out float gl_ClipDistance[2];
#endif
#ifdef CULLED
out float gl_CullDistance[1];
#endif

void main()
{
    uint v = uint(gl_VertexIndex), band = uint(gl_InstanceIndex);
    vec2 stair = vec2(9.25 + 13.0 * float((v + 1u) / 2u), 7.25 + 24.0 * float(band) + 5.0 * float(v / 2u % 4u));
    vec2 any = vec2(3.25 + float(v * 37u % 241u), 8.5 + float((v * v * 29u + v * 11u + band * 53u) % 239u));
    vec2 pixel = mix(stair, any, push.turn);
    float w = 1.0 + push.w * float(v % 3u);
    /* No line goes through the place where both z and w are 0: Mesa 26 loses such lines, which end nowhere. */
    float z = 0.25 + push.depth * (float(v % 5u) + (w < 0.0 ? 0.5 : 0.0));
    gl_Position = vec4((pixel / 128.0 - 1.0) * push.reach * w, z * w, w);
    gl_PointSize = 1.0;
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
    along = float(v % 7u);
}
