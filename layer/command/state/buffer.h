/* SPDX-License-Identifier: MIT
 *
 * The layer's objects for command buffers and their pools. Externally synchronised, as the Vulkan
 * objects are.
 */
#ifndef PGS_COMMAND_STATE_BUFFER_H
#define PGS_COMMAND_STATE_BUFFER_H

#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "command/state/compute_state.h"
#include "command/state/known.h"
#include "command/state/memory_use.h"
#include "command/state/pass_state.h"
#include "draw/draw.h"
#include "memory/memory.h"
#include "pipeline/kept_pushes.h"
#include "pipeline/object_types.h"
#include "pipeline/possible.h"
#include "vulkan/queue.h"
#include "vulkan/recorder.h"

struct pgs_fb_layer_device;
struct pgs_queue_order;
struct pgs_fb_layer_state;
struct pgs_pass_segment;

#define PGS_QUIET_SLOTS 512 /* a frame has some ten or hundred passes */

struct pgs_command_device {
    struct pgs_map pools;         /* VkCommandPool -> struct pgs_command_pool */
    struct pgs_map render_passes; /* VkRenderPass -> struct pgs_render_pass, if needed
                                   */
    struct pgs_map view_formats;  /* VkImageView -> its VkFormat, for shader objects */
    /* The driver's commands, but render pass contents are always inline and secondaries are
     * replayed in place. */
    struct pgs_device_dispatch inline_vk;
    _Atomic int16_t quiet_times[PGS_QUIET_SLOTS]; /* see quiet.c; so is the next */
    _Atomic int32_t quiet_trust;
    struct pgs_fb_layer_device *fb_layers; /* NULL: passes are never recorded per layer */
    struct pgs_queue_order *order;         /* NULL: one queue has nothing to order */
};

struct pgs_command_pool {
    struct pgs_device *dev;
    struct pgs_commons *commons;        /* of its family; NULL: there are none */
    struct pgs_command_buffer *buffers; /* linked by next */
};

struct pgs_query_state {
    struct pgs_linear *memory; /* see pgs_query_memory */
    /* Statistics that a secondary counts for the primary's query, which it does not know. No
     * buffer: none. */
    struct pgs_range inherited;
    /* Where invocations of dispatches with GPU-written grids are counted: a value of the active
     * query, or of `inherited`; 0: not counted. */
    VkDeviceAddress own_grids;
    uint64_t own_invocations; /* of compute shaders that the layer dispatched since Begin */
    uint64_t own_before;      /* own_invocations when the active statistics query began */
};

/* Shader objects that are bound for graphics. */
struct pgs_bound_objects {
    bool active;     /* they were bound after any pipeline */
    bool driver_has; /* the driver has them bound; else a pipeline, which may stand in for them */
    const struct pgs_shader_object *stages[PGS_OBJECT_STAGES]; /* by number of the stage's bit */
    VkShaderStageFlags mesh_stages; /* task and mesh stage: those that were ever bound or unbound */
    const struct pgs_shader_object *task, *mesh; /* only the driver draws with them */
    struct pgs_object_key key;                   /* of the pipeline cb->bound */
    /* What the application has set in this command buffer: bits of attachments, and states. */
    uint32_t equations, advanced;
    bool line_mode, line_stipple;
};

struct pgs_command_buffer {
    struct pgs_recorder recorder; /* first member: found by handle */
    /* The members that hooks of every draw use, close together. */
    VkPipeline bound; /* graphics pipeline, for counted draws; see pgs_state_counted
                       */
    /* The application's pipeline, or the one that draws the topology in its place. If others draw
     * its wide lines, and its patches with primitive restart, one of them is bound. */
    VkPipeline thin, wide, restarting; /* VK_NULL_HANDLE: there is no such one */
    uint32_t vertex_bound;             /* mask of bindings */
    uint32_t vertex_plain;             /* mask of those last bound without a size */
    uint32_t vertex_again;             /* one of vertex_plain, or UINT32_MAX */
    struct pgs_vertex_buffer *vertex_again_at;
    const _Atomic bool *possible; /* pgs_pipelines_possible of dev */
    /* Since the reset nothing was recorded but what pgs_command_buffer_peek lists. It then emulates
     * and counts nothing, and a reset has little to forget. */
    bool plain;
    bool may_be_plain;                /* a primary of a device where passes can be quiet */
    struct pgs_compute_state compute; /* which the layer's compute work clobbers */

