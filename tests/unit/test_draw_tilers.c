/* SPDX-License-Identifier: MIT
 *
 * What draws of stored vertices are like where devices prefer positions apart, lists for strips and
 * direct draws, or where strips are left out. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/sizes.h"
#include "draw_triangles.h"
#include "poly_gs/coverage.h"
#include "poly_gs/planes.h"

/* Draws that were made directly. */
static struct direct {
    uint32_t index_count, first_index, first_instance;
    int32_t vertex_offset;
} directs[4];
static uint32_t direct_count;

static void fake_draw_indexed(VkCommandBuffer cb, uint32_t index_count, uint32_t instance_count,
                              uint32_t first_index, int32_t vertex_offset, uint32_t first_instance)
{
    (void)cb;
    assert_int_equal(instance_count, 1);
    assert_true(direct_count < 4);
    directs[direct_count++] =
        (struct direct){index_count, first_index, first_instance, vertex_offset};
    note("draw directly");
}

static void fake_draw_vertices(VkCommandBuffer cb, uint32_t vertex_count, uint32_t instance_count,
                               uint32_t first_vertex, uint32_t first_instance)
{
    fake_draw_indexed(cb, vertex_count, instance_count, 0, (int32_t)first_vertex, first_instance);
    note("without indices");
}

static int set_up(void **unused)
{
    (void)unused;
    direct_count = 0;
    bind_triangles(1);
    pipeline.gs.max_vertices = 64;
    pipeline.gs.out_stride_w = 12;
    pipeline.gs.pattern = (struct pgs_spv_emit_pattern){
        .is_known = true, .vertices = 64, .primitives = {62}, .indices = {65}};
    const int result = open_batch(64);
    fake_device.vk.CmdDrawIndexed = fake_draw_indexed;
    fake_device.vk.CmdDraw = fake_draw_vertices;
    return result;
}

static int tear_down_traits(void **unused)
{
    fake_physical.traits = (struct pgs_device_class){.kind = PGS_DEVICE_ANY};
    fake_physical.features.drawIndirectFirstInstance = VK_FALSE;
    fake_physical.lacks_first_instance = false;
    fake_instance.settings.cull = PGS_CULL_AUTO;
    return tear_down(unused);
}

static struct pgs_replacement *add(uint32_t first, bool follows)
{
    const struct pgs_draw_call call = {.count = 30, .instance_count = 1, .first = first};
    struct pgs_replacement *replacement;
    if (follows && pgs_batch_add_next(batch, &state, &call.direct))
        return NULL;
    assert_int_equal(pgs_batch_add(batch, &state, &call, follows, &replacement), VK_SUCCESS);
    return replacement;
}

/* One offset cannot lead to both arrays of a call, so each call is an instance with its record. */
static void calls_with_two_arrays_are_instances(void **unused)
{
    (void)unused;
    pipeline.gs.out_head_w = 4;
    add(0, false);
    assert_non_null(add(1, true)); /* the driver takes no first instance from memory */
    fake_physical.features.drawIndirectFirstInstance = VK_TRUE;
    fake_physical.lacks_first_instance = true; /* the layer reports it in the driver's place */
    pipeline.number++, state.version++;
    add(0, false);
    assert_non_null(add(1, true));
    fake_physical.lacks_first_instance = false;
    pipeline.number++, state.version++;
    const struct pgs_draw *draw = add(3, false)->draw;
    assert_null(add(9, true));
    assert_null(add(6, true));
    for (uint32_t i = 0; i < 3; i++) {
        const struct pgs_draw_record *r = record(draw, i);
        assert_int_equal(r->out_vertices,
                         record(draw, 0)->out_vertices + i * draw->scratch_stride_B);
        assert_int_equal(r->out_rest, r->out_vertices + 10 * 64 * 4 * 4);
        assert_int_equal(r->out_head_w, 4);
        assert_int_equal(r->out_stride_w, 12);
        assert_int_equal(r->vertex_offset, 0);
        assert_int_equal(r->raster_instance, i);
    }
}

/* Vertices are counted anew in each execution, so the count begins at 0; behind the ends of strips
 * is room for the place of each. */
