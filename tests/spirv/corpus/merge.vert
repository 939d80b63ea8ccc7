#version 460
/* SPDX-License-Identifier: MIT */
// Instructions whose operands are not all ids.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_debug_printf : require
// env: vulkan1.1 spv1.4 vulkan1.2 vulkan1.3
layout(location = 0) in vec3 position;
layout(location = 1) in ivec2 choice;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 other[2];
layout(constant_id = 3) const float scale = 2.0;
layout(buffer_reference) buffer node;
layout(buffer_reference, std430) buffer node { vec4 value; node next; };
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform sampler2DShadow depth;
layout(set = 0, binding = 2, rgba8) uniform readonly image2D texels;
layout(set = 0, binding = 3, std430) buffer data { node first; vec4 rest[]; };
layout(set = 0, binding = 4) uniform samplerBuffer elements;
layout(set = 0, binding = 5) uniform block { mat3 turn; float bias[4]; } u[2];
layout(push_constant) uniform push_block { mat4 transform; } push;
int kept = 3;
const vec4 table[3] = vec4[3](vec4(1.0), vec4(2.0), vec4(3.0));
vec4 walk(node n, inout int steps)
{
    vec4 sum = vec4(0.0);
    for (; steps > 0; steps--) {
        sum += n.value;
        n = n.next;
    }
    return sum;
}
void main()
{
    int steps = choice.x & 7;
    kept += choice.y;
    color = textureLod(image, position.xy, 0.5) + textureLodOffset(image, position.xy, 1.0, ivec2(1, 2));
    color += textureGrad(image, position.xy, vec2(1.0), vec2(2.0)) + textureGather(image, position.xy, 2);
    color += textureGatherOffset(image, position.xy, ivec2(1, -1)) + texelFetch(elements, choice.x);
    color.x += textureLod(depth, position, 0.0) + textureProjLod(depth, vec4(position, 1.0), 0.0);
    color += texelFetchOffset(image, choice, 2, ivec2(1, 1)) + imageLoad(texels, choice);
    color.yz += vec2(imageSize(texels)) + vec2(textureSize(image, 1)) * textureQueryLevels(image);
    switch (choice.y) {
    case 1:
        other[0] = walk(first, steps);
        break;
    case -7:
        other[0] = rest[steps].wzyx;
        other[0].y = float(rest.length());
        break;
    default:
        other[0] = table[kept % 3];
    }
    other[1] = vec4(u[choice.x & 1].turn * position, u[1].bias[kept & 3]);
    if (steps == 5)
        debugPrintfEXT("kept %d", kept);
    gl_Position = push.transform * vec4(position * scale, 1.0);
    gl_PointSize = gl_Position.w;
}
