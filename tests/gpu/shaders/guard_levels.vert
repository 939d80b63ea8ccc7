#version 450
/* SPDX-License-Identifier: MIT
 * Any words as they are: see guard.tesc. */
layout(location = 0) in uvec4 item;
layout(location = 1) in uvec2 of_instance;
layout(location = 0) out uvec4 levels;

void main()
{
    levels = item + 0u * of_instance.xyxy;
}
