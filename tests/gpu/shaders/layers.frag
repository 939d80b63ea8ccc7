#version 450
/* SPDX-License-Identifier: MIT
 * NUMBERS: gl_PrimitiveID and gl_Layer are in the result. BOUNDED: at most 15 as layer, of which no target has as many. */
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;
layout(set = 0, binding = 0) buffer Counters
{
    uint counters[];
};

void main()
{
    uint layer = 0u;
    result = value;
#ifdef NUMBERS
    layer = uint(gl_Layer);
#ifdef BOUNDED
    layer = min(layer, 15u);
#endif
    result += (layer + 1u) << 16 | uint(gl_PrimitiveID) << 24;
#endif
    atomicAdd(counters[min(layer, 15u)], 1u);
}