static void packed_vertices_have_places(void **unused)
{
    (void)unused;
    uint64_t strip_ends_B[2];
    for (int packs = 0; packs < 2; packs++) {
        pipeline.packs = pipeline.expands_any = packs;
        pipeline.number++, state.version++;
        const struct pgs_draw *draw = add(0, false)->draw;
        const struct pgs_draw_record *r = record(draw, 0);
        assert_int_equal(draw->plan.packed, packs);
        assert_int_equal(pgs_plan_runs(&draw->plan, PGS_STAGE_EXPAND_ANY), packs);
        assert_int_equal(pgs_plan_runs(&draw->plan, PGS_STAGE_EXPAND), !packs);
        assert_int_equal((r->flags & PGS_DRAW_PACKED) != 0, packs);
        assert_int_equal(r->packed_vertices, 0);
        strip_ends_B[packs] = r->counts - r->strip_ends;
    }
    assert_true(strip_ends_B[1] >= strip_ends_B[0] + 10 * 64 * 4);
    pipeline.rasterizer_discard = pipeline.has_effects = true; /* nobody would count anew */
    pipeline.number++, state.version++;
    const struct pgs_draw *draw = add(0, false)->draw;
    assert_true(pgs_plan_runs(&draw->plan, PGS_STAGE_GEOMETRY));
    assert_false(draw->plan.packed || (record(draw, 0)->flags & PGS_DRAW_PACKED));
}

/* The same compute work, but for the kernel that writes the indices. */
static void lists_have_indices_for_each_primitive(void **unused)
{
    (void)unused;
    for (int lists = 0; lists < 2; lists++) {
        pipeline.lists = lists;
        const struct pgs_draw *draw = add(0, false)->draw;
        const struct pgs_draw_record *r = record(draw, 0);
        struct pgs_subdraw_sizes sizes;
        pgs_subdraw_sizes(&pipeline.gs, &draw->plan, 10, &sizes);
        assert_int_equal(sizes.indices_B, 10 * (lists ? 3 * 62 : 64 + 21) * 4);
        assert_int_equal(pgs_plan_runs(&draw->plan, PGS_STAGE_EXPAND), !lists);
        assert_int_equal(pgs_plan_runs(&draw->plan, PGS_STAGE_EXPAND_POLYGONS), lists);
        assert_int_equal(r->flags & (PGS_DRAW_LISTS | PGS_DRAW_POLYGONS),
                         lists ? PGS_DRAW_LISTS : 0);
        assert_int_equal(r->primitives != 0, lists); /* which the kernel adds up */
        pipeline.number++, state.version++;
    }
}

static void moves_what_lists_need_with_their_call(void **unused)
{
    (void)unused;
    pipeline.lists = true;
    const struct pgs_draw *draw = add(0, false)->draw;
    assert_null(add(1, true));
    assert_int_equal(record(draw, 1)->primitives,
                     record(draw, 0)->primitives + draw->scratch_stride_B);
}

/* Whatever the arguments in memory would say. */
static void draws_directly_what_is_known(void **unused)
{
    (void)unused;
    fake_physical.traits.draws_directly = true;
    for (uint32_t head_w = 0; head_w <= 4; head_w += 4) {
        pipeline.gs.out_head_w = head_w;
        pipeline.lists = head_w != 0;
        const struct pgs_replacement *all = add(0, false);
        assert_null(add(1, true));
        forget();
        pgs_draw_replay(all, VK_NULL_HANDLE);
        expect(head_w ? "vertex; draw directly; draw directly" /* the index buffer is the same */
                      : "vertex; index; draw directly; draw directly");
        for (uint32_t i = 0; i < 2; i++) {
            const struct pgs_draw_record *r = record(all->draw, i);
            assert_int_equal(directs[i].index_count, 10 * (head_w ? 3 * 62 : 65));
            assert_int_equal(directs[i].first_index, r->first_index);
            assert_int_equal(directs[i].vertex_offset, r->vertex_offset);
            assert_int_equal(directs[i].first_instance, r->raster_instance);
        }
        direct_count = 0;
        pipeline.number++, state.version++;
    }
}

/* Triangles that fill their slots are drawn as they lie, unless strips may be left out, or somebody
 * captures. Nobody lists them. */
