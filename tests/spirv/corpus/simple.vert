#version 450
/* SPDX-License-Identifier: MIT */
// expect instanced: unsupported
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 out_color;
layout(push_constant) uniform push_block { mat4 transform; float bias[4]; } push;
void main()
{
    if (position.z < 0.0)
        return;
    gl_Position = push.transform * vec4(position, 1.0) + push.bias[gl_VertexIndex & 3];
    out_color = color;
}
