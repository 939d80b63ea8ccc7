/* SPDX-License-Identifier: MIT
 *
 * Tracks the graphics state, and restores what the layer's draws have clobbered.
 */
#include "command/state/graphics_state.h"

#include "pipeline/find.h"
#include "poly_gs/abi.h"

#include <string.h>

static PGS_SLOW void reset_dirty(struct pgs_command_buffer *cb)
{
    struct pgs_graphics_state *graphics = &cb->graphics;
    for (uint32_t i = 0; i < cb->set_count; i++) {
        graphics->sets[i] = VK_NULL_HANDLE;
        graphics->dynamic_count[i] = 0;
    }
    cb->objects.active = cb->objects.driver_has = false;
    cb->objects.equations = cb->objects.advanced = 0;
    cb->objects.line_mode = cb->objects.line_stipple = false;
    graphics->index_buffer = VK_NULL_HANDLE;
    graphics->index_offset_B = graphics->index_size_B = 0;
    graphics->topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    graphics->primitive_restart = graphics->rasterizer_discard = VK_FALSE;
    graphics->raster_stream = 0;
    graphics->provoking_last = graphics->line_stipple = false;
    graphics->patch_control_points = 0;
    graphics->tessellation_lower_left = false;
    graphics->line_width = 1; /* it chooses between pipelines as soon as one is bound */
    graphics->vertex_input.binding_count = graphics->vertex_input.attribute_count = 0;
    graphics->viewports.viewport_count = graphics->viewports.scissor_count = 0;
    graphics->viewport_mask = graphics->scissor_mask = 0;
    memset(cb->xfb, 0, sizeof(cb->xfb));
    cb->set_count = 0;
    cb->known = 0;
    cb->dirty = false;
}

void pgs_state_reset(struct pgs_command_buffer *cb)
{
    struct pgs_graphics_state *graphics = &cb->graphics;
    cb->clobbered = cb->vertex_clobbered = cb->sets_kept = 0;
    cb->bound = cb->thin = cb->wide = cb->restarting = VK_NULL_HANDLE;
    cb->application = cb->chosen = VK_NULL_HANDLE;
    cb->topologies = NULL;
    cb->hides = false;
    cb->vertex_again = UINT32_MAX;
    graphics->pipeline = graphics->counted = NULL;
    graphics->foreign_count++;
    pgs_state_changed(cb);
    pgs_state_data_changed(cb);
    for (uint32_t left = cb->vertex_bound; left; left &= left - 1)
        graphics->vertex[__builtin_ctz(left)] = (struct pgs_vertex_buffer){0};
    cb->vertex_bound = cb->vertex_plain = cb->vertex_strided = 0;
    graphics->vertex_input.strided_since = 0;
    if (cb->dirty)
        reset_dirty(cb);
}

void pgs_state_note_vertex_input(struct pgs_command_buffer *cb, uint32_t binding_count,
                                 const VkVertexInputBindingDescription2EXT *bindings,
                                 uint32_t attribute_count,
                                 const VkVertexInputAttributeDescription2EXT *attributes)
{
    struct pgs_vertex_input *input = &cb->graphics.vertex_input;
    input->strided_since = 0;
    input->binding_count = binding_count < PGS_MAX_BINDINGS ? binding_count : PGS_MAX_BINDINGS;
    input->attribute_count =
        attribute_count < PGS_MAX_ATTRIBUTES ? attribute_count : PGS_MAX_ATTRIBUTES;
    for (uint32_t i = 0; i < input->binding_count; i++) {
        input->bindings[i] = bindings[i];
        input->bindings[i].pNext = NULL;
    }
    for (uint32_t i = 0; i < input->attribute_count; i++) {
        input->attributes[i] = attributes[i];
        input->attributes[i].pNext = NULL;
    }
}

