/* SPDX-License-Identifier: MIT
 *
 * How long draws go on inline before they are stored: what they cost is added up, by the CPU or
 * from what the GPU has written. The driver is fake.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../common/within.h"

#include "draw_app.h"

/* What a pipeline may cost, and what a draw does. */
#define MOST_KSTEPS 1000000u
#define EACH_STEPS 1000000u
#define SMALL_INVOCATIONS 10u

static struct pgs_variants variants;
static struct pgs_emulated_pipeline pipeline;

static int set_up(void **unused)
{
    (void)unused;
    layout.set_count = 1;
    variants = (struct pgs_variants){0};
    fake_variant(&variants, PGS_VARIANT_FUSED, 12);
    fake_variant(&variants, PGS_VARIANT_STORED_0, 13);
    fake_variant(&variants, PGS_VARIANT_INLINE, 14);
    fake_variant(&variants, PGS_VARIANT_INLINE_CALL, 15);
    pipeline = (struct pgs_emulated_pipeline){
        .handle = (VkPipeline)(uintptr_t)13,
        .number = 7,
        .variants = &variants,
        .layout = &layout,
        .inline_is_exact = true,
        .inline_is_bounded = true,
        .inline_steps = EACH_STEPS,
        .small_gs_invocations = SMALL_INVOCATIONS,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .gs = {.input_vertices = 1,
               .output_kind = 3,
               .stream_mask = 1,
               .max_vertices = 4,
               .invocations = 2,
               .out_stride_w = 5},
    };
    state = (struct pgs_graphics_state){
        .version = 1,
        .data_version = 1,
        .pipeline = &pipeline,
        .is_once = true,
    };
    fake_instance.settings.plan = PGS_PLAN_AUTO;
    fake_physical.traits.costs.of[PGS_COST_CPU_KSTEPS] = MOST_KSTEPS;
    memset(fake_device.inline_ksteps, 0, sizeof(fake_device.inline_ksteps));
    fake_stored_is_made = false;
    fake_stored_expected = 0;
    return open_batch(64);
}

static enum pgs_raster_path draw(uint32_t points)
{
    const struct pgs_draw_call call = {.count = points, .instance_count = 1};
    return add_call(call)->plan.raster;
}

static const struct pgs_draw *draw_indirectly(uint32_t draws)
{
    return add_call((struct pgs_draw_call){
        .indirect = true, .args = {BUFFER(ARGS), 0}, .args_stride_B = 16, .max_draws = draws});
}

/* Of short shaders with static emits large draws are stored likewise where the class says so; all
 * that nobody knows the size of stay inline. */
static void large_static_draws_cost_likewise(void **unused)
{
    (void)unused;
    pipeline.prefers_inline = true;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {2}};
    for (int i = 0; i < 11; i++)
        assert_int_equal(draw(50), PGS_RASTER_INLINE_GS);
    assert_int_equal(fake_stored_expected, 0);
    pipeline.stores_large = true;
    state.is_once = false; /* nobody knows how often */
    pgs_batch_reset(batch, false);
    assert_int_equal(draw(SMALL_INVOCATIONS / 2), PGS_RASTER_INLINE_GS);
    assert_int_equal(draw(50), PGS_RASTER_STORED);
    state.is_once = true;
    pgs_batch_reset(batch, false);
    for (int i = 0; i < 10; i++)
        assert_int_equal(draw(50), PGS_RASTER_INLINE_GS);
    assert_int_equal(draw(50), PGS_RASTER_STORED);
    assert_int_equal(draw_indirectly(1)->plan.raster, PGS_RASTER_INLINE_GS);
    assert_true(fake_stored_expected > 0);
}

/* 50 points are 100 invocations and 100 million steps. */
static void costs_add_up(void **unused)
{
    (void)unused;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(fake_stored_expected > 0, i > 5);
        assert_int_equal(draw(50), PGS_RASTER_INLINE_GS);
    }
    assert_int_equal(draw(50), PGS_RASTER_STORED);
    assert_int_equal(draw(6), PGS_RASTER_STORED);
    pgs_batch_reset(batch, false);
    assert_int_equal(draw(SMALL_INVOCATIONS / 2), PGS_RASTER_INLINE_GS); /* for ever */
    assert_int_equal(draw(50), PGS_RASTER_STORED);
    pipeline.number++;
    assert_int_equal(draw(50), PGS_RASTER_INLINE_GS);
}

static void no_draw_costs_more_than_all_may(void **unused)
{
    (void)unused;
    assert_int_equal(draw(501), PGS_RASTER_STORED);
    assert_int_equal(draw(UINT32_MAX / 16), PGS_RASTER_STORED);
    assert_int_equal(draw(500), PGS_RASTER_INLINE_GS);
    assert_int_equal(draw(6), PGS_RASTER_STORED);
    assert_int_equal(fake_device.inline_ksteps[7], MOST_KSTEPS);
}

