// SPDX-License-Identifier: MIT
// One stage's descriptors of every kind, as many as the program says; see descriptors.c. STAGE is the number of the
// stage. With SEVERAL the stages have sets of their own, else all share one.
layout(constant_id = 0) const uint UNIFORMS = 1;
layout(constant_id = 1) const uint STORAGES = 1;
layout(constant_id = 2) const uint PICTURES = 1;
layout(constant_id = 3) const uint IMAGES = 1;
layout(constant_id = 4) const bool READS_STORAGES = true;

#ifdef SEVERAL
#define SET (STAGE == 0 ? 0 : STAGE < 3 ? 1 : STAGE == 3 ? 2 : 3)
#else
#define SET 0
#endif
#define FIRST (STAGE * 4)

layout(set = SET, binding = FIRST) uniform Uniform
{
    uint value;
}
uniforms[UNIFORMS];
layout(set = SET, binding = FIRST + 1, std430) readonly buffer Storage
{
    uint value;
}
storages[STORAGES];
layout(set = SET, binding = FIRST + 2) uniform usampler2D pictures[PICTURES];
layout(set = SET, binding = FIRST + 3, r32ui) readonly uniform uimage2D images[IMAGES];

// Every descriptor and its place count.
uint weigh(uint sum)
{
    for (uint i = 0; i < UNIFORMS; i++)
        sum = sum * 31 + uniforms[i].value;
    for (uint i = 0; i < STORAGES; i++)
        sum = sum * 33 + storages[READS_STORAGES ? i : 0].value;
    for (uint i = 0; i < PICTURES; i++)
        sum = sum * 37 + texelFetch(pictures[i], ivec2(1), 0).x;
    for (uint i = 0; i < IMAGES; i++)
        sum = sum * 39 + imageLoad(images[i], ivec2(1)).x;
    return sum;
}
