/* SPDX-License-Identifier: MIT
 *
 * A draw whose geometry shader picks vertices: what is recorded and drawn, and when it is drawn
 * otherwise. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    fake_variant(&variants, PGS_VARIANT_PICKED, 14);
    fake_variant(&variants, PGS_VARIANT_PICK, 15);
    pipeline.gs.may_pick = true;
    pipeline.gs.output_kind = 2;
    pipeline.gs.max_vertices = 6;
    pipeline.gs.longest_strip_el = 2;
    pipeline.gs.pattern.is_known = false;
    fake_physical.features.drawIndirectFirstInstance = true;
    fake_physical.traits.costs.of[PGS_COST_PICK_PRIMITIVES] = 10;
    return open_batch(64);
}

static int leave(void **unused)
{
    fake_physical.features.drawIndirectFirstInstance = false;
    fake_physical.traits.costs.of[PGS_COST_PICK_PRIMITIVES] = 0;
    return tear_down(unused);
}

static const struct pgs_replacement *add_draw(struct pgs_draw_call call)
{
    struct pgs_replacement *replacement = NULL;
    assert_int_equal(pgs_batch_add(batch, &state, &call, false, &replacement), VK_SUCCESS);
    assert_non_null(replacement);
    return replacement;
}

static const struct pgs_replacement *add(uint32_t triangles, bool indexed)
{
    return add_draw((struct pgs_draw_call){.indexed = indexed,
                                           .count = 3 * triangles,
                                           .instance_count = 1,
                                           .first = indexed ? 0 : 5,
                                           .vertex_offset = indexed ? 7 : 0,
                                           .first_instance = 2});
}

static bool is_picked(const struct pgs_replacement *replacement)
{
    return replacement->draw->plan.raster == PGS_RASTER_PICKED;
}

static void three_dispatches_list_what_is_drawn(void **unused)
{
    (void)unused;
    const struct pgs_replacement *picked = add(300, false);
    assert_true(is_picked(picked) && pgs_draw_takes_buffers(picked) &&
                pgs_draw_binds_indices(picked) && pgs_draw_shades(picked));
    assert_false(pgs_draw_takes_assembly(picked));
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 15; dispatch 5 x 1; "
           "bind pick_scan; barrier; dispatch 1 x 1; "
           "bind pick_list; barrier; dispatch 2 x 1; "
           "barrier to raster");
    pgs_draw_replay(picked, VK_NULL_HANDLE);
    expect("draw with 14; index; draw 1");
    const struct pgs_draw_record *r = record(picked->draw, 0);
    assert_int_equal(r->out_kind, 2);
    assert_int_equal(r->gs_invocation_bound, 300);
    assert_int_equal(r->packed_vertices, 0);
    assert_int_equal(r->flags, 0);
    assert_int_equal(r->first_vertex, 5);
    assert_int_equal(r->first_instance, 2);
    assert_true(r->counts && r->tile_sums && r->indices && r->draw_args);
    assert_true(r->tile_sums - r->counts >= 300 * 4);
    assert_true(r->indices - r->tile_sums >= 5 * 4);
    assert_true(r->draw_args - r->indices >= 300 * 6 * 4);
    assert_int_equal(fake.drawn, r->draw_args);
}

static void small_ones_are_drawn_otherwise(void **unused)
{
    (void)unused;
    const struct pgs_replacement *small = add(9, true), *large = add(10, true);
    assert_false(is_picked(small) || pgs_draw_binds_indices(small));
    assert_true(is_picked(large));
    assert_true(record(large->draw, 0)->flags & PGS_DRAW_INDEXED);
    assert_int_equal(record(large->draw, 0)->first_vertex, 7);
    assert_false(is_picked(add(9, true)));
}

/* The driver would take the first instance for 0. */
static void drivers_must_know_first_instances(void **unused)
{
    (void)unused;
    fake_physical.features.drawIndirectFirstInstance = false;
    assert_false(is_picked(add(300, true)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(three_dispatches_list_what_is_drawn, set_up, leave),
        cmocka_unit_test_setup_teardown(small_ones_are_drawn_otherwise, set_up, leave),
        cmocka_unit_test_setup_teardown(drivers_must_know_first_instances, set_up, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
