/* SPDX-License-Identifier: MIT
 *
 * Large draws in slices: how many raster draws they are, which queries lie between these, and where
 * the queries are reset. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/slices.h"
#include "draw_triangles.h"
#include "poly_gs/slices.h"

#define QUERIES ((VkQueryPool)(uintptr_t)5)

static VkResult pool_result;
static uint32_t pools;

static VkResult make_pool(VkDevice device, const VkQueryPoolCreateInfo *info,
                          const VkAllocationCallbacks *allocator, VkQueryPool *pool)
{
    (void)device;
    (void)allocator;
    assert_int_equal(info->queryType, VK_QUERY_TYPE_TIMESTAMP);
    assert_int_equal(info->queryCount % PGS_MOST_SLICES, 0);
    *pool = QUERIES;
    pools += pool_result == VK_SUCCESS;
    return pool_result;
}

static void destroy_pool(VkDevice device, VkQueryPool pool, const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)allocator;
    assert_ptr_equal(pool, QUERIES);
    pools--;
}

static void reset_queries(VkCommandBuffer cb, VkQueryPool pool, uint32_t first, uint32_t count)
{
    (void)cb;
    assert_ptr_equal(pool, QUERIES);
    note("reset %u+%u", first, count);
}

static void write_timestamp(VkCommandBuffer cb, VkPipelineStageFlagBits stage, VkQueryPool pool,
                            uint32_t query)
{
    (void)cb;
    assert_int_equal(stage, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
    assert_ptr_equal(pool, QUERIES);
    note("time %u", query);
}

static void draw_part(VkCommandBuffer cb, uint32_t count, uint32_t instances, uint32_t first,
                      uint32_t first_instance)
{
    (void)cb;
    (void)first_instance;
    assert_int_equal(instances, 1);
    note("%u from %u", count, first);
}

/* A batch of a primary, if its memory is in turns. */
static int set_up(void **unused)
{
    (void)unused;
    static const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.queueCount = 1, .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
    bind_triangles(0);
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.inline_is_exact = pipeline.prefers_inline = true;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){
        .is_known = true, .vertices = 3, .primitives = {1}, .indices = {4}, .longest_el = 3};
    pool_result = VK_SUCCESS;
    fake_physical.traits.costs.of[PGS_COST_SLICE_VERTICES] = 100;
    fake_physical.has_timestamps = true;
    const int failed = open_batch(64);
    pgs_batch_destroy(batch);
    fake_device.vk.CreateQueryPool = make_pool;
    fake_device.vk.DestroyQueryPool = destroy_pool;
    fake_device.vk.CmdResetQueryPool = reset_queries;
    fake_device.vk.CmdWriteTimestamp = write_timestamp;
    fake_device.vk.CmdDraw = draw_part;
    return failed || pgs_slices_create(&fake_device) != VK_SUCCESS ||
           pgs_commons_create(&fake_device, &info) != VK_SUCCESS ||
           pgs_batch_create(&fake_device, NULL, pgs_commons_of(&fake_device, 0), &batch) !=
               VK_SUCCESS;
}

static int tear_down_slices(void **unused)
{
    (void)unused;
    pgs_batch_destroy(batch);
    pgs_commons_destroy(&fake_device);
    pgs_slices_destroy(&fake_device);
    return close_heap() || pools;
}

static struct pgs_draw_call triangles(uint32_t count)
{
    return (struct pgs_draw_call){.count = 3 * count, .instance_count = 1};
}

/* A slice has whole primitives; the last one has what is left. */
static void inline_draws_are_divided(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw = add_sealed(triangles(100));
    assert_int_equal(draw->plan.raster, PGS_RASTER_INLINE_GS);
    assert_int_equal(draw->plan.slices, 3);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("reset 0+2");
    replay(draw);
    expect("draw with 13; vertex; 102 from 0; time 0; 102 from 102; time 1; 96 from 204");
}

static void small_draws_are_not(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw = add_sealed(triangles(33));
    assert_int_equal(draw->plan.slices, 0);
    record_batch(batch, PGS_BATCH_FIRST);
    replay(draw);
    expect("draw with 13; vertex; 99 from 0");
}

