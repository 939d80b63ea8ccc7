/* SPDX-License-Identifier: MIT
 *
 * What a batch makes of transform feedback and queries: which kernels run in which stage, what they
 * are told, in which order, and that hostile bindings end at their buffers. The driver is fake and
 * writes down what it is told; the records are read where the kernels would.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_app.h"

static struct pgs_variants geometry_variants, vertices_variants;
static struct pgs_emulated_pipeline geometry, vertices;
static const struct pgs_counter no_counters[PGS_MAX_XFB_BUFFERS];
static const struct pgs_xfb_binding bindings[PGS_MAX_XFB_BUFFERS] = {
    {BUFFER(SMALL), 16, VK_WHOLE_SIZE}};

static int set_up(void **unused)
{
    (void)unused;
    geometry_variants = vertices_variants = (struct pgs_variants){0};
    fake_variant(&geometry_variants, PGS_VARIANT_VERTEX, 11);
    fake_variant(&geometry_variants, PGS_VARIANT_GEOMETRY, 12);
    fake_variant(&geometry_variants, PGS_VARIANT_STORED_0, 14);
    fake_variant(&vertices_variants, PGS_VARIANT_VERTEX, 21);
    geometry = (struct pgs_emulated_pipeline){
        .variants = &geometry_variants,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .gs = {.input_vertices = 3,
               .output_kind = 2,
               .stream_mask = 1,
               .max_vertices = 4,
               .invocations = 1,
               .in = {.stride_w = 4},
               .out_stride_w = 8,
               .xfb = {.enabled = true,
                       .stride_B = {0, 32},
                       .stream = {0, 1},
                       .copy_count = 2,
                       .copies = {{4, 0, 3, 1}, {1, 5, 2, 1}}}},
    };
    vertices = (struct pgs_emulated_pipeline){
        .native_raster = true,
        .variants = &vertices_variants,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY,
        .provoking_last = true,
        .gs =
            {.output_kind = 3,
             .in = {.stride_w = 12},
             .xfb = {.enabled = true, .stride_B = {16}, .copy_count = 1, .copies = {{8, 0, 4, 0}}}},
    };
    state = (struct pgs_graphics_state){.pipeline = &geometry};
    return open_batch(64);
}

static void use_native(void)
{
    state.pipeline = NULL;
    state.counted = &vertices;
}

static void begin(void)
{
    assert_int_equal(pgs_batch_begin_xfb(batch, bindings, no_counters, &state.interval),
                     VK_SUCCESS);
    assert_int_not_equal(state.interval, 0);
}

static struct pgs_draw *add(uint32_t count, uint32_t instance_count)
{
    return add_call((struct pgs_draw_call){.count = count, .instance_count = instance_count});
}

static uint64_t record(void)
{
    return record_batch(batch, PGS_BATCH_FIRST);
}

/* The n-th op of the recorded program, which has `count` of them. */
static const struct pgs_xfb_op *op(uint32_t n, uint32_t count)
{
    const struct pgs_xfb_program *program = root_of(PGS_KERNEL_XFB_PROGRAM, 0);
    assert_int_equal(program->op_count, count);
    return (const struct pgs_xfb_op *)at(program->ops) + n;
}

