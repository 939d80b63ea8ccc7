/* SPDX-License-Identifier: MIT */
/* What goes from stage to stage in tessellation_io.c, which computes the same. */
uint mixed(uint hash, uint word)
{
    hash = (hash ^ word) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

uint mixed(uint hash, float number)
{
    return mixed(hash, floatBitsToUint(number));
}

struct Pair {
    uint count;
    float weights[2];
};
