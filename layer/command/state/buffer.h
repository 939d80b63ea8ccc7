/* SPDX-License-Identifier: MIT
 *
 * The layer's side of a command buffer and of its pool. Externally synchronised as the objects
 * themselves are.
 */
#ifndef PGS_COMMAND_BUFFER_H
#define PGS_COMMAND_BUFFER_H

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "command/fb_layers/fb_layers.h"
#include "command/pass/sync.h"
#include "command/state/compute_state.h"
#include "command/state/graphics_state.h"
#include "command/state/query_state.h"
#include "command/state/views.h"
#include "draw/draw.h"
#include "memory/memory.h"
#include "vulkan/queue.h"
#include "vulkan/recorder.h"

struct pgs_command_room {
    struct pgs_map pools;         /* VkCommandPool -> struct pgs_command_pool */
    struct pgs_map render_passes; /* VkRenderPass -> struct pgs_render_pass, where there is need */
    /* The driver's commands, with render pass contents forced inline and secondaries replayed in
     * place. */
    struct pgs_device_dispatch inline_vk;
    struct pgs_layer_room *layers; /* NULL: passes are never replayed layer by layer */
};

struct pgs_command_pool {
    struct pgs_device *dev;
    struct pgs_command_buffer *buffers; /* list by next */
};

/* What is kept of a VkRenderPass. */
struct pgs_render_pass {
    struct pgs_pass_sync sync;
    VkRenderPass again;   /* goes on where an instance was ended early; ours. See pgs_pass_split */
    const char *obstacle; /* why there is none */
    bool several_subpasses;
    struct pgs_layer_pass *layers; /* owned; see layer_slices.h */
    uint32_t *view_masks;          /* of its subpasses, owned; NULL: it has none, or nobody asks */
};

/* Frees what it owns. */
void pgs_render_pass_finish(struct pgs_device *dev, struct pgs_render_pass *pass);

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
    size_t reads_ordered, reads_parted; /* those that a barrier has followed; of earlier parts */
    /* Of a secondary: its captures, with counters, and how many precede every barrier in it. */
    PGS_ARRAY(struct pgs_feedback_binding) captures;
    size_t captures_early;
    uint32_t layer_count;                      /* of its attachments */
    const uint32_t *next_views;                /* see views.h */
    bool by_layer;                             /* it has draws that select a layer; see layers.h */
    bool executes_emulated, executes_unqueued; /* secondaries */
    bool suspending;                           /* the instance being recorded */
    bool resumed;                              /* continues an instance of another command buffer */
};

struct pgs_command_buffer {
    struct pgs_recorder recorder; /* first: found by handle */
    /* What the hooks touch that programs call for every draw, together. */
    VkPipeline bound;      /* graphics, for draws that count; see pgs_state_counted */
    uint32_t vertex_bound; /* bindings that were bound */
    uint32_t vertex_plain; /* those of them that were bound last without a size */
    uint32_t vertex_again; /* one of vertex_plain, or UINT32_MAX */
    struct pgs_vertex_buffer *vertex_again_at;
    const _Atomic bool *possible; /* pgs_pipelines_possible of dev */
    struct pgs_saved_state saved; /* what the compute work of the layer disturbs */

    uint32_t vertex_strided; /* those with a stride (vkCmdBindVertexBuffers2) */
    struct pgs_device *dev;
    struct pgs_command_pool *pool;
    struct pgs_command_buffer *next, *prev;
    VkCommandBuffer handle;
    VkCommandBufferLevel level;
    bool continues;     /* RENDER_PASS_CONTINUE secondary */
    bool queue_kept;    /* of such a secondary: the queue holds all its commands */
    bool emulates;      /* of such a secondary: it has emulated draws */
    bool ended_queries; /* ours, in a pass: the host has to see what was counted */
    bool touched; /* the tracked state below differs from the initial one, vertex buffers apart */
    struct pgs_queue queue;
    struct pgs_queue before;  /* event waits of the pass, which the compute work must do too */
    struct pgs_arena scratch; /* structs for the command at hand */
    struct pgs_arena begun;   /* see pgs_noted_begin */
    PGS_ARRAY(struct pgs_batch *) batches;        /* owned */
    PGS_ARRAY(struct pgs_secondary_part *) parts; /* likewise */
    /* References to those that the queue of such a secondary names: the application may destroy
     * them when it has ended. */
    PGS_ARRAY(struct pgs_layout *) layouts;
    struct pgs_query_state queries;
    struct pgs_pass pass;
    uint32_t known, disturbed;
    uint32_t set_count; /* one more than the highest set bound for graphics */
    bool hides;         /* the driver discards because of hidden_streams of what is bound */
    bool counts;        /* transform feedback or queries want to know of native draws, too */
    struct pgs_feedback_binding feedback[PGS_MAX_FEEDBACK_BUFFERS];
    struct pgs_graphics_state graphics;
    /* Of a secondary that records whole passes and inherits a condition:
     * graphics.inherited_condition as the driver reads it, and whether it does now. */
    struct pgs_condition inherited;
    bool heeds_inherited;
    struct pgs_layer_state *layers; /* NULL where passes are not replayed layer by layer */
};

