/* SPDX-License-Identifier: MIT
 *
 * The viewport of a primitive, where the driver takes no viewport index from a vertex shader.
 */
#ifndef PGS_VIEWPORT_GLSL
#define PGS_VIEWPORT_GLSL

#include "poly_gs/viewport.h"

#include "address.glsl"

/* Beyond all clip planes, far enough for drivers to drop points of any size, with depth clamping,
 * too. All vertices of a primitive have the same viewport. */
#define PGS_OUTSIDE vec4(65536.0, 65536.0, 2.0, 1.0)

/* The position for the driver's viewport; outside if primitives of the viewport are not drawn now.
 * select: struct pgs_viewport_select. Indices out of range count as 0. */
vec4 pgs_select_viewport(const uvec4 select, const uint index, const vec4 position)
{
    const uint viewport = mix(0u, index, index < uint(PGS_MAX_VIEWPORTS));
    const uint is_drawn = select.z >> viewport & 1u;
    const bool is_clipped = (select.w & PGS_VIEWPORT_CLIP_POINTS) != 0u &&
                            any(greaterThan(abs(position.xy), vec2(position.w)));
    vec4 moved = PGS_OUTSIDE;
    if (is_drawn != 0u && !is_clipped) {
        moved = position;
        if ((select.w & PGS_VIEWPORT_MOVE) != 0u) {
            const uvec2 move = pgs_mul_add(select.xy, viewport, 32u);
            const vec4 xy = uintBitsToFloat(pgs_read4_near(move, 0u));
            const vec2 z = uintBitsToFloat(pgs_read4_near(move, 4u).xy);
            moved.xyz = position.xyz * vec3(xy.xz, z.x) + position.w * vec3(xy.yw, z.y);
        }
    }
    return moved;
}

#endif
