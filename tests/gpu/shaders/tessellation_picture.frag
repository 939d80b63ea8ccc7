#version 450
/* SPDX-License-Identifier: MIT */
/* KIND 0: what comes in, and which face it is. 1: the number of the patch. 2: one more. */
#if KIND == 2
layout(location = 0) out vec4 color;
#else
layout(location = 0) out uint color;
#endif
layout(location = 0) flat in uint number;
layout(location = 1) in vec2 coord;

void main()
{
#if KIND == 0
    bool inside = all(greaterThan(coord, vec2(-0.05))) && all(lessThan(coord, vec2(1.05)));
    color = number + (gl_FrontFacing ? 1000000u : 2000000u) + (inside ? 0u : 10000000u);
#elif KIND == 1
    color = 1u + uint(gl_PrimitiveID);
#else
    color = vec4(1.0 / 255.0);
#endif
}
