#version 450
/* SPDX-License-Identifier: MIT
 * With STORE the value is stored to a word of memory, too. */
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
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;

void main()
{
    result = value;
#ifdef STORE
    words[word] = tint;
#endif
}
