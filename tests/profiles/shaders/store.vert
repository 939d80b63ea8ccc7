#version 450
/* SPDX-License-Identifier: MIT
 * Stores to a buffer; with READONLY it cannot. */
#ifdef READONLY
layout(set = 0, binding = 0) readonly buffer Result
#else
layout(set = 0, binding = 0) buffer Result
#endif
{
    uint result;
};

void main()
{
#ifdef READONLY
    gl_Position = vec4(float(result));
#else
    result = 1u;
    gl_Position = vec4(0.0);
#endif
}
