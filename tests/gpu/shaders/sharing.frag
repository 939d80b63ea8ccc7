// SPDX-License-Identifier: MIT
#version 450
layout(constant_id = 0) const uint SHIFT = 0;
layout(location = 0) flat in uint result;
layout(location = 0) out uint color;

void main()
{
    color = (result << SHIFT) + 1;
}
