/* SPDX-License-Identifier: MIT
 *
 * Draws of geometry shaders that emit the same whatever they read: nothing of them is counted by
 * kernels, and what they capture a run of their own writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_app.h"
#include "poly_gs/indirect.h"

#define VERTEX 21
#define GEOMETRY 22
#define CAPTURE 23
#define NO_MEMORY 24
#define RASTER 25

static struct pgs_variants variants;
static struct pgs_emulated_pipeline pipeline;
static const struct pgs_counter no_counters[PGS_MAX_XFB_BUFFERS];
static const struct pgs_counter one_counter[PGS_MAX_XFB_BUFFERS] = {{BUFFER(COUNTERS), 60}};
static const struct pgs_xfb_binding bindings[PGS_MAX_XFB_BUFFERS] = {
    {BUFFER(VERTICES), 16, VK_WHOLE_SIZE}};

/* Points become two triangles in each of two invocations, that is 12 captured vertices of 16 bytes.
 */
static int set_up(void **unused)
{
    (void)unused;
    variants = (struct pgs_variants){0};
    fake_variant(&variants, PGS_VARIANT_FUSED, GEOMETRY);
    fake_variant(&variants, PGS_VARIANT_XFB, CAPTURE);
    fake_variant(&variants, PGS_VARIANT_STORED_0, RASTER);
    pipeline = (struct pgs_emulated_pipeline){
        .variants = &variants,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .rasterizer_discard = true,
        .gs =
            {.input_vertices = 1,
             .output_kind = 3,
             .max_vertices = 4,
             .invocations = 2,
             .stream_mask = 1,
             .in = {.stride_w = 12},
             .out_stride_w = 8,
             .pattern = {.is_known = true, .vertices = 4, .primitives = {2}, .indices = {5}},
             .xfb = {.enabled = true, .stride_B = {16}, .copy_count = 1, .copies = {{4, 0, 4, 0}}}},
    };
    state = (struct pgs_graphics_state){.pipeline = &pipeline};
    return open_batch(64);
}

/* The vertex shader runs by itself. */
static void take_apart(void)
{
    fake_variant(&variants, PGS_VARIANT_FUSED, 0);
    fake_variant(&variants, PGS_VARIANT_VERTEX, VERTEX);
    fake_variant(&variants, PGS_VARIANT_GEOMETRY, GEOMETRY);
}

static void begin(const struct pgs_counter *counters)
{
    assert_int_equal(pgs_batch_begin_xfb(batch, bindings, counters, &state.interval), VK_SUCCESS);
}

static void end(void)
{
    assert_int_equal(pgs_batch_end_xfb(batch, state.interval, one_counter), VK_SUCCESS);
    state.interval = 0;
}

static struct pgs_draw *add(uint32_t count, uint32_t instance_count)
{
    return add_call((struct pgs_draw_call){.count = count, .instance_count = instance_count});
}

static void record(void)
{
    record_batch(batch, PGS_BATCH_FIRST);
}

static const struct pgs_draw_record *capture_root(int n)
{
    return root_of_pipeline(CAPTURE, n);
}

static const struct pgs_capture *before(const struct pgs_draw_record *record)
{
    return (const void *)((const unsigned char *)record - PGS_CAPTURE_BEFORE_B);
}

/* No scratch, no program, no barrier: one draw behind the other. */
static void captures_where_the_one_before_ends(void **unused)
{
    (void)unused;
    begin(no_counters);
    assert_non_null(add(2, 1));
    assert_non_null(add(1, 3));
    end();
    record();
    const struct pgs_interval_end *stored = root_of(PGS_KERNEL_INTERVAL_END, 0);
    for (int i = 0; i < 2; i++) {
        const struct pgs_draw_record *r = capture_root(i);
        const struct pgs_capture *capture = before(r);
        assert_int_equal(capture->flags,
                         PGS_CAPTURE_KNOWN | PGS_CAPTURE_STATISTICS | PGS_CAPTURE_FIXED);
        assert_int_equal(capture->vertices_per_primitive, 3);
        assert_int_equal(capture->per_gs_invocation[0], 2);
        assert_int_equal(capture->per_gs_invocation[1] | capture->per_gs_invocation[2] |
                             capture->per_gs_invocation[3],
                         0);
        assert_int_equal(capture->target[0], ADDRESS(VERTICES) + 16 + i * 2 * 12 * 16);
        assert_int_equal(capture->written[0], (984 - i * 2 * 12 * 16) / 48);
        assert_int_equal(r->invocations, 2);
        assert_int_equal(r->out_vertices | r->counts | r->strip_ends | r->primitives | r->vertices,
                         0);
    }
    expect("bind 23; dispatch 1 x 1 of 2 draws; bind interval_end; dispatch 1 x 1");
    assert_int_equal(stored->draw, 0);
    assert_int_equal(stored->offset_B[0], 20 * 48); /* of 2 + 3 points; there is no more space */
}

