/* SPDX-License-Identifier: MIT
 *
 * The layer's side of a command buffer and of its pool. Externally synchronised as the objects
 * themselves are.
 */
#ifndef PGS_COMMAND_STATE_BUFFER_H
#define PGS_COMMAND_STATE_BUFFER_H

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "command/state/compute_state.h"
#include "command/state/pass_state.h"
#include "draw/draw.h"
#include "memory/memory.h"
#include "pipeline/possible.h"
#include "vulkan/queue.h"
#include "vulkan/recorder.h"

struct pgs_fb_layer_room;
struct pgs_fb_layer_state;
struct pgs_pass_segment;

struct pgs_command_room {
    struct pgs_map pools;         /* VkCommandPool -> struct pgs_command_pool */
    struct pgs_map render_passes; /* VkRenderPass -> struct pgs_render_pass, where there is need */
    /* The driver's commands, with render pass contents forced inline and secondaries replayed in
     * place. */
    struct pgs_device_dispatch inline_vk;
    struct pgs_fb_layer_room *fb_layers; /* NULL: passes are never replayed layer by layer */
};

struct pgs_command_pool {
    struct pgs_device *dev;
    struct pgs_command_buffer *buffers; /* list by next */
};

struct pgs_query_state {
    struct pgs_linear *memory; /* see pgs_query_memory */
    /* Statistics of a secondary, as of a query: those of the primary's, which it does not know. No
     * buffer: there are none. */
    struct pgs_range inherited;
    /* Where invocations of dispatches go whose grids the GPU writes: a value of the active query,
     * or of `inherited`; 0: nobody asks. */
    VkDeviceAddress own_grids;
    uint64_t own_invocations; /* of compute shaders, dispatched by us since Begin */
    uint64_t own_before;      /* those when the active statistics query began */
};

struct pgs_command_buffer {
    struct pgs_recorder recorder; /* first: found by handle */
    /* What the hooks touch that programs call for every draw, together. */
    VkPipeline bound;      /* graphics, for draws that count; see pgs_state_counted */
    uint32_t vertex_bound; /* bindings that were bound */
    uint32_t vertex_plain; /* those of them that were bound last without a size */
    uint32_t vertex_again; /* one of vertex_plain, or UINT32_MAX */
    struct pgs_vertex_buffer *vertex_again_at;
    const _Atomic bool *possible;     /* pgs_pipelines_possible of dev */
    struct pgs_compute_state compute; /* that the compute work of the layer clobbers */

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
    bool dirty; /* the tracked state below differs from the initial one, vertex buffers apart */
    struct pgs_queue queue;
    struct pgs_queue before;  /* event waits of the pass, which the compute work must do too */
    struct pgs_arena scratch; /* structs for the command at hand */
    struct pgs_arena begun;   /* see pgs_noted_begin */
    PGS_ARRAY(struct pgs_batch *) batches;         /* owned */
    PGS_ARRAY(struct pgs_pass_segment *) segments; /* likewise */
    /* References to those that the queue of such a secondary names: the application may destroy
     * them when it has ended. */
    PGS_ARRAY(struct pgs_layout *) layouts;
    struct pgs_query_state queries;
    struct pgs_pass pass;
    uint32_t known, clobbered;
    uint32_t set_count; /* one more than the highest set bound for graphics */
    bool hides;         /* the driver discards because of hidden_streams of what is bound */
    bool counts;        /* transform feedback or queries want to know of native draws, too */
    struct pgs_xfb_binding feedback[PGS_MAX_FEEDBACK_BUFFERS];
    struct pgs_graphics_state graphics;
    /* Of a secondary that records whole passes and inherits a condition:
     * graphics.inherited_condition as the driver reads it, and whether it does now. */
    struct pgs_condition inherited;
    bool heeds_inherited;
    struct pgs_fb_layer_state *fb_layers; /* NULL where passes are not replayed layer by layer */
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

/* A command names the layout, which must live as long as a secondary's queue may be replayed. */
void pgs_command_buffer_keep(struct pgs_command_buffer *cb, VkPipelineLayout layout);
void pgs_command_buffer_drop_layouts(struct pgs_command_buffer *cb);

#endif
