/* SPDX-License-Identifier: MIT
 *
 * Members of a record that are loaded together, of functions of join_loads.glsl. That the result is
 * valid, spirv.corpus.* says; what it computes, the gpu tests with the profiles of Mali.
 */
#include "join_loads/embedded.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/inline_calls.h"
#include "spirv/ir/join_loads.h"
#include "spirv/ir/link.h"
#include "spirv/ir/specialize.h"
#include "spirv/ir/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct loads {
    uint32_t of_addresses, of_quads;
};

static struct loads count_loads(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    struct loads found = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) != SpvOpLoad || pgs_spv_length(ins) < 6)
            continue;
        const uint32_t *vector = pgs_spv_def_op(m, ins[1], SpvOpTypeVector);
        found.of_addresses++;
        found.of_quads += vector && vector[3] == 4 && ins[5] == 16;
    }
    return found;
}

/* Loads of the function, as the pass leaves them if `joins`. */
static struct loads loads_of(const char *name, bool joins)
{
    static const uint32_t words[] = {SpvMagicNumber,
                                     PGS_SPV_VERSION(1, 3),
                                     0,
                                     1,
                                     0,
                                     3u << 16 | SpvOpMemoryModel,
                                     SpvAddressingModelPhysicalStorageBuffer64,
                                     SpvMemoryModelGLSL450};
    struct pgs_spv_module m = {.joins_loads = false};
    assert_int_equal(pgs_spv_parse(&m, words, sizeof(words) / 4), PGS_SPV_OK);
    struct pgs_spv_list *list = &m.sections[PGS_SPV_FUNCTIONS];
    const uint32_t type = pgs_spv_type_uint(&m);
    uint32_t id = 0;
    pgs_spv_link(&m, &pgs_lib_join_loads, &name, &id, 1);
    const uint32_t from = pgs_spv_variable(&m, SpvStorageClassPrivate, type);
    PGS_SPV_APPEND(&m, list, SpvOpFunction, pgs_spv_type_void(&m), pgs_spv_new_id(&m), 0,
                   pgs_spv_type_procedure(&m));
    PGS_SPV_APPEND(&m, list, SpvOpLabel, pgs_spv_new_id(&m));
    const uint32_t a = PGS_SPV_VALUE(&m, list, SpvOpLoad, type, from);
    const uint32_t b = PGS_SPV_VALUE(&m, list, SpvOpIAdd, type, a, pgs_spv_uint(&m, 1));
    PGS_SPV_VALUE(&m, list, SpvOpFunctionCall, pgs_spv_type_void(&m), id, a, b);
    pgs_spv_append(&m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(&m, list, SpvOpFunctionEnd, NULL, 0);
    pgs_spv_specialize(&m);
    pgs_spv_inline_calls(&m);
    pgs_spv_number_values(&m);
    if (joins)
        pgs_spv_join_loads(&m);
    assert_int_equal(m.result, PGS_SPV_OK);
    const struct loads found = count_loads(&m);
    pgs_spv_finish(&m);
    return found;
}

static void joins_what_lies_together(void **state)
{
    static const struct {
        const char *name;
        uint32_t apart, joined, quads;
    } cases[] = {
        {"together", 3, 1, 1}, {"apart", 3, 2, 1},   {"ahead", 2, 1, 1},  {"either", 2, 2, 0},
        {"elements", 4, 2, 2}, {"written", 2, 2, 0}, {"narrow", 2, 2, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct loads before = loads_of(cases[i].name, false);
        const struct loads after = loads_of(cases[i].name, true);
        print_message("%s\n", cases[i].name);
        assert_int_equal(before.of_addresses, cases[i].apart);
        assert_int_equal(before.of_quads, 0);
        assert_int_equal(after.of_addresses, cases[i].joined);
        assert_int_equal(after.of_quads, cases[i].quads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_what_lies_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
