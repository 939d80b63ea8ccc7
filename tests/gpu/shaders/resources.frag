#version 450
/* SPDX-License-Identifier: MIT */
layout(push_constant) uniform Push
{
    layout(offset = 48) uvec4 for_fragment;
};
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = value + for_fragment.x;
}