static void captures_geometry_beside_the_raster_draw(void **unused)
{
    (void)unused;
    begin();
    const struct pgs_draw *small = add(300, 1), *large = add(7000, 1);
    assert_non_null(small);
    assert_non_null(large);
    const uint64_t invocations = record();
    assert_int_equal(invocations, 64 * 2 * (110 + 37) + 256 * (10 + 1 + 10 + 1 + 2 * 10 + 2 * 10) +
                                      PGS_XFB_GROUP_EL);
    struct pgs_xfb_op ops[3];
    for (uint32_t i = 0; i < 3; i++)
        ops[i] = *op(i, 3);
    const struct pgs_capture *capture = at(ops[2].capture);
    assert_ptr_equal(capture, root_of(PGS_KERNEL_CAPTURE_SCAN, 1));
    assert_ptr_equal(capture, root_of(PGS_KERNEL_CAPTURE_TILES, 0));
    assert_ptr_equal(capture, root_of(PGS_KERNEL_CAPTURE_GEOMETRY, 1));
    expect("barrier from raster; "
           "bind 11; dispatch 110 x 1 of 2 draws; "
           "bind 12; barrier; dispatch 37 x 1 of 2 draws; "
           "bind count_tiles; barrier; dispatch 10 x 1; "
           "bind capture_scan; dispatch 1 x 1; " /* the small one's */
           "bind capture_tiles; dispatch 10 x 1; "
           "bind capture_scan; barrier; dispatch 1 x 1; "
           "bind expand; barrier; dispatch 10 x 1 of 2 draws; "
           "bind xfb_program; dispatch 1 x 1; "
           "bind capture_geometry; barrier; dispatch 10 x 1 of 2 draws; "
           "barrier to all");

    assert_int_equal(ops[0].kind, PGS_XFB_OP_BEGIN);
    assert_int_equal(ops[0].interval, state.interval);
    assert_int_equal(ops[1].kind, PGS_XFB_OP_DRAW);
    assert_int_equal(ops[1].interval, state.interval);
    assert_int_equal(ops[1].queries, 0);
    assert_int_equal(capture->draw, large->subdraws[0].record.address);
    assert_int_not_equal(capture->tiles, 0);
    assert_int_equal(capture->flags, PGS_CAPTURE_GEOMETRY | PGS_CAPTURE_STATISTICS);
    assert_int_equal(capture->vertices_per_primitive, 2);
    assert_int_equal(capture->vertex_stride_w, 8);
    assert_int_equal(capture->stride_B[0], 0);
    assert_int_equal(capture->stride_B[1], 32);
    assert_int_equal(capture->stream[1], 1);
    assert_int_equal(capture->copy_count, 2);
    const struct pgs_xfb_copy *runs = at(capture->copies);
    assert_int_equal(runs[0].source_w, 4);
    assert_int_equal(runs[0].buffer_index, 1);
    assert_int_equal(runs[0].count_w, 3);
    assert_int_equal(runs[1].source_w, 1);
    assert_int_equal(runs[1].target_w, 5);
    const struct pgs_capture *first = at(ops[1].capture);
    assert_int_equal(first->copies, capture->copies); /* one table for the pipeline */
    const struct pgs_draw_record *r = at(capture->draw);
    assert_int_not_equal(r->primitives, 0);
    assert_int_equal(r->stream_count, 1);
    assert_int_equal(r->flags, 0);
}

static void costs_nothing_where_nobody_captures_or_counts(void **unused)
{
    (void)unused;
    static const char plain[] = "barrier from raster; bind 11; dispatch 1 x 1; "
                                "bind 12; barrier; dispatch 1 x 1; "
                                "bind expand; barrier; dispatch 1 x 1; barrier to raster";
    const struct pgs_draw *draw = add(3, 1);
    record();
    expect(plain);
    assert_int_equal(
        ((const struct pgs_draw_record *)at(draw->subdraws[0].record.address))->primitives, 0);
    pgs_batch_next_pass(batch);

    /* Neither without the execution mode, nor for queries of an interval that is not active. */
    state.interval = 0x1000;
    geometry.gs.xfb.enabled = false;
    add(3, 1);
    record();
    expect(plain);
    pgs_batch_next_pass(batch);
    state.interval = 0;
    state.queries.xfb[0] = 0x2000;
    geometry.gs.xfb.enabled = true;
    add(3, 1);
    record();
    expect(plain);
    pgs_batch_next_pass(batch);

    use_native();
    assert_null(add(6, 1));
    assert_true(pgs_batch_is_empty(batch));
    state.interval = 0x1000;
    fake_variant(&vertices_variants, PGS_VARIANT_VERTEX, 0); /* captures nothing */
    state.queries = (struct pgs_query_set){0};
    assert_null(add(6, 1));
    assert_true(pgs_batch_is_empty(batch));
    assert_int_equal(record(), 0);
    expect("");
}

/* A small draw counts for itself what comes before each primitive, and needs no program where its
 * place is known; the next one does. */