/* NULL when the command buffer is not ours (inactive device). */
static inline struct pgs_command_buffer *pgs_command_buffer_find(VkCommandBuffer handle)
{
    return (struct pgs_command_buffer *)pgs_recorder_find(handle);
}

/* As pgs_recorder_direct. */
static inline struct pgs_command_buffer *pgs_command_buffer_direct(VkCommandBuffer handle)
{
    return (struct pgs_command_buffer *)pgs_recorder_direct(handle);
}

/* As pgs_pipelines_possible of its device: else there are no emulated pipelines to be bound, and
 * nothing to count. */
static inline bool pgs_command_buffer_may_emulate(const struct pgs_command_buffer *cb)
{
    return atomic_load_explicit(cb->possible, memory_order_acquire);
}

/* Sends a command on: into the queue, if there is one, or down. */
#define PGS_EMIT(cb, command, ...)                                                                 \
    do {                                                                                           \
        if ((cb)->recorder.queue)                                                                  \
            pgs_recorder_latch(&(cb)->recorder,                                                    \
                               pgs_enqueue_##command((cb)->recorder.queue, __VA_ARGS__));          \
        else                                                                                       \
            (cb)->recorder.vk->command((cb)->handle, __VA_ARGS__);                                 \
    } while (0)

#define PGS_EMIT0(cb, command)                                                                     \
    do {                                                                                           \
        if ((cb)->recorder.queue)                                                                  \
            pgs_recorder_latch(&(cb)->recorder, pgs_enqueue_##command((cb)->recorder.queue));      \
        else                                                                                       \
            (cb)->recorder.vk->command((cb)->handle);                                              \
    } while (0)

/* What the driver's command buffer is given when the layer does not know it. */
#define PGS_FORWARD(handle, command, ...)                                                          \
    pgs_recorder_get(handle)->vk->command((handle), __VA_ARGS__)

/* Drops everything recorded. */
void pgs_command_buffer_reset(struct pgs_command_buffer *cb);

/* A command names the layout, which must live as long as a secondary's queue may be replayed. */
void pgs_command_buffer_keep(struct pgs_command_buffer *cb, VkPipelineLayout layout);
void pgs_command_buffer_drop_layouts(struct pgs_command_buffer *cb);

/* Forgets the tracked graphics state: at Begin, and after vkCmdExecuteCommands, which leaves it
 * undefined. */
void pgs_state_reset(struct pgs_command_buffer *cb);

/* Gives back to the driver's command buffer what emulated pipelines and draws disturbed. Before the
 * next native pipeline is bound: until then nothing can miss it, in this pass or a later one. */
void pgs_state_restore(struct pgs_command_buffer *cb);

/* To be called when the interval or the queries of the graphics state have changed. */
void pgs_state_update_counts(struct pgs_command_buffer *cb);

/* What captures and counts the draws of the native pipeline that is bound; NULL: nothing. */
const struct pgs_emulated_pipeline *pgs_state_counted(struct pgs_command_buffer *cb);

/* The batch for the next emulated draw of the pass. NULL: out of memory, and latched. */
struct pgs_batch *pgs_pass_batch(struct pgs_command_buffer *cb);

/* Draws that follow may depend on what earlier ones of the pass wrote. */
void pgs_pass_split_batch(struct pgs_command_buffer *cb);

/* No more draws come to its batches. */
void pgs_pass_seal(struct pgs_command_buffer *cb);

/* Begins to queue where emulated draws are possible. `render_pass` may be VK_NULL_HANDLE. */
void pgs_pass_begin(struct pgs_command_buffer *cb, VkRenderPass render_pass);

/* Records the compute work of the pass and then what was queued. */
void pgs_pass_flush(struct pgs_command_buffer *cb);

/* Overrides the commands of room->inline_vk. */
void pgs_inline_dispatch_init(struct pgs_device_dispatch *inline_vk,
                              const struct pgs_device_dispatch *vk);

#endif
