/* SPDX-License-Identifier: MIT
 *
 * An instanced draw of which compute shaders list what may be seen: what is recorded and drawn, and
 * when it is drawn whole. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"
#include "poly_gs/planes.h"

#define STRIPS 6u

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    fake_variant(&variants, PGS_VARIANT_INSTANCED, 14);
    fake_variant(&variants, PGS_VARIANT_SIFT, 15);
    pipeline.cull_planes = PGS_DRAW_PLANES_SIDES;
    pipeline.gs.writes_layer = true;
    pipeline.gs.invocations = STRIPS;
    pipeline.gs.one_vertex.strips = STRIPS;
    pipeline.gs.one_vertex.each = 1;
    pipeline.gs.one_vertex.layers_differ = true;
    fake_physical.features.drawIndirectFirstInstance = true;
    fake_physical.traits.costs.of[PGS_COST_SIFT_PRIMITIVES] = 10;
    return open_batch(64);
}

static int leave(void **unused)
{
    fake_physical.features.drawIndirectFirstInstance = false;
    fake_physical.traits.costs.of[PGS_COST_SIFT_PRIMITIVES] = 0;
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

static bool is_sifted(const struct pgs_replacement *replacement)
{
    return replacement->draw->plan.raster == PGS_RASTER_SIFTED;
}

static void three_dispatches_list_what_is_drawn(void **unused)
{
    (void)unused;
    const struct pgs_replacement *sifted = add(300, false);
    assert_true(is_sifted(sifted) && pgs_draw_takes_buffers(sifted) &&
                pgs_draw_binds_indices(sifted) && pgs_draw_shades(sifted));
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; "
           "bind 15; dispatch 5 x 1; "
           "bind sift_scan; barrier; dispatch 6 x 1; "
           "bind sift_list; barrier; dispatch 2 x 1; "
           "barrier to raster");
    pgs_draw_replay(sifted, VK_NULL_HANDLE);
    expect("draw with 14; index; draw 1; draw 1; draw 1; draw 1; draw 1; draw 1");
    const struct pgs_draw_record *r = record(sifted->draw, 0);
    assert_int_equal(r->max_vertices, STRIPS);
    assert_int_equal(r->gs_invocation_bound, 300);
    assert_int_equal(r->flags, PGS_DRAW_PLANES_SIDES);
    assert_int_equal(r->first_vertex, 5);
    assert_int_equal(r->first_instance, 2);
    assert_true(r->counts && r->tile_sums && r->indices && r->draw_args);
    assert_true(r->tile_sums - r->counts >= 300 * 4);
    assert_true(r->indices - r->tile_sums >= STRIPS * 5 * 4);
    assert_true(r->draw_args - r->indices >= STRIPS * 300 * 3 * 4);
    assert_int_equal(fake.drawn, r->draw_args + (STRIPS - 1) * 20);
}

/* What is left in place binds no index buffer. */
static void small_ones_are_drawn_whole(void **unused)
{
    (void)unused;
    const struct pgs_replacement *small = add(9, true), *large = add(10, true);
    assert_false(is_sifted(small) || pgs_draw_binds_indices(small));
    assert_true(is_sifted(large));
    assert_true(record(large->draw, 0)->flags & PGS_DRAW_INDEXED);
    fake_physical.features.drawIndirectFirstInstance = false;
    assert_false(is_sifted(add(10, true))); /* whose strips the arguments could not name */
    fake_physical.features.drawIndirectFirstInstance = true;
    fake_physical.instance->settings.cull = PGS_CULL_ALWAYS;
    assert_true(is_sifted(add(1, false)));
    fake_physical.instance->settings.cull = PGS_CULL_AUTO;
}

/* Kernels would read zeros, which the driver does not. */
static void what_kernels_cannot_read_is_drawn_whole(void **unused)
{
    (void)unused;
    state.vertex[0].buffer = BUFFER(EXTERNAL);
    assert_false(is_sifted(add(10, true)));
    state.vertex[0].buffer = BUFFER(VERTICES);
    state.index_buffer = BUFFER(EXTERNAL);
    assert_false(is_sifted(add(10, true)));
    assert_true(is_sifted(add(10, false)));
    state.index_buffer = BUFFER(INDICES);
    assert_true(is_sifted(add(10, true)));
}

/* A draw that needs no memory does not fail for lack of it, nor do the next ones try. */
static void without_memory_they_are_drawn_whole(void **unused)
{
    (void)unused;
    fake.no_kernels = true;
    fake_lacks_kernels_only = true;
    const struct pgs_replacement *first = add(300, false), *second = add(300, false);
    fake.no_kernels = fake_lacks_kernels_only = false;
    assert_false(is_sifted(first) || is_sifted(second));
    assert_false(is_sifted(add(300, false)));
    pgs_batch_next_pass(batch);
    assert_true(is_sifted(add(300, false)));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, leave)
    const struct CMUnitTest tests[] = {
        TEST(three_dispatches_list_what_is_drawn),
        TEST(small_ones_are_drawn_whole),
        TEST(what_kernels_cannot_read_is_drawn_whole),
        TEST(without_memory_they_are_drawn_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
