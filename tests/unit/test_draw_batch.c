/* SPDX-License-Identifier: MIT
 *
 * What a batch records: the order of the stages, one barrier between stages however many draws, one
 * dispatch for neighbouring small ones, nothing bound twice, and failures reported without a leak.
 * The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/log.h"
#include "draw_triangles.h"

#include <unistd.h>

static uint32_t first_offsets[1], last_offsets[2];

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles(3);
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
    pipeline.gs.max_vertices = pipeline.gs.out_stride_w = 4;
    pipeline.gs.invocations = 2;
    first_offsets[0] = 16;
    last_offsets[0] = 32;
    last_offsets[1] = 64;
    state.version = state.data_version = 0; /* no draw repeats another one */
    state.index_type = VK_INDEX_TYPE_UINT32;
    state.sets[0] = (VkDescriptorSet)(uintptr_t)7;
    state.sets[2] = (VkDescriptorSet)(uintptr_t)9;
    state.dynamic_count[0] = 1;
    state.dynamic_count[2] = 2;
    state.dynamic_offsets[0] = (struct pgs_dynamic_offsets){first_offsets, 1};
    state.dynamic_offsets[2] = (struct pgs_dynamic_offsets){last_offsets, 2};
    return open_batch(64);
}

static void records_stage_by_stage(void **unused)
{
    (void)unused;
    assert_true(pgs_batch_is_empty(batch));
    const struct pgs_draw *first =
        add_call((struct pgs_draw_call){.count = 66, .instance_count = 2});
    const struct pgs_draw *second =
        add_call((struct pgs_draw_call){.count = 3, .instance_count = 1});
    assert_null(add_call((struct pgs_draw_call){.count = 2, .instance_count = 1}));
    assert_non_null(second);
    assert_false(pgs_batch_is_empty(batch));
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; "
           "dispatch 3 x 1 of 2 draws; "
           "bind 12; barrier; dispatch 4 x 1 of 2 draws; "
           "bind expand; barrier; dispatch 1 x 1 of 2 draws; "
           "barrier to raster");
    replay(first);
    expect("vertex; index; draw 1");
    pgs_batch_next_pass(batch);
    assert_true(pgs_batch_is_empty(batch));
    record_batch(batch, PGS_BATCH_FIRST);
    expect("");
}

/* The first barrier is for memory that may be in use. */
static void waits_for_nobody_where_nobody_was(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = {.count = 3, .instance_count = 1};
    static const char own[] =
        "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; dispatch 1 x 1; "
        "bind 12; barrier; dispatch 1 x 1; bind expand; barrier; dispatch 1 x 1; "
        "barrier to raster";
    char waiting[256];
    snprintf(waiting, sizeof(waiting), "barrier from raster; %s", own);
    assert_non_null(add_call(call));
    record_batch(batch, PGS_BATCH_ALONE);
    expect(own);
    record_batch(batch, PGS_BATCH_FIRST);
    expect(waiting);
    pgs_batch_next_pass(batch);
    pipeline.packs = true; /* by a counter that the last execution has set to 0 */
    assert_non_null(add_call(call));
    record_batch(batch, PGS_BATCH_ALONE);
    assert_non_null(strstr(event_log.text, "barrier from raster; bind 11"));
    forget();
    pipeline.packs = false;
}

static void one_stage_is_both(void **unused)
{
    (void)unused;
    fake_variant(&variants, PGS_VARIANT_VERTEX, 0);
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, 0);
    fake_variant(&variants, PGS_VARIANT_FUSED, 12);
    assert_non_null(add_call((struct pgs_draw_call){.count = 66, .instance_count = 2}));
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 12; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; dispatch 4 x 1; "
           "bind expand; barrier; dispatch 1 x 1; "
           "barrier to raster");
}

/* A pass with many barriers has many batches. */
static void takes_memory_with_its_siblings(void **unused)
{
    (void)unused;
    struct pgs_batch *siblings[100];
    struct pgs_draw *first = add_call((struct pgs_draw_call){.count = 3, .instance_count = 1});
    const int memories = fakes.alive[FAKE_MEMORY];
    const VkDeviceAddress at_first = first->subdraws[0].record.address;
    struct pgs_draw *draw;
    const struct pgs_draw_call call = {.count = 3, .instance_count = 1};
    for (int i = 0; i < 100; i++) {
        assert_int_equal(pgs_batch_create(&fake_device, batch, NULL, &siblings[i]), VK_SUCCESS);
        assert_int_equal(add_to(siblings[i], &state, &call, &draw), VK_SUCCESS);
        assert_true(draw->subdraws[0].indices.buffer == first->subdraws[0].indices.buffer);
        assert_int_not_equal(draw->subdraws[0].indices.offset_B,
                             first->subdraws[0].indices.offset_B);
    }
    assert_int_equal(fakes.alive[FAKE_MEMORY], memories);
    pgs_batch_reset(siblings[0], false); /* nothing but its draws */
    assert_true(pgs_batch_is_empty(siblings[0]));
    assert_false(pgs_batch_is_empty(batch));
    pgs_batch_next_pass(siblings[0]);
    assert_int_equal(add_to(siblings[0], &state, &call, &draw), VK_SUCCESS);
    assert_int_not_equal(draw->subdraws[0].indices.offset_B, first->subdraws[0].indices.offset_B);
    pgs_batch_reset(batch, false);
    for (int i = 0; i < 100; i++)
        pgs_batch_destroy(siblings[i]);
    first = add_call(call);
    assert_int_equal(first->subdraws[0].record.address, at_first);
}

