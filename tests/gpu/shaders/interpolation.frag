#version 450
/* SPDX-License-Identifier: MIT */
/* KIND 0: as the geometry shader says; 1: otherwise. */
#if KIND == 0
layout(location = 0) sample in float first;
layout(location = 1) noperspective in float second;
layout(location = 2) flat in float third;
layout(location = 3) centroid in float fourth;
#define BOTH sample noperspective
#else
layout(location = 0) noperspective in float first;
layout(location = 1) flat in float second;
layout(location = 2) sample in float third;
layout(location = 3) noperspective centroid in float fourth;
#define BOTH
#endif
layout(location = 4) in Block
{
    BOTH vec2 both;
} block;
layout(location = 0) out uint result;

uint bits(const float value, const uint count)
{
    return uint(value * float((1u << count) - 1u) + 0.5);
}

void main()
{
    result = 1u << 31 | bits(first * 8.0, 5) | bits(second * 4.0, 5) << 5 | bits(third * 2.0, 5) << 10 |
             bits(fourth, 5) << 15 | bits(block.both.x * 8.0, 5) << 20 | bits(block.both.y * 4.0, 5) << 25;
}
