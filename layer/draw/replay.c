/* SPDX-License-Identifier: MIT
 *
 * The raster draws inside the pass that replace the application's.
 */
#include "draw/replay.h"

#include "base/branch.h"
#include "draw/compute.h"
#include "draw/draw_count.h"
#include "draw/slices.h"
#include "draw/strip_list.h"
#include "draw/viewports.h"
#include "pipeline/inline_list.h"
#include "pipeline/record_inputs.h"

#include <stddef.h>

/* Binds stored vertices: of a pool all of it, in which the arguments have the place. */
static void bind_fetched_vertices(const struct pgs_draw *draw, const struct pgs_subdraw *subdraw,
                                  VkCommandBuffer cb)
{
    const struct pgs_range *vertices = draw->pool ? &draw->pool->range : &subdraw->out_vertices;
    draw->dev->vk.CmdBindVertexBuffers(cb, 0, 1, &vertices->buffer, &vertices->offset_B);
}

/* Binds stored vertices, or the address from which the raster vertex shader loads them. */
static void bind_stored_vertices(const struct pgs_draw *draw, const struct pgs_subdraw *subdraw,
                                 VkCommandBuffer cb)
{
    if (draw->plan.fetches) {
        bind_fetched_vertices(draw, subdraw, cb);
        return;
    }
    VkBuffer buffer = subdraw->record.buffer;
    VkDeviceSize offset_B =
        subdraw->record.offset_B + offsetof(struct pgs_draw_record, out_vertices);
    if (pgs_raster_draws_evaluated(draw->plan.raster)) {
        buffer = subdraw->tessellation.buffer;
        offset_B = subdraw->tessellation.offset_B + offsetof(struct pgs_tessellation, vertices);
    }
    draw->dev->vk.CmdBindVertexBuffers(cb, 0, 1, &buffer, &offset_B);
}

/* Tells the raster vertex shader which view the draw is for. */
static void bind_view(const struct pgs_draw *draw, VkCommandBuffer cb)
{
    const struct pgs_range *record = &draw->subdraws[0].record;
    const VkDeviceSize offset_B = record->offset_B + offsetof(struct pgs_draw_record, view_index);
    draw->dev->vk.CmdBindVertexBuffers(cb, 1, 1, &record->buffer, &offset_B);
}

/* Raster draws of one record whose arguments control shaders or tess_count write. */
static uint32_t patch_draws(const struct pgs_draw *draw)
{
    return draw->plan.by_patch ? draw->plan.patches : 1;
}

/* One record of a tessellated draw whose raster vertex shader runs the evaluation shader. */
static void replay_evaluated_record(const struct pgs_draw *draw, uint32_t i, VkCommandBuffer cb)
{
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const struct pgs_subdraw *subdraw = &draw->subdraws[i];
    const VkDeviceSize self_B = subdraw->record.offset_B + offsetof(struct pgs_draw_record, self);
    vk->CmdBindVertexBuffers(cb, 0, 1, &subdraw->record.buffer, &self_B);
    vk->CmdDrawIndirect(cb, subdraw->inline_args.buffer, subdraw->inline_args.offset_B,
                        patch_draws(draw), sizeof(VkDrawIndirectCommand));
}

static void replay_inline_tes(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    for (uint32_t i = 0; i < replacement->draw->plan.subdraw_count; i++)
        replay_evaluated_record(replacement->draw, i, cb);
}

/* What an instance of an inline draw reads as attributes: its pgs_inline_draw, or its record. */
struct instances {
    VkBuffer buffer;
    VkDeviceSize first_B, stride_B; /* that of the first call, and from one to the next */
};

static struct instances instances_of(const struct pgs_draw *draw)
{
    if (pgs_draw_takes_record(draw))
        return (struct instances){draw->subdraws[0].record.buffer,
                                  draw->subdraws[0].record.offset_B, draw->record_stride_B};
    return (struct instances){draw->inline_root.buffer, draw->inline_root.offset_B,
                              sizeof(struct pgs_inline_draw)};
}