static void draws_in_order_without_indices(void **unused)
{
    (void)unused;
    const struct pgs_spv_emit_pattern triangles = {
        .is_known = true, .vertices = 6, .longest_el = 3, .primitives = {2}, .indices = {8}};
    fake_physical.traits.draws_in_order = true;
    fake_physical.traits.costs.of[PGS_COST_SPREAD_INVOCATIONS] = 1;
    pipeline.spreads = true;
    for (uint32_t i = 0; i < 7; i++) {
        const bool in_order = i == 0 || i == 6;
        pipeline.gs.pattern = triangles;
        pipeline.gs.max_vertices = i == 1 ? 7 : 6; /* a slot is left */
        pipeline.gs.pattern.longest_el = i == 2 ? 4 : 3;
        pipeline.gs.pattern.is_known = i != 3;
        pipeline.lists = i != 4;
        pipeline.cull_planes = i == 5 ? PGS_DRAW_PLANES_SIDES : 0;
        pipeline.fetches = i == 6;
        pipeline.number++, state.version++;
        const struct pgs_replacement *all = add(0, false);
        assert_int_equal(all->draw->plan.in_order, in_order);
        assert_int_equal(all->draw->plan.spread, !in_order); /* else they lie in another order */
        assert_int_equal(all->draw->plan.direct_indices, in_order ? 6 : 0);
        if (!in_order)
            continue;
        assert_null(add(1, true));
        direct_count = 0;
        forget();
        pgs_draw_replay(all, VK_NULL_HANDLE);
        assert_int_equal(direct_count, 2);
        for (uint32_t call = 0; call < 2; call++) {
            const struct pgs_draw_record *r = record(all->draw, call);
            assert_int_equal(directs[call].index_count, 10 * 6);
            assert_int_equal(directs[call].vertex_offset, r->vertex_offset);
            assert_int_equal(directs[call].first_instance, r->raster_instance);
        }
    }
}

static VkBuffer bound_buffer;
static VkDeviceSize bound_B;

static void fake_bind_vertices(VkCommandBuffer cb, uint32_t first, uint32_t count,
                               const VkBuffer *bound, const VkDeviceSize *offsets_B)
{
    (void)cb;
    assert_true(first == 0 && count == 1);
    bound_buffer = bound[0];
    bound_B = offsets_B[0];
    note("vertex");
}

/* The vertices of the first call are bound, to which those of others have an offset, in whole
 * vertices. */
static void binds_vertices_that_are_attributes(void **unused)
{
    (void)unused;
    fake_device.vk.CmdBindVertexBuffers = fake_bind_vertices;
    for (int fetches = 0; fetches < 2; fetches++) {
        pipeline.fetches = fetches;
        add(0, false);
        const struct pgs_replacement *all = add(1, true); /* a chain */
        const struct pgs_draw *draw = all->draw;
        assert_null(add(2, true));
        const struct pgs_draw_record *r = record(draw, 0), *second = record(draw, 1);
        assert_int_equal(draw->plan.fetches, fetches);
        assert_int_equal(r->flags & PGS_DRAW_FETCHED, fetches ? PGS_DRAW_FETCHED : 0);
        pgs_draw_replay(all, VK_NULL_HANDLE);
        if (fetches) {
            assert_ptr_equal(bound_buffer, draw->scratch.buffer);
            assert_int_equal(bound_B - draw->scratch.offset_B,
                             r->out_vertices - draw->scratch.address);
        } else {
            assert_ptr_equal(bound_buffer, draw->records.buffer);
        }
        assert_int_equal(r->vertex_offset, 0);
        assert_int_equal((second->out_vertices - r->out_vertices) % (12 * 4), 0);
        state.next_set_order++;
        const struct pgs_replacement *copy = add(5, false); /* elsewhere */
        assert_ptr_not_equal(copy->draw, draw);
        pgs_draw_replay(copy, VK_NULL_HANDLE);
        if (fetches)
            assert_int_equal(bound_B - copy->draw->scratch.offset_B,
                             record(copy->draw, 0)->out_vertices - copy->draw->scratch.address);
        pipeline.number++, state.version++;
    }
}

static void draws_by_arguments_what_only_the_gpu_knows(void **unused)
{
    (void)unused;
    fake_physical.traits.draws_directly = true;
    pipeline.gs.pattern.is_known = false;
    assert_int_equal(add(0, false)->draw->plan.direct_indices, 0);
    pipeline.gs.pattern.is_known = true;
    pipeline.number++, state.version++;
    assert_int_equal(add(0, false)->draw->plan.direct_indices, 65);
    pipeline.dynamic = PGS_DYNAMIC_STREAM;
    pipeline.number++, state.version++;
    assert_int_equal(add(0, false)->draw->plan.direct_indices, 0);
}

