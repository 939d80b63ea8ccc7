/* SPDX-License-Identifier: MIT
 *
 * The pools of a pass: scratch from which the GPU allocates for draws whose size only it knows
 * (struct pgs_pool of abi.h). Internal to draw/.
 */
#ifndef PGS_DRAW_POOL_H
#define PGS_DRAW_POOL_H

#include "base/arena.h"
#include "draw/sizes.h"
#include "memory/memory.h"
#include "poly_gs/abi.h"

/* A pass has a pool of each kind. A draw that may want too much must not take from one that cannot,
 * whatever the order in which the GPU processes them. */
enum pgs_pool_kind {
    PGS_POOL_SURE,  /* it holds the worst case of all its draws */
    PGS_POOL_LARGE, /* the worst case is known, but too large to guarantee */
    PGS_POOL_OPEN,  /* the worst case is not known */
    PGS_POOL_VITAL, /* likewise, and something is lost if the pool is too small */
    PGS_POOL_ROUND, /* it holds the worst case of its draws, which would be lost (rounds.h) */
    PGS_POOL_SHARE, /* of one draw whose next round takes what the pool does not hold */
    PGS_POOL_KINDS
};

struct pgs_draw_pool {
    struct pgs_draw_pool *next; /* older ones */
    enum pgs_pool_kind kind;
    struct pgs_range header; /* struct pgs_pool in upload memory */
    struct pgs_range range; /* scratch, also the index buffer of raster draws; empty until sealed */
    uint64_t wanted_B;      /* the worst case of its draws; PGS_POOL_OPEN: PGS_POOL_UNKNOWN_B;
                             * PGS_POOL_VITAL: what they probably take, PGS_POOL_SHARE: a share */
    uint64_t least_B;      /* PGS_POOL_SHARE: what a round needs, whatever the limits are; 0: any */
    const void *last_user; /* batch that took from it last */
    bool sealed;
};

VkResult pgs_draw_pool_create(struct pgs_arena *arena, struct pgs_linear *upload,
                              enum pgs_pool_kind kind, struct pgs_draw_pool **pool);

/* Adds a draw that takes at most worst_B, with every array rounded up to 16 bytes and every
 * allocation to PGS_POOL_UNIT_B. */
void pgs_draw_pool_want(struct pgs_draw_pool *pool, uint64_t worst_B);

/* Bytes that the pool PGS_POOL_SURE has left for more draws. `sure` NULL: the pass has none yet. */
uint64_t pgs_draw_pool_left_B(const struct pgs_draw_pool *sure, struct pgs_device *dev);

/* Chooses the pool for a draw that takes at most worst_B. `sure`: the pass's pool of that kind,
 * or NULL. PGS_POOL_SURE if a pool of the usual size holds the draw and all that the pool has
 * already. */
enum pgs_pool_kind pgs_draw_pool_kind(const struct pgs_draw_pool *sure, struct pgs_device *dev,
                                      uint64_t worst_B);

/* The most that a pool PGS_POOL_ROUND should hold: half of what is left of the share of all pools
 * and no more than half of VK_POLY_GS_HEAP, or the setting. `scratch`: as pgs_draw_pool_seal. */
uint64_t pgs_draw_pool_round_B(struct pgs_device *dev, const struct pgs_linear *scratch);

/* What a pool PGS_POOL_SHARE should hold of a draw that probably takes likely_B: all, if that is
 * within VK_POLY_GS_HEAP and half of what is left, or the setting. least_B: what one round needs at
 * least. `scratch`: likewise. */
uint64_t pgs_draw_pool_share_B(struct pgs_device *dev, const struct pgs_linear *scratch,
                               uint64_t likely_B, uint64_t least_B);

/* What a pool gets if nothing is known of its draws: the setting, or less where the layer may not
 * take much. 0: the setting allows none. */
uint64_t pgs_draw_pool_setting_B(const struct pgs_device *dev);

/* Most that a draw may store whose size the CPU knows; `scratch` serves it. 0: any. */
uint64_t pgs_draw_most_stored_B(const struct pgs_device *dev, const struct pgs_linear *scratch);

/* Scratch that all direct draws of a pass together may have where it may be split, with what
 * `scratch` holds already; UINT64_MAX: any. */
uint64_t pgs_draw_share_B(const struct pgs_device *dev, const struct pgs_linear *scratch);

/* What that is at least, whatever other command buffers hold. Quick. */
uint64_t pgs_draw_least_share_B(const struct pgs_device *dev, const struct pgs_linear *scratch);

/* The limit for one pool. */
uint64_t pgs_draw_pool_limit_B(const struct pgs_device *dev);

/* Sees to it that the pools of a pass find their memory in one piece of what command buffers have
 * in common. Those that have theirs do not count; NULL: none of the kind. */
void pgs_draw_pools_prepare(struct pgs_draw_pool *const pools[PGS_POOL_KINDS],
                            struct pgs_device *dev, struct pgs_linear *scratch);

/* Takes the memory; the pool gets no more draws. A sure pool takes its worst case, as one for a
 * round does, whatever the limits of the layer's memory are; other pools what
 * earlier ones of the kind needed, or the setting at first. A large or vital pool takes more, up to
 * its worst case or what it probably needs: half of what is left of the share of all pools, a large
 * one no more than half of VK_POLY_GS_HEAP, and once some have been executed a multiple of what
 * they needed. Open and large ones that command buffers do not have in common are together not much
 * larger than VK_POLY_GS_HEAP. Limits: a quarter of the device's memory, and the size of one
 * buffer. If the device has less, the pool is smaller. No-op the second time. `scratch` serves only
 * pools. Errors: out of host or device memory. */
VkResult pgs_draw_pool_seal(struct pgs_draw_pool *pool, struct pgs_device *dev,
                            struct pgs_linear *scratch);

/* Frees the memory that pools took from `scratch`. */
void pgs_draw_pool_release(struct pgs_device *dev, struct pgs_linear *scratch);

/* Call it when the GPU is done with the pool. If the pool was too small, logs that, and makes later
 * pools of the kind larger. */
void pgs_draw_pool_read(const struct pgs_draw_pool *pool, struct pgs_device *dev);

#endif
