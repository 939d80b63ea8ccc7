#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
/* SPDX-License-Identifier: MIT */
layout(location = 0) flat in dvec2 out_doubles;
layout(location = 1) flat in uint64_t out_long;
layout(location = 0) out uint result;

void main()
{
    uvec2 a = unpackDouble2x32(out_doubles.x), b = unpackDouble2x32(out_doubles.y), c = unpackUint2x32(out_long);
    result = a.x ^ a.y * 3u ^ b.x * 5u ^ b.y * 7u ^ c.x * 11u ^ c.y * 13u;
}
