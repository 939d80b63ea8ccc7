// SPDX-License-Identifier: MIT
#version 450
#ifdef NATIVE
layout(set = 1, binding = 0) uniform Third
{
    uint third;
};
layout(push_constant) uniform Push
{
    uint pushed;
};
#endif
layout(location = 0) flat in uint value;
layout(location = 0) out uint color;

void main()
{
#ifdef NATIVE
    color = value * 37 + third * 7 + pushed;
#else
    color = value;
#endif
}
