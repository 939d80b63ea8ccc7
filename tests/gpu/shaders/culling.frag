#version 450
/* SPDX-License-Identifier: MIT
 *
 * Sums up what was drawn of each strip, so that nothing hides anything. NO_COLOR: for passes
 * without attachments.
 */
layout(set = 0, binding = 2, std430) buffer pixel_sums
{
    uint sums[];
};
layout(location = 0) flat in uint strip;
#ifndef NO_COLOR
layout(location = 0) out uint color;
#endif

void main()
{
    const uvec2 at = uvec2(gl_FragCoord.xy);
    const uint mixed = (strip + 1u) * 2654435761u;
    atomicAdd(sums[at.y * 64u + at.x], mixed ^ (mixed >> 15));
#ifndef NO_COLOR
    color = strip + 1u;
#endif
}
