/* SPDX-License-Identifier: MIT
 *
 * Draws whose vertex shader captures by itself: where they may write, whom they wait for, and what
 * is stored where an interval ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_app.h"

static struct pgs_variants variants;
static struct pgs_emulated_pipeline pipeline;
static const struct pgs_counter no_counters[PGS_MAX_XFB_BUFFERS];
static const struct pgs_counter one_counter[PGS_MAX_XFB_BUFFERS] = {{BUFFER(COUNTERS), 60}};
static const struct pgs_xfb_binding bindings[PGS_MAX_XFB_BUFFERS] = {
    {BUFFER(SMALL), 16, VK_WHOLE_SIZE}};

static int set_up(void **unused)
{
    (void)unused;
    variants = (struct pgs_variants){0};
    fake_variant(&variants, PGS_VARIANT_VERTEX, 21);
    pipeline = (struct pgs_emulated_pipeline){
        .native_raster = true,
        .variants = &variants,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .provoking_last = true,
        .gs =
            {.output_kind = 3,
             .in = {.stride_w = 12},
             .xfb = {.enabled = true, .stride_B = {16}, .copy_count = 1, .copies = {{8, 0, 4, 0}}}},
    };
    state = (struct pgs_graphics_state){.counted = &pipeline};
    return open_batch(64);
}

static void begin(const struct pgs_counter *counters)
{
    assert_int_equal(pgs_batch_begin_xfb(batch, bindings, counters, &state.interval), VK_SUCCESS);
    assert_int_not_equal(state.interval, 0);
}

static void end(const struct pgs_counter *counters)
{
    assert_int_equal(pgs_batch_end_xfb(batch, state.interval, counters), VK_SUCCESS);
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

/* The n-th op of the recorded program, which has `count` of them. */
static const struct pgs_xfb_op *op(uint32_t n, uint32_t count)
{
    const struct pgs_xfb_program *program = root_of(PGS_KERNEL_XFB_PROGRAM, 0);
    assert_int_equal(program->op_count, count);
    return (const struct pgs_xfb_op *)at(program->ops) + n;
}

/* The n-th record that the vertex shader works on. */
static const struct pgs_draw_record *vertex_root(int n)
{
    return root_of_pipeline(21, n);
}

/* What lies before the record of a draw whose vertex shader captures. */
static const struct pgs_capture *before(const struct pgs_draw_record *record)
{
    return (const void *)((const unsigned char *)record - PGS_CAPTURE_BEFORE_B);
}

static void captures_beside_the_native_draw(void **unused)
{
    (void)unused;
    pipeline.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY;
    begin(no_counters);
    assert_null(add(8, 3)); /* the application's draw stays */
    assert_false(pgs_batch_is_empty(batch));
    record();
    const struct pgs_draw_record *r = vertex_root(0);
    const struct pgs_capture *capture = before(r);
    assert_ptr_equal(capture, at(op(1, 2)->capture));
    expect("barrier; bind 21; dispatch 1 x 1; "
           "bind xfb_program; dispatch 1 x 1"); /* the CPU has found space */
    assert_int_equal(capture->flags, PGS_CAPTURE_STATISTICS | PGS_CAPTURE_FIXED);
    assert_int_equal(capture->vertices_per_primitive, 3);
    assert_int_equal(capture->stride_B[0], 16);
    assert_int_equal(capture->tiles | capture->copies, 0);
    assert_int_equal(capture->written[0], 240 / 48);
    assert_int_equal(capture->target[0], buffers[SMALL].address + 16);
    assert_int_equal(capture->target[1] | capture->target[2] | capture->target[3], 0);
    assert_ptr_equal(r, at(capture->draw));
    assert_int_equal(r->flags, PGS_DRAW_MAIN | PGS_DRAW_PROVOKING_LAST);
    assert_int_equal(r->topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY);
    assert_int_equal(r->primitive_count, 2);
    assert_int_equal(r->instance_count, 3);
    assert_int_equal(r->vertices | r->out_vertices | r->counts | r->primitives, 0);
}

/* One draw behind the other, as long as each says how much it captures; space bounds the
 * invocations. */