/* A pass with more slices than it has queries leaves some out, and none is written twice. */
static void queries_run_out(void **unused)
{
    (void)unused;
    uint32_t taken = 0, last = 0;
    for (uint32_t i = 0; i < 6; i++) {
        pipeline.number = i; /* so that none repeats another one */
        state.version++, state.bind_count++;
        add_call(triangles(100000 + i));
    }
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    for (uint32_t i = 6; i-- > 0;) {
        const struct pgs_draw *draw = replacements[i]->draw;
        assert_int_equal(draw->plan.slices, PGS_MOST_SLICES);
        assert_true(draw->first_query >= last);
        last = draw->first_query + draw->query_count;
        taken += draw->query_count;
    }
    assert_int_equal(taken, last);
    assert_int_equal(replacements[0]->draw->query_count, 0);
    forget();
    replay(replacements[0]->draw);
    pgs_batch_next_pass(batch); /* has others */
    state.version++;
    assert_int_equal(add_sealed(triangles(100))->first_query, taken);
}

/* Each draw of a pass takes other queries; the calls of one have them one after the other. */
static void queries_are_of_one_draw(void **unused)
{
    (void)unused;
    struct pgs_replacement *first, *second;
    const struct pgs_draw_call call = triangles(60);
    assert_int_equal(pgs_batch_add(batch, &state, &call, false, &first), VK_SUCCESS);
    pipeline.uses_push_constants = true, pipeline.push_B = 4;
    state.version++, state.bind_count++;
    assert_int_equal(pgs_batch_add(batch, &state, &call, false, &second), VK_SUCCESS);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("reset 0+1; reset 1+1");
    pgs_draw_replay(first, VK_NULL_HANDLE);
    forget();
    pgs_draw_replay(second, VK_NULL_HANDLE);
    assert_int_equal(second->draw->first_query, 1);
    assert_int_equal(first->draw->first_query, 0);
}

/* No more than the driver should be asked for. */
static void large_draws_have_larger_slices(void **unused)
{
    (void)unused;
    const struct pgs_draw *draw = add_sealed(triangles(1000000));
    assert_int_equal(draw->plan.slices, PGS_MOST_SLICES);
}

/* A timestamp would take a query for each, whatever the pipeline makes of them. */
static void views_have_none(void **unused)
{
    (void)unused;
    state.view_count = 2; /* which the pipeline does not look at */
    assert_int_equal(add_call(triangles(1000))->plan.slices, 0);
    state.view_count = 1;
    state.version++;
    assert_int_not_equal(add_call(triangles(1000))->plan.slices, 0);
    pipeline.view_mask = 3;
    state.view_count = 2;
    state.version++;
    assert_int_equal(add_call(triangles(1000))->plan.slices, 0);
}

/* Of stored draws that only the GPU counts each slice has arguments, which the kernels write. */
static void listed_draws_are_divided_by_kernels(void **unused)
{
    (void)unused;
    pipeline.gs.pattern.is_known = false;
    pipeline.lists = true;
    const struct pgs_draw *draw = add_sealed(triangles(100));
    assert_int_equal(draw->plan.raster, PGS_RASTER_STORED);
    assert_int_equal(draw->plan.slices, 3);
    assert_int_equal(record(draw, 0)->packed_vertices, 3);
    assert_true(draw->subdraws[0].draw_args.size_B >= 60);
    record_batch(batch, PGS_BATCH_FIRST);
    forget();
    replay(draw);
    expect("draw with 14; vertex; index; draw 1; time 0; draw 1; time 1; draw 1");
}

/* Those of vertices without gaps count what they have stored so far, also where the CPU knows all
 * arguments. */
static void packed_draws_are_not(void **unused)
{
    (void)unused;
    fake_physical.traits.draws_directly = true;
    pipeline.prefers_inline = false;
    pipeline.lists = true;
    pipeline.gs.max_vertices = 4; /* of which there are three */
    const struct pgs_draw *draw = add_sealed(triangles(100));
    assert_int_equal(draw->plan.raster, PGS_RASTER_STORED);
    assert_int_equal(draw->plan.direct_indices, 3);
    assert_int_equal(draw->plan.slices, 3);
    pipeline.packs = true;
    pipeline.number++;
    state.version++;
    pgs_batch_reset(batch, true);
    draw = add_sealed(triangles(100));
    assert_true(draw->plan.packed);
    assert_int_equal(draw->plan.direct_indices, 3);
    assert_int_equal(draw->plan.slices, 0);
    assert_int_equal(record(draw, 0)->packed_vertices, 0);
}