/* Binds these bindings again, each with its stride. */
static void restore_strides(struct pgs_command_buffer *cb, uint32_t bindings)
{
    for (uint32_t i = 0; i < PGS_MAX_BINDINGS && bindings >> i; i++) {
        const struct pgs_vertex_buffer *vertex = &cb->graphics.vertex[i];
        if (!(bindings >> i & 1))
            continue;
        PGS_EMIT(cb, CmdBindVertexBuffers2, i, 1, &vertex->buffer, &vertex->offset_B,
                 cb->vertex_plain >> i & 1 ? NULL : &vertex->size_B, &vertex->stride_B);
    }
}

/* In the order of the application: vkCmdSetVertexInputEXT sets strides, too. */
static void restore_vertex_input(struct pgs_command_buffer *cb, uint32_t strided)
{
    const struct pgs_vertex_input *input = &cb->graphics.vertex_input;
    const bool known = cb->known & PGS_KNOWN_VERTEX_INPUT;
    const uint32_t since = known ? strided & input->strided_since : 0;
    restore_strides(cb, strided & ~since);
    if (known)
        PGS_EMIT(cb, CmdSetVertexInputEXT, input->binding_count, input->bindings,
                 input->attribute_count, input->attributes);
    restore_strides(cb, since);
}

static void restore_vertex(struct pgs_command_buffer *cb, uint32_t binding)
{
    const struct pgs_vertex_buffer *vertex = &cb->graphics.vertex[binding];
    if (cb->vertex_plain >> binding & 1)
        PGS_EMIT(cb, CmdBindVertexBuffers, binding, 1, &vertex->buffer, &vertex->offset_B);
    else if (cb->vertex_bound >> binding & 1)
        PGS_EMIT(cb, CmdBindVertexBuffers2, binding, 1, &vertex->buffer, &vertex->offset_B,
                 &vertex->size_B, NULL);
}

static void restore_index(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    if (!(cb->known & PGS_KNOWN_INDEX))
        return;
#ifdef VK_KHR_maintenance5
    if (state->index_size_B != VK_WHOLE_SIZE) {
        PGS_EMIT(cb, CmdBindIndexBuffer2KHR, state->index_buffer, state->index_offset_B,
                 state->index_size_B, state->index_type);
        return;
    }
#endif
    PGS_EMIT(cb, CmdBindIndexBuffer, state->index_buffer, state->index_offset_B, state->index_type);
}

VkPrimitiveTopology pgs_state_driver_topology(const struct pgs_device *dev,
                                              VkPrimitiveTopology topology)
{
    if (topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST && !dev->native.tessellation)
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    if (dev->native.geometry)
        return topology;
    switch ((int)topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    default:
        return topology;
    }
}

/* mask: PGS_KNOWN_TOPOLOGY and PGS_KNOWN_RESTART. */
static void restore_assembly(struct pgs_command_buffer *cb, uint32_t mask)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    if (cb->known & mask & PGS_KNOWN_TOPOLOGY)
        PGS_EMIT(cb, CmdSetPrimitiveTopology, pgs_state_driver_topology(cb->dev, state->topology));
    if (cb->known & mask & PGS_KNOWN_RESTART)
        PGS_EMIT(cb, CmdSetPrimitiveRestartEnable, state->primitive_restart);
}

