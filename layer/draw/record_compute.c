/* SPDX-License-Identifier: MIT
 *
 * Recording the dispatches of a pass, stage by stage: as many barriers as stages, however many
 * draws.
 */
#include "draw/compute.h"

#include "poly_gs/abi.h"

/* What is bound while dispatches are recorded, to bind nothing twice. */
struct recorder {
    const struct pgs_device *dev;
    VkCommandBuffer cb;
    const struct pgs_kernels *kernels;
    VkPipeline pipeline;
    const struct pgs_draw *sets_of;
    bool wrote;        /* since the last barrier */
    bool stage_begins; /* what follows reads what was written before */
};

/* The stages of the compute way, in order. Those of restart are empty for draws without it, those
 * of counting for small ones. A stage that is empty for all draws of the pass costs no barrier. */
enum stage {
    STAGE_VERTEX, /* and restart_tiles, which reads only indices */
    STAGE_RESTART_SCAN,
    STAGE_RESTART_EMIT,
    STAGE_GEOMETRY,
    STAGE_COUNT_TILES,
    STAGE_SCAN_TILES,
    STAGE_EXPAND,
    STAGE_COUNT
};

static uint32_t groups_of(uint32_t elements, uint32_t group_el)
{
    return elements / group_el + (elements % group_el != 0);
}

static void memory_barrier(const struct recorder *r, VkPipelineStageFlags from,
                           VkAccessFlags from_access, VkPipelineStageFlags to,
                           VkAccessFlags to_access)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = from_access,
        .dstAccessMask = to_access,
    };
    r->dev->vk.CmdPipelineBarrier(r->cb, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void bind_pipeline(struct recorder *r, VkPipeline pipeline)
{
    if (r->pipeline == pipeline)
        return;
    r->dev->vk.CmdBindPipeline(r->cb, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    r->pipeline = pipeline;
}

/* Pushes the record's address and dispatches `groups`, folded into two dimensions. */
static void dispatch(struct recorder *r, VkPipelineLayout layout, const struct pgs_range *record,
                     uint32_t groups)
{
    r->dev->vk.CmdPushConstants(r->cb, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                sizeof(record->address), &record->address);
    if (r->stage_begins && r->wrote)
        memory_barrier(r, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                       VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                       VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    r->stage_begins = false;
    const uint32_t x = groups < PGS_GRID_X ? groups : PGS_GRID_X;
    r->dev->vk.CmdDispatch(r->cb, x, groups_of(groups, x), 1);
    r->wrote = true;
}

static bool same_sets(const struct pgs_draw *a, const struct pgs_draw *b)
{
    if (a == b)
        return true;
    if (!a || a->pipeline->layout != b->pipeline->layout ||
        a->dynamic_offset_count != b->dynamic_offset_count)
        return false;
    for (uint32_t i = 0; i < b->set_count; i++)
        if (a->sets[i] != b->sets[i])
            return false;
    for (uint32_t i = 0; i < b->dynamic_offset_count; i++)
        if (a->dynamic_offsets[i] != b->dynamic_offsets[i])
            return false;
    return true;
}

/* Binds the application's sets where its graphics pipeline has them. Sets that it never bound are
 * left out: its shaders do not use them. */
static void bind_sets(struct recorder *r, const struct pgs_draw *draw)
{
    if (same_sets(r->sets_of, draw))
        return;
    r->sets_of = draw;
    const uint32_t *offsets = draw->dynamic_offsets;
    for (uint32_t i = 0; i < draw->set_count; i++) {
        if (draw->sets[i])
            r->dev->vk.CmdBindDescriptorSets(r->cb, VK_PIPELINE_BIND_POINT_COMPUTE,
                                             draw->pipeline->layout->compute, i, 1, &draw->sets[i],
                                             draw->dynamic_counts[i], offsets);
        offsets += draw->dynamic_counts[i];
    }
}

static void shader(struct recorder *r, const struct pgs_draw *draw, VkPipeline pipeline,
                   const struct pgs_range *record, uint32_t invocations)
{
    bind_pipeline(r, pipeline);
    bind_sets(r, draw);
    dispatch(r, draw->pipeline->layout->compute, record,
             groups_of(invocations, PGS_SHADER_GROUP_EL));
}

static void kernel(struct recorder *r, enum pgs_kernel which, const struct pgs_range *record,
                   uint32_t groups)
{
    bind_pipeline(r, r->kernels->pipelines[which]);
    dispatch(r, r->kernels->layout, record, groups);
}

/* Once per draw: all parts share the vertices and the primitive list. */
static void record_shared_stage(struct recorder *r, const struct pgs_draw *draw, enum stage stage)
{
    const struct pgs_range *record = &draw->parts[0].record;
    const bool restart = draw->plan.restart;
    if (stage == STAGE_VERTEX) {
        shader(r, draw, draw->pipeline->vertex, record, draw->plan.vertices);
        if (restart)
            kernel(r, PGS_KERNEL_RESTART_TILES, record, pgs_tiles(draw->vertex_count));
    } else if (stage == STAGE_RESTART_SCAN && restart) {
        kernel(r, PGS_KERNEL_RESTART_SCAN, record, 1);
    } else if (stage == STAGE_RESTART_EMIT && restart) {
        kernel(r, PGS_KERNEL_RESTART_EMIT, record, pgs_tiles(draw->vertex_count));
    }
}

static void record_part_stage(struct recorder *r, const struct pgs_draw *draw,
                              const struct pgs_draw_part *part, enum stage stage)
{
    if (stage == STAGE_GEOMETRY)
        shader(r, draw, draw->pipeline->geometry, &part->record, part->units);
    else if (draw->plan.discard)
        return; /* no raster draw to prepare */
    else if (stage == STAGE_COUNT_TILES && pgs_needs_count_tiles(part->units))
        kernel(r, PGS_KERNEL_COUNT_TILES, &part->record, pgs_tiles(part->units));
    else if (stage == STAGE_SCAN_TILES && pgs_needs_scan_tiles(part->units))
        kernel(r, PGS_KERNEL_SCAN_TILES, &part->record, 1);
    else if (stage == STAGE_EXPAND)
        kernel(r, PGS_KERNEL_EXPAND, &part->record, pgs_tiles(part->units));
}

void pgs_compute_record(const struct pgs_device *dev, VkCommandBuffer cb,
                        const struct pgs_draw *draws, const struct pgs_kernels *kernels)
{
    struct recorder r = {.dev = dev, .cb = cb, .kernels = kernels};
    const VkPipelineStageFlags raster = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                        VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
                                        VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    /* Earlier passes of this command buffer, and earlier submissions of it, used the same scratch.
     */
    memory_barrier(&r, raster | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                   VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    for (int stage = 0; stage < STAGE_COUNT; stage++) {
        r.stage_begins = true;
        for (const struct pgs_draw *draw = draws; draw; draw = draw->next) {
            record_shared_stage(&r, draw, stage);
            for (uint32_t i = 0; i < draw->plan.part_count; i++)
                record_part_stage(&r, draw, &draw->parts[i], stage);
        }
    }
    memory_barrier(&r, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, raster,
                   VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_INDEX_READ_BIT |
                       VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT);
}
