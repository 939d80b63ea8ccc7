/* SPDX-License-Identifier: MIT
 *
 * What command/ tells draw/ of a draw: the graphics state and the call. draw/ turns a draw with a
 * geometry shader or tessellation, or one that is captured or counted, into compute work and a
 * replacement draw. It knows nothing of render passes, queues or secondaries: command/ decides when
 * recorded work goes into the driver's command buffer. A public header of draw/.
 */
#ifndef PGS_DRAW_DRAW_H
#define PGS_DRAW_DRAW_H

#include "draw/dynamic_offsets.h"
#include "memory/memory.h"
#include "pipeline/kernel.h"
#include "pipeline/pipeline.h"
#include "poly_gs/abi.h"
#include "poly_gs/tessellation.h"
#include "poly_gs/xfb.h"

struct pgs_pushed_set;

#define PGS_MAX_BINDINGS PGS_MAX_VERTEX_BINDINGS

struct pgs_vertex_buffer {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B; /* size_B VK_WHOLE_SIZE: to the end of the buffer */
    VkDeviceSize stride_B;         /* vkCmdBindVertexBuffers2; valid with dynamic_stride */
};

/* vkCmdSetVertexInputEXT: its descriptions, without chains. */
struct pgs_vertex_input {
    uint32_t binding_count, attribute_count;
    /* Mask of bindings whose stride vkCmdBindVertexBuffers2 has set since. */
    uint32_t strided_since;
    VkVertexInputBindingDescription2EXT bindings[PGS_MAX_BINDINGS];
    VkVertexInputAttributeDescription2EXT attributes[PGS_MAX_ATTRIBUTES];
};

/* One buffer of vkCmdBindTransformFeedbackBuffersEXT. */
struct pgs_xfb_binding {
    VkBuffer buffer; /* VK_NULL_HANDLE: nothing bound */
    VkDeviceSize offset_B, size_B;
};

/* A counter of vkCmdBegin- or vkCmdEndTransformFeedbackEXT, or another location in a buffer. */
struct pgs_counter {
    VkBuffer buffer; /* VK_NULL_HANDLE: none */
    VkDeviceSize offset_B;
};

/* Conditional rendering. */
struct pgs_condition {
    VkBuffer buffer; /* VK_NULL_HANDLE: none is active */
    VkDeviceSize offset_B;
    bool inverted;
};

/* Graphics state of a command buffer, as command/ tracks it. Copied by value where it must outlive
 * the call. */
struct pgs_graphics_state {
    /* Grows whenever other members change, except the pipeline (see bind_count), sets (see
     * next_set_order), and what data_version is for: vertex input, vertex and index buffers and
     * push constants.
     * 0: not tracked; draws are then never taken for repetitions. */
    uint64_t version, data_version;
    const struct pgs_emulated_pipeline *pipeline; /* NULL: native */
    const struct pgs_emulated_pipeline *counted;  /* of a native one */
    VkPipeline driver_pipeline;                   /* the driver's that was bound for `pipeline` */
    struct pgs_vertex_buffer vertex[PGS_MAX_BINDINGS];
    struct pgs_vertex_input vertex_input;
    VkBuffer index_buffer;
    VkDeviceSize index_offset_B, index_size_B;
    VkIndexType index_type;
    VkPrimitiveTopology topology;
    VkBool32 primitive_restart, rasterizer_discard;
    uint32_t raster_stream;        /* vkCmdSetRasterizationStreamEXT */
    bool provoking_last;           /* vkCmdSetProvokingVertexModeEXT */
    uint32_t patch_control_points; /* vkCmdSetPatchControlPointsEXT */
    bool tessellation_lower_left;  /* vkCmdSetTessellationDomainOriginEXT */
    uint32_t bind_count;           /* graphics pipelines bound so far */
    /* Grows whenever others than draws of the layer may have bound vertex buffers for graphics. */
    uint32_t foreign_count;
    VkDescriptorSet sets[PGS_MAX_SETS];         /* PGS_PUSHED_SET: the one in `pushed` */
    VkPipelineLayout set_layouts[PGS_MAX_SETS]; /* layouts with which the sets were bound */
    uint32_t set_orders[PGS_MAX_SETS];          /* a set with a greater number was bound later */
    uint32_t next_set_order;
    const struct pgs_pushed_set *pushed; /* not the caller's to change */
    /* Likewise; NULL: none were bound. Sets in them are PGS_BUFFER_SET. */
    const struct pgs_descriptor_buffers *descriptor_buffers;
    uint32_t dynamic_count[PGS_MAX_SETS];
    struct pgs_dynamic_offsets dynamic_offsets[PGS_MAX_SETS]; /* [dynamic_count] of each set */
    uint32_t push[64];                                        /* 256 bytes */
    VkDeviceAddress interval;     /* of transform feedback; 0: none is active */
    struct pgs_query_set queries; /* active queries that count draws; all 0: none */
    uint32_t driver_queries; /* driver's queries that are active or inherited and may count draws */
    struct pgs_condition condition;
    /* Slot of pgs_condition_record, if no other condition is active; 0: none. */
    VkDeviceAddress inherited_condition;
    /* As they were last set; of those that were not set, nothing is known. Counts are those of
     * the commands with a count; 0: the others were last. Tracked only where the device
     * replays_viewports or pgs_replaces_primitives; but the first viewport also where it
     * finds_uncovered, and then `version` grows with it. */
    struct pgs_viewports viewports;
    uint32_t viewport_mask, scissor_mask; /* those that were set */
    float line_width;                     /* likewise */
    bool negative_one_to_one;             /* vkCmdSetDepthClipNegativeOneToOneEXT; likewise */
    uint64_t viewport_version;            /* grows whenever these change, in place of `version` */
    struct pgs_polygon_state polygons;    /* likewise; of those that find_uncovered how they face */
    struct pgs_stipple_pattern stipple;   /* where the device has lines of the layer */
    bool line_stipple;                    /* vkCmdSetLineStippleEnableEXT */
    uint32_t view_count; /* of the subpass; 0: no multiview. Queries count every view */
    uint32_t view_index; /* of the next draw; valid if its pipeline has a view_mask */
    bool is_once;        /* the commands are executed once, so a draw may cost a little more */
};

