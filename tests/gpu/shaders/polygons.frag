#version 450
/* SPDX-License-Identifier: MIT
 * KIND 0: flat inputs, 1: gl_PrimitiveID and gl_FrontFacing, too, 2: depths, 3: what is blended */
layout(location = 3) flat in uint vertex;
layout(location = 0) flat in uint instance;
#if KIND == 3
layout(location = 1) in vec2 place;
layout(location = 2) in float along;
layout(location = 0) out vec4 result;
#else
layout(location = 0) out uint result;
#endif

void main()
{
#if KIND == 0
    result = vertex | instance << 16;
#elif KIND == 1
    result = vertex | instance << 16 | uint(gl_PrimitiveID) << 8 | (gl_FrontFacing ? 0x80000000u : 0u);
#elif KIND == 2
    result = floatBitsToUint(gl_FragCoord.z);
#else
    result = vec4(place, float(vertex) / 64.0 + along / 64.0, gl_FrontFacing ? 0.25 : 0.125);
#endif
}
