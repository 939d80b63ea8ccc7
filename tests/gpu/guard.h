/* SPDX-License-Identifier: MIT
 *
 * Random draws from buffers between guard pages (guard_memory.h), captured and counted: what
 * guard.c and guard_draws.c share.
 */
#ifndef PGS_TESTS_GPU_GUARD_H
#define PGS_TESTS_GPU_GUARD_H

#include "gpu/guard_memory.h"
#include "gpu/xfb.h"

enum guard_kind { GUARD_PLAIN, GUARD_POINTS, GUARD_STRIP, GUARD_PATCHES, GUARD_KINDS };

enum { GUARD_ITEM_B = 16, GUARD_INSTANCE_B = 4, GUARD_BINDINGS = 3, GUARD_STREAMS = 2 };

struct guard {
    struct vkt t;
    struct vkt_target target; /* xfb_target */
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorSet set; /* of the seed */
    VkPipeline pipelines[GUARD_KINDS];
    VkQueryPool queries;
    uint64_t random;
    bool hostile; /* draws may reach beyond everything */
    /* Draws without a geometry shader are captured only, since else the driver reads, too.
     * SwiftShader reads behind attributes that end with their buffer. */
    bool captures_only;
    bool more;    /* points go to two streams; descriptors and vertex buffers may be null */
    bool layered; /* the layer draws */
    bool refused; /* a direct draw of the command buffer is too large for the layer */
    enum guard_side side;
    struct vkt_buffer vertices, instances; /* of the seed */
    uint32_t vertex_count, instance_count; /* that they hold */
};

/* 0 .. below - 1, or a word. */
uint32_t guard_random(struct guard *g, uint32_t below);
uint32_t guard_random_word(struct guard *g);
/* A word at an extreme, or a small one, or any. */
uint32_t guard_extreme(struct guard *g);

/* With `more` the layout and the descriptors of guard_streams.geom, in buffers like the others;
 * some are null. */
void guard_make_layout(struct guard *g);
void guard_make_set(struct guard *g);

/* Records one draw with what is bound: direct, indexed, indirect, with a count in a buffer or by a
 * number of bytes. Its indices, arguments and counts lie in buffers of their own, which end with
 * them. Without `hostile` it reads what is there. */
void guard_draw(struct guard *g, VkCommandBuffer cmd, enum guard_kind kind);

#endif
