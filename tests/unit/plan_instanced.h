/* SPDX-License-Identifier: MIT
 *
 * The application's own draw: rows of the chooser's table, and why it is not chosen. For
 * test_draw_technique.c, which knows what pipelines are.
 */
#ifndef PLAN_INSTANCED_H
#define PLAN_INSTANCED_H

#include "plan_facts.h"

#define INSTANCED_ROWS                                                                             \
    ROW(INSTANCED | STATIC, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),                              \
        ROW(INSTANCED | STATIC | RESTART | HUGE | DRIVER_QUERY, INSTANCED, NONE, NONE, CPU,        \
            CHEAPEST, 0),                                                                          \
        ROW(INSTANCED | STATIC | INDIRECT, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),               \
        ROW(INSTANCED | STATIC | XFB | NO_XFB, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),           \
        ROW(STRIPS | STATIC, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),                             \
        ROW(STRIPS | STATIC | SIFT, SIFTED, NONE, NONE, CPU, CHEAPEST,                             \
            S(GEOMETRY) | S(SCAN_TILES) | S(EXPAND)),                                              \
        ROW(STRIPS | STATIC | SIFT | RESTART, INSTANCED, NONE, NONE, CPU, CHEAPEST, 0),            \
        ROW(STRIPS | STATIC | PREFERRED | INDIRECT, INLINE_GS, NONE, NONE, GPU, CHEAPEST,          \
            INLINE_CALL),                                                                          \
        ROW(INSTANCED | STATIC | WISH_VERTEX | PREFERRED, INLINE_GS, NONE, NONE, CPU, CHEAPEST,    \
            0),                                                                                    \
        ROW(INSTANCED | STATIC | WISH_COMPUTE, STORED, NONE, NONE, CPU, NO_PIPELINE,               \
            S(VERTEX) | S(GEOMETRY) | S(EXPAND)),                                                  \
        ROW(INSTANCED | STATIC | GENERATED, STORED, NONE, STATIC, CPU, NO_PIPELINE,                \
            S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_PROGRAM)),                                 \
        ROW(INSTANCED | STATIC | STATISTICS, STORED, NONE, STATIC, CPU, NO_PIPELINE,               \
            S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_PROGRAM)),                                 \
        ROW(INSTANCED | STATIC | XFB, STORED, GS, STATIC, CPU, NO_PIPELINE,                        \
            S(VERTEX) | S(GEOMETRY) | S(EXPAND) | S(XFB_SHADER) | S(XFB_PROGRAM)),                 \
        ROW(INSTANCED | STATIC | CONDITION, STORED, NONE, NONE, SETUP, NO_PIPELINE,                \
            SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),                                           \
        ROW(INSTANCED | STATIC | BYTE_COUNT, STORED, NONE, NONE, SETUP, NO_PIPELINE,               \
            SETS | S(VERTEX) | S(GEOMETRY) | S(EXPAND)),                                           \
        ROW(INSTANCED | STATIC | DISCARD, NONE, NONE, NONE, CPU, CHEAPEST, 0)

static struct pgs_emulated_pipeline pipeline_of(uint64_t f);