/* What somebody counts or captures is all there; and by default the CPU goes on knowing what it
 * draws. */
static void culls_what_nobody_counts(void **unused)
{
    (void)unused;
    const uint32_t planes = PGS_DRAW_PLANES_SIDES | PGS_DRAW_PLANE_FAR;
    for (uint32_t i = 0; i < 6; i++) {
        const bool direct = i == 4 || i == 5, culls = i == 1 || i == 5;
        pipeline.cull_planes = i ? planes : 0;
        fake_instance.settings.cull = i == 5 ? PGS_CULL_ALWAYS : PGS_CULL_AUTO;
        state.driver_queries = i == 2;
        state.queries.generated[0] = i == 3 ? 64 : 0;
        fake_physical.traits.draws_directly = direct;
        pipeline.number++, state.version++;
        const struct pgs_draw *draw = add(0, false)->draw;
        assert_int_equal(draw->plan.culls, culls);
        assert_int_equal(record(draw, 0)->flags & PGS_DRAW_PLANES, culls ? planes : 0);
        assert_int_equal(draw->plan.direct_indices, i == 4 ? 65 : 0);
    }
}

/* A plan says that only of viewports that are known and begin between pixels. */
static void looks_for_what_is_not_covered_where_samples_are_known(void **unused)
{
    (void)unused;
    static const VkViewport viewports[] = {{0, 0, 64, 64, 0, 1}, {0.5f, 0, 64, 64, 0, 1}};
    fake_physical.traits.costs.of[PGS_COST_SPREAD_INVOCATIONS] = 1;
    pipeline.cull_planes = PGS_DRAW_PLANES_SIDES | PGS_DRAW_COVERAGE;
    for (uint32_t i = 0; i < 3; i++) {
        pipeline.viewports.viewport_count = i < 2;
        pipeline.viewports.viewports[0] = viewports[i % 2];
        pipeline.number++, state.version++;
        const struct pgs_draw *draw = add(0, false)->draw;
        assert_true(draw->plan.culls);
        assert_int_equal(draw->plan.finds_uncovered, i == 0);
        assert_int_equal((record(draw, 0)->flags & PGS_DRAW_COVERAGE) != 0, i == 0);
    }
}

/* Large draws only, of strips or of lists, which both have a bit for each triangle; of lists as
 * long as the geometry shader that counts these has not been lost. */
static void cuts_strips_and_lists(void **unused)
{
    (void)unused;
    pipeline.cull_planes = PGS_DRAW_PLANES_SIDES | PGS_DRAW_CUTS;
    pipeline.viewports.viewport_count = 1;
    pipeline.viewports.viewports[0] = (VkViewport){0, 0, 64, 64, 0, 1};
    for (uint32_t i = 0; i < 6; i++) {
        const bool lost = i >= 4, cuts = i < 2 || i == 4;
        fake_variant(&variants, PGS_VARIANT_FUSED, lost ? 0 : 13);
        pipeline.cut_from = i < 2 || lost ? 1 : 1u << 30;
        pipeline.lists = i % 2;
        pipeline.number++, state.version++;
        const struct pgs_draw *draw = add(0, false)->draw;
        assert_int_equal(draw->plan.expand == PGS_EXPAND_CUT, cuts);
        assert_int_equal(draw->plan.finds_uncovered, cuts);
        assert_int_equal((record(draw, 0)->flags & PGS_DRAW_CUTS) != 0, cuts);
        assert_int_equal((record(draw, 0)->flags & PGS_DRAW_LISTS) != 0, pipeline.lists);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down_traits)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(calls_with_two_arrays_are_instances),
        TEST(packed_vertices_have_places),
        TEST(lists_have_indices_for_each_primitive),
        TEST(moves_what_lists_need_with_their_call),
        TEST(draws_directly_what_is_known),
        TEST(draws_in_order_without_indices),
        TEST(binds_vertices_that_are_attributes),
        TEST(draws_by_arguments_what_only_the_gpu_knows),
        TEST(culls_what_nobody_counts),
        TEST(looks_for_what_is_not_covered_where_samples_are_known),
        TEST(cuts_strips_and_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
