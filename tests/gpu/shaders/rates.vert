#version 450
#extension GL_EXT_fragment_shading_rate : require
/* SPDX-License-Identifier: MIT
 * A grid of triangles. The first vertex, from which the rate is taken, has another one than the others. */
layout(location = 0) flat out uint number;

void main()
{
    const uint triangle = uint(gl_VertexIndex) / 3u, corner = uint(gl_VertexIndex) % 3u;
    const vec2 cell = vec2(triangle % 4u, triangle / 4u);
    gl_Position = vec4((cell + vec2(corner == 1u, corner == 2u)) / 2.0 - 1.0, 0.0, 1.0);
    number = triangle;
#ifdef RATES
    gl_PrimitiveShadingRateEXT = corner == 0u ? int((triangle & 1u) | (triangle & 2u) << 1) : 1;
#endif
}
