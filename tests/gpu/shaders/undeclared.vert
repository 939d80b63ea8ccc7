#version 450
/* SPDX-License-Identifier: MIT */
/* A strip of triangles over the whole picture; the right part of each is clipped and every fourth is culled. */
out gl_PerVertex
{
    vec4 gl_Position;
#ifdef DISTANCES
    float gl_ClipDistance[2];
    float gl_CullDistance[1];
#endif
};
layout(location = 0) flat out uint number;

void main()
{
    const uint primitive = uint(gl_VertexIndex) / 3u, corner = uint(gl_VertexIndex) % 3u;
    const vec2 place = vec2(primitive % 8u, primitive / 8u) / 8.0;
    const vec2 offset = vec2(corner & 1u, corner >> 1) / 8.0;
    gl_Position = vec4((place + offset) * 2.0 - 1.0, 0.5, 1.0);
    number = primitive + 1u;
#ifdef DISTANCES
    gl_ClipDistance[0] = 0.0301 - offset.x;
    gl_ClipDistance[1] = 0.0903 - offset.y;
    gl_CullDistance[0] = primitive % 4u == 1u ? -1.0 : 1.0;
#endif
}