/* A list of one strip is instanced, but for one thing. */
static const struct {
    enum pgs_uninstanced why;
    uint32_t dynamic;
    VkPrimitiveTopology topology;
    bool last, instance_rate, indirect, counts;
    uint32_t strips, draws, instances;
} uninstanced[] = {
#define LIST VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
#define STRIP VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
    {PGS_UNINSTANCED_NO, 0, LIST, false, false, false, false, 1, 1, 1},
    {PGS_UNINSTANCED_NO, PGS_DYNAMIC_TOPOLOGY, STRIP, false, false, false, false, 1, 1, 1},
    {PGS_UNINSTANCED_NO, PGS_DYNAMIC_TOPOLOGY, LIST, true, false, false, false, 1, 1, 1},
    {PGS_UNINSTANCED_PRIMITIVES, PGS_DYNAMIC_TOPOLOGY, VK_PRIMITIVE_TOPOLOGY_LINE_LIST, false,
     false, false, false, 1, 1, 1},
    {PGS_UNINSTANCED_NO, PGS_DYNAMIC_TOPOLOGY, STRIP, true, false, false, false, 1, 1, 1},
    {PGS_UNINSTANCED_PRIMITIVES, PGS_DYNAMIC_TOPOLOGY | PGS_DYNAMIC_PROVOKING, STRIP, true, false,
     false, false, 1, 1, 1},
    {PGS_UNINSTANCED_NO, PGS_DYNAMIC_VERTEX_INPUT, LIST, false, true, false, false, 1, 1, 1},
    {PGS_UNINSTANCED_NO, PGS_DYNAMIC_VERTEX_INPUT, LIST, false, false, false, false, 6, 1, 1},
    {PGS_UNINSTANCED_INSTANCES, PGS_DYNAMIC_VERTEX_INPUT, LIST, false, true, false, false, 6, 1, 1},
    {PGS_UNINSTANCED_NO, 0, LIST, false, false, true, false, 1, 1, 1},
    {PGS_UNINSTANCED_ARGUMENTS, 0, LIST, false, false, true, false, 1, 2, 1},
    {PGS_UNINSTANCED_ARGUMENTS, 0, LIST, false, false, true, false, 6, 1, 1},
    {PGS_UNINSTANCED_COUNTED, 0, LIST, false, false, false, true, 1, 1, 1},
    {PGS_UNINSTANCED_TOO_MANY, 0, LIST, false, false, false, false, 6, 1, UINT32_MAX / 5},
#undef LIST
#undef STRIP
};

static void knows_what_dynamic_state_allows(void **unused)
{
    (void)unused;
    const struct pgs_plan_rules rules = {.reads_arguments = true};
    for (size_t i = 0; i < sizeof(uninstanced) / sizeof(uninstanced[0]); i++) {
        struct pgs_emulated_pipeline pipeline = pipeline_of(INSTANCED | STATIC);
        struct pgs_graphics_state state = {.topology = uninstanced[i].topology,
                                           .provoking_last = uninstanced[i].last};
        const struct pgs_draw_call call = {.indirect = uninstanced[i].indirect,
                                           .max_draws = uninstanced[i].draws,
                                           .instance_count = uninstanced[i].instances};
        pipeline.dynamic = uninstanced[i].dynamic;
        pipeline.gs.one_vertex.strips = uninstanced[i].strips;
        pipeline.attribute_count = 1;
        pipeline.attributes[0].location = 3;
        state.vertex_input.attribute_count = state.vertex_input.binding_count = 2;
        for (uint32_t k = 0; k < 2; k++) {
            state.vertex_input.attributes[k].location = k + 2; /* one more than shaders read */
            state.vertex_input.attributes[k].binding = 5 - k;
            state.vertex_input.bindings[k].binding = 5 - k;
        }
        state.vertex_input.bindings[0].inputRate = VK_VERTEX_INPUT_RATE_INSTANCE;
        state.vertex_input.bindings[1].inputRate = uninstanced[i].instance_rate
                                                       ? VK_VERTEX_INPUT_RATE_INSTANCE
                                                       : VK_VERTEX_INPUT_RATE_VERTEX;
        assert_int_equal(
            pgs_plan_uninstanced(&pipeline, &state, &call, uninstanced[i].counts, &rules),
            uninstanced[i].why);
    }
}