/* Between captured records lies something else, which the stride of the pipeline does not know. */
static bool has_instances(const struct pgs_draw *draw)
{
    return !pgs_draw_takes_record(draw) || draw->record_stride_B == pgs_record_size(draw->pipeline);
}

void pgs_draw_find_instances(struct pgs_draw *draw)
{
    draw->instances = VK_NULL_HANDLE;
    if (draw->plan.raster != PGS_RASTER_INLINE_GS || draw->plan.sizing == PGS_SIZE_GPU ||
        !draw->plan.inline_vertices || /* else nothing is drawn, nor bound */
        !pgs_inline_lists_invocations(draw->pipeline, draw->plan.in_line) || !has_instances(draw))
        return;
    const struct instances of = instances_of(draw);
    draw->instances = of.buffer;
    draw->first_instance = (uint32_t)(of.first_B / of.stride_B);
    draw->instance_vertices = draw->plan.inline_vertices * draw->plan.gs_invocations;
}

/* Lets instance 0 be a call. */
static void bind_inline(const struct pgs_draw *draw, uint32_t call, VkCommandBuffer cb)
{
    const struct instances of = instances_of(draw);
    const VkDeviceSize offset_B = of.first_B + call * of.stride_B;
    draw->dev->vk.CmdBindVertexBuffers(cb, 0, 1, &of.buffer, &offset_B);
}

/* Each GS invocation is an instance, so each call is a draw. */
static void draw_inline_calls(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const uint32_t vertices = draw->plan.inline_vertices;
    for (uint32_t i = 0; i < replacement->count; i++) {
        bind_inline(draw, replacement->first + i, cb);
        vk->CmdDraw(cb, vertices, draw->plan.gs_invocations, 0, 0);
    }
}

/* Vertices, or indices, of a slice: whole GS invocations, with which strips begin anew. */
static uint32_t slice_el(const struct pgs_draw *draw, uint32_t all_el, uint32_t each_el)
{
    return draw->plan.slices ? ((all_el - 1) / draw->plan.slices / each_el + 1) * each_el : all_el;
}

/* Vertices of an inline draw. */
static void draw_vertices(const struct pgs_draw *draw, uint32_t first_el, uint32_t count_el,
                          uint32_t first_instance, uint32_t instances, VkCommandBuffer cb)
{
    if (draw->strips)
        pgs_strip_list_draw(&draw->dev->vk, draw->strips, first_el, count_el, first_instance,
                            instances, cb);
    else
        draw->dev->vk.CmdDraw(cb, count_el, instances, first_el, first_instance);
}

/* The calls one after the other, each slice by slice. */
static PGS_SLOW void draw_instances_one_by_one(const struct pgs_replacement *replacement,
                                               VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const uint32_t vertices = draw->instance_vertices;
    const uint32_t most = slice_el(draw, vertices, draw->plan.inline_vertices);
    uint32_t number = replacement->first * ((vertices - 1) / most + 1);
    for (uint32_t call = 0; call < replacement->count; call++)
        for (uint32_t i = 0; i < vertices; i += most) {
            pgs_slices_next(draw, number++, cb);
            draw_vertices(draw, i, vertices - i < most ? vertices - i : most,
                          draw->first_instance + replacement->first + call, 1, cb);
        }
}

/* Each call is an instance that has a pgs_inline_draw of its own. That is cheaper to record, and
 * for GPUs, too: 64 small ones took an H200 20 to 44 us one by one, and 16 to 34 us as instances.
 */
static void draw_instances(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    static const VkDeviceSize begin_B = 0;
    if (!replacement->has_vertices) /* all that lies in the buffer */
        vk->CmdBindVertexBuffers(cb, 0, 1, &draw->instances, &begin_B);
    if (draw->strips && !replacement->has_indices)
        pgs_strip_list_bind(vk, draw->strips, cb);
    const bool in_parts = draw->strips && draw->instance_vertices > draw->strips->most_el;
    if (draw->plan.slices || in_parts)
        draw_instances_one_by_one(replacement, cb);
    else
        draw_vertices(draw, 0, draw->instance_vertices, draw->first_instance + replacement->first,
                      replacement->count, cb);
}

