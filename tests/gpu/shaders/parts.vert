#version 450
/* SPDX-License-Identifier: MIT
 * A triangle whose value is a tint; with READ and what a word of memory has; with STORE it is stored
 * there. */
layout(push_constant) uniform Push
{
    vec2 shift;
    float depth;
    uint tint, word;
};
layout(std430, set = 0, binding = 0) buffer Words
{
    uint words[];
};
layout(location = 0) flat out uint value;

void main()
{
    const vec2 corners[3] = vec2[](vec2(-0.75, -0.75), vec2(0.5, -0.25), vec2(-0.25, 0.5));
    gl_Position = vec4(corners[gl_VertexIndex % 3] + shift, depth, 1.0);
    value = tint;
#if defined(STORE)
    words[word] = tint;
#elif defined(READ)
    value += 1000u * words[word];
#endif
}
