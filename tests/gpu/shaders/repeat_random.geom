#version 450
/* SPDX-License-Identifier: MIT
 * None to three squares, as the place says, of a size and a value from a uniform buffer. With MORE
 * one more, and an output that nothing reads. */
#ifdef MORE
#define SQUARES 4u
#else
#define SQUARES 3u
#endif
#ifdef TRIANGLES
layout(triangles) in;
#else
layout(points) in;
#endif
layout(triangle_strip, max_vertices = 4 * SQUARES) out;
layout(location = 0) flat in uvec2 corner[];
layout(location = 1) flat in uint number[];
layout(location = 0) flat out uint value;
#ifdef MORE
layout(location = 1) out vec4 unread;
#endif
layout(push_constant) uniform Push { uvec2 shift; uint tag; };
layout(set = 0, binding = 0) uniform Look { uint side, look; };

void main()
{
    uint squares = (corner[0].x + corner[0].y) & 3u;
#ifdef MORE
    squares++;
    unread = vec4(squares);
#endif
    for (uint s = 0u; s < squares; s++) {
        for (uint i = 0u; i < 4u; i++) {
            uvec2 at = corner[0] + uvec2(s * 3u, s) + uvec2(i & 1u, i >> 1) * side;
            gl_Position = vec4(vec2(at) / 32.0 - 1.0, 0.0, 1.0);
            value = number[0] * 16u + s * 4u + tag * 0x10000u + look;
            EmitVertex();
        }
        EndPrimitive();
    }
}
