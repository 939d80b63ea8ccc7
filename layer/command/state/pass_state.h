/* SPDX-License-Identifier: MIT
 *
 * The render pass instance that a command buffer records.
 */
#ifndef PGS_COMMAND_STATE_PASS_STATE_H
#define PGS_COMMAND_STATE_PASS_STATE_H

#include "base/array.h"
#include "draw/batch.h"
#include "draw/query_record.h"
#include "vulkan/queue.h"

struct pgs_fb_layer_pass;

struct pgs_dependency {
    VkPipelineStageFlags2 source, target; /* one of them 0: there is none */
    VkAccessFlags2 source_access, target_access;
};

/* The compute work of a render pass is done before it, where the dependencies of its subpasses do
 * not reach. */
struct pgs_pass_sync {
    struct pgs_dependency before; /* what its stages before the rasterizer wait for, to compute */
    struct pgs_dependency after; /* from compute to what waits for those stages, in later subpasses,
                                    in later draws of the same one, and after the pass */
};

/* What is kept of a VkRenderPass. */
struct pgs_render_pass {
    struct pgs_pass_sync sync;
    VkRenderPass again;   /* goes on where an instance was ended early; ours. See pgs_pass_split */
    const char *obstacle; /* why there is none */
    bool several_subpasses;
    struct pgs_fb_layer_pass *fb_layers; /* owned; see fb_layer_slices.h */
    uint32_t *view_masks; /* of its subpasses, owned; NULL: it has none, or nobody asks */
};

enum pgs_pass_state {
    PGS_PASS_NONE,
    PGS_PASS_DIRECT, /* commands go straight down */
    PGS_PASS_QUEUED,
    PGS_PASS_SUSPENDED, /* queued, between a suspended instance and the one that resumes it */
};

enum pgs_begin { PGS_BEGIN_RENDER_PASS, PGS_BEGIN_RENDER_PASS2, PGS_BEGIN_RENDERING };

/* How an instance began that may have to be ended early. The copies are in cb->begun; NULL: out of
 * memory. */
struct pgs_noted_begin {
    enum pgs_begin kind;
    VkSubpassContents contents;
    VkRenderPassBeginInfo *render_pass;
    VkRenderingInfo *rendering;
    const struct pgs_render_pass *kept; /* of the application's render pass */
    uint32_t open_queries;              /* begun within and not ended */
    bool open_condition;                /* conditional rendering, likewise */
};

/* What draws of a pass read in it. */
struct pgs_read {
    VkBuffer buffer; /* VK_NULL_HANDLE: whatever has a usage of the following */
    VkBufferUsageFlags usage;
    VkDeviceSize begin_B, end_B; /* VK_WHOLE_SIZE: up to its end */
};

/* A batch that a pass records. */
struct pgs_pass_batch {
    struct pgs_batch *batch; /* not owned */
    /* Event waits of the secondary whose first one it is; else NULL. */
    const struct pgs_queue *before;
    /* Before it, where there is a slot: the condition of the primary, for a secondary that inherits
     * it without knowing it. */
    VkDeviceAddress condition_slot;
    struct pgs_condition condition;
    struct pgs_query_drain drain; /* after it, where it has a source: likewise, the statistics */
};

/* The render pass instance, or chain of suspended and resumed ones, being recorded. */
struct pgs_pass {
    enum pgs_pass_state state;
    struct pgs_noted_begin begin;             /* where passes can be split, but of secondaries */
    struct pgs_pass_sync sync;                /* its external dependencies */
    PGS_ARRAY(struct pgs_pass_batch) batches; /* to record before the pass, in order */
    size_t own_batches;                       /* of cb->batches in use */
    bool batch_open;                          /* the last own batch takes further draws */
    PGS_ARRAY(struct pgs_read) reads;         /* where transform feedback is ours */
    bool reads_noted;                         /* of all buffers that are bound */
    VkBufferUsageFlags reads_by_usage;        /* of those without a buffer */
    size_t reads_ordered,
        reads_settled; /* those that a barrier has followed; of earlier segments */
    /* Of a secondary: its captures, with counters, and how many precede every barrier in it. */
    PGS_ARRAY(struct pgs_xfb_binding) captures;
    size_t captures_early;
    uint32_t layer_count;       /* of its attachments */
    const uint32_t *next_views; /* see views.h */
    bool by_layer;              /* it has draws that select a layer; see fb_layers.h */
    bool executes_emulated, executes_unqueued; /* secondaries */
    bool suspending;                           /* the instance being recorded */
    bool resumed;                              /* continues an instance of another command buffer */
};

#endif