static void restore_tessellation(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    if (!cb->dev->native.tessellation)
        return;
    if (cb->known & PGS_KNOWN_PATCH)
        PGS_EMIT(cb, CmdSetPatchControlPointsEXT, state->patch_control_points);
    if (cb->known & PGS_KNOWN_DOMAIN_ORIGIN)
        PGS_EMIT(cb, CmdSetTessellationDomainOriginEXT,
                 state->tessellation_lower_left ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                                                : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
}

void pgs_state_push_again(struct pgs_command_buffer *cb)
{
    const struct pgs_pushes *pushes = &cb->compute.pushes;
    for (size_t i = 0; i < pushes->ranges.count; i++) {
        const struct pgs_pushed_range *range = &pushes->ranges.items[i];
        const uint32_t *words = range->graphics ? cb->compute.graphics_push : pushes->words;
        PGS_EMIT(cb, CmdPushConstants, range->layout, range->stages, range->offset_B, range->size_B,
                 (const char *)words + range->offset_B);
    }
}

/* Sets that one command of the application has bound have the same order. */
static uint32_t first_kept(const struct pgs_graphics_state *state, uint32_t kept)
{
    uint32_t first = (uint32_t)__builtin_ctz(kept);
    for (uint32_t i = first + 1; i < PGS_MAX_SETS && kept >> i; i++)
        if ((kept >> i & 1) && state->set_orders[i] < state->set_orders[first])
            first = i;
    return first;
}

#define OFFSETS_AT_ONCE 64

/* Binds kept sets from the first one on, as many as one command can. Returns how many. */
static uint32_t bind_from(struct pgs_command_buffer *cb, uint32_t first)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    uint32_t offsets[OFFSETS_AT_ONCE], count = 0, offset_count = 0;
    for (uint32_t i = first; i < PGS_MAX_SETS && (cb->sets_kept >> i & 1); i++, count++) {
        const uint32_t more = state->dynamic_count[i];
        if (state->set_orders[i] != state->set_orders[first] || !state->sets[i] ||
            more > OFFSETS_AT_ONCE - offset_count)
            break;
        if (more)
            memcpy(offsets + offset_count, state->dynamic_offsets[i].items,
                   more * sizeof(*offsets));
        offset_count += more;
    }
    if (count)
        PGS_EMIT(cb, CmdBindDescriptorSets, VK_PIPELINE_BIND_POINT_GRAPHICS,
                 state->set_layouts[first], first, count, &state->sets[first], offset_count,
                 offsets);
    else if (state->sets[first]) /* with many offsets */
        PGS_EMIT(cb, CmdBindDescriptorSets, VK_PIPELINE_BIND_POINT_GRAPHICS,
                 state->set_layouts[first], first, 1, &state->sets[first],
                 state->dynamic_count[first], state->dynamic_offsets[first].items);
    return count ? count : 1;
}

static PGS_SLOW void bind_several(struct pgs_command_buffer *cb)
{
    while (cb->sets_kept) {
        const uint32_t first = first_kept(&cb->graphics, cb->sets_kept);
        const uint32_t count = bind_from(cb, first);
        cb->sets_kept &= ~(uint32_t)(((UINT64_C(1) << count) - 1) << first);
    }
}

void pgs_state_bind_kept_sets_slowly(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    const uint32_t only = (uint32_t)__builtin_ctz(cb->sets_kept);
    const uint32_t dynamic_count = state->dynamic_count[only];
    if (cb->sets_kept >> only != 1 || !state->sets[only])
        bind_several(cb);
    else if (cb->recorder.queue && !dynamic_count)
        pgs_recorder_latch(
            &cb->recorder,
            pgs_enqueue_set(cb->recorder.queue, state->set_layouts[only], only, state->sets[only]));
    else
        PGS_EMIT(cb, CmdBindDescriptorSets, VK_PIPELINE_BIND_POINT_GRAPHICS,
                 state->set_layouts[only], only, 1, &state->sets[only], dynamic_count,
                 state->dynamic_offsets[only].items);
    pgs_state_drop_kept_sets(cb);
}

static void restore_buffers(struct pgs_command_buffer *cb)
{
    cb->graphics.foreign_count++;
    if (cb->clobbered & PGS_CLOBBERED_VERTEX)
        for (uint32_t i = 0; i < PGS_MAX_BINDINGS && cb->vertex_clobbered >> i; i++)
            if (cb->vertex_clobbered >> i & 1)
                restore_vertex(cb, i);
    if (cb->clobbered & PGS_CLOBBERED_INDEX)
        restore_index(cb);
    if (cb->clobbered & PGS_CLOBBERED_PUSH)
        pgs_state_push_again(cb);
    cb->clobbered &= PGS_CLOBBERED_STATIC | PGS_CLOBBERED_INPUT | PGS_CLOBBERED_SETS;
    cb->vertex_clobbered = 0;
}