static void adds_the_restart_stages_where_needed(void **unused)
{
    (void)unused;
    pipeline.primitive_restart = true;
    fake_device.buffers = NULL;
    state.index_buffer = VK_NULL_HANDLE;
    assert_non_null(
        add_call((struct pgs_draw_call){.indexed = true, .count = 300, .instance_count = 1}));
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; dispatch 5 x 1; "
           "bind restart_tiles; dispatch 2 x 1; "
           "bind restart_scan; barrier; dispatch 1 x 1; "
           "bind restart_emit; barrier; dispatch 2 x 1; "
           "bind 12; barrier; dispatch 10 x 1; "
           "bind expand; barrier; dispatch 3 x 1; "
           "barrier to raster");
}

static void runs_only_the_shaders_under_discard(void **unused)
{
    (void)unused;
    pipeline.rasterizer_discard = true;
    const struct pgs_draw *draw = add_call((struct pgs_draw_call){.count = 3, .instance_count = 1});
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; dispatch 1 x 1; "
           "bind 12; barrier; dispatch 1 x 1");
    replay(draw);
    expect("");
}

static void folds_large_grids_and_splits_large_draws(void **unused)
{
    (void)unused;
    pipeline.gs.max_vertices = 1024;
    pipeline.gs.in.stride_w = pipeline.gs.out_stride_w = 0;
    const uint32_t triangles = 64 * PGS_GRID_X;
    const struct pgs_draw *draw =
        add_call((struct pgs_draw_call){.count = triangles + 2, .instance_count = 1});
    assert_int_equal(draw->plan.subdraw_count, (2 * triangles + 16382) / 16383);
    record_batch(batch, PGS_BATCH_FIRST);
    assert_non_null(strstr(event_log.text, "dispatch 32768 x 2; bind 12; barrier; "
                                           "dispatch 256 x 1 of 257 draws"));
    forget();
}

/* Where the driver takes memory for all workgroups of a direct dispatch; others stay. */
static void large_dispatches_with_shared_memory_are_indirect(void **unused)
{
    (void)unused;
    const struct pgs_draw_call few = {.count = 3 * 128 * 100, .instance_count = 1};
    const struct pgs_draw_call many = {.count = 3 * 128 * 200, .instance_count = 1};
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    fake_physical.traits.guards = PGS_GUARD_GROUP_MEMORY;
    add_call(many);
    const uint64_t invocations = record_batch(batch, PGS_BATCH_FIRST); /* no memory for a grid */
    const char *direct = "dispatch 200 x 1";
    assert_non_null(strstr(event_log.text, direct));
    forget();
    pgs_batch_next_pass(batch);

    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &own_memory), VK_SUCCESS);
    add_call(many);
    assert_int_equal(record_batch(batch, PGS_BATCH_FIRST), invocations);
    assert_null(strstr(event_log.text, direct));
    assert_non_null(strstr(event_log.text, "dispatch 800 x 1")); /* the geometry shader */
    assert_true(fake.grid_count > 0);
    for (int i = 0; i < fake.grid_count; i++) {
        const VkDispatchIndirectCommand *grid =
            at((uintptr_t)fake.grids[i].buffer + fake.grids[i].offset_B);
        assert_int_equal(grid->x, 200);
        assert_int_equal(grid->y, 1);
        assert_int_equal(grid->z, 1);
    }
    forget();
    pgs_batch_next_pass(batch);
    add_call(few);
    record_batch(batch, PGS_BATCH_FIRST);
    assert_null(strstr(event_log.text, "by grid"));
    forget();
    pgs_linear_destroy(own_memory);
    own_memory = NULL;
    fake_physical.traits.guards = 0;
}

/* So many draws of 3 vertices. */
static void add_small(const struct pgs_draw **draws, int count)
{
    for (int i = 0; i < count; i++)
        draws[i] = add_call((struct pgs_draw_call){.count = 3, .instance_count = 1});
}

