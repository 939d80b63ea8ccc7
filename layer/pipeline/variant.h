/* SPDX-License-Identifier: MIT
 *
 * The driver's pipelines behind one application's pipeline. The variants that a usual draw takes
 * are made at creation (variant_choice.h), others when a draw that needs them is recorded.
 */
#ifndef PGS_PIPELINE_VARIANT_H
#define PGS_PIPELINE_VARIANT_H

#include "pipeline/stage_group.h"
#include "vulkan/device.h"

#include <pthread.h>
#include <stdatomic.h>

enum pgs_variant {
    /* Compute. */
    PGS_VARIANT_VERTEX,        /* VS: stores vertices, or captures if it is the last stage */
    PGS_VARIANT_CONTROL,       /* TCS */
    PGS_VARIANT_FUSED_CONTROL, /* VS and TCS, in place of VERTEX and CONTROL */
    PGS_VARIANT_EVALUATION,    /* TES: stores vertices */
    PGS_VARIANT_GEOMETRY,      /* GS: reads stored vertices */
    PGS_VARIANT_FUSED,         /* VS and GS, in place of VERTEX and GEOMETRY */
    PGS_VARIANT_XFB,           /* GS with static emits, with the VS where FUSED is: captures */
    PGS_VARIANT_NO_MEMORY,     /* GS, with VS or TES: counts and captures, stores nothing */
    PGS_VARIANT_LISTING,       /* FUSED or GEOMETRY, which lists small draws (poly_gs/listing.h) */
    PGS_VARIANT_SIFT,  /* VS and GS: finds out what INSTANCED need not draw (poly_gs/sift.h) */
    PGS_VARIANT_PICK,  /* VS and GS: finds out which vertices PICKED draws (poly_gs/pick.h) */
    PGS_VARIANT_BOUND, /* FUSED, with descriptors for what it reads and stores (poly_gs/bound.h) */
    /* Raster. */
    PGS_VARIANT_STORED_0, /* draws stored vertices of stream 0 */
    PGS_VARIANT_STORED_1,
    PGS_VARIANT_STORED_2,
    PGS_VARIANT_STORED_3,
    PGS_VARIANT_INSTANCED, /* the application's own draw, with one instance for each strip */
    PGS_VARIANT_PICKED,    /* the application's own vertices, of which the GS picks some */
    PGS_VARIANT_INLINE,    /* its VS runs VS or TES, and GS, for each vertex that it draws */
    /* The same with a GS, for all draws of an indirect call together; with a TES, for all patches
     * together, if INLINE draws each by itself (spv_patch.by_patch). */
    PGS_VARIANT_INLINE_CALL,
    PGS_VARIANT_INLINE_OF_0, /* in place of both, if the stream is dynamic: draws stream 0 */
    PGS_VARIANT_INLINE_OF_1,
    PGS_VARIANT_INLINE_OF_2,
    PGS_VARIANT_INLINE_OF_3,
    PGS_VARIANT_NOTHING, /* native: draws nothing, for a stream that nobody emits to */
    PGS_VARIANT_COUNT
};

#define PGS_VARIANT_BIT(variant) (UINT32_C(1) << (variant))
#define PGS_VARIANTS_INLINE                                                                        \
    (PGS_VARIANT_BIT(PGS_VARIANT_NOTHING) - PGS_VARIANT_BIT(PGS_VARIANT_INLINE))
#define PGS_VARIANTS_RASTER                                                                        \
    (PGS_VARIANT_BIT(PGS_VARIANT_COUNT) - PGS_VARIANT_BIT(PGS_VARIANT_STORED_0))

/* Draws can do without an optional variant, if its shaders turn out not to go together. */
static inline bool pgs_variant_is_optional(enum pgs_variant variant)
{
    const uint32_t optional =
        PGS_VARIANT_BIT(PGS_VARIANT_FUSED) | PGS_VARIANT_BIT(PGS_VARIANT_XFB) |
        PGS_VARIANT_BIT(PGS_VARIANT_NO_MEMORY) | PGS_VARIANT_BIT(PGS_VARIANT_LISTING) |
        PGS_VARIANT_BIT(PGS_VARIANT_SIFT) | PGS_VARIANT_BIT(PGS_VARIANT_BOUND) |
        PGS_VARIANT_BIT(PGS_VARIANT_INSTANCED) | PGS_VARIANT_BIT(PGS_VARIANT_PICK) |
        PGS_VARIANT_BIT(PGS_VARIANT_PICKED) | PGS_VARIANT_BIT(PGS_VARIANT_FUSED_CONTROL) |
        PGS_VARIANTS_INLINE;
    return optional >> variant & 1;
}

static inline bool pgs_variant_is_inline(enum pgs_variant variant)
{
    return PGS_VARIANTS_INLINE >> variant & 1;
}

/* True if it takes the vertex input of the application. */
static inline bool pgs_variant_takes_input(enum pgs_variant variant)
{
    return variant == PGS_VARIANT_INSTANCED || variant == PGS_VARIANT_PICKED;
}

/* True if its vertex shader runs those of the application. */
static inline bool pgs_variant_shades(enum pgs_variant variant)
{
    return pgs_variant_is_inline(variant) || pgs_variant_takes_input(variant);
}

static inline enum pgs_variant pgs_stored_variant_of(uint32_t stream)
{
    return (enum pgs_variant)(PGS_VARIANT_STORED_0 + stream);
}

/* The inline variant of a stream that is chosen while commands are recorded. */
static inline enum pgs_variant pgs_inline_variant_of(uint32_t stream)
{
    return (enum pgs_variant)(PGS_VARIANT_INLINE_OF_0 + stream);
}

struct pgs_emulated_pipeline;
struct pgs_pipeline_source;
struct pgs_shared;

/* Finished variants do not change, but for the handles of generic ones. Of a variant whose bit in
 * `made_mask` was read with acquire, all but `source` may be read without the lock. */
struct pgs_variants {
    _Atomic uint32_t available; /* bits of variants that exist or can be made */
    _Atomic uint32_t made_mask; /* bits of finished variants */
    _Atomic(VkPipeline) made[PGS_VARIANT_COUNT];
    _Atomic(VkPipeline) drawn; /* the raster pipeline that a draw bound last; NULL: none yet */
    _Atomic bool uncounted;    /* native: the variants that count its draws cannot be made */
    /* Bits of finished variants that are generic ones (generic.h), until the pipeline's own take
     * their places; command buffers may still have them, so these references stay. */
    _Atomic uint32_t generic_mask;
    struct pgs_shared *generic[PGS_VARIANT_STORED_0]; /* of those that were replaced */
    /* Stage group whose descriptor sets a made variant binds; PGS_GROUP_COUNT: the application's
     * own sets. */
    enum pgs_stage_group groups[PGS_VARIANT_COUNT];
    struct pgs_shared *shared[PGS_VARIANT_COUNT]; /* references to what owns made variants; NULL:
                                                   * this pipeline owns it */
    pthread_mutex_t lock;                         /* held while a variant is made */
    pthread_mutex_t put_lock;                     /* while a finished one is put here, within it */
    struct pgs_pipeline_source *source;           /* NULL: all variants are made */
};

/* Takes over a driver's pipeline as a finished variant, unless it is VK_NULL_HANDLE. Not
 * thread-safe. */
static inline void pgs_variant_take(struct pgs_variants *variants, enum pgs_variant variant,
                                    VkPipeline made)
{
    atomic_init(&variants->made[variant], made);
    if (made)
        atomic_fetch_or_explicit(&variants->made_mask, PGS_VARIANT_BIT(variant),
                                 memory_order_relaxed);
}

#endif