/* A large list of six strips for six layers is sifted, but for one thing. */
static const struct {
    enum pgs_raster_path raster;
    bool awaits;
    uint32_t primitives, strips, from, instances;
    bool all, layer, restarts, indexed, later, made, query, indirect;
    VkPrimitiveTopology topology;
    uint64_t most_B;
} sifted[] = {
#define LIST VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
#define SIFTED PGS_RASTER_SIFTED, false
#define WHOLE PGS_RASTER_INSTANCED, false
    {SIFTED, 1000, 6, 1000, 1, 0, 1, 0, 0, 0, 0, 0, 0, LIST, 0},
    {SIFTED, 1000, 6, 1000, 1, 0, 1, 0, 1, 0, 0, 0, 0, LIST, 0},
    {WHOLE, 999, 6, 1000, 1, 0, 1, 0, 0, 0, 0, 0, 0, LIST, 0},
    {WHOLE, 1000, 6, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, LIST, 0},
    {WHOLE, 1000, 6, 1000, 2, 0, 1, 0, 0, 0, 0, 0, 0, LIST, 0},
    {WHOLE, 1000, 1, 1000, 1, 0, 1, 0, 0, 0, 0, 0, 0, LIST, 0},
    {SIFTED, 1000, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, LIST, 0},
    {WHOLE, 1000, 6, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 0, LIST, 0},
    {WHOLE, 1000, 6, 1000, 1, 0, 1, 1, 1, 0, 0, 0, 0, LIST, 0},
    {SIFTED, 1000, 6, 1000, 1, 0, 1, 1, 0, 0, 0, 0, 0, LIST, 0},
    {WHOLE, 1000, 6, 1000, 1, 0, 1, 0, 0, 0, 0, 1, 0, LIST, 0},
    {WHOLE, 1000, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, LIST, 0},
    {WHOLE, 998, 6, 10, 1, 0, 1, 0, 0, 0, 0, 0, 0, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 0},
    {PGS_RASTER_INSTANCED, true, 1000, 6, 1000, 1, 0, 1, 0, 0, 1, 0, 0, 0, LIST, 0},
    {SIFTED, 1000, 6, 1000, 1, 0, 1, 0, 0, 1, 1, 0, 0, LIST, 0},
    /* Lists of 72 bytes for each primitive, a word for each and for each 64 of a strip, arguments.
     */
    {SIFTED, 6400, 6, 1000, 1, 0, 1, 0, 0, 0, 0, 0, 0, LIST, 6400 * 76 + 100 * 24 + 120},
    {WHOLE, 6400, 6, 1000, 1, 0, 1, 0, 0, 0, 0, 0, 0, LIST, 6400 * 76 + 100 * 24 + 119},
    /* As many indices as there may be, and one primitive more. */
    {SIFTED, (1 << 30) / 18, 6, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, LIST, 0},
    {WHOLE, (1 << 30) / 18 + 1, 6, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, LIST, 0},
    {WHOLE, (1 << 24) / 3 + 1, 6, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, LIST, 0}, /* of small indices */
#undef LIST
#undef SIFTED
#undef WHOLE
};

static void sifts_what_pays(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof(sifted) / sizeof(sifted[0]); i++) {
        struct pgs_emulated_pipeline pipeline = pipeline_of(INSTANCED | STATIC);
        fake_variant(pipeline.variants, PGS_VARIANT_SIFT, sifted[i].made ? 14 : 0);
        atomic_fetch_or(&pipeline.variants->available, PGS_VARIANT_BIT(PGS_VARIANT_SIFT));
        pipeline.dynamic |= PGS_DYNAMIC_TOPOLOGY | PGS_DYNAMIC_RESTART;
        pipeline.gs.one_vertex.strips = sifted[i].strips;
        pipeline.gs.writes_layer = sifted[i].layer;
        const struct pgs_graphics_state state = {.topology = sifted[i].topology,
                                                 .primitive_restart = sifted[i].restarts,
                                                 .driver_queries = sifted[i].query};
        const struct pgs_plan_rules rules = {.wish = PGS_PLAN_AUTO,
                                             .max_out_vertices = PGS_MAX_OUT_VERTICES,
                                             .reads_arguments = true,
                                             .most_stored_B = sifted[i].most_B,
                                             .sift_from = sifted[i].from,
                                             .sifts_later = sifted[i].later,
                                             .culls_all = sifted[i].all};
        const struct pgs_draw_call call = {.indexed = sifted[i].indexed,
                                           .indirect = sifted[i].indirect,
                                           .max_draws = sifted[i].indirect,
                                           .count = sifted[i].primitives * 3,
                                           .instance_count = sifted[i].instances};
        struct pgs_draw_plan plan;
        bool too_large;
        assert_true(pgs_draw_plan(&pipeline, &state, &call, &rules, &plan, &too_large));
        if (plan.raster != sifted[i].raster || plan.awaits_sift != sifted[i].awaits)
            fail_msg("case %zu: raster %d, awaits %d", i, plan.raster, plan.awaits_sift);
        const bool sifts = plan.raster == PGS_RASTER_SIFTED;
        assert_int_equal(plan.variants, PGS_VARIANT_BIT(PGS_VARIANT_INSTANCED) |
                                            (sifts ? PGS_VARIANT_BIT(PGS_VARIANT_SIFT) : 0u));
        assert_int_equal(plan.gs_invocations, sifts ? sifted[i].primitives : 0);
        assert_int_equal(!plan.stages, !sifts);
    }
}

#endif
