#version 450
// SPDX-License-Identifier: MIT
layout(set = 1, binding = 0) uniform Tint { uint tint; } tint;
layout(constant_id = 0) const uint factor = 1;
layout(location = 0) flat in uint value;
layout(location = 0) out uint color;

void main()
{
    color = value * factor + tint.tint;
}
