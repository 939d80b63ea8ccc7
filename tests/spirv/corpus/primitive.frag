#version 450
/* SPDX-License-Identifier: MIT */
// A shader that reads gl_PrimitiveID is for the fix-up: skip extract
layout(location = 0) in vec2 uv;
layout(location = 2) flat in ivec3 numbers[2];
layout(location = 0) out vec4 color;
layout(constant_id = 9) const float k = 0.5;
void main()
{
    color = vec4(uv, float(gl_PrimitiveID), float(gl_Layer + gl_ViewportIndex + numbers[1].x)) * k;
}