/* A record that is no instance, for captures lie between such records: there is but one. */
static void draw_inline_record(const struct pgs_draw *draw, VkCommandBuffer cb)
{
    bind_inline(draw, 0, cb);
    if (draw->strips)
        pgs_strip_list_bind(&draw->dev->vk, draw->strips, cb);
    draw_vertices(draw, 0, draw->plan.inline_vertices * draw->plan.gs_invocations, 0, 1, cb);
}

/* One draw for all records of an indirect call. */
static void replay_inline_gs(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const bool indirect = draw->plan.sizing == PGS_SIZE_GPU;
    if (!draw->plan.inline_vertices)
        return;
    if (draw->instances) {
        draw_instances(replacement, cb);
        return;
    }
    if (!indirect && !pgs_inline_lists_invocations(draw->pipeline, draw->plan.in_line)) {
        draw_inline_calls(replacement, cb);
        return;
    }
    if (!indirect) {
        draw_inline_record(draw, cb);
        return;
    }
    bind_inline(draw, 0, cb);
    vk->CmdDrawIndirect(cb, draw->inline_args.buffer, draw->inline_args.offset_B, 1,
                        sizeof(VkDrawIndirectCommand));
}

static void replay_inline(const struct pgs_replacement *replacement, VkCommandBuffer cb,
                          void (*replay)(const struct pgs_replacement *replacement,
                                         VkCommandBuffer cb))
{
    const struct pgs_device_dispatch *vk = &replacement->draw->dev->vk;
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    const struct pgs_bound_sets *before = replacement->sets_before;
    if (replacement->sets && !replacement->has_sets)
        pgs_draw_sets_bind(replacement->sets, graphics, vk, cb);
    replay(replacement, cb);
    if (before)
        pgs_bound_sets_restore(before->sets, before->count, before->pushed, graphics, vk, cb);
}

/* As the arguments in memory say, which the GPU writes all the same. */
static void draw_directly(const struct pgs_draw *draw, const struct pgs_subdraw *subdraw,
                          uint32_t call, VkCommandBuffer cb)
{
    const bool splits = draw->pipeline->gs.out_head_w;
    const VkDeviceSize vertex_B = draw->pipeline->gs.out_stride_w * sizeof(uint32_t);
    const VkDeviceSize moved_B = call * draw->scratch_stride_B;
    const VkDeviceSize first_B =
        subdraw->indices.offset_B - pgs_index_bind_offset(&subdraw->indices) + moved_B;
    const uint32_t count = draw->plan.direct_indices * subdraw->gs_invocations;
    const uint32_t first_vertex = splits || !call ? 0 : (uint32_t)(moved_B / vertex_B);
    const uint32_t first_instance = splits ? call : 0;
    const uint32_t most = slice_el(draw, count, draw->plan.direct_indices);
    uint32_t number = draw->plan.slices ? call * ((count - 1) / most + 1) : 0;
    for (uint32_t i = 0; i < count; i += most) {
        const uint32_t some = count - i < most ? count - i : most;
        pgs_slices_next(draw, number++, cb);
        if (draw->plan.in_order)
            draw->dev->vk.CmdDraw(cb, some, 1, first_vertex + i, first_instance);
        else
            draw->dev->vk.CmdDrawIndexed(cb, some, 1, (uint32_t)(first_B / 4) + i,
                                         (int32_t)first_vertex, first_instance);
    }
}

