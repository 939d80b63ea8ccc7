#version 450
/* SPDX-License-Identifier: MIT
 * TWO: to a second attachment, too. LOOP: with what the first one has there. */
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;
#ifdef TWO
layout(location = 1) out uint other;
#endif
#ifdef LOOP
layout(set = 0, binding = 0) uniform usampler2D drawn;
#endif

void main()
{
    result = value;
#ifdef TWO
    other = value ^ 0x5555u;
#endif
#ifdef LOOP
    result += 7u * texelFetch(drawn, ivec2(gl_FragCoord.xy), 0).x;
#endif
}
