/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <string.h>

/* Two odd constants with about as many ones as zeros. */
#define ODD_A UINT64_C(0x9e3779b97f4a7c15)
#define ODD_B UINT64_C(0xd6e8feb86659fd93)

/* A bijection of `hash` for each word, so one changed word always changes the hash. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * ODD_A;
    return hash ^ (hash >> 32);
}

static uint64_t load(const unsigned char *bytes, size_t size_B)
{
    uint64_t word = 0;
    memcpy(&word, bytes, size_B);
    return word;
}

uint64_t pgs_hash(const void *bytes, size_t size_B, uint64_t seed)
{
    const unsigned char *at = bytes;
    /* Two lanes, since a multiplication waits for the one before it. */
    uint64_t a = seed ^ size_B, b = seed ^ ODD_B;
    size_t left_B = size_B;
    for (; left_B >= 16; left_B -= 16, at += 16) {
        a = mix(a, load(at, 8));
        b = mix(b, load(at + 8, 8));
    }
    if (left_B >= 8)
        a = mix(a, load(at, 8));
    if (left_B % 8)
        b = mix(b, load(at + (left_B & 8), left_B % 8));
    return mix(mix(a, ODD_B), b * ODD_B);
}
