#version 450
/* SPDX-License-Identifier: MIT
 * Only to be counted. */
layout(local_size_x = 64) in;

void main()
{
}