    uint32_t vertex_strided; /* mask of those bound with a stride (vkCmdBindVertexBuffers2) */
    struct pgs_device *dev;
    struct pgs_command_pool *pool;
    struct pgs_command_buffer *next, *prev;
    VkCommandBuffer handle;
    VkCommandBufferLevel level;
    bool continues;  /* RENDER_PASS_CONTINUE secondary */
    bool queue_kept; /* for such a secondary: the queue has all its commands */
    bool emulates;   /* for such a secondary: it has emulated draws */
    /* For such a secondary: the driver executes it, with its emulated draws, since the driver has
     * recorded a part of it already, or since it executes one of which that is true. */
    bool executable;
    bool computes;      /* a pass since it began had compute work of the layer */
    bool ended_queries; /* the layer's queries in a pass: their counts must become visible to the
                         * host */
    bool dirty; /* the tracked state below, except vertex buffers and pipelines, differs from the
                 * initial one */
    struct pgs_queue queue;
    struct pgs_queue held;    /* see pgs_pass_hold */
    struct pgs_queue before;  /* event waits of the pass, which the compute work repeats */
    struct pgs_arena scratch; /* structs for the current command */
    struct pgs_arena begun;   /* see pgs_noted_begin */
    PGS_ARRAY(struct pgs_batch *) batches; /* owned */
    size_t batches_used; /* those before it have been in use since the reset; others are empty */
    bool batches_keep;   /* the first one may have memory, which it has for all of them */
    PGS_ARRAY(struct pgs_pass_segment *) segments; /* owned */
    /* References to the layouts that the queue of such a secondary names: the application may
     * destroy them after its end. */
    PGS_ARRAY(struct pgs_layout *) layouts;
    struct pgs_query_state queries;
    struct pgs_pass pass;
    uint32_t known, clobbered; /* enum pgs_known, enum pgs_clobbered */
    uint32_t vertex_clobbered; /* mask of bindings, with PGS_CLOBBERED_VERTEX */
    uint32_t sets_kept;        /* mask of sets for graphics, with PGS_CLOBBERED_SETS */
    uint32_t set_count;        /* one more than the highest set bound for graphics */
    bool hides;                /* the driver discards because of hidden_streams of what is bound */
    bool counts;               /* transform feedback or queries want to know of native draws, too */
    struct pgs_xfb_binding xfb[PGS_MAX_XFB_BUFFERS];
    struct pgs_graphics_state graphics;
    VkPipeline application;            /* the application's pipeline, if `bound` is `chosen` */
    VkPipeline chosen;                 /* what the layer last bound for it, or in its place */
    struct pgs_topologies *topologies; /* of the application's: who else draws it, or NULL */
    /* Those that the application has bound while destroyed.pipelines of the device was known_since.
     * Several whose handles fall together take each other's place. */
    struct pgs_known_pipeline known_pipelines[PGS_KNOWN_PIPELINES];
    uint32_t known_mask; /* of those in use */
    uint32_t known_since;
    struct pgs_known_pass known_pass; /* that of the last instance */
    struct pgs_bound_objects objects;
    struct pgs_pushed_set pushed;  /* of the graphics state */
    struct pgs_pushed_set pushing; /* of the current command */
    struct pgs_kept_pushes kept_pushes;
    /* For a secondary that records whole passes and inherits a condition:
     * graphics.inherited_condition as the driver reads it, and whether it is active. */
    struct pgs_condition inherited;
    bool heeds_inherited;
    struct pgs_fb_layer_state *fb_layers; /* NULL: passes are never recorded per layer */
    struct pgs_memory_use memory_use;
};

/* NULL: nothing is kept of the render pass. */
static inline const struct pgs_render_pass *
pgs_render_pass_find(struct pgs_command_device *commands, VkRenderPass handle)
{
    return handle ? pgs_map_find(&commands->render_passes, (uint64_t)(uintptr_t)handle) : NULL;
}

/* NULL if the command buffer is unknown (inactive device). Only for what records nothing, and for
 * what leaves a plain command buffer plain: its begin and end; passes, unless they are queued; in
 * these pipelines that the driver draws, and draws; barriers outside; what pgs_state_reset forgets;
 * and push constants. */
static inline struct pgs_command_buffer *pgs_command_buffer_peek(VkCommandBuffer handle)
{
    return (struct pgs_command_buffer *)pgs_recorder_find(handle);
}

/* Likewise for all other commands that are recorded: it is not plain any more. */
static inline struct pgs_command_buffer *pgs_command_buffer_find(VkCommandBuffer handle)
{
    struct pgs_command_buffer *cb = pgs_command_buffer_peek(handle);
    if (cb)
        cb->plain = false;
    return cb;
}

/* As pgs_recorder_last. */
static inline struct pgs_command_buffer *pgs_command_buffer_last(VkCommandBuffer handle)
{
    return (struct pgs_command_buffer *)pgs_recorder_last(handle);
}

/* As pgs_recorder_direct. */
static inline struct pgs_command_buffer *pgs_command_buffer_unqueued(VkCommandBuffer handle)
{
    return (struct pgs_command_buffer *)pgs_recorder_direct(handle);
}

/* As pgs_pipelines_possible of its device. If false, no emulated pipeline can be bound, and nothing
 * is counted. */
static inline bool pgs_command_buffer_may_emulate(const struct pgs_command_buffer *cb)
{
    return atomic_load_explicit(cb->possible, memory_order_acquire);
}

/* Call it when the graphics state has changed: see pgs_graphics_state.version. */
static inline void pgs_state_changed(struct pgs_command_buffer *cb)
{
    cb->graphics.version++;
}

/* Likewise for vertex input, vertex and index buffers and push constants: see data_version. Not
 * needed in passes that are not queued: they have no emulated draws, and quiet ones change it. */
static inline void pgs_state_data_changed(struct pgs_command_buffer *cb)
{
    cb->graphics.data_version++;
}

/* Passes a command on: to the queue if there is one, else to the driver. */
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

/* Passes a command on to the driver for a command buffer that the layer does not know. */
#define PGS_FORWARD(handle, command, ...)                                                          \
    pgs_recorder_get(handle)->vk->command((handle), __VA_ARGS__)

/* Keeps a layout named by a command alive for as long as the secondary's queue may be replayed. */
void pgs_command_buffer_keep_slowly(struct pgs_command_buffer *cb, VkPipelineLayout layout);
static inline void pgs_command_buffer_keep(struct pgs_command_buffer *cb, VkPipelineLayout layout)
{
    if (cb->continues)
        pgs_command_buffer_keep_slowly(cb, layout);
}
void pgs_command_buffer_drop_layouts(struct pgs_command_buffer *cb);

#endif
