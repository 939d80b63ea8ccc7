/* SPDX-License-Identifier: MIT
 *
 * What a batch records: the order of the stages, one barrier between stages however many draws,
 * nothing bound twice, and failures reported without a leak. The driver is fake and writes down
 * what it is told.
 */
#include "base/alloc.h"
#include "draw/compute.h"
#include "memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_recorder.h"

static struct pgs_layout layout = {.compute = (VkPipelineLayout)(uintptr_t)50, .set_count = 3};
static struct pgs_emulated_pipeline pipeline;
static struct pgs_graphics_state state;
static struct pgs_batch *batch;

static int set_up(void **unused)
{
    (void)unused;
    fake_recorder_init();
    pipeline = (struct pgs_emulated_pipeline){
        .vertex = (VkPipeline)(uintptr_t)11,
        .geometry = (VkPipeline)(uintptr_t)12,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        .gs = {.input_vertices = 3,
               .output_kind = 3,
               .stream_mask = 1,
               .max_vertices = 4,
               .invocations = 2,
               .in = {.stride_w = 4},
               .out_stride_w = 4},
    };
    state = (struct pgs_graphics_state){
        .pipeline = &pipeline,
        .index_type = VK_INDEX_TYPE_UINT32,
        .sets = {(VkDescriptorSet)(uintptr_t)7, VK_NULL_HANDLE, (VkDescriptorSet)(uintptr_t)9},
        .dynamic_count = {1, 0, 2},
        .dynamic_offsets = {{16}, {0}, {32, 64}},
    };
    return pgs_heap_create(&fake_device) != VK_SUCCESS ||
           pgs_batch_create(&fake_device, NULL, &batch) != VK_SUCCESS;
}

static int tear_down(void **unused)
{
    (void)unused;
    pgs_batch_destroy(batch);
    pgs_heap_destroy(&fake_device);
    return fake_driver.memories || pgs_alloc_live();
}

static struct pgs_draw *add(struct pgs_draw_call call)
{
    struct pgs_draw *draw;
    assert_int_equal(pgs_batch_add(batch, &state, &call, &draw), VK_SUCCESS);
    return draw;
}

static void records_stage_by_stage(void **unused)
{
    (void)unused;
    assert_true(pgs_batch_is_empty(batch));
    const struct pgs_draw *first = add((struct pgs_draw_call){.count = 66, .instance_count = 2});
    const struct pgs_draw *second = add((struct pgs_draw_call){.count = 3, .instance_count = 1});
    assert_null(add((struct pgs_draw_call){.count = 2, .instance_count = 1}));
    assert_non_null(second);
    assert_false(pgs_batch_is_empty(batch));
    pgs_batch_record(batch, VK_NULL_HANDLE);
    expect("barrier from raster\n"
           "bind 11\nset 0: 7 of layout 50 +16\nset 2: 9 of layout 50 +32 +64\n"
           "dispatch 3 x 1\ndispatch 1 x 1\n"
           "bind 12\nbarrier\ndispatch 4 x 1\ndispatch 1 x 1\n"
           "bind expand\nbarrier\ndispatch 1 x 1\ndispatch 1 x 1\n"
           "barrier to raster\n");
    pgs_draw_replay(first, VK_NULL_HANDLE);
    expect("vertex\nindex\ndraw 1\n");
    pgs_batch_next_pass(batch);
    assert_true(pgs_batch_is_empty(batch));
    pgs_batch_record(batch, VK_NULL_HANDLE);
    expect("");
}

/* A pass with many barriers has many batches. */
static void takes_memory_with_its_siblings(void **unused)
{
    (void)unused;
    struct pgs_batch *siblings[100];
    struct pgs_draw *first = add((struct pgs_draw_call){.count = 3, .instance_count = 1});
    const int memories = fake_driver.memories;
    const VkDeviceAddress at_first = first->parts[0].record.address;
    struct pgs_draw *draw;
    const struct pgs_draw_call call = {.count = 3, .instance_count = 1};
    for (int i = 0; i < 100; i++) {
        assert_int_equal(pgs_batch_create(&fake_device, batch, &siblings[i]), VK_SUCCESS);
        assert_int_equal(pgs_batch_add(siblings[i], &state, &call, &draw), VK_SUCCESS);
        assert_true(draw->parts[0].indices.buffer == first->parts[0].indices.buffer);
        assert_int_not_equal(draw->parts[0].indices.offset_B, first->parts[0].indices.offset_B);
    }
    assert_int_equal(fake_driver.memories, memories);
    pgs_batch_reset(siblings[0]); /* nothing but its draws */
    assert_true(pgs_batch_is_empty(siblings[0]));
    assert_false(pgs_batch_is_empty(batch));
    pgs_batch_next_pass(siblings[0]);
    assert_int_equal(pgs_batch_add(siblings[0], &state, &call, &draw), VK_SUCCESS);
    assert_int_not_equal(draw->parts[0].indices.offset_B, first->parts[0].indices.offset_B);
    pgs_batch_reset(batch);
    for (int i = 0; i < 100; i++)
        pgs_batch_destroy(siblings[i]);
    first = add(call);
    assert_int_equal(first->parts[0].record.address, at_first);
}