static void places_vertices_where_it_knows_the_space(void **unused)
{
    (void)unused;
    pipeline.gs.xfb.stride_B[2] = 4; /* bound nowhere */
    begin(no_counters);
    add(6, 1);
    add(100000, 1);
    add(3, 1);
    record();
    static const uint32_t spaces_el[] = {5, 3, 0};
    for (uint32_t i = 0; i < 3; i++) {
        const struct pgs_capture *c = at(op(1 + i, 4)->capture);
        assert_int_equal(c->flags & PGS_CAPTURE_FIXED, PGS_CAPTURE_FIXED);
        assert_int_equal(c->written[0], spaces_el[i]);
        assert_int_equal(c->target[0], buffers[SMALL].address + 16 + 48 * (5 - spaces_el[i]));
        assert_int_equal(c->target[2], 0);
    }
    expect("barrier; bind 21; dispatch 1 x 1 of 2 draws; " /* the third has no space */
           "bind xfb_program; dispatch 1 x 1");
}

/* It has to wait for the program where only the GPU knows: counters, and whatever comes behind a
 * draw whose size they do not know. */
static void leaves_places_to_xfb_where_only_that_knows(void **unused)
{
    (void)unused;
    static const char waits[] = "barrier; bind xfb_program; dispatch 1 x 1; "
                                "bind 21; barrier; dispatch 1 x 1";
    begin(one_counter);
    add(100000, 1);
    record();
    const struct pgs_capture *capture = before(vertex_root(0));
    expect(waits);
    assert_int_equal(capture->flags, PGS_CAPTURE_STATISTICS);
    assert_int_equal(capture->written[0] | capture->target[0], 0);
    pgs_batch_next_pass(batch);

    begin(no_counters);
    state.condition = (struct pgs_condition){BUFFER(COUNTERS), 12, false};
    add(3, 1);
    state.condition = (struct pgs_condition){0};
    add(3, 1);
    record();
    const struct pgs_capture *first = before(vertex_root(0)), *second = before(vertex_root(1));
    expect("barrier; bind setup; dispatch 1 x 1; bind 21; barrier; dispatch 1 x 1; "
           "bind xfb_program; dispatch 1 x 1; bind 21; barrier; dispatch 1 x 1");
    assert_int_equal(first->flags, PGS_CAPTURE_STATISTICS | PGS_CAPTURE_FIXED);
    assert_int_equal(second->flags, PGS_CAPTURE_STATISTICS);
    pgs_batch_next_pass(batch);

    pipeline.primitive_restart = true;
    begin(no_counters);
    add_call((struct pgs_draw_call){.indexed = true, .count = 3, .instance_count = 1});
    record();
    expect(
        "barrier from raster; bind restart_tiles; dispatch 1 x 1; "
        "bind restart_scan; barrier; dispatch 1 x 1; bind restart_emit; barrier; dispatch 1 x 1; "
        "bind xfb_program; dispatch 1 x 1; bind 21; barrier; dispatch 1 x 1");
}

