/* SPDX-License-Identifier: MIT
 *
 * Which draws are picked: for test_draw_technique.c, behind those that are instanced.
 */
#ifndef PGS_TESTS_UNIT_PLAN_PICKED_H
#define PGS_TESTS_UNIT_PLAN_PICKED_H

#include "plan_instanced.h"

/* A large list whose geometry shader picks vertices is picked, but for one thing. */
static const struct {
    enum pgs_uninstanced why; /* not */
    uint32_t primitives, from, instances;
    bool counts, restarts, indexed, later, made, indirect, condition, views, part, lost;
    enum pgs_plan wish;
    uint64_t most_B;
} picked[] = {
#define PICKED PGS_UNINSTANCED_NO
#define AUTO PGS_PLAN_AUTO
#define ANY UINT64_MAX
    {PICKED, 1000, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PICKED, 1000, 1000, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PICKED, 1000, 1000, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY}, /* without indices */
    {PGS_UNINSTANCED_RESTART, 1000, 1000, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_FEW, 999, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_FETCH, 1000, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_SEVERAL, 1000, 1000, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_COUNTED, 1000, 1000, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_ARGUMENTS, 1000, 1000, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_CONDITION, 1000, 1000, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_VIEWS, 1000, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_MEMORY, 1000, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, AUTO, ANY},
    {PGS_UNINSTANCED_SHADERS, 1000, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, AUTO, ANY},
    {PGS_UNINSTANCED_SETTING, 1000, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, PGS_PLAN_STORED, ANY},
    {PGS_UNINSTANCED_COMPILING, 1000, 1000, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PICKED, 1000, 1000, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, AUTO, ANY},
    /* Lists of six lines for each primitive, a word for each and for each 64, arguments. */
    {PICKED, 6400, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, 6400 * 28 + 400 + 20},
    {PGS_UNINSTANCED_MEMORY, 6400, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, 6400 * 28 + 400 + 19},
    /* As many indices as there may be, and one primitive more. */
    {PICKED, (1 << 30) / 6, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_TOO_MANY, (1 << 30) / 6 + 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
    {PGS_UNINSTANCED_TOO_MANY, (1 << 24) / 3 + 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, AUTO, ANY},
#undef PICKED
#undef AUTO
#undef ANY
};

/* Emits up to three lines of each triangle. */
static struct pgs_emulated_pipeline picking_pipeline(bool made, bool lost)
{
    struct pgs_emulated_pipeline pipeline = pipeline_of(0);
    if (!lost)
        fake_variant(pipeline.variants, PGS_VARIANT_PICKED, made ? 14 : 0);
    fake_variant(pipeline.variants, PGS_VARIANT_PICK, made ? 15 : 0);
    atomic_fetch_or(&pipeline.variants->available,
                    PGS_VARIANT_BIT(PGS_VARIANT_PICK) |
                        (lost ? 0 : PGS_VARIANT_BIT(PGS_VARIANT_PICKED)));
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    pipeline.dynamic |= PGS_DYNAMIC_RESTART;
    pipeline.gs.may_pick = true;
    pipeline.gs.input_vertices = 3;
    pipeline.gs.invocations = 1;
    pipeline.gs.output_kind = 2;
    pipeline.gs.max_vertices = 6;
    pipeline.gs.longest_strip_el = 2;
    pipeline.gs.pattern.is_known = false;
    return pipeline;
}

/* A smaller draw, which is stored, is not like one that may be picked. */
static void plan_larger_ones_anew(void)
{
    const struct pgs_emulated_pipeline pipeline = picking_pipeline(true, false);
    const struct pgs_graphics_state state = {0};
    const struct pgs_plan_rules rules = {.wish = PGS_PLAN_AUTO,
                                         .max_out_vertices = PGS_MAX_OUT_VERTICES,
                                         .most_picked_B = UINT64_MAX,
                                         .pick_from = 1000};
    struct pgs_draw_call call = {.count = 30, .instance_count = 1};
    struct pgs_draw_plan plan, other;
    bool too_large;
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_int_equal(plan.unpicked, PGS_UNINSTANCED_FEW);
    call.count = 2997;
    assert_true(pgs_draw_plan_like(&pipeline, &state, &call, &plan, 0, &other));
    call.count = 3000;
    assert_false(pgs_draw_plan_like(&pipeline, &state, &call, &plan, 0, &other));
}

/* Of strips that are too short for a primitive there is nothing to list, and no memory for that. */
static void lists_nothing_of_nothing(void)
{
    struct pgs_emulated_pipeline pipeline = picking_pipeline(true, false);
    const struct pgs_graphics_state state = {0};
    const struct pgs_plan_rules rules = {.wish = PGS_PLAN_AUTO,
                                         .max_out_vertices = PGS_MAX_OUT_VERTICES,
                                         .most_picked_B = UINT64_MAX,
                                         .pick_from = 1};
    const struct pgs_draw_call call = {.count = 30, .instance_count = 1};
    struct pgs_draw_plan plan;
    bool too_large;
    pipeline.gs.longest_strip_el = 1;
    assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
    assert_int_not_equal(plan.raster, PGS_RASTER_PICKED);
}

static void picks_what_pays(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(picked) / sizeof(picked[0]); i++) {
        const struct pgs_emulated_pipeline pipeline =
            picking_pipeline(picked[i].made, picked[i].lost);
        struct pgs_graphics_state state = {.primitive_restart = picked[i].restarts,
                                           .view_count = picked[i].views ? 2 : 0,
                                           .queries = {.statistics = picked[i].counts}};
        if (picked[i].condition)
            state.condition.buffer = (VkBuffer)1;
        const struct pgs_plan_rules rules = {.wish = picked[i].wish,
                                             .max_out_vertices = PGS_MAX_OUT_VERTICES,
                                             .most_picked_B = picked[i].most_B,
                                             .pick_from = picked[i].from,
                                             .picks_later = picked[i].later};
        const struct pgs_draw_call call = {.indexed = picked[i].indexed,
                                           .indirect = picked[i].indirect,
                                           .max_draws = picked[i].indirect,
                                           .count = picked[i].primitives * 3,
                                           .part_count = picked[i].part ? 10 : 0,
                                           .instance_count = picked[i].instances};
        struct pgs_draw_plan plan;
        bool too_large;
        assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
        if (plan.unpicked != picked[i].why)
            fail_msg("case %zu: %d, not %d", i, plan.unpicked, picked[i].why);
        const bool picks = plan.raster == PGS_RASTER_PICKED;
        assert_int_equal(picks, picked[i].why == PGS_UNINSTANCED_NO);
        assert_int_equal(plan.awaits_pick, picked[i].why == PGS_UNINSTANCED_COMPILING);
        if (!picks)
            continue;
        assert_int_equal(plan.variants,
                         PGS_VARIANT_BIT(PGS_VARIANT_PICK) | PGS_VARIANT_BIT(PGS_VARIANT_PICKED));
        assert_int_equal(plan.gs_invocations, picked[i].primitives);
        assert_int_equal(plan.count, PGS_COUNT_NONE);
    }
    plan_larger_ones_anew();
    lists_nothing_of_nothing();
}

#endif
