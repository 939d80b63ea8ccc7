#version 450
/* SPDX-License-Identifier: MIT
 * Moves an item on, and says which draw does: what all draws of one call have of their own. */
#ifdef PARAMETERS
#extension GL_ARB_shader_draw_parameters : require
#define DRAW uint(gl_DrawIDARB)
#define BASE_VERTEX uint(gl_BaseVertexARB)
#define BASE_INSTANCE uint(gl_BaseInstanceARB)
#else
#define DRAW 0u
#define BASE_VERTEX 0u
#define BASE_INSTANCE 0u
#endif
layout(location = 0) in uvec4 item; /* number, value, x and y of a pixel */
layout(location = 1) in uint tag;   /* of the instance */
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0) out uvec4 next;
#else
layout(location = 0) out uvec4 next;
#endif
layout(location = 1) flat out uint value;

void main()
{
    next = item + uvec4(0u, 10000u * DRAW + 1000u * BASE_INSTANCE + 1000000u * BASE_VERTEX + tag,
                        5u * gl_InstanceIndex + 11u * DRAW, 3u * DRAW);
    value = next.y;
    gl_Position = vec4((vec2(next.zw % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
}