static void captures_what_geometry_emits_where_it_knows_the_place(void **unused)
{
    (void)unused;
    static const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS] = {{BUFFER(COUNTERS), 60}};
    geometry.gs.xfb.stride_B[0] = 16;
    geometry.gs.xfb.stride_B[1] = 0;
    begin();
    const struct pgs_draw *draw = add(3, 1);
    assert_int_equal(pgs_batch_end_xfb(batch, state.interval, counters), VK_SUCCESS);
    record();
    const struct pgs_capture *capture = root_of(PGS_KERNEL_CAPTURE_GEOMETRY, 0);
    const struct pgs_interval_end *stored = root_of(PGS_KERNEL_INTERVAL_END, 0);
    expect("barrier from raster; bind 11; dispatch 1 x 1; bind 12; barrier; dispatch 1 x 1; "
           "bind expand; barrier; dispatch 1 x 1; bind interval_end; dispatch 1 x 1; "
           "bind capture_geometry; dispatch 1 x 1; barrier to all");
    assert_int_equal(capture->flags,
                     PGS_CAPTURE_GEOMETRY | PGS_CAPTURE_STATISTICS | PGS_CAPTURE_FIXED);
    assert_int_equal(capture->written[0], 240 / 32); /* lines */
    assert_int_equal(capture->target[0], buffers[SMALL].address + 16);
    assert_int_equal(stored->flags, PGS_END_GS_INVOCATIONS);
    assert_int_equal(stored->draw, draw->subdraws[0].record.address);
    assert_int_equal(stored->primitive_B[0], 32);
    pgs_batch_next_pass(batch);

    begin();
    add(3, 1);
    add(3, 1);
    assert_int_equal(pgs_batch_end_xfb(batch, state.interval, counters), VK_SUCCESS);
    record();
    expect("barrier from raster; bind 11; dispatch 1 x 1 of 2 draws; "
           "bind 12; barrier; dispatch 1 x 1 of 2 draws; "
           "bind capture_scan; barrier; dispatch 1 x 1 of 2 draws; "
           "bind expand; barrier; dispatch 1 x 1 of 2 draws; bind xfb_program; dispatch 1 x 1; "
           "bind capture_geometry; dispatch 1 x 1; barrier; dispatch 1 x 1; barrier to all");
    pgs_batch_next_pass(batch);

    /* Streams do not follow one another. */
    geometry.gs.xfb.stride_B[1] = 16;
    begin();
    add(3, 1);
    record();
    assert_int_equal(((const struct pgs_capture *)at(op(1, 2)->capture))->flags & PGS_CAPTURE_FIXED,
                     0);
}

static void captures_under_discard_without_expanding(void **unused)
{
    (void)unused;
    geometry.rasterizer_discard = true;
    begin();
    const struct pgs_draw *draw = add(3, 1);
    record();
    expect("barrier from raster; bind 11; dispatch 1 x 1; bind 12; barrier; dispatch 1 x 1; "
           "bind capture_scan; barrier; dispatch 1 x 1; "
           "bind xfb_program; barrier; dispatch 1 x 1; "
           "bind capture_geometry; barrier; dispatch 1 x 1");
    replay(draw);
    expect("");
}

static void only_counts_native_draws_for_queries(void **unused)
{
    (void)unused;
    use_native();
    vertices.layout = NULL;
    fake_variant(&vertices_variants, PGS_VARIANT_VERTEX, 0);
    vertices.dynamic |= PGS_DYNAMIC_TOPOLOGY;
    vertices.primitive_restart = true;
    state.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
    state.queries.generated[0] = 0x5000;
    assert_null(
        add_call((struct pgs_draw_call){.indexed = true, .count = 300, .instance_count = 1}));
    assert_null(add(2, 1));
    record();
    const struct pgs_xfb_op first = *op(0, 2), second = *op(1, 2);
    expect("barrier from raster; "
           "bind restart_tiles; dispatch 2 x 1; bind restart_scan; barrier; dispatch 1 x 1; "
           "bind restart_emit; barrier; dispatch 2 x 1; bind xfb_program; dispatch 1 x 1");
    assert_int_equal(first.interval, 0);
    assert_int_equal(first.queries, second.queries); /* shared: nothing changed */
    assert_int_equal(((const struct pgs_query_set *)at(first.queries))->generated[0], 0x5000);
    const struct pgs_capture *capture = at(first.capture);
    assert_int_equal(capture->copy_count, 0);
    assert_int_equal(capture->vertices_per_primitive, 2);
    assert_int_equal(capture->stride_B[0], 0);
}

static void runs_the_geometry_shader_of_a_native_pipeline_where_it_is_wanted(void **unused)
{
    (void)unused;
    geometry.native_raster = true;
    state.pipeline = NULL;
    state.counted = &geometry;
    assert_null(add(3, 1));
    assert_true(pgs_batch_is_empty(batch));
    state.queries.generated[2] = 0x5000;
    assert_null(add(3, 1));
    record();
    expect("barrier from raster; bind 11; dispatch 1 x 1; bind 12; barrier; dispatch 1 x 1; "
           "bind capture_scan; barrier; dispatch 1 x 1; bind xfb_program; barrier; dispatch 1 x 1");
}

