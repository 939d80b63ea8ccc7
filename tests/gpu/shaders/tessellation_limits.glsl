/* SPDX-License-Identifier: MIT */
/* What the shaders of tessellation_limits.c share. With what is 0, but not for a compiler, loops stay loops. */
layout(push_constant) uniform Push
{
    int zero;
};

uint mixed(uint hash, float number)
{
    hash = (hash ^ floatBitsToUint(number)) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

uint mixed(uint hash, vec4 v)
{
    return mixed(mixed(mixed(mixed(hash, v.x), v.y), v.z), v.w);
}