/* An interval of one draw, whose condition only the GPU knows. */
static const struct pgs_interval_end *capture_conditionally(void)
{
    begin(no_counters);
    state.condition = (struct pgs_condition){BUFFER(COUNTERS), 12, false};
    add(2, 1);
    state.condition = (struct pgs_condition){0};
    end();
    record();
    return root_of(PGS_KERNEL_INTERVAL_END, 0);
}

/* On a CPU a shorter kernel stores what is known, unless some end is not. */
static void stores_what_is_known_by_a_short_kernel_on_cpus(void **unused)
{
    (void)unused;
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    begin(no_counters);
    assert_non_null(add(2, 1));
    end();
    record();
    const struct pgs_interval_end *stored = root_of(PGS_KERNEL_INTERVAL_STORE, 0);
    assert_int_equal(stored->draw, 0);
    assert_int_equal(stored->offset_B[0], 8 * 48);
    expect("bind 23; dispatch 1 x 1; bind interval_store; dispatch 1 x 1");
    pgs_batch_next_pass(batch);
    stored = capture_conditionally();
    assert_int_not_equal(stored->draw, 0);
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
}

/* GS invocations without space do not run, unless they have side effects. */
static void runs_as_often_as_space_allows(void **unused)
{
    (void)unused;
    for (int effects = 0; effects < 2; effects++) {
        pipeline.has_effects = effects;
        begin(no_counters);
        add(6400, 1);
        record();
        expect(effects ? "barrier; bind 23; dispatch 200 x 1; bind xfb_program; dispatch 1 x 1"
                       : "barrier; bind 23; dispatch 1 x 1; bind xfb_program; dispatch 1 x 1");
        pgs_batch_next_pass(batch);
    }
}

static void stores_the_end_of_what_only_the_GPU_knows(void **unused)
{
    (void)unused;
    const struct pgs_interval_end *stored = capture_conditionally();
    const struct pgs_draw_record *r = capture_root(0);
    expect("barrier; bind setup; dispatch 1 x 1; bind 23; barrier; dispatch 1 x 1; "
           "bind interval_end; dispatch 1 x 1");
    assert_int_equal(stored->flags, 0);
    assert_int_equal(stored->per_primitive, 4);
    assert_int_equal(stored->primitive_B[0], 48);
    assert_ptr_equal(at(stored->draw), r);
    pgs_batch_next_pass(batch);

    pipeline.gs.pattern.primitives[0] = 0; /* strips too short for any */
    stored = capture_conditionally();
    assert_int_equal(stored->draw | stored->offset_B[0], 0);
}

static void waits_for_a_vertex_shader_of_its_own(void **unused)
{
    (void)unused;
    take_apart();
    begin(no_counters);
    add(2, 1);
    record();
    const struct pgs_draw_record *r = capture_root(0);
    expect("barrier from raster; bind 21; dispatch 1 x 1; bind xfb_program; dispatch 1 x 1; "
           "bind 23; barrier; dispatch 1 x 1");
    assert_int_not_equal(r->vertices, 0);
    assert_int_equal(r->in_stride_w, 12);
}

/* Something is rasterized: that is one run, what is captured another. Not with side effects. */
static void runs_once_more_for_the_rasterizer(void **unused)
{
    (void)unused;
    pipeline.rasterizer_discard = false;
    begin(no_counters);
    add(2, 1);
    record();
    const struct pgs_draw_record *r = capture_root(0);
    expect("barrier from raster; bind 23; dispatch 1 x 1; bind xfb_program; dispatch 1 x 1; "
           "bind 22; barrier; dispatch 1 x 1; bind expand; barrier; dispatch 1 x 1; "
           "barrier to all");
    assert_int_equal(r->primitives, 0);
    pgs_batch_next_pass(batch);
    pipeline.has_effects = true;
    begin(no_counters);
    add(2, 1);
    record();
    assert_null(strstr(event_log.text, "bind 23"));
    assert_non_null(strstr(event_log.text, "bind capture_geometry"));
}

static struct pgs_draw *add_arguments(void)
{
    return add_call((struct pgs_draw_call){
        .indirect = true, .args = {BUFFER(ARGS), 16}, .args_stride_B = 16, .max_draws = 2});
}

/* A vertex shader of its own would need memory for what it stores: here it runs within. */
static void captures_indirect_draws_with_another_pipeline(void **unused)
{
    (void)unused;
    take_apart();
    fake_variant(&variants, PGS_VARIANT_NO_MEMORY, NO_MEMORY);
    begin(no_counters);
    assert_null(add_arguments()->pool);
    record();
    expect("barrier from raster; bind indirect; dispatch 1 x 1; "
           "bind xfb_program; barrier to grids; dispatch 1 x 1; "
           "bind 24; barrier; dispatch by grid");
}