static void tells_streams_apart(void **unused)
{
    (void)unused;
    geometry.gs.stream_mask = 0x5;
    geometry.raster_stream = 2;
    begin();
    const struct pgs_draw *draw = add(3, 1);
    const struct pgs_draw_record *r = at(draw->subdraws[0].record.address);
    assert_int_equal(r->flags, PGS_DRAW_STREAMS);
    assert_int_equal(r->stream_count, 3);
    assert_int_equal(r->raster_stream, 2);
}

static void counts_each_part_and_the_statistics_once(void **unused)
{
    (void)unused;
    geometry.gs.max_vertices = 1024;
    geometry.gs.out_stride_w = 0;
    begin();
    const struct pgs_draw *draw = add(3 * 16384, 1);
    assert_int_equal(draw->plan.subdraw_count, 2);
    record();
    const struct pgs_capture *first = at(op(1, 3)->capture), *second = at(op(2, 3)->capture);
    assert_int_equal(first->flags, PGS_CAPTURE_GEOMETRY | PGS_CAPTURE_STATISTICS);
    assert_int_equal(second->flags, PGS_CAPTURE_GEOMETRY);
    assert_int_equal(second->draw, draw->subdraws[1].record.address);
    assert_int_not_equal(second->tiles, first->tiles);
}

/* Part by part, as the statistics of a draw are with the first one. */
static void counts_each_view_but_captures_once(void **unused)
{
    (void)unused;
    geometry.gs.max_vertices = 1024;
    geometry.gs.out_stride_w = 0;
    state.view_count = 3;
    state.queries.generated[0] = 0x5000;
    const struct pgs_draw *draw = add(3 * 16384, 1);
    begin();
    add(3, 1);
    record();
    for (uint32_t n = 0; n < 6; n++) {
        assert_int_equal(op(n, 8)->kind, PGS_XFB_OP_DRAW);
        assert_int_equal(op(n, 8)->capture, draw->subdraws[n % 2].capture);
        assert_int_equal(op(n, 8)->queries, op(0, 8)->queries);
    }
    assert_int_equal(op(6, 8)->kind, PGS_XFB_OP_BEGIN);
    assert_int_equal(op(7, 8)->kind, PGS_XFB_OP_DRAW);
}

static void keeps_the_order_of_everything(void **unused)
{
    (void)unused;
    static const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS] = {
        {BUFFER(COUNTERS), 60}, {BUFFER(COUNTERS), 61}, {BUFFER(COUNTERS), 64}, {BUFFER(99), 0}};
    assert_int_equal(pgs_batch_begin_xfb(batch, bindings, counters, &state.interval), VK_SUCCESS);
    const struct pgs_xfb_interval *interval = at(state.interval);
    assert_int_equal(interval->load[0], ADDRESS(COUNTERS) + 60);
    assert_int_equal(interval->load[1] | interval->load[2] | interval->load[3], 0);
    state.queries.xfb[1] = 0x6000;
    add(3, 1);
    assert_int_equal(pgs_batch_end_query(batch, 0x6800), VK_SUCCESS);
    state.queries.xfb[1] = 0;
    add(3, 1);
    assert_int_equal(pgs_batch_end_xfb(batch, state.interval, counters), VK_SUCCESS);
    for (int i = 0; i < 20; i++) /* the list grows */
        assert_int_equal(pgs_batch_end_query(batch, 0x7000 + (VkDeviceAddress)i), VK_SUCCESS);
    record();
    static const uint32_t kinds[] = {PGS_XFB_OP_BEGIN, PGS_XFB_OP_DRAW, PGS_XFB_OP_AVAILABLE,
                                     PGS_XFB_OP_DRAW, PGS_XFB_OP_END};
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(op(i, 25)->kind, kinds[i]);
    assert_int_equal(((const struct pgs_query_set *)at(op(1, 25)->queries))->xfb[1], 0x6000);
    assert_int_equal(op(2, 25)->queries, 0x6800);
    assert_int_equal(op(3, 25)->queries, 0);
    assert_int_equal(op(4, 25)->interval, state.interval);
    const struct pgs_xfb_end *end = at(op(4, 25)->queries);
    assert_int_equal(end->store[0], ADDRESS(COUNTERS) + 60);
    assert_int_equal(end->store[1] | end->store[2] | end->store[3], 0);
    assert_int_equal(op(24, 25)->queries, 0x7000 + 19);
}

