#version 450
#extension GL_ARB_shader_draw_parameters : require
/* SPDX-License-Identifier: MIT
 * CAPTURE: see CMakeLists.txt. Says which draw, vertex and instance it is; each has a place of its own. */
#if CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) flat out uvec4 seen;
#else
layout(location = 0) flat out uvec4 seen;
#endif
layout(location = 1) flat out uint value;

void main()
{
    uint vertex = uint(gl_VertexIndex), row = uint(gl_InstanceIndex) * 3u + uint(gl_DrawIDARB);
    vec2 place = vec2(vertex / 2u * 5u + 1u, row * 5u + vertex % 2u * 3u);
    seen = uvec4(gl_DrawIDARB, vertex, gl_InstanceIndex, gl_BaseVertexARB);
    value = 1u + vertex + 100u * row;
    gl_Position = vec4((place + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
}
