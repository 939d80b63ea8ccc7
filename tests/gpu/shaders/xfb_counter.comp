#version 450
/* SPDX-License-Identifier: MIT
 * Counters that a shader makes up. */
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Counters
{
    uint counters[];
};

void main()
{
    counters[0] = 2u * 48u;
    counters[1] = 5u * 36u;
}
