/* SPDX-License-Identifier: MIT
 *
 * The summaries of primitive restart: however a stream is divided into ranges and in whatever order
 * neighbours are combined, the result is what counting the runs one by one gives.
 */
#include "../../shaders/lib/restart.glsl"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MAX_POSITIONS 300

static uint32_t random_state = 12345;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % bound;
}

static struct pgs_restart_tile summary(pgs_u32 topology, const bool *cuts, uint32_t count)
{
    if (count == 1)
        return pgs_restart_of_position(cuts[0]);
    const uint32_t left = 1 + random_below(count - 1);
    const struct pgs_restart_tile a = summary(topology, cuts, left);
    const struct pgs_restart_tile b = summary(topology, cuts + left, count - left);
    return pgs_restart_combine(topology, a, b);
}

static void check_stream(pgs_u32 topology, const bool *cuts, uint32_t count)
{
    uint32_t primitives = 0, run_el = 0, cut_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        cut_count += cuts[i];
        if (cuts[i]) {
            primitives += pgs_topology_primitives(topology, run_el);
            run_el = 0;
        } else {
            run_el++;
        }
    }
    struct pgs_restart_tile all = pgs_restart_of_position(true);
    if (count > 0)
        all = pgs_restart_combine(topology, all, summary(topology, cuts, count));
    assert_int_equal(all.restarts, 1 + cut_count);
    assert_int_equal(all.head_el, 0);
    assert_int_equal(all.tail_el, run_el);
    assert_int_equal(all.inner_primitives, primitives);
    all = pgs_restart_combine(topology, all, pgs_restart_of_position(true));
    assert_int_equal(all.inner_primitives, primitives + pgs_topology_primitives(topology, run_el));
}

static void test_random_streams(void **state)
{
    (void)state;
    bool cuts[MAX_POSITIONS];
    for (uint32_t round = 0; round < 4000; round++) {
        const uint32_t count = random_below(MAX_POSITIONS);
        const uint32_t mean_run = 1 + random_below(40);
        for (uint32_t i = 0; i < count; i++)
            cuts[i] = random_below(mean_run) == 0;
        check_stream(round % 10, cuts, count);
    }
}

/* All patterns of short streams: leading, double, trailing restarts, only restarts, none. */
static void test_all_short_streams(void **state)
{
    (void)state;
    bool cuts[10];
    for (uint32_t count = 0; count <= 10; count++) {
        for (uint32_t pattern = 0; pattern < 1u << count; pattern++) {
            for (uint32_t i = 0; i < count; i++)
                cuts[i] = (pattern >> i & 1) != 0;
            for (pgs_u32 topology = 0; topology < 10; topology++)
                check_stream(topology, cuts, count);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_streams),
        cmocka_unit_test(test_all_short_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
