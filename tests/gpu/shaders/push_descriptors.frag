// SPDX-License-Identifier: MIT
#version 450
layout(set = 0, binding = 5) uniform Fragment
{
    uint seen_by_fragment;
};
layout(set = 0, binding = 6) uniform usampler2D image;
layout(location = 0) flat in uint value;
layout(location = 0) out uint color;

void main()
{
    color = value + seen_by_fragment * 19 + textureLod(image, vec2(0.5), 0).x * 23;
}
