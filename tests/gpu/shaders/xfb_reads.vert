#version 450
/* SPDX-License-Identifier: MIT
 * Items in a buffer that the shader reads itself; as xfb_move.vert without capture. */
layout(set = 0, binding = 0) readonly buffer Stored
{
    uvec4 stored[];
};
layout(set = 0, binding = 1) uniform Uniforms
{
    uvec4 uniforms[40];
};
layout(set = 0, binding = 2) uniform usamplerBuffer texels;
layout(set = 0, binding = 3) uniform usampler2D image;

layout(location = 0) out uvec4 next;
layout(location = 1) flat out uint value;

layout(push_constant) uniform Push
{
    uvec4 change;
    uint binding;
};

void main()
{
    uvec4 item = texelFetch(texels, gl_VertexIndex);
    if (binding == 0u)
        item = stored[gl_VertexIndex];
    if (binding == 1u)
        item = uniforms[gl_VertexIndex];
    if (binding == 3u)
        item = texelFetch(image, ivec2(gl_VertexIndex, 0), 0);
    next = item + change;
    value = next.y;
    gl_Position = vec4((vec2(next.zw % 64u) + vec2(0.375, 0.3125)) / 32.0 - 1.0, 0.5, 1.0);
    gl_PointSize = 1.0;
}