/* Nothing that is static in the pipeline: it may be bound already. */
void pgs_state_restore_input(struct pgs_command_buffer *cb, bool assembles)
{
    const uint32_t dynamic = cb->graphics.pipeline->dynamic;
    const uint32_t assembly = (dynamic & PGS_DYNAMIC_TOPOLOGY ? PGS_KNOWN_TOPOLOGY : 0u) |
                              (dynamic & PGS_DYNAMIC_RESTART ? PGS_KNOWN_RESTART : 0u);
    const uint32_t strides = dynamic & PGS_DYNAMIC_STRIDE ? cb->vertex_strided : 0;
    restore_buffers(cb);
    if (!(cb->clobbered & PGS_CLOBBERED_INPUT))
        return;
    if (dynamic & PGS_DYNAMIC_VERTEX_INPUT)
        restore_vertex_input(cb, strides);
    else
        restore_strides(cb, strides);
    if (assembly && !assembles)
        return;
    restore_assembly(cb, assembly);
    cb->clobbered &= ~(uint32_t)PGS_CLOBBERED_INPUT;
}

void pgs_state_restore(struct pgs_command_buffer *cb)
{
    pgs_state_bind_kept_sets(cb);
    restore_buffers(cb);
    if (cb->clobbered & PGS_CLOBBERED_STATIC) {
        restore_vertex_input(cb, cb->vertex_strided);
        restore_assembly(cb, PGS_KNOWN_TOPOLOGY | PGS_KNOWN_RESTART);
        restore_tessellation(cb);
    }
    cb->clobbered = 0;
}

VkPipeline pgs_state_driver_pipeline(const struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    const struct pgs_emulated_pipeline *found = state->counted;
    if (state->pipeline) /* batches choose the variant for each draw */
        return state->driver_pipeline;
    const uint32_t stream = found ? pgs_raster_stream(found, state) : 0;
    if (!found || !found->native_raster || !(found->dynamic & PGS_DYNAMIC_STREAM) ||
        stream >= PGS_SPV_STREAMS)
        return cb->bound;
    const VkPipeline own = pgs_variant_handle(found, pgs_stored_variant_of(stream));
    const VkPipeline other = own ? own : pgs_variant_handle(found, PGS_VARIANT_NOTHING);
    return other ? other : cb->bound;
}

/* The driver draws its objects whatever stream is to be rasterized. They emit to the first one. */
static bool hides_objects(const struct pgs_command_buffer *cb)
{
    return cb->objects.active && cb->objects.driver_has && cb->dev->xfb &&
           cb->graphics.raster_stream != 0 && !cb->objects.mesh;
}

void pgs_state_update_discard(struct pgs_command_buffer *cb)
{
    const struct pgs_graphics_state *state = &cb->graphics;
    const uint32_t hidden = state->counted ? state->counted->hidden_streams : 0;
    const bool hides =
        (hidden && (hidden >> (pgs_raster_stream(state->counted, state) & 31) & 1)) ||
        hides_objects(cb);
    if (hides == cb->hides)
        return;
    cb->hides = hides;
    if (hides || (cb->known & PGS_KNOWN_DISCARD))
        PGS_EMIT(cb, CmdSetRasterizerDiscardEnable, hides || state->rasterizer_discard);
}

void pgs_state_update_counts(struct pgs_command_buffer *cb)
{
    const struct pgs_query_set *queries = &cb->graphics.queries;
    bool counts = cb->graphics.interval || queries->statistics;
    for (int i = 0; i < PGS_MAX_STREAMS; i++)
        counts |= queries->xfb[i] || queries->generated[i];
    cb->counts = counts;
    pgs_state_changed(cb);
}

/* A pipeline may have been bound before anything could be counted. */
const struct pgs_emulated_pipeline *pgs_state_counted(struct pgs_command_buffer *cb)
{
    if (!cb->graphics.counted && !cb->graphics.pipeline && cb->bound)
        cb->graphics.counted = pgs_emulated_pipeline_find(cb->dev, cb->bound);
    return cb->graphics.counted;
}
