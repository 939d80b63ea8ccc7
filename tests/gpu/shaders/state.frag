#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in uint tint;
layout(location = 0) out uint result;
layout(push_constant) uniform Push
{
    layout(offset = 32) uint add;
};

void main()
{
    result = tint + add;
}
