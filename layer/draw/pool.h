/* SPDX-License-Identifier: MIT
 *
 * Scratch for draws whose need only the GPU knows (struct pgs_pool of abi.h): one pool for all of
 * them in a pass. Internal to draw/.
 */
#ifndef PGS_DRAW_POOL_H
#define PGS_DRAW_POOL_H

#include "base/arena.h"
#include "memory/memory.h"
#include "poly_gs/abi.h"

struct pgs_draw_pool {
    struct pgs_draw_pool *next; /* older ones */
    struct pgs_range header;    /* struct pgs_pool in upload memory */
    struct pgs_range range; /* scratch, also the index buffer of raster draws; empty until sealed */
    uint64_t wanted_B;      /* the worst case of its draws */
    const void *last_user;  /* the batch that took from it last */
    bool sealed;
};

#define PGS_POOL_UNKNOWN_B UINT64_MAX /* the worst case */

VkResult pgs_draw_pool_create(struct pgs_arena *arena, struct pgs_linear *upload,
                              struct pgs_draw_pool **pool);

/* One more draw takes from it, at most worst_B, with every array rounded up to 16 bytes and every
 * take to PGS_POOL_UNIT_B. */
void pgs_draw_pool_want(struct pgs_draw_pool *pool, uint64_t worst_B);

/* Is there room for all of its draws and this one, whatever they need, in a pool of the usual size?
 */
bool pgs_draw_pool_fits(const struct pgs_draw_pool *pool, struct pgs_device *dev, uint64_t worst_B);

/* No more draws come: takes the memory. As much as could be wanted, if that is known; else as much
 * as earlier pools were found to need (or the setting, while none has needed more). No more than a
 * quarter of the device's memory, or one buffer, and where there is less left less. Nothing the
 * second time. */
VkResult pgs_draw_pool_seal(struct pgs_draw_pool *pool, struct pgs_device *dev,
                            struct pgs_linear *scratch);

/* Everything that the GPU did with it is done. Where it was too small a line in the log says so,
 * and later pools of the device are larger. */
void pgs_draw_pool_read(const struct pgs_draw_pool *pool, struct pgs_device *dev);

#endif
