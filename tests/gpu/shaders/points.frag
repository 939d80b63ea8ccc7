#version 450
/* SPDX-License-Identifier: MIT
 * KIND 0: flat inputs, 1: gl_PrimitiveID and gl_FrontFacing, too, 2: depths, 3: what is blended, 4: gl_PointCoord,
 * 5: bits of interpolated inputs, 6: w, 7: 1 if a struct and an array of blocks are of one vertex, else 2 */
layout(location = 3) flat in uint vertex;
layout(location = 0) flat in uint instance;
layout(location = 1) in vec2 place;
layout(location = 4) in Rest
{
    noperspective float along;
    centroid float beside;
}
rest;
#if KIND == 7
layout(location = 6) in Block
{
    flat uint number;
    noperspective float whole;
}
blocks[2];
struct Plain
{
    vec2 place;
    uint numbers[2];
};
layout(location = 10) flat in Plain plain;
#endif
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
#elif KIND == 7
    bool flat_ones = blocks[0].number == (vertex - 1u) * 3u && blocks[1].number == (vertex - 1u) * 5u;
    bool others = fract(blocks[0].whole) == 0.0 && blocks[1].whole == 2.0 * blocks[0].whole;
    bool plain_ones = plain == Plain(vec2(float(vertex - 1u), float(instance)), uint[2](vertex - 1u, instance));
    result = flat_ones && others && plain_ones ? 1u : 2u;
#else
    result = vec4(gl_FragCoord.w);
#endif
}
