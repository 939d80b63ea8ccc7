#version 450
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat out uint value;
layout(push_constant) uniform Push
{
    float infinity;
};

void main()
{
    gl_PointSize = 1.0;
    gl_Position = vec4(float(gl_VertexIndex % 8) / 4.0 - 0.9, float(gl_VertexIndex / 8) / 4.0 - 0.9, 0.5, 1.0);
    const uint difference = floatBitsToUint(infinity - infinity); // NaN unless there are none
    const uint product = floatBitsToUint(infinity * 0.0);
    value = ((difference & 0x7FFFFFFFu) > 0x7F800000u ? 1u : 0u) | ((product & 0x7FFFFFFFu) > 0x7F800000u ? 2u : 0u);
}