/* The stream that a draw with the pipeline rasterizes. */
static inline uint32_t pgs_raster_stream(const struct pgs_emulated_pipeline *pipeline,
                                         const struct pgs_graphics_state *state)
{
    return (pipeline->dynamic & PGS_DYNAMIC_STREAM) ? state->raster_stream
                                                    : pipeline->raster_stream;
}

/* Strips of lines are stippled by a dynamic state of the pipeline, and it is on. */
static inline bool pgs_strips_are_stippled(const struct pgs_emulated_pipeline *pipeline,
                                           const struct pgs_graphics_state *state)
{
    return pipeline->strips_stipple && state->line_stipple;
}

/* PGS_TESS_* of a draw, including the domain's origin. */
static inline uint32_t pgs_tessellation_flags(const struct pgs_emulated_pipeline *pipeline,
                                              const struct pgs_graphics_state *state)
{
    const bool flip =
        (pipeline->dynamic & PGS_DYNAMIC_DOMAIN_ORIGIN) && state->tessellation_lower_left;
    return pipeline->tessellation_flags ^ (flip ? PGS_TESS_CCW : 0);
}

#define PGS_DIRECT_CALL_MEMBERS                                                                    \
    bool indexed;                                                                                  \
    uint32_t count;                                 /* vertices or indices */                      \
    uint32_t instance_count, first, first_instance; /* first: firstVertex or firstIndex */         \
    int32_t vertex_offset;                                                                         \
    uint32_t draw_index; /* DrawIndex in the vertex shader */

/* A draw whose numbers the CPU knows. Small, since programs make one for each draw. */
struct pgs_direct_call {
    PGS_DIRECT_CALL_MEMBERS
};

struct pgs_draw_call {
    union {
        struct pgs_direct_call direct;
        struct {
            PGS_DIRECT_CALL_MEMBERS
        };
    };
    /* vkCmdDrawIndirectByteCountEXT: the GPU computes count; pgs_batch_add bounds it. */
    bool byte_count;
    /* A round (rounds.h): only part_count patches, or GS invocations without tessellation, from
     * part_first on, in all instances, are drawn. 0: all. */
    uint32_t part_first, part_count;
    /* Of one whose size only the GPU knows a part is a round, of `rounds` that there may be, with
     * memory of share_B. They share a struct pgs_indirect_progress. */
    uint32_t rounds;
    uint64_t share_B;
    VkDeviceAddress progress;
    struct pgs_counter counter;
    uint32_t counter_offset_B, vertex_stride_B;
    /* vkCmdDraw*Indirect*: the GPU knows all but `indexed`. Draws are numbered from draw_index. */
    bool indirect;
    struct pgs_counter args; /* address of the first command */
    uint32_t args_stride_B;
    uint32_t max_draws; /* up to PGS_MAX_INDIRECT_DRAWS */
    /* Without a buffer: max_draws. Counts from draw 0 of the application's call. */
    struct pgs_counter draw_count;
};
#define PGS_MAX_INDIRECT_DRAWS 65535 /* longer calls are split */

/* What precedes a batch. */
enum pgs_batch_place {
    PGS_BATCH_LATER, /* others of its pass, and a barrier of the application */
    PGS_BATCH_FIRST, /* none of its pass */
    /* None in any pass of its command buffer, of which no two executions may overlap. */
    PGS_BATCH_ALONE
};

/* A draw that needs, or if it is tessellated could need and would be lost without,
 * more memory than a pass should have goes in rounds: `each` of `all` its patches or GS invocations
 * at a time (part_first and part_count of struct pgs_draw_call), with a pass for each. If only the
 * GPU knows its size, one of `all` rounds at a time, of which the last ones may have nothing left.
 */
struct pgs_rounds {
    uint32_t all, each;       /* all 0: the draw is added as it is */
    bool begins_anew;         /* the pass has draws that hold the memory */
    VkDeviceAddress progress; /* struct pgs_indirect_progress; 0: the size is known */
    uint64_t share_B;         /* with progress: memory for each */
};

#endif