/* Nobody knows beforehand where strips begin. */
static void listed_strips_are_not(void **unused)
{
    (void)unused;
    pipeline.gs.pattern.is_known = false;
    const struct pgs_draw *draw = add_sealed(triangles(100));
    assert_int_equal(draw->plan.raster, PGS_RASTER_STORED);
    assert_int_equal(draw->plan.slices, 0);
    assert_int_equal(record(draw, 0)->packed_vertices, 0);
}

/* Inline, 300 triangles may shade 900 vertices; kernels write as many indices as are emitted. */
static bool goes_inline_after(const uint32_t emitted[3])
{
    pipeline.gs.pattern.is_known = pipeline.prefers_inline = false;
    pipeline.lists = pipeline.learns_emits = true;
    fake_physical.traits.costs.of[PGS_COST_PASS_DENSE] = 1800;
    fake_physical.traits.costs.of[PGS_COST_DENSE_SHARE] = 45;
    fake_physical.traits.costs.of[PGS_COST_SLICE_VERTICES] = 300;
    pgs_forget_learned(&fake_device.learned, PGS_LEARNED_EMITS);
    pipeline.inline_limit_el = 30;
    const struct pgs_draw *draw = add_sealed(triangles(300));
    assert_int_equal(draw->plan.raster, PGS_RASTER_STORED);
    assert_int_equal(draw->plan.slices, 3);
    assert_true(draw->told_args.size_B >= 60);
    forget();
    replay(draw);
    assert_int_equal(fake.drawn, draw->told_args.address + 40);
    for (uint32_t i = 0; i < 3; i++)
        memcpy((char *)draw->told_args.mapped + 20 * i, &emitted[i], sizeof(emitted[i]));
    pgs_batch_reset(batch, true);
    state.version++;
    const bool is_inline = add_call(triangles(300))->plan.raster == PGS_RASTER_INLINE_GS;
    pgs_batch_reset(batch, true);
    state.version++;
    return is_inline;
}

/* What all slices together emit counts, in lists without indices between strips. */
static void slices_tell_together(void **unused)
{
    (void)unused;
    assert_true(goes_inline_after((uint32_t[]){300, 96, 9}));
    assert_false(goes_inline_after((uint32_t[]){300, 93, 9})); /* 44 % */
    assert_false(goes_inline_after((uint32_t[]){300, UINT32_MAX, 300}));
}

/* Command buffers that could run at the same time would reset each other's queries. */
static void others_may_not_use_them(void **unused)
{
    (void)unused;
    struct pgs_batch *other;
    struct pgs_draw *draw;
    const struct pgs_draw_call call = triangles(100);
    assert_int_equal(pgs_batch_create(&fake_device, NULL, NULL, &other), VK_SUCCESS);
    assert_int_equal(add_to(other, &state, &call, &draw), VK_SUCCESS);
    assert_int_equal(draw->plan.slices, 0);
    pgs_batch_destroy(other);
}

static void devices_without_timestamps_have_none(void **unused)
{
    (void)unused;
    pgs_slices_destroy(&fake_device);
    fake_physical.has_timestamps = false;
    assert_int_equal(pgs_slices_create(&fake_device), VK_SUCCESS);
    assert_null(fake_device.slices);
    fake_physical.has_timestamps = true;
    fake_physical.traits.costs.of[PGS_COST_SLICE_VERTICES] = 0;
    assert_int_equal(pgs_slices_create(&fake_device), VK_SUCCESS);
    assert_null(fake_device.slices);
    fake_physical.traits.costs.of[PGS_COST_SLICE_VERTICES] = 100;
    pool_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    assert_int_equal(pgs_slices_create(&fake_device), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(fake_device.slices);
    assert_int_equal(add_call(triangles(100))->plan.slices, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down_slices)

int main(void)
{
    (void)tear_down; /* of batches without commons */
    const struct CMUnitTest tests[] = {
        TEST(inline_draws_are_divided),
        TEST(small_draws_are_not),
        TEST(queries_run_out),
        TEST(queries_are_of_one_draw),
        TEST(large_draws_have_larger_slices),
        TEST(views_have_none),
        TEST(listed_draws_are_divided_by_kernels),
        TEST(packed_draws_are_not),
        TEST(listed_strips_are_not),
        TEST(slices_tell_together),
        TEST(others_may_not_use_them),
        TEST(devices_without_timestamps_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
