#version 450
/* SPDX-License-Identifier: MIT */
layout(constant_id = 0) const uint BIAS = 0u;
layout(set = 0, binding = 0) readonly buffer Tints
{
    uint tints[];
};
layout(push_constant) uniform Push
{
    vec2 shift;
    uint tint;
};
layout(location = 0) in vec2 place;
#ifdef CAPTURE
layout(location = 0, xfb_buffer = 0, xfb_offset = 0, xfb_stride = 4) flat out uint value;
#else
layout(location = 0) flat out uint value;
#endif

void main()
{
    gl_Position = vec4((place + shift) / 32.0 - 1.0, 0.5, 1.0);
    value = tints[tint] + BIAS + uint(gl_VertexIndex);
}