static void runs_without_a_draw_and_forgets_what_was_recorded(void **unused)
{
    (void)unused;
    static const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS] = {{BUFFER(COUNTERS), 60}};
    assert_int_equal(pgs_batch_begin_xfb(batch, bindings, counters, &state.interval), VK_SUCCESS);
    assert_false(pgs_batch_is_empty(batch));
    record();
    const struct pgs_xfb_program *before = root_of(PGS_KERNEL_XFB_PROGRAM, 0);
    expect("barrier; bind xfb_program; dispatch 1 x 1");
    pgs_batch_next_pass(batch);
    assert_true(pgs_batch_is_empty(batch));
    assert_int_equal(pgs_batch_end_xfb(batch, state.interval, no_counters), VK_SUCCESS);
    record();
    assert_int_equal(op(0, 1)->kind, PGS_XFB_OP_END);
    assert_ptr_not_equal(before, root_of(PGS_KERNEL_XFB_PROGRAM, 0));
    assert_int_equal(before->op_count, 1); /* what the command buffer already holds is as it was */
    assert_int_equal(((const struct pgs_xfb_op *)at(before->ops))->kind, PGS_XFB_OP_BEGIN);
    expect("barrier; bind xfb_program; dispatch 1 x 1");
}

/* Compiling the long kernel takes a CPU longer than a few steps. */
static void takes_the_short_kernel_on_cpus(void **unused)
{
    (void)unused;
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
    for (uint32_t i = 0; i < PGS_XFB_STEPS_MAX_OPS; i++)
        assert_int_equal(pgs_batch_end_query(batch, 0x7000), VK_SUCCESS);
    record();
    expect("barrier; bind xfb_steps; dispatch 1 x 1");
    assert_int_equal(pgs_batch_end_query(batch, 0x7000), VK_SUCCESS);
    record();
    expect("barrier; bind xfb_program; dispatch 1 x 1");
    fake_physical.properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_OTHER;
}