/* The dispatches of a pipeline work on the draws, one after the other. */
static void expect_roots(int of_pipeline, const struct pgs_draw *const *draws, int count)
{
    int n = 0;
    for (int i = 0; i < fake.root_count; i++) {
        if (fake.roots[i].pipeline != of_pipeline)
            continue;
        assert_true(n < count);
        assert_int_equal(fake.roots[i].address, draws[n++]->subdraws[0].record.address);
    }
    assert_int_equal(n, count);
}

static void dispatches_neighbours_together(void **unused)
{
    (void)unused;
    const struct pgs_draw *draws[40];
    add_small(draws, 40);
    const uint64_t invocations = record_batch(batch, PGS_BATCH_FIRST);
    assert_int_equal(invocations, 40 * (2 * PGS_SHADER_GROUP_EL + PGS_TILE_EL));
    expect_roots(11, draws, 40);
    expect_roots(12, draws, 40);
    expect_roots(FAKE_KERNEL_PIPELINE + PGS_KERNEL_EXPAND, draws, 40);
    expect("barrier from raster; "
           "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; "
           "dispatch 1 x 1 of 40 draws; "
           "bind 12; barrier; dispatch 1 x 1 of 40 draws; "
           "bind expand; barrier; dispatch 1 x 1 of 40 draws; barrier to raster");
}

/* Kernels read no sets. */
static void breaks_runs_of_shaders_at_other_sets(void **unused)
{
    (void)unused;
    const struct pgs_draw *draws[6];
    add_small(draws, 2);
    last_offsets[1] = 96;
    add_small(draws + 2, 2);
    state.sets[0] = (VkDescriptorSet)(uintptr_t)8;
    add_small(draws + 4, 2);
    record_batch(batch, PGS_BATCH_FIRST);
    expect_roots(11, draws, 6);
    expect_roots(12, draws, 6);
    expect("barrier from raster; "
           "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; "
           "dispatch 1 x 1 of 2 draws; "
           "set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +96; "
           "dispatch 1 x 1 of 2 draws; "
           "set 0: 8 of layout 50 +16; set 2: 9 of layout 50 +32 +96; "
           "dispatch 1 x 1 of 2 draws; "
           "bind 12; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; "
           "barrier; dispatch 1 x 1 of 2 draws; "
           "set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +96; "
           "dispatch 1 x 1 of 2 draws; "
           "set 0: 8 of layout 50 +16; set 2: 9 of layout 50 +32 +96; "
           "dispatch 1 x 1 of 2 draws; "
           "bind expand; barrier; dispatch 1 x 1 of 6 draws; barrier to raster");
}

/* The records of the other pipeline are larger. The first of them lies where the run goes on. */
static void breaks_runs_at_other_pipelines_and_strides(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline other = pipeline;
    other.number = 1;
    struct pgs_variants others = {0};
    fake_variant(&others, PGS_VARIANT_VERTEX, 21);
    fake_variant(&others, PGS_VARIANT_GEOMETRY, 22);
    fake_variant(&others, PGS_VARIANT_STORED_0, 24);
    other.variants = &others;
    other.attribute_count = 1;
    const struct pgs_draw *draws[6];
    add_small(draws, 3);
    state.pipeline = &other;
    add_small(draws + 3, 3);
    record_batch(batch, PGS_BATCH_FIRST);
    expect_roots(11, draws, 3);
    expect_roots(22, draws + 3, 3);
    expect_roots(FAKE_KERNEL_PIPELINE + PGS_KERNEL_EXPAND, draws, 6);
    expect("barrier from raster; "
           "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; "
           "dispatch 1 x 1 of 3 draws; bind 21; dispatch 1 x 1 of 3 draws; "
           "bind 12; barrier; dispatch 1 x 1 of 3 draws; bind 22; dispatch 1 x 1 of 3 draws; "
           "bind expand; barrier; dispatch 1 x 1 of 4 draws; dispatch 1 x 1 of 2 draws; "
           "barrier to raster");
}

/* Something else lies between the records. */
static void breaks_runs_at_gaps(void **unused)
{
    (void)unused;
    const struct pgs_draw *draws[4];
    add_small(draws, 2);
    assert_int_equal(pgs_batch_end_query(batch, 16), VK_SUCCESS);
    add_small(draws + 2, 2);
    record_batch(batch, PGS_BATCH_FIRST);
    expect_roots(11, draws, 4);
    expect_roots(12, draws, 4);
    expect(
        "barrier from raster; "
        "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; "
        "dispatch 1 x 1 of 2 draws; dispatch 1 x 1 of 2 draws; bind xfb_program; dispatch 1 x 1; "
        "bind 12; barrier; dispatch 1 x 1 of 2 draws; dispatch 1 x 1 of 2 draws; "
        "bind expand; barrier; dispatch 1 x 1 of 2 draws; dispatch 1 x 1 of 2 draws; "
        "barrier to all");
}

