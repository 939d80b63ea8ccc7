/* SPDX-License-Identifier: MIT
 *
 * Scratch for draws whose need only the GPU knows (struct pgs_pool of abi.h): the pools of a pass.
 * Internal to draw/.
 */
#ifndef PGS_DRAW_POOL_H
#define PGS_DRAW_POOL_H

#include "base/arena.h"
#include "draw/sizes.h"
#include "memory/memory.h"
#include "poly_gs/abi.h"

/* Draws that could want too much must not take from those that cannot, in whatever order the GPU
 * comes to them. So a pass has a pool for each kind. */
enum pgs_pool_kind {
    PGS_POOL_SURE,  /* what all of its draws could want at most is there */
    PGS_POOL_LARGE, /* what they could want is known, but is much */
    PGS_POOL_OPEN,  /* what they could want is not known */
    PGS_POOL_KINDS
};

struct pgs_draw_pool {
    struct pgs_draw_pool *next; /* older ones */
    enum pgs_pool_kind kind;
    struct pgs_range header; /* struct pgs_pool in upload memory */
    struct pgs_range range; /* scratch, also the index buffer of raster draws; empty until sealed */
    uint64_t wanted_B;      /* the worst case of its draws; PGS_POOL_OPEN: PGS_POOL_UNKNOWN_B */
    const void *last_user;  /* the batch that took from it last */
    bool sealed;
};

VkResult pgs_draw_pool_create(struct pgs_arena *arena, struct pgs_linear *upload,
                              enum pgs_pool_kind kind, struct pgs_draw_pool **pool);

/* One more draw takes from it, at most worst_B, with every array rounded up to 16 bytes and every
 * take to PGS_POOL_UNIT_B. */
void pgs_draw_pool_want(struct pgs_draw_pool *pool, uint64_t worst_B);

/* What the pool of PGS_POOL_SURE, NULL for none yet, has for further draws. */
uint64_t pgs_draw_pool_left_B(const struct pgs_draw_pool *sure, struct pgs_device *dev);

/* Which pool a draw takes from, at most worst_B. `sure`: the pass's pool of that kind; NULL: it has
 * none yet. Surely there is room for it and all that take from that pool, whatever they need, as
 * long as they need no more than a pool of the usual size. */
enum pgs_pool_kind pgs_draw_pool_kind(const struct pgs_draw_pool *sure, struct pgs_device *dev,
                                      uint64_t worst_B);

/* No more draws come: takes the memory. As much as could be wanted, if it is sure; else as much as
 * earlier pools of the kind were found to need (or the setting, while none has needed more). A
 * large one takes more, up to what could be wanted, as long as the pools of all command buffers
 * hold little: half of what is left of a share of the device's memory. No more than a quarter of
 * the device's memory, or one buffer, and where there is less left less. Nothing the second time.
 * `scratch` is for pools alone. */
VkResult pgs_draw_pool_seal(struct pgs_draw_pool *pool, struct pgs_device *dev,
                            struct pgs_linear *scratch);

/* Gives back what pools have taken from it. */
void pgs_draw_pool_release(struct pgs_device *dev, struct pgs_linear *scratch);

/* Everything that the GPU did with it is done. Where it was too small a line in the log says so,
 * and later pools of the kind are larger. */
void pgs_draw_pool_read(const struct pgs_draw_pool *pool, struct pgs_device *dev);

#endif
