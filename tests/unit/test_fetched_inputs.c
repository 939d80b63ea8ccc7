/* SPDX-License-Identifier: MIT
 *
 * Which stored vertices are vertex attributes of the raster pipeline, and which attributes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/fetched_inputs.h"

static struct pgs_physical_device physical;
static struct pgs_emulated_pipeline pipeline;

static int set_up(void **unused)
{
    (void)unused;
    memset(&physical, 0, sizeof(physical));
    memset(&pipeline, 0, sizeof(pipeline));
    physical.traits.fetches_vertices = true;
    physical.properties.limits = (VkPhysicalDeviceLimits){.maxVertexInputAttributes = 16,
                                                          .maxVertexInputAttributeOffset = 2047,
                                                          .maxVertexInputBindingStride = 2048};
    pipeline.gs.out_stride_w = 14 * 4;
    pipeline.gs.in.stride_w = 100 * 4;
    return 0;
}

static bool may_fetch(void)
{
    return pgs_may_fetch_vertices(&physical, &pipeline, &pipeline.gs);
}

static void needs_as_many_attributes_as_a_vertex_has_quads(void **unused)
{
    (void)unused;
    VkPhysicalDeviceLimits *limits = &physical.properties.limits;
    assert_true(may_fetch());
    pipeline.gs.out_stride_w += 4; /* locations 1 and 2 are for what selects layers and the like */
    assert_false(may_fetch());
    limits->maxVertexInputAttributes = 17;
    assert_true(may_fetch());
    limits->maxVertexInputAttributeOffset = 14 * 16 - 1;
    assert_false(may_fetch());
    limits->maxVertexInputAttributeOffset++;
    assert_true(may_fetch());
    limits->maxVertexInputBindingStride = 15 * 16 - 1;
    assert_false(may_fetch());
    limits->maxVertexInputBindingStride = 1 << 16;
    limits->maxVertexInputAttributeOffset = 1 << 16;
    limits->maxVertexInputAttributes = 1 << 16;
    pipeline.gs.out_stride_w = 4 * PGS_SPV_MAX_FETCHED_QUADS;
    assert_true(may_fetch());
    pipeline.gs.out_stride_w += 4;
    assert_false(may_fetch());
    pipeline.gs.out_stride_w = 0;
    assert_false(may_fetch());
}

static void is_for_stored_vertices_that_are_drawn_as_they_are(void **unused)
{
    (void)unused;
    pipeline.native_raster = true;
    assert_false(may_fetch());
    pipeline.native_raster = false;
    pipeline.polygons = PGS_SPV_POLYGONS_LINES;
    assert_false(may_fetch());
    pipeline.polygons = PGS_SPV_POLYGONS_FILLED;
    pipeline.tes_stored = true; /* those of the evaluation shader, which are large */
    assert_false(may_fetch());
    pipeline.gs.in.stride_w = 4;
    assert_true(may_fetch());
    physical.traits.fetches_vertices = false;
    assert_false(may_fetch());
}

static void has_an_attribute_for_each_quad_in_use(void **unused)
{
    (void)unused;
    VkVertexInputAttributeDescription inputs[PGS_SPV_MAX_FETCHED_QUADS];
    struct pgs_spv_layout *layout = &pipeline.gs.out[1];
    uint32_t stride_B;
    memset(layout, 0xFF, sizeof(*layout)); /* PGS_NO_WORD */
    layout->position_w = 0;
    layout->clip_distance_count = 5;
    layout->clip_distance_w = 11; /* the last word of a quad, and all of the next one */
    layout->cull_distance_count = 0;
    layout->location_w[3][2] = 25;
    const uint32_t count = pgs_fetched_inputs(&pipeline, 1, inputs, &stride_B);
    static const uint32_t quads[] = {0, 2, 3, 6};
    assert_int_equal(stride_B, 14 * 16);
    assert_int_equal(count, 4);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(inputs[i].location, quads[i] ? quads[i] + 2 : 0);
        assert_int_equal(inputs[i].offset, quads[i] * 16);
        assert_int_equal(inputs[i].binding, 0);
        assert_int_equal(inputs[i].format, VK_FORMAT_R32G32B32A32_UINT);
    }
    pipeline.tes_stored = true;
    pipeline.gs.in = *layout;
    pipeline.gs.in.position_w = 4;
    pipeline.gs.in.stride_w = 28;
    assert_int_equal(pgs_fetched_inputs(&pipeline, 0, inputs, &stride_B), 4);
    assert_int_equal(inputs[0].location, 3);
    assert_int_equal(stride_B, 28 * 4);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(needs_as_many_attributes_as_a_vertex_has_quads),
        TEST(is_for_stored_vertices_that_are_drawn_as_they_are),
        TEST(has_an_attribute_for_each_quad_in_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