/* The `count` subdraws from i on, several only with at_once. */
static void replay_subdraw(const struct pgs_draw *draw, uint32_t i, uint32_t count,
                           VkCommandBuffer cb)
{
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const struct pgs_subdraw subdraw = pgs_draw_subdraw(draw, i);
    const struct pgs_range *indices = draw->pool ? &draw->pool->range : &subdraw.indices;
    bind_stored_vertices(draw, &subdraw, cb);
    if (i == 0 || !draw->pool)
        vk->CmdBindIndexBuffer(cb, indices->buffer, pgs_index_bind_offset(indices),
                               VK_INDEX_TYPE_UINT32);
    if (draw->plan.direct_indices)
        draw_directly(draw, &subdraw, 0, cb);
    else
        vk->CmdDrawIndexedIndirect(cb, subdraw.draw_args.buffer, subdraw.draw_args.offset_B, count,
                                   PGS_ARGS_STRIDE_B);
}

static void replay_subdraws(const struct pgs_draw *draw, VkCommandBuffer cb)
{
    const uint32_t step = draw->at_once ? draw->plan.subdraw_count : 1;
    for (uint32_t i = 0; i < draw->plan.subdraw_count; i += step)
        replay_subdraw(draw, i, step, cb);
}

/* One record of a tessellated draw whose raster vertex shader runs the geometry shader, too. Of one
 * that takes memory: empty if it has some. */
static void replay_inline_record(const struct pgs_draw *draw, uint32_t i, VkCommandBuffer cb)
{
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const struct pgs_range *args = &draw->subdraws[i].inline_args;
    const VkDeviceSize root_B =
        draw->inline_root.offset_B + (VkDeviceSize)i * sizeof(struct pgs_inline_draw);
    vk->CmdBindVertexBuffers(cb, 0, 1, &draw->inline_root.buffer, &root_B);
    vk->CmdDrawIndirect(cb, args->buffer, args->offset_B, patch_draws(draw),
                        sizeof(VkDrawIndirectCommand));
}

static void replay_inline_tes_gs(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    replay_inline_record(replacement->draw, 0, cb);
}

/* The GPU chooses for each record, and they stay in order. The inline pipeline is bound first. */
static void replay_tessellated(const struct pgs_draw *draw, VkCommandBuffer cb)
{
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    const struct pgs_draw_sets *sets = draw->sets[PGS_GROUP_RASTER];
    for (uint32_t i = 0; i < draw->plan.subdraw_count; i++) {
        if (i)
            vk->CmdBindPipeline(cb, graphics,
                                pgs_variant_handle(draw->pipeline, draw->plan.in_line));
        if (sets)
            pgs_draw_sets_bind(sets, graphics, vk, cb);
        if (draw->plan.raster == PGS_RASTER_TES_STORED_OR_INLINE)
            replay_evaluated_record(draw, i, cb);
        else
            replay_inline_record(draw, i, cb);
        if (sets)
            pgs_bound_sets_restore(draw->sets_before->sets, draw->sets_before->count,
                                   draw->sets_before->pushed, graphics, vk, cb);
        vk->CmdBindPipeline(cb, graphics, draw->stored);
        replay_subdraw(draw, i, 1, cb);
    }
}

/* The triangles of wide lines are neither culled nor biased; thin lines are not stippled. */
static void set_polygon_state(const struct pgs_draw *draw, VkCullModeFlags cull_mode,
                              VkBool32 bias_enable, VkBool32 stipple, float width,
                              VkCommandBuffer cb)
{
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    if (!pgs_spv_is_wide(draw->pipeline->polygons))
        return;
    if (draw->pipeline->dynamic & PGS_DYNAMIC_CULL_MODE)
        vk->CmdSetCullMode(cb, cull_mode);
    if (draw->pipeline->dynamic & PGS_DYNAMIC_DEPTH_BIAS_ENABLE)
        vk->CmdSetDepthBiasEnable(cb, bias_enable);
    if (draw->pipeline->dynamic & PGS_DYNAMIC_LINE_STIPPLE)
        vk->CmdSetLineStippleEnableEXT(cb, stipple);
    if ((draw->pipeline->dynamic & PGS_DYNAMIC_LINE_WIDTH) && !draw->dev->lines)
        vk->CmdSetLineWidth(cb, width);
}

