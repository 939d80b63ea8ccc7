#version 450
/* SPDX-License-Identifier: MIT
 * The value of one of the items in a buffer. */
layout(set = 0, binding = 0) readonly buffer Stored
{
    uvec4 stored[];
};

layout(location = 1) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = stored[value % 40u].y;
}
