#version 450
/* SPDX-License-Identifier: MIT
 * KIND 0: flat inputs, 1: gl_PrimitiveID and gl_FrontFacing, too, 2: depths, 3: what is blended, 4: gl_PointCoord,
 * 5: bits of interpolated inputs, 6: w */
layout(location = 3) flat in uint vertex;
layout(location = 0) flat in uint instance;
layout(location = 1) in vec2 place;
layout(location = 4) in Rest
{
    noperspective float along;
    centroid float beside;
}
rest;
#if KIND == 3 || KIND == 4 || KIND == 6
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
#elif KIND == 3
    result = vec4(place, float(vertex) / 64.0 + rest.along / 64.0, gl_FrontFacing ? 0.25 : 0.125);
#elif KIND == 4
    result = vec4(gl_PointCoord, 1.0 - gl_PointCoord.y, 1.0);
#elif KIND == 5
    result = floatBitsToUint(place.x) ^ floatBitsToUint(place.y) << 1 ^ floatBitsToUint(rest.along) << 2 ^ floatBitsToUint(rest.beside) << 3 ^ 1u;
#else
    result = vec4(gl_FragCoord.w);
#endif
}
