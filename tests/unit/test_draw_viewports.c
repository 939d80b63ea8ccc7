/* SPDX-License-Identifier: MIT
 *
 * The parts of the framebuffer in which the same viewports draw.
 */
#include "base/alloc.h"
#include "draw/viewports.h"
#include "memory/linear.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_heap.h"

#define SIDE_PX 24

static struct pgs_viewport_rect parts[PGS_MAX_VIEWPORT_PARTS];

static bool covers(const struct pgs_viewport_rect *r, int32_t x, int32_t y)
{
    return x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1;
}

/* Each pixel lies in one part, which has all the rectangles that cover it, or in none. */
static void check_pixels(const struct pgs_viewport_rect *rects, uint32_t count, uint32_t part_count)
{
    for (int32_t y = 0; y < SIDE_PX; y++)
        for (int32_t x = 0; x < SIDE_PX; x++) {
            uint32_t wanted = 0, got = 0, hits = 0;
            for (uint32_t i = 0; i < count; i++)
                wanted |= (uint32_t)covers(&rects[i], x, y) << i;
            for (uint32_t i = 0; i < part_count; i++)
                if (covers(&parts[i], x, y)) {
                    got = parts[i].mask;
                    hits++;
                }
            assert_int_equal(got, wanted);
            assert_int_equal(hits, wanted != 0);
        }
}

static void divides_what_overlaps(void **state)
{
    (void)state;
    struct pgs_viewport_rect rects[PGS_MAX_VIEWPORTS];
    uint32_t most = 0;
    srand(5);
    for (int round = 0; round < 500; round++) {
        const uint32_t count = 1 + (uint32_t)rand() % PGS_MAX_VIEWPORTS;
        for (uint32_t i = 0; i < count; i++) {
            const int32_t x = rand() % SIDE_PX, y = rand() % SIDE_PX;
            rects[i] = (struct pgs_viewport_rect){x, y, rand() % (SIDE_PX + 1),
                                                  rand() % (SIDE_PX + 1), 0}; /* many are empty */
        }
        const uint32_t part_count = pgs_viewport_divide(rects, count, parts);
        check_pixels(rects, count, part_count);
        most = part_count > most ? part_count : most;
    }
    assert_true(most > PGS_MAX_VIEWPORTS);
}

/* Rows over columns: all that 16 rectangles can make. */
static void has_room_for_the_worst(void **state)
{
    (void)state;
    struct pgs_viewport_rect rects[PGS_MAX_VIEWPORTS];
    for (int32_t i = 0; i < PGS_MAX_VIEWPORTS; i++) {
        const int32_t at = i / 2 * 3, end = SIDE_PX;
        rects[i] = i & 1 ? (struct pgs_viewport_rect){0, at, end, at + 2, 0}
                         : (struct pgs_viewport_rect){at, 0, at + 2, end, 0};
    }
    const uint32_t part_count = pgs_viewport_divide(rects, PGS_MAX_VIEWPORTS, parts);
    assert_true(part_count < PGS_MAX_VIEWPORT_PARTS);
    check_pixels(rects, PGS_MAX_VIEWPORTS, part_count);
    for (int32_t i = 0; i < PGS_MAX_VIEWPORTS; i++) /* stairs */
        rects[i] = (struct pgs_viewport_rect){i, i, i + 8, i + 8, 0};
    check_pixels(rects, PGS_MAX_VIEWPORTS, pgs_viewport_divide(rects, PGS_MAX_VIEWPORTS, parts));
}

static void leaves_others_whole(void **state)
{
    (void)state;
    const struct pgs_viewport_rect apart[3] = {
        {0, 0, 8, 8, 0}, {8, 0, 16, 8, 0}, {0, 8, 16, 24, 0}};
    assert_int_equal(pgs_viewport_divide(apart, 3, parts), 3);
    check_pixels(apart, 3, 3);
    const struct pgs_viewport_rect same[3] = {{2, 3, 8, 9, 0}, {2, 3, 8, 9, 0}, {2, 3, 8, 9, 0}};
    assert_int_equal(pgs_viewport_divide(same, 3, parts), 1);
    assert_int_equal(parts[0].mask, 7);
    assert_int_equal(pgs_viewport_divide(NULL, 0, parts), 0);
}

