#version 450
/* SPDX-License-Identifier: MIT
 * A point for each vertex, in a row for each instance, which says what the shader has read. */
#ifdef NUMBERED
#extension GL_ARB_shader_draw_parameters : require
#endif
#ifdef FETCHED
layout(location = 0) in uint rate_0;
layout(location = 1) in uint rate_1;
layout(location = 2) in uint rate_3;
layout(location = 3) in uint rate_vertex;
#endif
layout(location = 0) flat out uint value;

void main()
{
    const uint v = uint(gl_VertexIndex), i = uint(gl_InstanceIndex);
    gl_Position = vec4((vec2(v % 64u, i % 64u) * 4.0 + 2.5) / 128.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 3.0;
    value = v + 1u + (i + 1u) * 256u;
#ifdef NUMBERED
    value += uint(gl_DrawIDARB) * 65536u + uint(gl_BaseInstanceARB) * 16777216u;
#endif
#ifdef FETCHED
    value = rate_0 | rate_1 << 8 | rate_3 << 16 | rate_vertex << 24;
#endif
}
