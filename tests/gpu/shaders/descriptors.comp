// SPDX-License-Identifier: MIT
#version 450
#extension GL_GOOGLE_include_directive : require
#define STAGE 5
#include "descriptors.glsl"

layout(local_size_x = 1) in;
layout(push_constant) uniform Push
{
    uint seed;
};
// In a set of its own with a descriptor more than the others have: STORAGES is one less.
layout(set = SET, binding = FIRST + 4, std430) writeonly buffer Result
{
    uint result;
};

void main()
{
    result = weigh(seed);
}
