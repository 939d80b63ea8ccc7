/* SPDX-License-Identifier: MIT */
#include "command/pass/order.h"

#include "command/pass/hazards.h"
#include "command/pass/split.h"
#include "command/pass/sync.h"

#define WRITES                                                                                     \
    (VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT |                         \
     VK_ACCESS_2_MEMORY_WRITE_BIT)
#define ATTACHMENT_WRITES                                                                          \
    (VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT)
#define SHADER_READS                                                                               \
    (VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT |                           \
     VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT |                          \
     VK_ACCESS_2_MEMORY_READ_BIT)
#define READS                                                                                      \
    (SHADER_READS | VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_2_INDEX_READ_BIT |           \
     VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT)
#define ALL_STAGES (VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
#define FRAGMENT (VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | ALL_STAGES)
#define ATTACHMENT_STAGES                                                                          \
    (VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |                                             \
     VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |  \
     ALL_STAGES)

/* Shaders before the rasterizer, which store to memory if they say so. */
#define STORING_STAGES                                                                             \
    (VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT | \
     VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |                                      \
     VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT | VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | \
     VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_NV | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_NV | ALL_STAGES)

void pgs_order_note_barrier(struct pgs_pass *pass, VkPipelineStageFlags2 source,
                            VkAccessFlags2 source_access, VkPipelineStageFlags2 target)
{
    if (!pass->drawn || !pgs_stages_link_draws(source, target))
        return;
    pass->stores_wait = true; /* an execution dependency suffices for those */
    pass->reads_wait |= (source & STORING_STAGES) && (source_access & WRITES);
}

void pgs_order_note_dependency(struct pgs_subpass_order *order, uint32_t to,
                               VkPipelineStageFlags2 source, VkAccessFlags2 source_access,
                               VkPipelineStageFlags2 target, VkAccessFlags2 target_access,
                               bool by_region)
{
    const uint32_t bit = 1u << (to < 31 ? to : 31);
    const bool stored = (source & (FRAGMENT | STORING_STAGES)) && (source_access & WRITES);
    const bool output = (source & ATTACHMENT_STAGES) && (source_access & ATTACHMENT_WRITES);
    if (pgs_stages_move(target) && (target_access & READS) && (stored || output))
        order->reads |= bit;
    if (pgs_stages_move(target) && (source & (FRAGMENT | STORING_STAGES)))
        order->stores |= bit;
    if (pgs_stages_move(target) && (source & FRAGMENT))
        order->fragments |= bit;
    if ((source & FRAGMENT) && (source_access & WRITES) && (target & FRAGMENT) &&
        (target_access & SHADER_READS) && !by_region)
        order->layers |= bit;
}

static const char reads_early[] =
    "geometry shaders or captures of a render pass read what its earlier draws store";

static const char stores_early[] =
    "geometry shaders of a render pass store to memory that its earlier draws may read";

static const char layers_apart[] =
    "fragment shaders of a render pass read what earlier ones may have stored in other layers";

static void split(struct pgs_command_buffer *cb, const char *why)
{
    pgs_pass_begin_segment(cb, why);
    cb->pass.reads_wait = cb->pass.stores_wait = false;
}

void pgs_order_next_subpass(struct pgs_command_buffer *cb)
{
    struct pgs_pass *pass = &cb->pass;
    const struct pgs_render_pass *kept = pass->begin.kept;
    const uint32_t bit = 1u << (pass->begin.subpass < 31 ? pass->begin.subpass : 31);
    if (!kept || !cb->recorder.queue)
        return;
    pass->reads_wait |= (kept->order.reads & bit) != 0;
    pass->stores_wait |= (kept->order.stores & bit) != 0;
    if (kept->order.fragments & bit)
        pgs_reads_order_fragments(cb);
    if (cb->fb_layers && pass->layer_count > 1 && (kept->order.layers & bit))
        split(cb, layers_apart);
}

void pgs_order_compute(struct pgs_command_buffer *cb, bool stores)
{
    if (cb->pass.reads_wait)
        split(cb, reads_early);
    else if (stores && cb->pass.stores_wait)
        split(cb, stores_early);
}
