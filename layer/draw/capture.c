/* SPDX-License-Identifier: MIT */
#include "draw/capture.h"

#include "draw/topology.h"

#include <string.h>

struct pgs_copies_table {
    struct pgs_copies_table *next;
    const struct pgs_emulated_pipeline *pipeline;
    VkDeviceAddress address;
};

VkResult pgs_capture_copies(struct pgs_capture_tables *tables,
                            const struct pgs_emulated_pipeline *pipeline, struct pgs_arena *arena,
                            struct pgs_linear *upload, VkDeviceAddress *address)
{
    for (const struct pgs_copies_table *t = tables->copies; t; t = t->next) {
        if (t->pipeline == pipeline) {
            *address = t->address;
            return VK_SUCCESS;
        }
    }
    struct pgs_copies_table *table =
        pgs_arena_alloc(arena, sizeof(*table), _Alignof(struct pgs_copies_table));
    if (!table)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const struct pgs_spv_xfb *xfb = &pipeline->gs.xfb;
    struct pgs_range range;
    const VkResult result =
        pgs_linear_alloc(upload, xfb->copy_count * sizeof(struct pgs_xfb_copy), 16, &range);
    if (result != VK_SUCCESS)
        return result;
    for (uint32_t i = 0; i < xfb->copy_count; i++) {
        const struct pgs_spv_xfb_copy *from = &xfb->copies[i];
        const struct pgs_xfb_copy run = {
            .source_w = from->source_w,
            .buffer_index = from->buffer,
            .target_w = from->target_w,
            .count_w = from->count_w,
        };
        memcpy((unsigned char *)range.mapped + i * sizeof(run), &run, sizeof(run));
    }
    *table = (struct pgs_copies_table){tables->copies, pipeline, range.address};
    tables->copies = table;
    *address = table->address;
    return VK_SUCCESS;
}

VkResult pgs_capture_queries(struct pgs_capture_tables *tables, const struct pgs_query_set *queries,
                             struct pgs_linear *upload, VkDeviceAddress *address)
{
    static const struct pgs_query_set none;
    *address = 0;
    if (!memcmp(queries, &none, sizeof(none)))
        return VK_SUCCESS;
    if (!tables->queries_address || memcmp(queries, &tables->queries, sizeof(*queries))) {
        struct pgs_range range;
        const VkResult result = pgs_linear_alloc(upload, sizeof(*queries), 16, &range);
        if (result != VK_SUCCESS)
            return result;
        memcpy(range.mapped, queries, sizeof(*queries));
        tables->queries = *queries;
        tables->queries_address = range.address;
    }
    *address = tables->queries_address;
    return VK_SUCCESS;
}

uint32_t pgs_xfb_vertices_per_primitive(const struct pgs_emulated_pipeline *pipeline,
                                        const struct pgs_draw_plan *plan)
{
    switch (plan->count) {
    case PGS_COUNT_STATIC:
    case PGS_COUNT_EMITS:
        return pipeline->gs.output_kind;
    case PGS_COUNT_NONE:
    case PGS_COUNT_INPUT:
    case PGS_COUNT_TESSELLATOR:
        break;
    }
    return pgs_main_vertices(plan->topology);
}

static uint32_t flags_of_count(enum pgs_count_path count)
{
    switch (count) {
    case PGS_COUNT_STATIC:
        return PGS_CAPTURE_KNOWN;
    case PGS_COUNT_EMITS:
        return PGS_CAPTURE_GEOMETRY;
    case PGS_COUNT_NONE:
    case PGS_COUNT_INPUT:
    case PGS_COUNT_TESSELLATOR:
        break;
    }
    return 0;
}

/* Of a draw that is divided, one part counts what all share. */
static bool counts_input(const struct pgs_draw_plan *plan, uint32_t subdraw)
{
    return (subdraw == 0 || plan->sizing == PGS_SIZE_GPU) && !plan->patch_first && !plan->gs_first;
}

void pgs_capture_fill(struct pgs_capture *capture, const struct pgs_emulated_pipeline *pipeline,
                      const struct pgs_draw_plan *plan, uint32_t subdraw, VkDeviceAddress record,
                      VkDeviceAddress tiles, VkDeviceAddress copies,
                      const struct pgs_xfb_target *target)
{
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    *capture = (struct pgs_capture){
        .draw = record,
        .tiles = tiles,
        .flags = flags_of_count(plan->count) |
                 (counts_input(plan, subdraw) ? PGS_CAPTURE_STATISTICS : 0) |
                 (pipeline->pass_through ? PGS_CAPTURE_PASS_THROUGH : 0),
        .vertices_per_primitive = pgs_xfb_vertices_per_primitive(pipeline, plan),
        .vertex_stride_w = pgs_plan_runs(plan, PGS_STAGE_GEOMETRY) ? gs->out_stride_w : 0,
    };
    if (plan->count == PGS_COUNT_STATIC)
        memcpy(capture->per_gs_invocation, gs->pattern.primitives,
               sizeof(capture->per_gs_invocation));
    if (target->is_known) {
        capture->flags |= PGS_CAPTURE_FIXED;
        capture->written[0] = target->space_el;
        memcpy(capture->target, target->address, sizeof(capture->target));
    }
    if (plan->xfb == PGS_XFB_NONE)
        return;
    capture->copies = copies;
    capture->copy_count = pgs_plan_runs(plan, PGS_STAGE_XFB_COPY) ? gs->xfb.copy_count : 0;
    for (uint32_t i = 0; i < PGS_MAX_XFB_BUFFERS; i++) {
        capture->stride_B[i] = gs->xfb.stride_B[i];
        capture->stream[i] = gs->xfb.stream[i];
    }
}
