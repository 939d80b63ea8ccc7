/* SPDX-License-Identifier: MIT
 *
 * Kernels xfb_program and xfb_steps: space in a bound buffer.
 */
#ifndef PGS_XFB_BUFFER_SPACE_GLSL
#define PGS_XFB_BUFFER_SPACE_GLSL

#define PGS_SPACE_UNLIMITED 0xFFFFFFFFu /* primitives of a stream that is not captured */

/* Complete primitives that fit in a buffer. 0 if the offset lies outside of the buffer or is not a
 * multiple of 4: it may come from a counter that the application wrote. */
uint pgs_buffer_space_el(const uvec2 base, const uint offset_B, const uint size_B, const uint primitive_B)
{
    const bool is_inside = offset_B < size_B && ((offset_B | base.x) & 3u) == 0u;
    return (is_inside ? size_B - offset_B : 0u) / primitive_B;
}

#endif
