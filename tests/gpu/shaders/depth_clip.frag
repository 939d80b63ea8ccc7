#version 450
/* SPDX-License-Identifier: MIT
 * DEPTH: writes depths, also such that are outside of any range. CLIP: reads distances. */
layout(location = 0) flat in uint number;
layout(location = 1) in vec2 place;
layout(location = 0) out uint result;
#ifdef CLIP
in float gl_ClipDistance[CLIP];
#endif

void main()
{
    result = number;
#ifdef DEPTH
    gl_FragDepth = gl_FragCoord.z * 3.0 - 1.0;
#endif
#ifdef CLIP
    result |= uint(floor(gl_ClipDistance[1] * 0.125)) << 16;
#endif
}