/* The vertex shader finds all that it needs in the record. */
static void replay_polygons(const struct pgs_draw *draw, VkCommandBuffer cb)
{
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    set_polygon_state(draw, VK_CULL_MODE_NONE, VK_FALSE, VK_FALSE, 1, cb);
    for (uint32_t i = 0; i < draw->plan.subdraw_count; i++) {
        const struct pgs_subdraw subdraw = pgs_draw_subdraw(draw, i);
        const VkDeviceSize self_B =
            subdraw.record.offset_B + offsetof(struct pgs_draw_record, self);
        vk->CmdBindVertexBuffers(cb, 0, 1, &subdraw.record.buffer, &self_B);
        vk->CmdDrawIndirect(cb, subdraw.draw_args.buffer, subdraw.draw_args.offset_B, 1,
                            sizeof(VkDrawIndirectCommand));
    }
    set_polygon_state(draw, draw->cull_mode, draw->bias_enable, draw->line_stipple,
                      draw->line_width, cb);
}

/* The arguments of the first call are for all: there is one list of their indices. */
static void draw_chain(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_range *args = &replacement->draw->subdraws[0].draw_args;
    const VkDeviceSize at_B = replacement->first * sizeof(VkDrawIndexedIndirectCommand);
    replacement->draw->dev->vk.CmdDrawIndexedIndirect(cb, args->buffer, args->offset_B + at_B, 1,
                                                      sizeof(VkDrawIndexedIndirectCommand));
}

/* Where the first call has its arguments. */
static const struct pgs_range *args_of_calls(const struct pgs_draw *draw)
{
    return draw->told_args.buffer ? &draw->told_args : &draw->subdraws[0].draw_args;
}

/* Each call has arguments for as many slices as there may be. */
static PGS_SLOW void draw_calls_in_slices(const struct pgs_replacement *replacement,
                                          VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_range *args = args_of_calls(draw);
    const uint32_t slices = draw->plan.slices;
    for (uint32_t i = 0; i < replacement->count * slices; i++) {
        const uint32_t call = replacement->first + i / slices;
        const VkDeviceSize at_B =
            call * draw->scratch_stride_B + i % slices * sizeof(VkDrawIndexedIndirectCommand);
        pgs_slices_next(draw, call * slices + i % slices, cb);
        draw->dev->vk.CmdDrawIndexedIndirect(cb, args->buffer, args->offset_B + at_B, 1,
                                             sizeof(VkDrawIndexedIndirectCommand));
    }
}

/* Each call has its arguments, with its place in the vertices and indices of the first one. */
static void draw_calls(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_range *args = args_of_calls(draw);
    const VkDeviceSize stride_B = draw->scratch_stride_B;
    if (draw->plan.slices && !draw->plan.direct_indices) {
        draw_calls_in_slices(replacement, cb);
        return;
    }
    const bool at_once =
        replacement->count > 1 && stride_B <= UINT32_MAX && pgs_draws_at_once(draw->dev->physical);
    const uint32_t step = at_once ? replacement->count : 1;
    const uint32_t distance_B =
        at_once ? (uint32_t)stride_B : (uint32_t)sizeof(VkDrawIndexedIndirectCommand);
    for (uint32_t i = 0; draw->plan.direct_indices && i < replacement->count; i++)
        draw_directly(draw, &draw->subdraws[0], replacement->first + i, cb);
    for (uint32_t i = 0; !draw->plan.direct_indices && i < replacement->count; i += step)
        draw->dev->vk.CmdDrawIndexedIndirect(cb, args->buffer,
                                             args->offset_B + (replacement->first + i) * stride_B,
                                             step, distance_B);
}

static void replay_calls(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_subdraw *base = &draw->subdraws[0];
    if (!replacement->has_vertices)
        bind_stored_vertices(draw, base, cb);
    if (!replacement->has_indices)
        draw->dev->vk.CmdBindIndexBuffer(
            cb, base->indices.buffer, pgs_index_bind_offset(&base->indices), VK_INDEX_TYPE_UINT32);
    if (draw->chains)
        draw_chain(replacement, cb);
    else
        draw_calls(replacement, cb);
}

