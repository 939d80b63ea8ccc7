/* SPDX-License-Identifier: MIT
 *
 * The render pass instance that a command buffer records.
 */
#ifndef PGS_COMMAND_STATE_PASS_STATE_H
#define PGS_COMMAND_STATE_PASS_STATE_H

#include "base/array.h"
#include "draw/batch.h"
#include "draw/query_record.h"
#include "pipeline/object_types.h"
#include "vulkan/queue.h"

struct pgs_fb_layer_pass;
struct pgs_open_query;
struct pgs_split_pass;

struct pgs_dependency {
    VkPipelineStageFlags2 source, target; /* if one is 0, there is none */
    VkAccessFlags2 source_access, target_access;
};

/* The compute work of a render pass runs before it, so dependencies of its subpasses do not apply
 * to it. */
struct pgs_pass_sync {
    struct pgs_dependency before; /* from what the pass's pre-rasterization stages wait for, to
                                   * compute */
    struct pgs_dependency after; /* from compute to what waits for those stages: in later subpasses,
                                  * in later draws of the same one, and after the pass */
};

/* Masks of subpasses that depend on earlier ones in a way that concerns order.h; bit 31 stands for
 * all from 31 on. */
struct pgs_subpass_order {
    uint32_t reads;     /* stages before the rasterizer read what was stored or rasterized */
    uint32_t stores;    /* they may store to what shaders have read */
    uint32_t fragments; /* likewise what fragment shaders have read */
    uint32_t layers;    /* fragment shaders read what others have stored, also in other layers */
};

/* The layer's copy of a VkRenderPass. */
struct pgs_render_pass {
    struct pgs_pass_sync sync;
    struct pgs_subpass_order order;
    struct pgs_split_pass *split;        /* owned; see split_render_pass.h */
    struct pgs_fb_layer_pass *fb_layers; /* owned; see fb_layer_slices.h */
    uint32_t *view_masks;                /* one per subpass, owned; NULL: no views */
    /* See resumable.h; of instances without sample locations. */
    bool resumable, loses_nothing;
};

enum pgs_pass_state {
    PGS_PASS_NONE,
    PGS_PASS_UNQUEUED, /* not queued: commands go straight to the driver */
    PGS_PASS_HELD,     /* likewise, but what follows a query's begin is queued: pgs_pass_hold */
    PGS_PASS_QUEUED,
};

enum pgs_begin { PGS_BEGIN_RENDER_PASS, PGS_BEGIN_RENDER_PASS2, PGS_BEGIN_RENDERING };

/* How an instance begins, which may be ended early. It begins when its queue is replayed, so until
 * then its operations may change. Copies are in cb->begun, or for render_pass in pass.begun; both
 * NULL: out of memory, which is latched. */
struct pgs_noted_begin {
    enum pgs_begin kind;
    bool resumed;               /* by pgs_pass_split or pgs_pass_begin_segment */
    VkSubpassContents contents; /* of the first subpass */
    VkRenderPassBeginInfo *render_pass;
    VkRenderPass whole; /* the application's */
    /* What the application says of sample locations, or NULL; parts say something else. The first
     * node of the chain. */
    const VkRenderPassSampleLocationsBeginInfoEXT *locations;
    uint32_t first_subpass; /* in which a part draws */
    VkRenderingInfo *rendering;
    const struct pgs_render_pass *kept; /* for the application's render pass */
    uint32_t subpass;                   /* that is being recorded */
    VkSubpassContents subpass_contents; /* of it */
    uint32_t open_queries;              /* begun within the instance and not ended */
    bool open_condition;                /* conditional rendering, begun within the instance and not
                                         * ended */
};

/* VK_KHR_dynamic_rendering_local_read: what is mapped in the instance, to begin with by its begin
 * or by what a secondary inherits. Copies are in cb->begun. */
struct pgs_local_read {
    bool has_locations, has_indices;             /* set by commands since then */
    const uint32_t *locations;                   /* [location_count], or NULL */
    const uint32_t *indices;                     /* [index_count], or NULL */
    const uint32_t *depth_index, *stencil_index; /* [1], or NULL */
    uint32_t location_count, index_count;
};

/* What is set where a pass is held, or where a query begins in it. */
struct pgs_held {
    struct pgs_condition condition; /* that began in the pass and is active; no buffer: none */
    struct pgs_local_read local_read;
};