/* Two viewports that overlap, so that positions move, and a pipeline of lines or wide lines. */
static const struct pgs_viewport_parts *parts_of(struct pgs_batch_memory *memory,
                                                 const VkViewport *viewport, float line_width_px,
                                                 enum pgs_spv_polygons polygons)
{
    const struct pgs_emulated_pipeline pipeline = {
        .by_viewport = true,
        .polygons = polygons,
        .line_width = line_width_px,
        .gs = {.output_kind = 2},
        .multisampled = true,
        .viewports = {.viewport_count = 2,
                      .scissor_count = 2,
                      .viewports = {{0, 0, 64, 64, 0, 1}, *viewport},
                      .scissors = {{{0, 0}, {64, 64}}, {{0, 0}, {INT32_MAX, INT32_MAX}}}},
    };
    const struct pgs_graphics_state state = {.pipeline = &pipeline};
    return pgs_viewport_parts_new(&fake_device, memory, &state);
}

/* What is allowed (a height of 0, no range of depths), and what is not but must end. */
static void takes_any_viewport(void **state)
{
    (void)state;
    static const VkViewport flat[] = {{8, 8, 32, 0, 0, 1},        {8, 8, 32, -0.0f, 1, 0},
                                      {8, 8, 32, 32, 0.5f, 0.5f}, {8, 8, 32, 0, 0.5f, 0.5f},
                                      {8, 8, 0, 32, 0, 1},        {8, 8, 0, 0, 0, 0}};
    static const float widths_px[] = {1, 5, 1e30f, INFINITY, NAN, -3};
    struct pgs_batch_memory memory = {.arena.block_B = 4096};
    assert_int_equal(open_heap(), 0);
    fake_physical.properties.limits.pointSizeRange[1] = 1;
    fake_physical.properties.limits.maxViewportDimensions[0] = 4096;
    fake_physical.properties.limits.maxViewportDimensions[1] = 4096;
    fake_physical.properties.limits.viewportBoundsRange[0] = -8192;
    fake_physical.properties.limits.viewportBoundsRange[1] = 8191;
    assert_int_equal(pgs_linear_create(&fake_device, PGS_MEMORY_UPLOAD, &memory.upload),
                     VK_SUCCESS);
    for (size_t i = 0; i < sizeof(flat) / sizeof(flat[0]) * 12; i++) {
        const struct pgs_viewport_parts *made =
            parts_of(&memory, &flat[i / 12], widths_px[i / 2 % 6],
                     i % 2 ? PGS_SPV_WIDE_LINES : PGS_SPV_POLYGONS_FILLED);
        assert_non_null(made);
        const bool is_empty = i % 2 && (flat[i / 12].width == 0 || flat[i / 12].height == 0);
        assert_true(made->count > 0);
        for (uint32_t part = 0; part < made->count; part++) {
            const VkBufferDeviceAddressInfo of = {.buffer = made->selects};
            const struct pgs_viewport_select *select =
                fake_at(fake_GetBufferDeviceAddress(VK_NULL_HANDLE, &of) + made->selects_B +
                        part * sizeof(*select));
            const VkViewport *v = &made->parts[part].viewport;
            assert_true(!is_empty || !(select->mask & 2)); /* shaders would divide by 0 */
            assert_true(v->width > 0 || !(select->flags & PGS_VIEWPORT_MOVE));
            if (!(select->flags & PGS_VIEWPORT_MOVE))
                continue;
            struct pgs_viewport_move moves[PGS_MAX_VIEWPORTS];
            memcpy(moves, fake_at(select->moves), sizeof(moves));
            for (uint32_t k = 0; k < PGS_MAX_VIEWPORTS; k++) {
                float numbers[6];
                memcpy(numbers, &moves[k], sizeof(numbers));
                for (uint32_t n = 0; n < 6; n++)
                    assert_true(isfinite(numbers[n]));
            }
        }
    }
    pgs_linear_destroy(memory.upload);
    pgs_arena_finish(&memory.arena);
    assert_int_equal(close_heap(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(divides_what_overlaps),
        cmocka_unit_test(has_room_for_the_worst),
        cmocka_unit_test(leaves_others_whole),
        cmocka_unit_test(takes_any_viewport),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