/* A program's kernel is known when it is complete. */
static void reports_that_no_kernel_can_be_made(void **unused)
{
    (void)unused;
    uint64_t invocations = 0;
    assert_int_equal(pgs_batch_end_query(batch, 0x7000), VK_SUCCESS);
    fake.no_kernels = true;
    assert_int_equal(pgs_batch_record(batch, VK_NULL_HANDLE, PGS_BATCH_FIRST, NULL, &invocations),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fake.no_kernels = false;
    assert_int_equal(invocations, 0);
    expect("");
    record();
    expect("barrier; bind xfb_program; dispatch 1 x 1");
}

static void ends_ranges_at_their_buffers(void **unused)
{
    (void)unused;
    static const struct {
        struct pgs_xfb_binding binding;
        uint64_t base;
        uint32_t size_B;
    } cases[] = {
        {{BUFFER(SMALL), 16, VK_WHOLE_SIZE}, ADDRESS(SMALL) + 16, 240},
        {{BUFFER(SMALL), 16, 64}, ADDRESS(SMALL) + 16, 64},
        {{BUFFER(SMALL), 16, 63}, ADDRESS(SMALL) + 16, 60},
        {{BUFFER(SMALL), 16, 1000}, ADDRESS(SMALL) + 16, 240},
        {{BUFFER(SMALL), 16, 0}, ADDRESS(SMALL) + 16, 0},
        {{BUFFER(SMALL), 256, VK_WHOLE_SIZE}, ADDRESS(SMALL), 0},
        {{BUFFER(SMALL), UINT64_MAX - 3, VK_WHOLE_SIZE}, ADDRESS(SMALL), 0},
        {{BUFFER(SMALL), UINT64_MAX - 3, 16}, ADDRESS(SMALL), 0},
        {{BUFFER(SMALL), 18, 16}, 0, 0},
        {{BUFFER(ODD), 0, VK_WHOLE_SIZE}, ADDRESS(ODD), 100},
        {{BUFFER(LARGE), 0, VK_WHOLE_SIZE}, ADDRESS(LARGE), UINT32_MAX - 3},
        {{BUFFER(LARGE), UINT64_C(3) << 30, VK_WHOLE_SIZE},
         ADDRESS(LARGE) + (UINT64_C(3) << 30),
         UINT32_C(1) << 31},
        {{BUFFER(EXTERNAL), 0, VK_WHOLE_SIZE}, 0, 0},
        {{BUFFER(99), 0, VK_WHOLE_SIZE}, 0, 0},
        {{VK_NULL_HANDLE, 0, 0}, 0, 0},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct pgs_xfb_binding bound[PGS_MAX_XFB_BUFFERS] = {{0}};
        bound[3] = cases[i].binding;
        VkDeviceAddress address;
        assert_int_equal(pgs_batch_begin_xfb(batch, bound, no_counters, &address), VK_SUCCESS);
        const struct pgs_xfb_interval *interval = at(address);
        assert_int_equal(interval->base[3], cases[i].base);
        assert_int_equal(interval->size_B[3], cases[i].size_B);
        assert_int_equal(interval->base[0], 0);
    }
}

static void draws_natively_by_byte_count(void **unused)
{
    (void)unused;
    use_native();
    state.counted = NULL;
    const struct pgs_draw *draw = add_call(by_count(2));
    assert_non_null(draw);
    record();
    const struct pgs_setup *setup = root_of(PGS_KERNEL_SETUP, 0);
    expect("barrier from raster; bind setup; dispatch 1 x 1; barrier to raster");
    replay(draw);
    expect("draw indirect");
    assert_int_equal(setup->args, fake.drawn); /* where the driver reads */
    assert_int_equal(setup->records, 0);
    assert_int_equal(setup->counter, ADDRESS(COUNTERS) + 8);
    assert_int_equal(setup->counter_offset_B, 4);
    assert_int_equal(setup->vertex_stride_B, 16);
    assert_int_equal(setup->flags, PGS_SETUP_BYTE_COUNT);
    assert_int_equal(setup->instance_count, 2);
    assert_int_equal(setup->first_instance, 7);

    struct pgs_draw_call hostile = by_count(1);
    hostile.counter.offset_B = UINT64_MAX - 3;
    assert_non_null(add_call(hostile));
    hostile = by_count(1);
    hostile.vertex_stride_B = 0;
    assert_non_null(add_call(hostile));
    record();
    for (int i = 1; i < 3; i++) {
        setup = root_of(PGS_KERNEL_SETUP, i);
        assert_int_equal(setup->flags, 0);
        assert_int_equal(setup->vertex_count, 0);
        assert_int_equal(setup->counter, 0);
    }
}

/* CPUs have a shorter kernel where there are no records; draws share its dispatches. */
static void takes_the_short_setup_on_cpus(void **unused)
{
    (void)unused;
    const enum pgs_device_kind kind = fake_physical.traits.kind;
    use_native();
    state.counted = NULL;
    fake_physical.traits.kind = PGS_DEVICE_CPU;
    for (uint32_t i = 0; i < 2; i++)
        assert_non_null(add_call(by_count(2)));
    record();
    fake_physical.traits.kind = kind;
    const struct pgs_setup *second = root_of(PGS_KERNEL_SETUP_ARGS, 1);
    assert_int_equal(second->flags, PGS_SETUP_BYTE_COUNT);
    expect("barrier from raster; bind setup_args; dispatch 1 x 1 of 2 draws; "
           "barrier to raster");
}

static void makes_space_for_the_bound_vertices(void **unused)
{
    (void)unused;
    geometry.attribute_count = 3;
    geometry.attributes[0] = (struct pgs_vertex_attribute){.binding = 4, .size_B = 4};
    geometry.attributes[1] = (struct pgs_vertex_attribute){.binding = 5, .size_B = 4};
    geometry.attributes[2] = (struct pgs_vertex_attribute){.binding = 6, .size_B = 4};
    geometry.bindings[4].stride_B = 12;
    geometry.bindings[5] = (struct pgs_vertex_binding_state){.stride_B = 1, .instance_rate = true};
    state.vertex[4] = (struct pgs_vertex_buffer){BUFFER(VERTICES), 100, VK_WHOLE_SIZE, 0};
    state.vertex[5] = (struct pgs_vertex_buffer){BUFFER(VERTICES), 0, VK_WHOLE_SIZE, 0};
    state.vertex[6] = (struct pgs_vertex_buffer){BUFFER(VERTICES), 0, VK_WHOLE_SIZE, 0};
    const struct pgs_draw *draw = add_call(by_count(1));
    assert_non_null(draw);
    record();
    const struct pgs_setup *setup = root_of(PGS_KERNEL_SETUP, 0);
    assert_int_equal(setup->vertex_count, 75);
    assert_int_equal(setup->args, 0);
    assert_int_equal(draw->plan.gs_invocations, 25);
    pgs_batch_next_pass(batch);

    /* Never more than 32 bits count, however large the buffer. */
    geometry.gs.max_vertices = 1;
    geometry.gs.out_stride_w = geometry.gs.in.stride_w = 0;
    geometry.gs.invocations = 32;
    geometry.bindings[4].stride_B = 1;
    state.vertex[4] = (struct pgs_vertex_buffer){BUFFER(LARGE), 0, VK_WHOLE_SIZE, 0};
    struct pgs_draw_plan plan;
    bool too_large;
    struct pgs_draw_call call = by_count(1000);
    call.count = pgs_draw_count_limit(&geometry, 1000);
    const struct pgs_plan_rules rules = {.max_out_vertices = PGS_MAX_OUT_VERTICES};
    assert_true(pgs_draw_plan(&geometry, &state, &call, &rules, &plan, &too_large));
    assert_non_null(add_call(by_count(1000)));
}

static void patches_every_part(void **unused)
{
    (void)unused;
    geometry.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    geometry.gs.input_vertices = 1;
    geometry.gs.invocations = 32;
    geometry.gs.max_vertices = 1024;
    geometry.gs.out_stride_w = 0;
    struct pgs_draw_call call = by_count(2);
    call.vertex_stride_B = 4;
    const struct pgs_draw *draw = add_call(call);
    assert_int_equal(draw->plan.subdraw_count, 5); /* 1200 * 2 * 32 GS invocations */
    record();
    const struct pgs_setup *setup = root_of(PGS_KERNEL_SETUP, 0);
    assert_int_equal(setup->record_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(setup->records + i * setup->record_stride_B,
                         draw->subdraws[i].record.address);
}

static void runs_nothing_where_the_condition_fails(void **unused)
{
    (void)unused;
    state.condition = (struct pgs_condition){BUFFER(COUNTERS), 12, true};
    const struct pgs_draw *draw = add(3, 2);
    record();
    const struct pgs_setup *setup = root_of(PGS_KERNEL_SETUP, 0);
    expect("barrier from raster; bind setup; dispatch 1 x 1; bind 11; barrier; dispatch 1 x 1; "
           "bind 12; barrier; dispatch 1 x 1; bind expand; barrier; dispatch 1 x 1; "
           "barrier to raster");
    assert_int_equal(setup->records, draw->subdraws[0].record.address);
    assert_int_equal(setup->condition, ADDRESS(COUNTERS) + 12);
    assert_int_equal(setup->flags, PGS_SETUP_CONDITION | PGS_SETUP_INVERTED);
    assert_int_equal(setup->vertex_count, 3);
    assert_int_equal(setup->instance_count, 2);
    assert_int_equal(setup->args, 0);
    use_native(); /* nobody counts: the driver decides alone */
    pgs_batch_next_pass(batch);
    assert_null(add(6, 1));
    assert_true(pgs_batch_is_empty(batch));
}

/* The slot is the arguments of a draw that is there when the condition holds. */
static void asks_for_inherited_conditions(void **unused)
{
    (void)unused;
    struct pgs_linear *linear;
    uint64_t invocations = 10;
    const struct pgs_condition condition = {BUFFER(COUNTERS), 12, true}, none = {0};
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &linear), VK_SUCCESS);
    assert_int_equal(pgs_condition_record(&fake_device, VK_NULL_HANDLE, &condition, 0, 0xA000,
                                          linear, &invocations),
                     VK_SUCCESS);
    assert_int_equal(
        pgs_condition_record(&fake_device, VK_NULL_HANDLE, &none, 0, 0xA000, linear, &invocations),
        VK_SUCCESS);
    assert_int_equal(invocations, 12);
    const struct pgs_setup *setup = root_of(PGS_KERNEL_SETUP, 0);
    const struct pgs_setup *always = root_of(PGS_KERNEL_SETUP, 1);
    expect("barrier; bind setup; dispatch 1 x 1; barrier; "
           "barrier; bind setup; dispatch 1 x 1; barrier");
    assert_int_equal(setup->args, 0xA000);
    assert_int_equal(setup->instance_count, 1);
    assert_int_equal(setup->record_count, 0);
    assert_int_equal(setup->condition, ADDRESS(COUNTERS) + 12);
    assert_int_equal(setup->flags, PGS_SETUP_CONDITION | PGS_SETUP_INVERTED);
    assert_int_equal(always->args, 0xA000);
    assert_int_equal(always->instance_count, 1);
    assert_int_equal(always->flags, 0);

    state.inherited_condition = 0xA000;
    add(3, 1);
    state.condition = condition; /* none is inherited then */
    add(3, 1);
    pgs_linear_destroy(linear);
    record();
    const struct pgs_setup *inherits = root_of(PGS_KERNEL_SETUP, 0);
    assert_int_equal(inherits->condition, 0xA000 + offsetof(VkDrawIndirectCommand, instanceCount));
    assert_int_equal(inherits->flags, PGS_SETUP_CONDITION);
    assert_int_equal(((const struct pgs_setup *)root_of(PGS_KERNEL_SETUP, 1))->condition,
                     ADDRESS(COUNTERS) + 12);
}