/* A range that draws of a pass read. */
struct pgs_read {
    VkBuffer buffer; /* VK_NULL_HANDLE: any buffer with one of these usages */
    VkBufferUsageFlags usage;
    VkDeviceSize begin_B, end_B; /* VK_WHOLE_SIZE: to its end */
};

/* A batch that a pass records, or what a secondary needs before its first or after its last one. */
struct pgs_pass_batch {
    struct pgs_batch *batch;        /* not owned; NULL: none */
    const struct pgs_queue *before; /* event waits of a secondary; NULL: none */
    /* If not 0: written before the batch with the primary's condition, for a secondary that
     * inherits it without knowing it. */
    VkDeviceAddress condition_slot;
    struct pgs_condition condition;
    struct pgs_query_drain drain; /* statistics that are moved after the batch, if it has a source
                                   */
};

/* The render pass instance that is being recorded. */
struct pgs_pass {
    enum pgs_pass_state state;
    bool quiet;                   /* not queued, since nothing is likely to be emulated: quiet.h */
    uint16_t quiet_slot;          /* what is known of that, in quiet_times of the device */
    struct pgs_noted_begin begin; /* not for secondaries */
    /* What begin.render_pass is for an instance that the driver has begun as it came, and that has
     * no chain. What resumes it clears nothing, so it has no values for that. */
    VkRenderPassBeginInfo begun;
    struct pgs_local_read local_read;
    struct pgs_held held;                     /* if state is PGS_PASS_HELD */
    struct pgs_object_target target;          /* without `maps`; if shader objects are enabled */
    struct pgs_pass_sync sync;                /* its external dependencies */
    PGS_ARRAY(struct pgs_pass_batch) batches; /* recorded before the pass, in this order */
    size_t own_batches;                       /* number of cb->batches in use */
    struct pgs_batch *open_batch;             /* the last own one, if it accepts further draws */
    const void *replaced_to; /* pgs_queue_end after the last replacement; NULL: there is none */
    bool replaced_shades;    /* pgs_draw_shades of it */
    bool drawn;              /* shaders of the application run in the queue; see order.h */
    bool reads_wait, stores_wait; /* compute work that reads, or stores, has to come after that */
    PGS_ARRAY(struct pgs_read) reads; /* if transform feedback is emulated */
    /* Of the driver, begun in the pass where it is queued; those before query_count are in use. */
    PGS_ARRAY(struct pgs_open_query *) queries; /* owned; see open_query.h */
    size_t query_count;
    /* Of a pass that is ended and resumed with a view mask; those before part_count are in use.
     * `keeps`: what will be the next of them, or NULL. */
    PGS_ARRAY(struct pgs_kept_part *) parts; /* owned; see parts.h */
    size_t part_count;
    struct pgs_kept_part *keeps;
    bool reads_noted;                  /* all bound buffers are in `reads` */
    VkBufferUsageFlags reads_by_usage; /* usages of the reads without a buffer */
    /* Usages of what fragment shaders of emulated draws may read; see pgs_reads_order_fragments. */
    VkBufferUsageFlags fragments_by_usage;
    size_t reads_ordered,
        reads_settled; /* those that a barrier has followed; of earlier segments */
    /* Of a secondary: its captures, with counters, and how many precede every barrier in it. */
    PGS_ARRAY(struct pgs_xfb_binding) captures;
    size_t captures_early;
    uint32_t layer_count;       /* of the attachments */
    const uint32_t *next_views; /* see views.h */
    bool by_layer;              /* a draw selects its layer; see fb_layers.h */
    /* Where passes are recorded by layer (layer_queries.h): something was drawn in the instance, or
     * in the segment; a query of several layers has ended in it. */
    bool has_draws, layers_counted;
    bool one_layer;                            /* a secondary knows that its pass has one */
    bool executes_emulated, executes_unqueued; /* secondaries of these kinds */
};

/* True if the driver has recorded the beginning of the pass: nothing was emulated in it so far. */
static inline bool pgs_pass_is_native(const struct pgs_pass *pass)
{
    return pass->state == PGS_PASS_UNQUEUED || pass->state == PGS_PASS_HELD;
}

#endif
