#version 450
/* SPDX-License-Identifier: MIT */
layout(input_attachment_index = 2, set = 0, binding = 0) uniform usubpassInput source;
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = subpassLoad(source).x * 100u + value;
}
