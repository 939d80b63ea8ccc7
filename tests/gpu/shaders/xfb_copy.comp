#version 450
/* SPDX-License-Identifier: MIT
 * Copies what was captured, as a shader sees it. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Captured
{
    uint captured[];
};
layout(set = 0, binding = 1) writeonly buffer Copied
{
    uint copied[];
};

void main()
{
    copied[gl_GlobalInvocationID.x] = captured[gl_GlobalInvocationID.x] ^ 0x55u;
}
