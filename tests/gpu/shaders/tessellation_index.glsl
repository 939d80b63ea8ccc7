/* SPDX-License-Identifier: MIT */
/* Arrays of KIND in every interface, and what of them is written and hashed. NEXT: the location behind. */
#include "tessellation_limits.glsl"
struct Part {
    vec2 a;
    float b[2];
    mat2 c;
};
#if KIND == 0
#define TYPE vec2
#define COUNT 12
#define NEXT 12
#else
#define TYPE Part
#define COUNT 5
#define NEXT 25
#endif

TYPE made(float seed)
{
#if KIND == 0
    return vec2(seed, seed + 0.5);
#else
    return Part(vec2(seed, 1.0), float[](2.0, seed + 3.0), mat2(4.0, seed, 6.0, seed + 0.5));
#endif
}

uint hashed(uint hash, TYPE one, int pick)
{
#if KIND == 0
    return mixed(mixed(hash, one.x), one[pick & 1]);
#else
    return mixed(mixed(mixed(hash, one.a.x), one.b[pick & 1]), one.c[pick & 1][1]);
#endif
}
