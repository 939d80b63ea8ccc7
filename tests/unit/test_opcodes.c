/* SPDX-License-Identifier: MIT
 *
 * The tables of opcodes against the functions of the SPIR-V headers, for each number that an opcode
 * can be.
 */
#define SPV_ENABLE_UTILITY_CODE
#include "spirv/ir/operands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

extern inline void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

/* Those of which older headers know nothing. */
static bool is_later(uint32_t op)
{
    return op == 4427 || op == 4433 || (op >= 6916 && op <= 6918);
}

static void results_are_those_of_the_headers(void **state)
{
    (void)state;
    for (uint32_t op = 0; op <= UINT16_MAX; op++) {
        bool has_result, has_type;
        uint32_t type_word, id_word;
        SpvHasResultAndType((SpvOp)op, &has_result, &has_type);
        pgs_spv_result_words(op, &type_word, &id_word);
        const bool is_new = !has_result && is_later(op);
        assert_int_equal(type_word, has_type || is_new ? 1 : 0);
        assert_int_equal(id_word, has_result || is_new ? type_word + 1 : 0);
    }
}

/* Results and their types are ids. */
static void result_words_are_ids(void **state)
{
    (void)state;
    for (uint32_t op = 0; op <= UINT16_MAX; op++) {
        const uint32_t ins[8] = {8u << 16 | op};
        uint32_t type_word, id_word;
        pgs_spv_result_words(op, &type_word, &id_word);
        assert_true(!type_word || pgs_spv_is_id(ins, type_word));
        assert_true(!id_word || pgs_spv_is_id(ins, id_word));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_those_of_the_headers),
        cmocka_unit_test(result_words_are_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
