#version 450
/* SPDX-License-Identifier: MIT
 * Reads what vertex 6 of draw 0 has stored. */
layout(location = 0) flat in uint value;
layout(location = 0) out uint result;
layout(set = 0, binding = 0) readonly buffer Words
{
    uint words[];
};

void main()
{
    result = value + 1000u * words[70];
}
