/* SPDX-License-Identifier: MIT
 *
 * The costs that decide between ways to draw: what the log prints of them is what the setting
 * reads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "vulkan/costs.h"

#include <string.h>

static void prints_what_it_reads(void **state)
{
    (void)state;
    char text[PGS_COSTS_TEXT_B];
    struct pgs_costs costs, other = {{0}};
    struct pgs_chosen_costs chosen = {.chosen = 0};
    for (uint32_t i = 0; i < PGS_COSTS; i++)
        costs.of[i] = PGS_COST_MOST - i; /* the longest numbers */
    pgs_costs_print(&costs, text);
    assert_true(pgs_costs_read(&chosen, text));
    pgs_costs_choose(&other, &chosen);
    assert_memory_equal(&other, &costs, sizeof(costs));
}

static void leaves_what_is_not_named(void **state)
{
    (void)state;
    struct pgs_costs costs = pgs_costs_usual;
    struct pgs_chosen_costs chosen = {.chosen = 0};
    assert_true(pgs_costs_read(&chosen, " fuse_steps=0,\tpass_both=17 "));
    assert_true(pgs_costs_read(&chosen, ""));
    pgs_costs_choose(&costs, &chosen);
    for (int i = 0; i < PGS_COSTS; i++)
        assert_int_equal(costs.of[i], i == PGS_COST_FUSE_STEPS  ? 0
                                      : i == PGS_COST_PASS_BOTH ? 17
                                                                : pgs_costs_usual.of[i]);
}

static void refuses_what_it_cannot_read(void **state)
{
    static const char *const wrong[] = {"fuse",
                                        "fuse_steps",
                                        "fuse_steps=",
                                        "fuse_steps=-1",
                                        "fuse_steps=1x",
                                        "fuse_steps 1",
                                        "pass_both=1 fuse",
                                        "fuse_steps=1073741825",
                                        "=1",
                                        "fuse_steps=99999999999999999999999"};
    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        struct pgs_chosen_costs chosen = {.chosen = 0};
        assert_false(pgs_costs_read(&chosen, wrong[i]));
        assert_int_equal(chosen.chosen, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_what_it_reads),
        cmocka_unit_test(leaves_what_is_not_named),
        cmocka_unit_test(refuses_what_it_cannot_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