static void replay_stored(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    if (draw->plan.subdraw_count > 1 || draw->pool || draw->plan.raster != PGS_RASTER_STORED)
        replay_subdraws(draw, cb);
    else
        replay_calls(replacement, cb);
}

bool pgs_draw_shades(const struct pgs_replacement *replacement)
{
    return pgs_raster_runs_shaders(replacement->draw->plan.raster);
}

enum pgs_draw_wants_sets pgs_draw_wants_sets(const struct pgs_replacement *replacement)
{
    const struct pgs_emulated_pipeline *pipeline = replacement->draw->pipeline;
    const bool shades = pgs_draw_shades(replacement);
    if (replacement->draw->plan.raster == PGS_RASTER_NONE)
        return PGS_DRAW_WANTS_NO_SETS;
    if (shades && replacement->sets && replacement->sets_before && !replacement->parts)
        return PGS_DRAW_RESTORES_SETS;
    return shades || !pipeline || pipeline->fragments_see_sets ? PGS_DRAW_WANTS_SETS
                                                               : PGS_DRAW_WANTS_NO_SETS;
}

bool pgs_draw_takes_buffers(const struct pgs_replacement *replacement)
{
    const enum pgs_raster_path raster = replacement->draw->plan.raster;
    return raster == PGS_RASTER_INSTANCED || raster == PGS_RASTER_SIFTED ||
           raster == PGS_RASTER_PICKED;
}

bool pgs_draw_binds_indices(const struct pgs_replacement *replacement)
{
    const enum pgs_raster_path raster = replacement->draw->plan.raster;
    return raster == PGS_RASTER_SIFTED || raster == PGS_RASTER_PICKED;
}

bool pgs_draw_takes_assembly(const struct pgs_replacement *replacement)
{
    return replacement->draw->plan.raster != PGS_RASTER_PICKED;
}

/* The application's own draw. Each of its instances is one for each strip. */
static void replay_instanced(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const struct pgs_draw_call *call = draw->call;
    const uint32_t strips = draw->pipeline->gs.one_vertex.strips;
    const uint32_t instances = call->instance_count * strips;
    const uint32_t first_instance = call->first_instance * strips;
    if (call->indirect && call->indexed)
        vk->CmdDrawIndexedIndirect(cb, call->args.buffer, call->args.offset_B, call->max_draws,
                                   call->args_stride_B);
    else if (call->indirect)
        vk->CmdDrawIndirect(cb, call->args.buffer, call->args.offset_B, call->max_draws,
                            call->args_stride_B);
    else if (call->indexed)
        vk->CmdDrawIndexed(cb, call->count, instances, call->first, call->vertex_offset,
                           first_instance);
    else
        vk->CmdDraw(cb, call->count, instances, call->first, first_instance);
}

/* The same of what may be seen: one draw for each strip. */
static void replay_sifted(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const struct pgs_subdraw *subdraw = &draw->subdraws[0];
    const uint32_t args_B = sizeof(VkDrawIndexedIndirectCommand);
    const uint32_t strips = draw->pipeline->gs.one_vertex.strips;
    const uint32_t step = pgs_draws_at_once(draw->dev->physical) ? strips : 1;
    vk->CmdBindIndexBuffer(cb, subdraw->indices.buffer, pgs_index_bind_offset(&subdraw->indices),
                           VK_INDEX_TYPE_UINT32);
    for (uint32_t i = 0; i < strips; i += step)
        vk->CmdDrawIndexedIndirect(cb, subdraw->draw_args.buffer,
                                   subdraw->draw_args.offset_B + (VkDeviceSize)i * args_B, step,
                                   args_B);
}

