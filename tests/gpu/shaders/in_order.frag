#version 450
/* SPDX-License-Identifier: MIT
 * The driver's push constants, where the layer's compute shaders have theirs. */
layout(push_constant) uniform Push { layout(offset = 16) uint high[16]; };
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    uint sum = 0u;
    for (uint i = 0u; i < 16u; i++)
        sum += high[i];
    result = value + (sum << 28);
}