/* Nothing is known: the pool has memory for it, or it goes in chunks. */
static void goes_in_chunks_where_there_is_no_memory(void **unused)
{
    (void)unused;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){.is_known = false};
    fake_variant(&variants, PGS_VARIANT_XFB, 0);
    fake_variant(&variants, PGS_VARIANT_NO_MEMORY, NO_MEMORY);
    begin(no_counters);
    const struct pgs_draw *draw = add_arguments();
    assert_non_null(draw->pool);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record();
    const struct pgs_indirect *indirect = root_of(PGS_KERNEL_INDIRECT, 0);
    expect("barrier from raster; bind indirect; dispatch 1 x 1; "
           "bind 24; barrier to grids; dispatch by grid; bind 22; dispatch by grid; "
           "bind capture_tiles; barrier; dispatch by grid; "
           "bind capture_scan; barrier; dispatch by grid; "
           "bind xfb_program; barrier; dispatch 1 x 1; "
           "bind pool_close; dispatch 1 x 1; "
           "bind 24; barrier; dispatch by grid; bind capture_geometry; dispatch by grid; "
           "barrier to host");
    assert_int_equal(indirect->flags, PGS_INDIRECT_STORES | PGS_INDIRECT_CHUNKS);
    const struct pgs_draw_record *first = at(indirect->records);
    const struct pgs_capture *capture = before(first);
    assert_ptr_equal(at(first->capture), capture);
    assert_int_not_equal(capture->chunks, 0);
    assert_int_equal(capture->flags, PGS_CAPTURE_GEOMETRY | PGS_CAPTURE_STATISTICS);
    pgs_batch_next_pass(batch);

    fake.no_kernels = true; /* it cannot be compiled */
    struct pgs_draw *none;
    assert_int_equal(add_to(batch, &state,
                            &(struct pgs_draw_call){.indirect = true,
                                                    .args = {BUFFER(ARGS), 16},
                                                    .args_stride_B = 16,
                                                    .max_draws = 2},
                            &none),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

static void counts_without_running_anything(void **unused)
{
    (void)unused;
    state.queries.generated[0] = 64;
    add(2, 1);
    record();
    const struct pgs_xfb_program *program = root_of(PGS_KERNEL_XFB_PROGRAM, 0);
    expect("barrier; bind xfb_program; dispatch 1 x 1");
    assert_int_equal(program->op_count, 1);
    const struct pgs_xfb_op *op = at(program->ops);
    const struct pgs_capture *capture = at(op->capture);
    assert_int_equal(capture->flags, PGS_CAPTURE_KNOWN | PGS_CAPTURE_STATISTICS);
    assert_int_equal(capture->per_gs_invocation[0], 2);
    pgs_batch_next_pass(batch);

    pipeline.has_effects = true;
    add(2, 1);
    record();
    expect("barrier from raster; bind xfb_program; dispatch 1 x 1; "
           "bind 22; barrier; dispatch 1 x 1");
}

/* Whatever the arguments say there is memory for it, since none is needed. */
static void captures_indirect_draws_without_a_pool(void **unused)
{
    (void)unused;
    begin(no_counters);
    const struct pgs_draw *draw = add_arguments();
    assert_non_null(draw);
    assert_null(draw->pool);
    record();
    const struct pgs_indirect *indirect = root_of(PGS_KERNEL_INDIRECT, 0);
    expect("barrier from raster; bind indirect; dispatch 1 x 1; "
           "bind xfb_program; barrier to grids; dispatch 1 x 1; "
           "bind 23; barrier; dispatch by grid");
    assert_int_equal(indirect->flags, PGS_INDIRECT_CAPTURE);
    assert_int_equal(indirect->capture_el, 2);
    const struct pgs_draw_record *first = at(indirect->records);
    assert_int_equal(first->capture | first->pool, 0);
    assert_int_equal(first->invocations, 2);
}

/* The limit of the invocations for each draw of a call. */
static uint32_t bound_of_indirect_draws(void)
{
    begin(no_counters);
    add_arguments();
    record();
    const struct pgs_indirect *indirect = root_of(PGS_KERNEL_INDIRECT, 0);
    return indirect->capture_bound_el;
}

/* Whatever the arguments say: not billions of invocations that find no room. */
static void runs_no_more_of_indirect_draws_than_space_allows(void **unused)
{
    (void)unused;
    assert_int_equal(bound_of_indirect_draws(), 10); /* of two primitives of 48 bytes in 984 */
}

static void runs_all_of_indirect_draws_for_other_streams(void **unused)
{
    (void)unused;
    pipeline.gs.stream_mask = 3;
    pipeline.gs.xfb.stride_B[1] = 16; /* of stream 1; the room is that of stream 0 */
    pipeline.gs.xfb.stream[1] = 1;
    assert_int_equal(bound_of_indirect_draws(), PGS_MAX_INVOCATIONS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(captures_where_the_one_before_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stores_what_is_known_by_a_short_kernel_on_cpus, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(runs_as_often_as_space_allows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(stores_the_end_of_what_only_the_GPU_knows, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(waits_for_a_vertex_shader_of_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_once_more_for_the_rasterizer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counts_without_running_anything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(captures_indirect_draws_without_a_pool, set_up, tear_down),
        cmocka_unit_test_setup_teardown(runs_no_more_of_indirect_draws_than_space_allows, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(runs_all_of_indirect_draws_for_other_streams, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(captures_indirect_draws_with_another_pipeline, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(goes_in_chunks_where_there_is_no_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