/* Lists of what the geometry shader picks. */
static void replay_picked(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_subdraw *subdraw = &draw->subdraws[0];
    draw->dev->vk.CmdBindIndexBuffer(cb, subdraw->indices.buffer,
                                     pgs_index_bind_offset(&subdraw->indices),
                                     VK_INDEX_TYPE_UINT32);
    const uint32_t slices = draw->plan.slices ? draw->plan.slices : 1;
    const uint32_t args_B = sizeof(VkDrawIndexedIndirectCommand);
    for (uint32_t i = 0; i < slices; i++) {
        pgs_slices_next(draw, i, cb);
        draw->dev->vk.CmdDrawIndexedIndirect(cb, subdraw->draw_args.buffer,
                                             subdraw->draw_args.offset_B + (VkDeviceSize)i * args_B,
                                             1, args_B);
    }
}

/* With the raster pipeline bound, the inline one if there are two. */
static void replay_once(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    switch (draw->plan.raster) {
    case PGS_RASTER_NONE:
        break;
    case PGS_RASTER_NATIVE:
        if (draw->draw_count)
            pgs_draw_count_replay(draw, cb);
        else if (draw->args.buffer)
            vk->CmdDrawIndirect(cb, draw->args.buffer, draw->args.offset_B, 1,
                                sizeof(VkDrawIndirectCommand));
        break;
    case PGS_RASTER_INSTANCED:
        replay_inline(replacement, cb, replay_instanced);
        break;
    case PGS_RASTER_SIFTED:
        replay_inline(replacement, cb, replay_sifted);
        break;
    case PGS_RASTER_PICKED:
        replay_inline(replacement, cb, replay_picked);
        break;
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
        replay_stored(replacement, cb);
        break;
    case PGS_RASTER_POLYGONS:
        replay_polygons(draw, cb);
        break;
    case PGS_RASTER_INLINE_GS:
        replay_inline(replacement, cb, replay_inline_gs);
        break;
    case PGS_RASTER_INLINE_TES:
        replay_inline(replacement, cb, replay_inline_tes);
        break;
    case PGS_RASTER_INLINE_TES_GS:
        replay_inline(replacement, cb, replay_inline_tes_gs);
        break;
    case PGS_RASTER_STORED_OR_INLINE:
        if (draw->pipeline->tessellated) {
            replay_tessellated(draw, cb);
            break;
        }
        replay_inline(replacement, cb, replay_inline_gs);
        vk->CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->stored);
        replay_subdraws(draw, cb);
        break;
    case PGS_RASTER_TES_STORED_OR_INLINE:
        replay_tessellated(draw, cb);
        break;
    }
}

static void replay_parts(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    const struct pgs_device_dispatch *vk = &draw->dev->vk;
    const struct pgs_viewport_parts *parts = replacement->parts;
    for (uint32_t i = 0; i < parts->count; i++) {
        if (i && pgs_raster_chooses(draw->plan.raster)) /* the draw binds both */
            vk->CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                pgs_variant_handle(draw->pipeline, draw->plan.in_line));
        pgs_viewport_part_begin(parts, i, vk, cb);
        replay_once(replacement, cb);
    }
    pgs_viewport_parts_end(parts, vk, cb);
    if (!parts->count && pgs_raster_chooses(draw->plan.raster))
        vk->CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, draw->stored);
}

/* Binds what the draw needs beside its buffers. */
static PGS_SLOW void replay_with_binds(const struct pgs_replacement *replacement,
                                       VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    if (replacement->bind)
        draw->dev->vk.CmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, replacement->bind);
    if (draw->pipeline && draw->pipeline->by_view && draw->plan.raster != PGS_RASTER_NONE)
        bind_view(draw, cb);
    if (replacement->parts)
        replay_parts(replacement, cb);
    else
        replay_once(replacement, cb);
}

void pgs_draw_replay(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    const struct pgs_draw *draw = replacement->draw;
    if (!replacement->bind && draw->instances && !replacement->parts && !replacement->sets &&
        !draw->pipeline->by_view) /* most draws */
        draw_instances(replacement, cb);
    else
        replay_with_binds(replacement, cb);
}