static void captures_what_it_draws_by_byte_count(void **unused)
{
    (void)unused;
    begin(no_counters);
    const struct pgs_draw *draw = add_call(by_count(1));
    assert_non_null(draw);
    record();
    const struct pgs_setup *setup = root_of(PGS_KERNEL_SETUP, 0);
    expect("barrier from raster; bind setup; dispatch 1 x 1; "
           "bind 21; barrier; dispatch 1 x 1; bind xfb_program; dispatch 1 x 1; barrier to all");
    assert_int_equal(setup->records, draw->subdraws[0].record.address);
    assert_int_equal(setup->record_count, 1);
    assert_int_not_equal(setup->args, 0);
    assert_int_equal(setup->vertex_count, 4800 / 16); /* as the largest buffer could hold */
    assert_int_equal(setup->topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    replay(draw);
    expect("draw indirect");
}

/* Nobody has to find out what an interval comes to: neither does the program run nor is anything
 * waited for. */
static void stores_what_it_knows_where_intervals_end(void **unused)
{
    (void)unused;
    begin(no_counters);
    add(6, 1);
    add(3, 2);
    end(one_counter);
    record();
    const struct pgs_interval_end *stored = root_of(PGS_KERNEL_INTERVAL_END, 0);
    expect("bind 21; dispatch 1 x 1 of 2 draws; bind interval_end; dispatch 1 x 1");
    assert_int_equal(stored->store[0], ADDRESS(COUNTERS) + 60);
    assert_int_equal(stored->store[1] | stored->store[2] | stored->store[3], 0);
    assert_int_equal(stored->draw, 0);
    assert_int_equal(stored->offset_B[0], 4 * 48);
    pgs_batch_next_pass(batch);

    /* The size of the last draw may be the GPU's. */
    begin(no_counters);
    add(6, 1);
    const struct pgs_draw *draw = add_call(by_count(1));
    end(one_counter);
    record();
    stored = root_of(PGS_KERNEL_INTERVAL_END, 0);
    expect("barrier from raster; bind setup; dispatch 1 x 1; " /* for the driver */
           "bind 21; barrier; dispatch 1 x 1 of 2 draws; "
           "bind interval_end; dispatch 1 x 1; barrier to all");
    assert_int_equal(stored->draw, draw->subdraws[0].record.address);
    assert_int_equal(stored->offset_B[0], 2 * 48);
    assert_int_equal(stored->primitive_B[0], 48);
    assert_int_equal(stored->primitive_B[1], 0);
    assert_int_equal(stored->space_el, 3);
}

/* One that is gone on with in the next batch is left to the program, which leaves behind where it
 * is.
 */
static void keeps_to_xfb_where_it_has_more_to_do(void **unused)
{
    (void)unused;
    static const char runs[] = "barrier; bind 21; dispatch 1 x 1; bind xfb_program; dispatch 1 x 1";
    begin(no_counters);
    add(6, 1);
    record();
    expect(runs);
    pgs_batch_next_pass(batch);
    end(one_counter); /* known here */
    record();
    const struct pgs_interval_end *stored = root_of(PGS_KERNEL_INTERVAL_END, 0);
    expect("bind interval_end; dispatch 1 x 1");
    assert_int_equal(stored->offset_B[0], 2 * 48);
    pgs_batch_next_pass(batch);

    begin(no_counters);
    state.queries.xfb[0] = 0x6000;
    add(6, 1);
    state.queries.xfb[0] = 0;
    end(one_counter);
    record();
    expect(runs);
    pgs_batch_next_pass(batch);

    for (int i = 0; i < 2; i++) { /* which of them stores last? */
        begin(no_counters);
        add(6, 1);
        end(one_counter);
    }
    record();
    expect("barrier; bind 21; dispatch 1 x 1 of 2 draws; bind xfb_program; dispatch 1 x 1");
    pgs_batch_next_pass(batch);

    for (int i = 0; i < 2; i++) { /* the second one reads what the first one stores */
        begin(i ? one_counter : no_counters);
        add(6, 1);
        end(i ? no_counters : one_counter);
    }
    record();
    expect("barrier; bind 21; dispatch 1 x 1; bind xfb_program; dispatch 1 x 1; "
           "bind 21; barrier; dispatch 1 x 1");
}

/* An interval ends in the next batch of the pass. */
static void end_later(void)
{
    struct pgs_batch *first = batch;
    assert_int_equal(pgs_batch_create(&fake_device, first, NULL, &batch), VK_SUCCESS);
    end(one_counter);
    record_batch(batch, PGS_BATCH_LATER);
    pgs_batch_destroy(batch);
    batch = first;
}

/* What is known of an interval's last draw is nothing any more once another one has captured, in
 * whatever batch the interval then ends. */
static void leaves_ends_behind_unknown_places_to_xfb(void **unused)
{
    (void)unused;
    for (int more = 0; more < 2; more++) {
        begin(no_counters);
        state.condition = (struct pgs_condition){BUFFER(COUNTERS), 12, false};
        add(3, 1);
        state.condition = (struct pgs_condition){0};
        if (more)
            add(3, 1); /* the CPU knows its size, but not where it is */
        record();
        forget();
        end_later();
        expect(more ? "barrier; bind xfb_program; dispatch 1 x 1"
                    : "barrier; bind interval_end; dispatch 1 x 1");
        pgs_batch_next_pass(batch);
    }
}

/* A pass that is parted within an interval: the second part uses the memory of the first, which the
 * size of its last draw lies in. */
static void leaves_ends_behind_parted_passes_to_xfb(void **unused)
{
    (void)unused;
    pipeline.primitive_restart = true;
    begin(no_counters);
    add_call((struct pgs_draw_call){.indexed = true, .count = 3, .instance_count = 1});
    record();
    forget();
    pgs_batch_next_pass(batch);
    end(one_counter);
    record();
    expect("barrier; bind xfb_program; dispatch 1 x 1");
}

/* The barrier between two batches is the application's, whose shaders may find what was captured in
 * a uniform buffer. */
static void lets_later_batches_read_in_any_way(void **unused)
{
    (void)unused;
    for (int later = 0; later < 2; later++) {
        begin(no_counters);
        add(6, 1);
        end(one_counter);
        record_batch(batch, !later);
        assert_int_equal(fake.barriers_to, later ? VK_ACCESS_SHADER_READ_BIT |
                                                       VK_ACCESS_SHADER_WRITE_BIT |
                                                       VK_ACCESS_UNIFORM_READ_BIT
                                                 : 0);
        forget();
        pgs_batch_next_pass(batch);
    }
}

/* Where the driver does not draw, the counter is read by who captures, unless somebody stores it.
 */
static void reads_byte_counts_where_they_are_wanted(void **unused)
{
    (void)unused;
    const struct pgs_counter read[PGS_MAX_XFB_BUFFERS] = {{BUFFER(COUNTERS), 8}};
    pipeline.rasterizer_discard = true;
    begin(no_counters);
    add_call(by_count(2));
    end(one_counter);
    record();
    const struct pgs_capture *capture = before(vertex_root(0));
    const struct pgs_interval_end *stored = root_of(PGS_KERNEL_INTERVAL_END, 0);
    expect("bind 21; dispatch 1 x 1; bind interval_end; dispatch 1 x 1");
    assert_int_equal(capture->count.counter, ADDRESS(COUNTERS) + 8);
    assert_int_equal(capture->count.offset_B, 4);
    assert_int_equal(capture->count.stride_B, 16);
    assert_int_equal(capture->count.most_el, 4800 / 16);
    assert_int_equal(stored->draw, capture->draw);
    pgs_batch_next_pass(batch);

    for (int later = 0; later < 2; later++) {
        begin(no_counters);
        if (later)
            add(3, 1);
        else
            add_call(by_count(2));
        end(read);
        if (later) {
            begin(no_counters);
            add_call(by_count(2));
            end(no_counters);
        }
        record();
        capture = before(vertex_root(later));
        expect(later ? "barrier; bind setup; dispatch 1 x 1; "
                       "bind 21; barrier; dispatch 1 x 1 of 2 draws; "
                       "bind interval_end; dispatch 1 x 1 of 2 draws"
                     : "barrier; bind setup; dispatch 1 x 1; "
                       "bind 21; barrier; dispatch 1 x 1; bind interval_end; dispatch 1 x 1");
        assert_int_equal(capture->count.counter, 0);
        pgs_batch_next_pass(batch);
    }
    /* Conditions are asked for where they always are. */
    state.condition = (struct pgs_condition){BUFFER(COUNTERS), 12, false};
    begin(no_counters);
    add_call(by_count(2));
    end(no_counters);
    record();
    assert_int_equal(before(vertex_root(0))->count.counter, 0);
}

/* Under rasterizer discard the driver has nothing to do, unless it counts. */
static void spares_the_driver_draws_that_do_nothing(void **unused)
{
    (void)unused;
    pipeline.rasterizer_discard = true;
    begin(no_counters);
    const struct pgs_draw *draw = add(6, 1), *by_bytes = add_call(by_count(1));
    assert_non_null(draw);
    assert_non_null(by_bytes);
    struct pgs_draw_call indirect = {.indirect = true, .args = {BUFFER(ARGS), 0}, .max_draws = 1};
    assert_null(add_call(indirect)); /* one call may be many draws */
    state.queries.statistics = 0x6000;
    assert_null(add(6, 1));
    state.queries.statistics = 0;
    state.driver_queries = 1; /* of clipping, maybe */
    assert_null(add(6, 1));
    end(no_counters);
    record();
    forget();
    replay(draw);
    replay(by_bytes);
    expect("");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(captures_beside_the_native_draw),
        TEST(places_vertices_where_it_knows_the_space),
        TEST(leaves_places_to_xfb_where_only_that_knows),
        TEST(captures_what_it_draws_by_byte_count),
        TEST(stores_what_it_knows_where_intervals_end),
        TEST(keeps_to_xfb_where_it_has_more_to_do),
        TEST(leaves_ends_behind_unknown_places_to_xfb),
        TEST(leaves_ends_behind_parted_passes_to_xfb),
        TEST(lets_later_batches_read_in_any_way),
        TEST(reads_byte_counts_where_they_are_wanted),
        TEST(spares_the_driver_draws_that_do_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
