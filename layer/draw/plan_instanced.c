/* SPDX-License-Identifier: MIT */
#include "draw/plan_instanced.h"

#include "draw/sizes.h"
#include "pipeline/stored_ahead.h"

/* The numbers of instances must have room for those of strips. */
static bool has_room(const struct pgs_direct_call *call, uint32_t strips)
{
    return ((uint64_t)call->first_instance + call->instance_count) * strips <= UINT32_MAX;
}

/* The driver reads the arguments of the application. It cannot multiply them. */
static bool reads_arguments(const struct pgs_draw_call *call, const struct pgs_plan_rules *rules,
                            uint32_t strips)
{
    return rules->reads_arguments && strips == 1 && !call->draw_count.buffer &&
           call->max_draws == 1;
}

static bool has_equal_primitives(const struct pgs_emulated_pipeline *pipeline,
                                 const struct pgs_graphics_state *state)
{
    const VkPrimitiveTopology topology =
        pipeline->dynamic & PGS_DYNAMIC_TOPOLOGY ? state->topology : pipeline->topology;
    const bool last = pipeline->dynamic & PGS_DYNAMIC_PROVOKING ? state->provoking_last
                                                                : pipeline->provoking_last;
    return pgs_instanced_vertices(topology, last) == pipeline->gs.input_vertices;
}

/* True if an attribute that the shaders read is of instances, as far as dynamic state says. */
static bool has_instanced_attributes(const struct pgs_emulated_pipeline *pipeline,
                                     const struct pgs_graphics_state *state)
{
    const struct pgs_vertex_input *input = &state->vertex_input;
    uint32_t read = 0, bindings = 0;
    if (!(pipeline->dynamic & PGS_DYNAMIC_VERTEX_INPUT))
        return false;
    for (uint32_t i = 0; i < pipeline->attribute_count; i++)
        read |= UINT32_C(1) << pipeline->attributes[i].location;
    for (uint32_t i = 0; i < input->attribute_count; i++)
        if (input->attributes[i].location < 32 && (read >> input->attributes[i].location & 1))
            bindings |= UINT32_C(1) << (input->attributes[i].binding & 31);
    for (uint32_t i = 0; i < input->binding_count; i++)
        if (input->bindings[i].inputRate == VK_VERTEX_INPUT_RATE_INSTANCE &&
            (bindings >> (input->bindings[i].binding & 31) & 1))
            return true;
    return false;
}

enum pgs_uninstanced pgs_plan_uninstanced_call(const struct pgs_graphics_state *state,
                                               const struct pgs_draw_call *call, bool counts,
                                               const struct pgs_plan_rules *rules)
{
    if (rules->wish != PGS_PLAN_AUTO)
        return PGS_UNINSTANCED_SETTING;
    if (counts)
        return PGS_UNINSTANCED_COUNTED;
    if (state->view_count > 1)
        return PGS_UNINSTANCED_VIEWS;
    if (call->byte_count || state->condition.buffer || state->inherited_condition)
        return PGS_UNINSTANCED_CONDITION;
    return PGS_UNINSTANCED_NO;
}

enum pgs_uninstanced pgs_plan_uninstanced(const struct pgs_emulated_pipeline *pipeline,
                                          const struct pgs_graphics_state *state,
                                          const struct pgs_draw_call *call, bool counts,
                                          const struct pgs_plan_rules *rules)
{
    const uint32_t strips = pipeline->gs.one_vertex.strips;
    if (!strips || pipeline->uninstanced)
        return pipeline->uninstanced ? pipeline->uninstanced : PGS_UNINSTANCED_VERTICES;
    if (!pgs_pipeline_has(pipeline, PGS_VARIANT_INSTANCED))
        return PGS_UNINSTANCED_SHADERS;
    const enum pgs_uninstanced why = pgs_plan_uninstanced_call(state, call, counts, rules);
    if (why != PGS_UNINSTANCED_NO)
        return why;
    if (!has_equal_primitives(pipeline, state))
        return PGS_UNINSTANCED_PRIMITIVES;
    if (strips > 1 && has_instanced_attributes(pipeline, state))
        return PGS_UNINSTANCED_INSTANCES;
    if (call->indirect && !reads_arguments(call, rules, strips))
        return PGS_UNINSTANCED_ARGUMENTS;
    return call->indirect || has_room(&call->direct, strips) ? PGS_UNINSTANCED_NO
                                                             : PGS_UNINSTANCED_TOO_MANY;
}

/* The instance tells which strip it is. */
uint32_t pgs_plan_sift_from(const struct pgs_physical_device *physical)
{
    if (!pgs_knows_first_instances(physical))
        return 0;
    return physical->instance->settings.cull == PGS_CULL_ALWAYS
               ? 1
               : physical->traits.costs.of[PGS_COST_SIFT_PRIMITIVES];
}

/* True if the driver would shade much that need not be drawn. */
static bool may_sift(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_call *call,
                     const struct pgs_plan_rules *rules, const struct pgs_draw_plan *plan)
{
    const uint32_t strips = pipeline->gs.one_vertex.strips;
    const bool several = strips > 1 && pipeline->gs.writes_layer;
    if (!pgs_pipeline_has(pipeline, PGS_VARIANT_SIFT) || call->indirect || !rules->sift_from ||
        call->instance_count != 1 || plan->topology != VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST)
        return false;
    if (plan->primitives < rules->sift_from || !(several || rules->culls_all))
        return false;
    return (uint64_t)plan->primitives * 3 * strips <= PGS_MOST_LISTED_EL &&
           (call->indexed || call->count <= rules->max_out_vertices);
}

void pgs_plan_sift(const struct pgs_emulated_pipeline *pipeline, const struct pgs_draw_call *call,
                   const struct pgs_plan_rules *rules, struct pgs_draw_plan *plan)
{
    struct pgs_draw_plan sifted = *plan;
    if (!may_sift(pipeline, call, rules, plan))
        return;
    sifted.raster = PGS_RASTER_SIFTED;
    sifted.stages = PGS_STAGE_BIT(GEOMETRY) | PGS_STAGE_BIT(SCAN_TILES) | PGS_STAGE_BIT(EXPAND);
    sifted.gs_invocations = sifted.subdraw_gs_invocations = plan->primitives;
    sifted.culls = true;
    if (rules->most_stored_B &&
        pgs_scratch_B(pipeline, &sifted, call->count) > rules->most_stored_B)
        return;
    if (rules->sifts_later && !pgs_sift_is_made(pipeline))
        plan->awaits_sift = true;
    else
        *plan = sifted;
}