static void adds_the_restart_stages_where_needed(void **unused)
{
    (void)unused;
    pipeline.primitive_restart = true;
    fake_device.buffers = NULL;
    state.index_buffer = VK_NULL_HANDLE;
    assert_non_null(
        add((struct pgs_draw_call){.indexed = true, .count = 300, .instance_count = 1}));
    pgs_batch_record(batch, VK_NULL_HANDLE);
    expect("barrier from raster\n"
           "bind 11\nset 0: 7 of layout 50 +16\nset 2: 9 of layout 50 +32 +64\ndispatch 5 x 1\n"
           "bind restart_tiles\ndispatch 2 x 1\n"
           "bind restart_scan\nbarrier\ndispatch 1 x 1\n"
           "bind restart_emit\nbarrier\ndispatch 2 x 1\n"
           "bind 12\nbarrier\ndispatch 10 x 1\n"
           "bind count_tiles\nbarrier\ndispatch 3 x 1\n"
           "bind expand\nbarrier\ndispatch 3 x 1\n"
           "barrier to raster\n");
}

static void runs_only_the_shaders_under_discard(void **unused)
{
    (void)unused;
    pipeline.rasterizer_discard = true;
    const struct pgs_draw *draw = add((struct pgs_draw_call){.count = 3, .instance_count = 1});
    pgs_batch_record(batch, VK_NULL_HANDLE);
    expect("barrier from raster\n"
           "bind 11\nset 0: 7 of layout 50 +16\nset 2: 9 of layout 50 +32 +64\ndispatch 1 x 1\n"
           "bind 12\nbarrier\ndispatch 1 x 1\nbarrier to raster\n");
    pgs_draw_replay(draw, VK_NULL_HANDLE);
    expect("");
}

static void folds_large_grids_and_splits_large_draws(void **unused)
{
    (void)unused;
    pipeline.gs.max_vertices = 1024;
    pipeline.gs.in.stride_w = pipeline.gs.out_stride_w = 0;
    const uint32_t triangles = 64 * PGS_GRID_X;
    const struct pgs_draw *draw =
        add((struct pgs_draw_call){.count = triangles + 2, .instance_count = 1});
    assert_int_equal(draw->plan.part_count, (2 * triangles + 16382) / 16383);
    pgs_batch_record(batch, VK_NULL_HANDLE);
    assert_non_null(strstr(fake.log, "dispatch 32768 x 2\nbind 12\nbarrier\ndispatch 256 x 1\n"));
    fake.log[0] = 0;
}

static void reports_every_failure_and_leaks_nothing(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = {.count = 3, .instance_count = 1};
    struct pgs_draw *draw;
    fake.no_kernels = true;
    assert_int_equal(pgs_batch_add(batch, &state, &call, &draw), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(draw);
    fake.no_kernels = false;
    int failures = 0;
    for (int64_t n = 1;; n++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = pgs_batch_add(batch, &state, &call, &draw);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_null(draw);
        assert_true(pgs_batch_is_empty(batch));
        failures++;
    }
    assert_true(failures >= 3);
    pgs_batch_reset(batch);
    const struct pgs_draw_call huge = {.count = UINT32_MAX, .instance_count = UINT32_MAX};
    assert_int_equal(pgs_batch_add(batch, &state, &huge, &draw), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_stage_by_stage),
        TEST(takes_memory_with_its_siblings),
        TEST(adds_the_restart_stages_where_needed),
        TEST(runs_only_the_shaders_under_discard),
        TEST(folds_large_grids_and_splits_large_draws),
        TEST(reports_every_failure_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
