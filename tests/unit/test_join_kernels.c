/* SPDX-License-Identifier: MIT
 *
 * Kernels whose loads are joined. What they compute, the gpu tests with the classes of Mali say.
 */
#include "shaders/embedded.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/join_loads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct loads {
    uint32_t of_addresses, of_quads;
};

static struct loads loads_of(const uint32_t *words, size_t word_count)
{
    struct pgs_spv_module m;
    struct loads found = {0};
    assert_int_equal(pgs_spv_parse(&m, words, word_count), PGS_SPV_OK);
    const struct pgs_spv_list *list = &m.sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) != SpvOpLoad || pgs_spv_length(ins) < 6)
            continue;
        const uint32_t *vector = pgs_spv_def_op(&m, ins[1], SpvOpTypeVector);
        found.of_addresses++;
        found.of_quads += vector && vector[3] == 4 && ins[5] == 16;
    }
    pgs_spv_finish(&m);
    return found;
}

static void kernels_load_less(void **state)
{
    static const struct {
        const char *name;
        const uint32_t *words;
        const size_t *word_count;
        uint32_t saves; /* loads, at least */
    } kernels[] = {
        {"expand", pgs_kernel_expand, &pgs_kernel_expand_words, 10},
        {"stipple", pgs_kernel_stipple, &pgs_kernel_stipple_words, 20},
        {"tessellate", pgs_kernel_tessellate, &pgs_kernel_tessellate_words, 10},
        {"capture_geometry", pgs_kernel_capture_geometry, &pgs_kernel_capture_geometry_words, 1},
    };
    struct pgs_spv_blob joined;
    (void)state;
    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
        const size_t word_count = *kernels[i].word_count;
        const struct loads before = loads_of(kernels[i].words, word_count);
        assert_int_equal(pgs_spv_join_kernel(kernels[i].words, word_count, &joined), PGS_SPV_OK);
        const struct loads after = loads_of(joined.words, joined.word_count);
        print_message("%s: %u, then %u loads\n", kernels[i].name, before.of_addresses,
                      after.of_addresses);
        assert_true(after.of_addresses + kernels[i].saves <= before.of_addresses);
        assert_true(after.of_quads > before.of_quads);
        pgs_spv_blob_free(&joined);
    }
}

static void other_words_are_invalid(void **state)
{
    struct pgs_spv_blob joined;
    (void)state;
    assert_int_equal(pgs_spv_join_kernel(pgs_kernel_expand, 4, &joined), PGS_SPV_INVALID);
    assert_null(joined.words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_load_less),
        cmocka_unit_test(other_words_are_invalid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
