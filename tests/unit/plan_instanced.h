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

#endif
