#version 450
#extension GL_ARB_gpu_shader_int64 : require
/* SPDX-License-Identifier: MIT
 * Declares Int64. */
layout(set = 0, binding = 0) buffer Result
{
    uint64_t result;
};

void main()
{
    result += 1ul;
}