/* Nearly the same size goes together, and what is very large goes alone. */
static void keeps_draws_of_other_sizes_apart(void **unused)
{
    (void)unused;
    pipeline.rasterizer_discard = true;
    const uint32_t counts[] = {3, 3, 64 * 400, 64 * 410, 3, 64 * 2000, 64 * 2000};
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        add_call((struct pgs_draw_call){.count = counts[i], .instance_count = 1});
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; "
           "dispatch 1 x 1 of 2 draws; dispatch 410 x 1 of 2 draws; dispatch 1 x 1; "
           "dispatch 2000 x 1; dispatch 2000 x 1; "
           "bind 12; barrier; "
           "dispatch 1 x 1 of 2 draws; dispatch 820 x 1 of 2 draws; dispatch 1 x 1; "
           "dispatch 4000 x 1; dispatch 4000 x 1");
}

/* A CPU pays for empty workgroups: on average one for each draw. */
static void wastes_less_on_cpus(void **unused)
{
    (void)unused;
    pipeline.rasterizer_discard = true;
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    const uint32_t counts[] = {3, 3, 64 * 2, 64 * 3, 64 * 8, 64 * 9, 3};
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        add_call((struct pgs_draw_call){.count = counts[i], .instance_count = 1});
    record_batch(batch, PGS_BATCH_FIRST);
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    expect("barrier from raster; "
           "bind 11; set 0: 7 of layout 50 +16; set 2: 9 of layout 50 +32 +64; "
           "dispatch 2 x 1 of 3 draws; dispatch 3 x 1; "
           "dispatch 9 x 1 of 2 draws; dispatch 1 x 1; "
           "bind 12; barrier; "
           "dispatch 1 x 1 of 2 draws; dispatch 6 x 1 of 2 draws; "
           "dispatch 18 x 1 of 2 draws; dispatch 1 x 1");
}

static void reports_every_failure_and_leaks_nothing(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = {.count = 3, .instance_count = 1};
    struct pgs_draw *draw;
    fake.no_kernels = true;
    assert_int_equal(add_to(batch, &state, &call, &draw), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(draw);
    fake.no_kernels = false;
    int failures = 0;
    for (int64_t n = 1;; n++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = add_to(batch, &state, &call, &draw);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_null(draw);
        assert_true(pgs_batch_is_empty(batch));
        failures++;
    }
    assert_true(failures >= 3);
    pgs_batch_reset(batch, false);
    const struct pgs_draw_call huge = {.count = UINT32_MAX, .instance_count = UINT32_MAX};
    assert_int_equal(add_to(batch, &state, &huge, &draw), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void explains_each_draw_to_who_asks(void **unused)
{
    (void)unused;
    const struct pgs_draw_call some = {.count = 5, .instance_count = 1},
                               none = {.count = 2, .instance_count = 1};
    FILE *file = tmpfile();
    const int old = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    add_call(some); /* nobody does */
    pgs_log_set_level(PGS_LOG_DEBUG);
    add_call(some);
    add_call(none);
    pgs_batch_next_pass(batch);
    add_call(some);
    pgs_log_set_level(PGS_LOG_ERROR);
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(file);
    char text[1024] = {0};
    assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
    fclose(file);
#define LINE                                                                                       \
    "raster=stored xfb=none count=none size=cpu gs_invocations=6 subdraws=1 (not inline: the "     \
    "pipeline has no "                                                                             \
    "inline variant)\n"
    assert_string_equal(text, "poly_gs debug: draw 0: " LINE "poly_gs debug: draw 1: nothing to do"
                              "\npoly_gs debug: draw 0: " LINE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_stage_by_stage),
        TEST(waits_for_nobody_where_nobody_was),
        TEST(one_stage_is_both),
        TEST(takes_memory_with_its_siblings),
        TEST(adds_the_restart_stages_where_needed),
        TEST(runs_only_the_shaders_under_discard),
        TEST(folds_large_grids_and_splits_large_draws),
        TEST(large_dispatches_with_shared_memory_are_indirect),
        TEST(dispatches_neighbours_together),
        TEST(breaks_runs_of_shaders_at_other_sets),
        TEST(breaks_runs_at_other_pipelines_and_strides),
        TEST(breaks_runs_at_gaps),
        TEST(keeps_draws_of_other_sizes_apart),
        TEST(wastes_less_on_cpus),
        TEST(explains_each_draw_to_who_asks),
        TEST(reports_every_failure_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
