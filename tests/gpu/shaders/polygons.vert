#version 450
/* SPDX-License-Identifier: MIT
 * Vertex v stands at a place of its own within the band of its instance, so triangles face both ways. */
layout(push_constant) uniform Push
{
    float depth, w;
    uint step;
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

#ifdef CULLED
out float gl_CullDistance[2];
#endif

void main()
{
    uint v = uint(gl_VertexIndex), band = uint(gl_InstanceIndex);
    uint n = v * push.step;
    vec2 pixel = vec2(3.25 + float(n * 37u % 233u), 16.0 * float(band) + 2.25 + float((n * n * 7u + n) % 13u));
    float w = 1.0 + push.w * float(v % 3u);
    float z = 0.25 + push.depth * float(v % 5u);
    gl_Position = vec4((pixel / 128.0 - 1.0) * w, z * w, w);
    gl_PointSize = 1.0 + float(v % 3u) * 2.0;
#ifdef CULLED
    gl_CullDistance[0] = v / 4u % 2u == 0u ? -1.0 : 1.0;
    gl_CullDistance[1] = v % 5u == 0u ? 1.0 : -float(v % 4u);
#endif
    vertex = v + 1u;
    instance = band;
    place = vec2(float(v % 4u), float(band)) * 0.0625;
    along = float(v % 7u);
}