/* Every call that may run out of memory, in turn. */
static void reports_every_failure_and_leaks_nothing(void **unused)
{
    (void)unused;
    state.condition = (struct pgs_condition){BUFFER(COUNTERS), 12, false};
    state.queries.statistics = 0x9000;
    for (int what = 0; what < 5; what++) {
        int failures = 0;
        /* 1: there are no kernels, for which only draws ask. */
        for (int64_t n = what < 3 ? 2 : 1;; n++) {
            struct pgs_draw *draw = NULL;
            struct pgs_draw_call call = {.count = 6, .instance_count = 1};
            VkDeviceAddress interval = 0;
            pgs_batch_reset(batch, false);
            state.interval = 0x1000;
            if (what == 4) {
                use_native();
                call = by_count(1);
            }
            fake.no_kernels = n == 1;
            pgs_alloc_fail_after(n == 1 ? 0 : n - 1, false);
            const VkResult result =
                what == 0   ? pgs_batch_begin_xfb(batch, bindings, no_counters, &interval)
                : what == 1 ? pgs_batch_end_xfb(batch, 0x1000, no_counters)
                : what == 2 ? pgs_batch_end_query(batch, 0x2000)
                            : add_to(batch, &state, &call, &draw);
            pgs_alloc_fail_after(0, false);
            if (n > 1 && result == VK_SUCCESS) {
                assert_false(pgs_batch_is_empty(batch));
                break;
            }
            if (result == VK_SUCCESS)
                continue; /* the kernels are there already */
            assert_true(result == VK_ERROR_OUT_OF_HOST_MEMORY ||
                        (n == 1 && result == VK_ERROR_OUT_OF_DEVICE_MEMORY));
            assert_null(draw);
            assert_int_equal(interval, 0);
            assert_true(pgs_batch_is_empty(batch));
            failures++;
        }
        fake.no_kernels = false;
        assert_true(failures >= (what < 3 ? 1 : 4));
        /* From nothing again: what is kept between rounds may not hide a failure. */
        pgs_batch_destroy(batch);
        pgs_heap_destroy(&fake_device);
        assert_int_equal(pgs_heap_create(&fake_device), VK_SUCCESS);
        assert_int_equal(pgs_batch_create(&fake_device, NULL, NULL, &batch), VK_SUCCESS);
    }
    /* No device memory: scratch and uploads alike. */
    fake_memories.limit = 1;
    struct pgs_draw *draw;
    const struct pgs_draw_call call = {.count = 6, .instance_count = 1};
    state.pipeline = &geometry;
    assert_int_equal(add_to(batch, &state, &call, &draw), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_true(pgs_batch_is_empty(batch));
    fake_memories.limit = 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(captures_geometry_beside_the_raster_draw),
        TEST(costs_nothing_where_nobody_captures_or_counts),
        TEST(captures_what_geometry_emits_where_it_knows_the_place),
        TEST(captures_under_discard_without_expanding),
        TEST(only_counts_native_draws_for_queries),
        TEST(runs_the_geometry_shader_of_a_native_pipeline_where_it_is_wanted),
        TEST(tells_streams_apart),
        TEST(counts_each_part_and_the_statistics_once),
        TEST(counts_each_view_but_captures_once),
        TEST(keeps_the_order_of_everything),
        TEST(runs_without_a_draw_and_forgets_what_was_recorded),
        TEST(takes_the_short_kernel_on_cpus),
        TEST(reports_that_no_kernel_can_be_made),
        TEST(ends_ranges_at_their_buffers),
        TEST(draws_natively_by_byte_count),
        TEST(takes_the_short_setup_on_cpus),
        TEST(makes_space_for_the_bound_vertices),
        TEST(patches_every_part),
        TEST(runs_nothing_where_the_condition_fails),
        TEST(asks_for_inherited_conditions),
        TEST(reports_every_failure_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
