#version 450
/* SPDX-License-Identifier: MIT */
// Could write to buffers and images of every kind, and reads them only.
layout(set = 0, binding = 0, std430) buffer One { uint words[]; };
layout(set = 0, binding = 1, std430) buffer Two { uvec4 first; readonly uvec4 second; } several[3];
layout(set = 0, binding = 2, r32ui) uniform uimage2D picture;
layout(set = 0, binding = 3, r32f) uniform image2DArray pictures[2];
layout(set = 0, binding = 4, rgba8) uniform imageBuffer texels;
layout(set = 0, binding = 5, std430) readonly buffer Three { uint more[]; };
layout(set = 0, binding = 6) uniform sampler2D sampled;
layout(location = 0) out vec4 result;
void main()
{
    uint word = words[gl_VertexIndex] + several[1].first.x + several[2].second.y + more[0];
    result = vec4(word) + vec4(imageLoad(picture, ivec2(1))) + imageLoad(pictures[1], ivec3(0)) + imageLoad(texels, 5) +
             textureLod(sampled, vec2(0.5), 0.0);
    gl_Position = result;
}
