/* SPDX-License-Identifier: MIT
 * Particles in whole numbers, so that every driver moves them alike, bit by bit. Lengths are in 1/16 of a pixel of the
 * picture, as far away as the launchers stand; times in frames. */
#define LAUNCHER 0
#define ROCKET 1
#define SPARK 2
#define EMBER 3
#define FLASH 4

#define EMBER_LIFE 14
#define FLASH_LIFE 6

struct particle {
    ivec3 place;
    int kind;
    int life; /* what is left of it */
    ivec3 motion;
    uint seed; /* colour and chance */
};

particle unpack(ivec4 a, ivec4 b)
{
    return particle(a.xyz, a.w & 255, a.w >> 8, b.xyz, uint(b.w));
}

uint hash(uint x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
