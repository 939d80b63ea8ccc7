#version 450
/* SPDX-License-Identifier: MIT
 * PLAIN: without the index of the viewport. */
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;
layout(set = 0, binding = 0) buffer Counters
{
    uint counters[];
};

void main()
{
    uint viewport = 16u;
#ifndef PLAIN
    viewport = uint(gl_ViewportIndex);
#endif
    result = value + (viewport + 1u) * 256u;
    atomicAdd(counters[min(viewport, 31u)], 1u);
}
