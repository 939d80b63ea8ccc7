#version 450
/* SPDX-License-Identifier: MIT */
/* KIND 0: what comes in, and which face it is. 1: the number of the patch. 2: one more. 3: as 0, for
   lines and points, which are drawn beside where they are. */
#if KIND == 2
layout(location = 0) out vec4 color;
#else
layout(location = 0) out uint color;
#endif
layout(location = 0) flat in uint number;
layout(location = 1) noperspective in vec2 coord;

void main()
{
#if KIND == 0 || KIND == 3
    vec2 seen = (fract(gl_FragCoord.xy / 16.0) - 0.01) / 0.97;
    bool right = KIND == 3 || all(lessThan(abs(seen - coord), vec2(0.02)));
    color = number + (gl_FrontFacing ? 1000000u : 2000000u) + (right ? 0u : 10000000u);
#elif KIND == 1
    color = 1u + uint(gl_PrimitiveID);
#else
    color = vec4(1.0 / 255.0);
#endif
}
