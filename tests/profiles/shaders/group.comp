#version 450
/* SPDX-License-Identifier: MIT
 * A workgroup of X invocations that shares WORDS words. */
layout(local_size_x = X) in;
layout(set = 0, binding = 0) buffer Result
{
    uint result;
};
shared uint words[WORDS];

void main()
{
    words[gl_LocalInvocationIndex % WORDS] = gl_LocalInvocationIndex;
    barrier();
    result = words[0];
}
