/* SPDX-License-Identifier: MIT
 *
 * Which triangles the tessellator makes of its vertices. The specification leaves that open; they
 * are those of Direct3D 11, which lavapipe and GPUs make as well.
 */
#include "../../shaders/lib/tessellator.glsl"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Vertices of half an edge, of 64: the corner, and those that splitting has made, from left to
 * right and again from the left once all segments have been split. */
static pgs_u32 split_half(pgs_u32 segments, pgs_u32 *places)
{
    pgs_u32 count = 2, next = 0;
    places[0] = 0;
    places[1] = 64;
    for (; count < segments + 1; count++) {
        if (next + 1 >= count)
            next = 0;
        memmove(places + next + 2, places + next + 1, (count - next - 1) * sizeof(*places));
        places[next + 1] = (places[next] + places[next + 2]) / 2;
        next += 2;
    }
    return segments == 0 ? 1 : count;
}

/* The steps of a strip, 'O' on the outer edge and 'I' on the line inside: half of them by where
 * they begin, those in the middle, and the first ones backwards. Returns their number. */
static pgs_u32 expected_steps(pgs_u32 outer, pgs_u32 inner, char *steps)
{
    pgs_u32 outer_places[40], inner_places[40], count = 0;
    const pgs_u32 outer_count = split_half(outer / 2, outer_places);
    const pgs_u32 inner_count = split_half(inner / 2, inner_places);
    for (pgs_u32 place = 0; place < 64; place++) {
        for (pgs_u32 i = 1; i + 1 < inner_count; i++)
            if (inner_places[i] == place)
                steps[count++] = 'I';
        for (pgs_u32 i = 0; i + 1 < outer_count; i++)
            if (outer_places[i] == place)
                steps[count++] = 'O';
    }
    const pgs_u32 half = count;
    if (inner % 2)
        steps[count++] = 'I';
    if (outer % 2)
        steps[count++] = 'O';
    for (pgs_u32 i = half; i-- > 0;)
        steps[count++] = steps[i];
    return count;
}

static void expect_step(const char *steps, pgs_u32 j, struct pgs_tess_step step, pgs_u32 outer)
{
    if (step.on_outer != (steps[j] == 'O') || step.outer != outer || step.inner != j - outer)
        fail_msg("step %u of %s: %u, %u, on %s", j, steps, step.outer, step.inner,
                 step.on_outer ? "outer" : "inner");
}

/* As lavapipe and GPUs do it. */
static void test_strips(void **state)
{
    (void)state;
    char steps[160] = "";
    assert_int_equal(expected_steps(6, 9, steps), 13);
    assert_string_equal(steps, "OIOIOIIIOIOIO");
    for (pgs_u32 n = 1; n <= 64; n++)
        for (pgs_u32 m = 2; m <= 64; m++) {
            memset(steps, 0, sizeof(steps));
            const pgs_u32 count = expected_steps(n, m, steps);
            assert_int_equal(count, n + m - 2);
            pgs_u32 outer = 0;
            for (pgs_u32 j = 0; j < count; j++) {
                expect_step(steps, j, pgs_tess_border_step(n, m, j), outer);
                if (n == m)
                    expect_step(steps, j, pgs_tess_ring_step(n, j), outer);
                outer += steps[j] == 'O' ? 1 : 0;
            }
        }
}

/* Diagonals of the cells inside a quad, row after row: '/' does not touch (0, 0) of its cell. */
static void test_diagonals(void **state)
{
    (void)state;
    static const struct {
        float outer[4], inner[2];
        const char *cells;
    } cases[] = {
        {{3, 3, 3, 3}, {3, 3}, "/"},
        {{4, 4, 4, 4}, {4, 4}, "\\/ /\\"},
        {{2, 3, 4, 5}, {5, 5}, "\\\\/ /// /\\\\"},
        {{1, 1, 1, 1}, {7, 4}, "\\\\\\// //\\\\\\"},
        {{1, 1, 1, 1}, {3, 6}, "\\ \\ \\ \\"},
        {{1, 1, 1, 1}, {6, 5}, "\\\\// //// //\\\\"},
    };
    for (pgs_u32 i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const float *outer = cases[i].outer, *inner = cases[i].inner;
        const struct pgs_tess_patch tess =
            pgs_tess_patch_of(PGS_TESS_QUADS, floatBitsToUint(outer[0]), floatBitsToUint(outer[1]),
                              floatBitsToUint(outer[2]), floatBitsToUint(outer[3]),
                              floatBitsToUint(inner[0]), floatBitsToUint(inner[1]));
        const pgs_u32 columns = pgs_tess_segments(tess.inner0) - 1;
        pgs_u32 column = 0, row = 0, j = 0;
        for (const char *cell = cases[i].cells; *cell != 0; cell++) {
            if (*cell == ' ') {
                assert_int_equal(column, columns - 1);
                row++;
                column = 0;
                continue;
            }
            const struct pgs_tess_indices triangle = pgs_tess_grid_triangle(tess, 2 * j++);
            const pgs_u32 first = row * columns + column++;
            assert_int_equal(triangle.a, first);
            assert_int_equal(triangle.b, first + 1);
            assert_int_equal(triangle.c, first + columns + (*cell == '/' ? 0 : 1));
        }
        assert_int_equal(row + 3, pgs_tess_segments(tess.inner1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strips),
        cmocka_unit_test(test_diagonals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