/* Whether it was compiled for another reason, or by the threads. */
static void what_is_made_is_used(void **unused)
{
    (void)unused;
    assert_int_equal(draw(50), PGS_RASTER_INLINE_GS);
    fake_stored_is_made = true;
    assert_int_equal(draw(50), PGS_RASTER_STORED);
    pgs_batch_reset(batch, false);
    assert_int_equal(draw(SMALL_INVOCATIONS / 2), PGS_RASTER_INLINE_GS);
    assert_int_equal(draw_indirectly(1)->plan.raster, PGS_RASTER_INLINE_GS);
    assert_int_equal(fake_stored_expected, 0);
}

/* Nobody counts how often they are executed. */
static void commands_for_many_submissions_are_stored(void **unused)
{
    (void)unused;
    state.is_once = false;
    assert_int_equal(draw(50), PGS_RASTER_STORED);
    pgs_batch_reset(batch, false);
    assert_int_equal(draw(SMALL_INVOCATIONS / 2), PGS_RASTER_INLINE_GS);
    assert_int_equal(draw_indirectly(1)->plan.raster, PGS_RASTER_STORED_OR_INLINE);
}

static void settings_rule(void **unused)
{
    (void)unused;
    fake_instance.settings.plan = PGS_PLAN_STORED;
    assert_int_equal(draw(5), PGS_RASTER_STORED);
    assert_int_equal(draw_indirectly(1)->plan.raster, PGS_RASTER_STORED_OR_INLINE);
    fake_instance.settings.plan = PGS_PLAN_AUTO;
    pipeline.inline_steps = pipeline.small_gs_invocations = 0;
    assert_int_equal(draw(5), PGS_RASTER_STORED);
    assert_int_equal(fake_device.inline_ksteps[7], 0);
}

/* Those that cost nothing are one draw of several calls; the others are planned one by one. */
static void draws_that_cost_do_not_repeat_each_other(void **unused)
{
    (void)unused;
    const struct pgs_draw_call cheap = {.count = 5, .instance_count = 1},
                               dear = {.count = 50, .instance_count = 1};
    const struct pgs_draw *first = add_call(cheap);
    assert_ptr_not_equal(add_call(dear), first);
    first = add_call(dear);
    assert_ptr_not_equal(add_call(dear), first);
    assert_int_equal(first->call_count, 1);
    assert_int_equal(fake_device.inline_ksteps[7], 300000);
    add_call(cheap);
    first = add_call(cheap);
    assert_ptr_equal(add_call(cheap), first);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("");
    replay(first);
    expect("draw 1 of 60 from 91");
}

/* As the kernel would. */
static void execute(const struct pgs_draw *indirect, uint32_t subdraw, uint32_t points,
                    uint32_t instances)
{
    struct pgs_draw_record *record = pgs_draw_subdraw(indirect, subdraw).record.mapped;
    record->primitive_count = points;
    record->instance_count = instances;
}

static void sizes_are_read_at_the_reset(void **unused)
{
    (void)unused;
    const struct pgs_draw *indirect = draw_indirectly(3);
    assert_int_equal(indirect->plan.raster, PGS_RASTER_INLINE_GS);
    assert_int_equal(indirect->plan.in_line, PGS_VARIANT_INLINE_CALL);
    pgs_batch_reset(batch, false); /* it was never executed */
    assert_int_equal(fake_device.inline_ksteps[7], 0);
    indirect = draw_indirectly(3);
    execute(indirect, 1, 5, 1);
    pgs_batch_reset(batch, false); /* too little to count */
    assert_int_equal(fake_device.inline_ksteps[7], 0);
    indirect = draw_indirectly(3);
    execute(indirect, 0, 5, 1);
    execute(indirect, 2, 10, 4);
    pgs_batch_next_pass(batch);
    const struct pgs_emulated_pipeline before = pipeline;
    memset(&pipeline, 0xFF, sizeof(pipeline)); /* it is destroyed */
    pgs_batch_reset(batch, false);
    pipeline = before;
    assert_int_equal(fake_device.inline_ksteps[7], 90000);
    pgs_batch_reset(batch, false); /* once */
    assert_int_equal(fake_device.inline_ksteps[7], 90000);
    indirect = draw_indirectly(1);
    assert_int_equal(indirect->plan.raster, PGS_RASTER_INLINE_GS);
    execute(indirect, 0, UINT32_MAX, UINT32_MAX);
    pgs_batch_reset(batch, false);
    assert_within(fake_device.inline_ksteps[7], MOST_KSTEPS, 2 * MOST_KSTEPS);
    assert_int_equal(draw_indirectly(1)->plan.raster, PGS_RASTER_STORED_OR_INLINE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(large_static_draws_cost_likewise),         TEST(costs_add_up),
        TEST(no_draw_costs_more_than_all_may),          TEST(what_is_made_is_used),
        TEST(commands_for_many_submissions_are_stored), TEST(settings_rule),
        TEST(draws_that_cost_do_not_repeat_each_other), TEST(sizes_are_read_at_the_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
