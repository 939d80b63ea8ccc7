/* SPDX-License-Identifier: MIT
 *
 * Linked functions that fit their calls. Each test makes a module with a caller of a function of
 * specialize.glsl.
 */
#include "specialize/embedded.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/dead_values.h"
#include "spirv/ir/fold.h"
#include "spirv/ir/link.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/specialize.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct scene {
    struct pgs_spv_module m;
    struct pgs_spv_list *list;
    uint32_t uint_type, bool_type;
    uint32_t variable; /* Private uint */
    uint32_t loaded;
};

static void open_scene(struct scene *s)
{
    static const uint32_t words[] = {SpvMagicNumber,
                                     PGS_SPV_VERSION(1, 3),
                                     0,
                                     1,
                                     0,
                                     3u << 16 | SpvOpMemoryModel,
                                     SpvAddressingModelLogical,
                                     SpvMemoryModelGLSL450};
    *s = (struct scene){.list = &s->m.sections[PGS_SPV_FUNCTIONS]};
    assert_int_equal(pgs_spv_parse(&s->m, words, sizeof(words) / 4), PGS_SPV_OK);
    s->uint_type = pgs_spv_type_uint(&s->m);
    s->bool_type = pgs_spv_type(&s->m, SpvOpTypeBool, NULL, 0);
    s->variable = pgs_spv_variable(&s->m, SpvStorageClassPrivate, s->uint_type);
}

static uint32_t link_function(struct scene *s, const char *name)
{
    uint32_t id = 0;
    pgs_spv_link(&s->m, &pgs_lib_specialize, &name, &id, 1);
    assert_int_equal(s->m.result, PGS_SPV_OK);
    return id;
}

static void begin_caller(struct scene *s)
{
    struct pgs_spv_module *m = &s->m;
    PGS_SPV_APPEND(m, s->list, SpvOpFunction, pgs_spv_type_void(m), pgs_spv_new_id(m), 0,
                   pgs_spv_type_procedure(m));
    PGS_SPV_APPEND(m, s->list, SpvOpLabel, pgs_spv_new_id(m));
    s->loaded = PGS_SPV_VALUE(m, s->list, SpvOpLoad, s->uint_type, s->variable);
}

/* variable = f(a, b); returns the id of the result. */
static uint32_t call(struct scene *s, uint32_t function, uint32_t a, uint32_t b)
{
    const uint32_t result =
        PGS_SPV_VALUE(&s->m, s->list, SpvOpFunctionCall, s->uint_type, function, a, b);
    PGS_SPV_APPEND(&s->m, s->list, SpvOpStore, s->variable, result);
    return result;
}

static void end_caller(struct scene *s)
{
    pgs_spv_append(&s->m, s->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(&s->m, s->list, SpvOpFunctionEnd, NULL, 0);
    pgs_spv_specialize(&s->m);
    assert_int_equal(s->m.result, PGS_SPV_OK);
}

static uint32_t count(const struct scene *s, uint32_t op)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->list->count; i++)
        found += pgs_spv_op(s->list->items[i]) == op;
    return found;
}

static const uint32_t *only(const struct scene *s, uint32_t op)
{
    assert_int_equal(count(s, op), 1);
    uint32_t i = 0;
    while (pgs_spv_op(s->list->items[i]) != op)
        i++;
    return s->list->items[i];
}

static void constants_decide_branches(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t function = link_function(&s, "choose");
    begin_caller(&s);
    const uint32_t same = call(&s, function, pgs_spv_uint(&s.m, 3), s.loaded);
    const uint32_t product = call(&s, function, pgs_spv_uint(&s.m, 7), s.loaded);
    const uint32_t number = call(&s, function, pgs_spv_uint(&s.m, 6), pgs_spv_uint(&s.m, 7));
    end_caller(&s);
    assert_int_equal(count(&s, SpvOpFunction), 1);
    assert_int_equal(count(&s, SpvOpFunctionCall), 0);
    assert_int_equal(count(&s, SpvOpBranchConditional), 0);
    const uint32_t *multiply = only(&s, SpvOpIMul);
    assert_int_equal(multiply[2], product);
    assert_int_equal(multiply[3], pgs_spv_uint(&s.m, 7));
    assert_int_equal(multiply[4], s.loaded);
    const uint32_t *copy = pgs_spv_def_op(&s.m, same, SpvOpCopyObject);
    assert_non_null(copy);
    assert_int_equal(copy[3], s.loaded);
    copy = pgs_spv_def_op(&s.m, number, SpvOpCopyObject);
    assert_non_null(copy);
    assert_int_equal(copy[3], pgs_spv_uint(&s.m, 42));
    pgs_spv_finish(&s.m);
}

static void what_is_not_known_stays(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t function = link_function(&s, "choose");
    begin_caller(&s);
    call(&s, function, s.loaded, pgs_spv_uint(&s.m, 7)); /* the second parameter decides nothing */
    call(&s, function, s.loaded, s.loaded);
    end_caller(&s);
    assert_int_equal(count(&s, SpvOpFunction), 2);
    assert_int_equal(count(&s, SpvOpFunctionParameter), 2);
    assert_int_equal(count(&s, SpvOpFunctionCall), 2);
    assert_int_equal(count(&s, SpvOpBranchConditional), 1);
    pgs_spv_finish(&s.m);
}

static void parameters_decide_together(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t function = link_function(&s, "compare");
    begin_caller(&s);
    call(&s, function, pgs_spv_uint(&s.m, 3), s.loaded); /* one instance does for both */
    call(&s, function, pgs_spv_uint(&s.m, 4), s.loaded);
    call(&s, function, pgs_spv_uint(&s.m, 5), pgs_spv_uint(&s.m, 6));
    end_caller(&s);
    assert_int_equal(count(&s, SpvOpFunction), 2);
    assert_int_equal(count(&s, SpvOpFunctionParameter), 2);
    assert_int_equal(count(&s, SpvOpFunctionCall), 2);
    assert_int_equal(count(&s, SpvOpBranchConditional), 1);
    pgs_spv_finish(&s.m);
}

static void loops_keep_their_shape(void **state)
{
    (void)state;
    for (uint32_t a = 3; a < 5; a++) {
        struct scene s;
        open_scene(&s);
        const uint32_t function = link_function(&s, "walk");
        begin_caller(&s);
        call(&s, function, pgs_spv_uint(&s.m, a), s.loaded);
        end_caller(&s);
        assert_int_equal(count(&s, SpvOpFunctionCall), 1);
        assert_int_equal(count(&s, SpvOpLoopMerge), 1);
        assert_int_equal(count(&s, SpvOpBranchConditional), a == 3 ? 2 : 1);
        const uint32_t *phi = only(&s, SpvOpPhi);
        assert_int_equal(pgs_spv_length(phi), 7);
        for (uint32_t i = 3; i < 7; i++) /* what it names is there */
            assert_non_null(pgs_spv_def(&s.m, phi[i]));
        pgs_spv_finish(&s.m);
    }
}

static void what_nothing_reads_is_not_stored(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t function = link_function(&s, "store");
    begin_caller(&s);
    call(&s, function, s.loaded, s.loaded);
    end_caller(&s);
    assert_true(pgs_spv_drop_unread_variables(&s.m));
    pgs_spv_drop_dead_values(&s.m, s.list, 1);
    assert_int_equal(count(&s, SpvOpFunctionCall), 1);
    assert_int_equal(count(&s, SpvOpStore), 17);
    assert_int_equal(count(&s, SpvOpIAdd), 0);
    pgs_spv_finish(&s.m);
}

static void what_functions_use_comes_when_they_are_written(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const struct pgs_spv_list *globals = &s.m.sections[PGS_SPV_GLOBALS];
    pgs_spv_uint(&s.m, 3);
    begin_caller(&s);
    const uint32_t before = globals->count;
    const uint32_t function = link_function(&s, "choose");
    assert_int_equal(globals->count, before);
    call(&s, function, s.loaded, s.loaded);
    end_caller(&s);
    assert_true(globals->count > before); /* the type of the function */
    pgs_spv_finish(&s.m);
}

static void instances_have_names_if_wanted(void **state)
{
    (void)state;
    for (uint32_t keeps = 0; keeps < 2; keeps++) {
        struct scene s;
        open_scene(&s);
        pgs_spv_keep_names(&s.m, keeps);
        const uint32_t function = link_function(&s, "choose");
        begin_caller(&s);
        call(&s, function, s.loaded, s.loaded);
        end_caller(&s);
        const uint32_t id = only(&s, SpvOpFunctionCall)[3];
        const struct pgs_spv_list *names = &s.m.sections[PGS_SPV_NAMES];
        uint32_t found = 0;
        for (uint32_t i = 0; i < names->count; i++)
            found += names->items[i][1] == id && pgs_spv_string_is(names->items[i], 2, "choose_aa");
        assert_int_equal(found, keeps);
        if (!keeps)
            assert_int_equal(names->count, 0);
        pgs_spv_finish(&s.m);
    }
}

static void wide_constants_are_made_once(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    struct pgs_spv_module *m = &s.m;
    const uint32_t ulong = pgs_spv_type(m, SpvOpTypeInt, (const uint32_t[]){64, 0}, 2);
    const uint32_t words[] = {4u << 16 | SpvOpUConvert, ulong, 1, pgs_spv_uint(m, 3)};
    const uint32_t constant = pgs_spv_fold_instruction(m, words);
    assert_int_not_equal(constant, 0);
    pgs_spv_uint(m, 5);
    /* As if another one with the same hash had been found last. */
    *pgs_spv_recent(m, SpvOpUConvert, ulong, 3) = m->sections[PGS_SPV_GLOBALS].count - 1;
    assert_int_equal(pgs_spv_fold_instruction(m, words), constant);
    pgs_spv_finish(m);
}

static void unknown_functions_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"choos", "chooses", ""};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct scene s;
        uint32_t id = 0;
        open_scene(&s);
        pgs_spv_link(&s.m, &pgs_lib_specialize, &names[i], &id, 1);
        assert_int_equal(s.m.result, PGS_SPV_INVALID);
        pgs_spv_finish(&s.m);
    }
}

/* -- single instructions -- */

static void computes_what_is_known(void **state)
{
    (void)state;
    enum { X = 0xFFFF }; /* stands for a value that is not known */
    static const struct {
        uint32_t op, a, b;
        int64_t result; /* -1: not known, -2: x */
    } table[] = {
        {SpvOpIAdd, 2, 3, 5},
        {SpvOpIAdd, X, 0, -2},
        {SpvOpIAdd, X, 1, -1},
        {SpvOpISub, 2, 3, 0xFFFFFFFF},
        {SpvOpISub, 0, X, -1},
        {SpvOpISub, X, 0, -2},
        {SpvOpIMul, X, 1, -2},
        {SpvOpIMul, 0, X, 0},
        {SpvOpIMul, X, 2, -1},
        {SpvOpUDiv, 7, 2, 3},
        {SpvOpUDiv, X, 1, -2},
        {SpvOpUDiv, 1, X, -1},
        {SpvOpBitwiseAnd, X, 0, 0},
        {SpvOpBitwiseAnd, 6, 3, 2},
        {SpvOpBitwiseOr, X, 0, -2},
        {SpvOpBitwiseOr, X, 4, -1},
        {SpvOpShiftLeftLogical, 3, 4, 48},
        {SpvOpShiftLeftLogical, 0, X, -1},
        {SpvOpShiftRightLogical, X, 0, -2},
        {SpvOpShiftRightArithmetic, 0x80000000, 31, 0xFFFFFFFF},
    };
    struct scene s;
    open_scene(&s);
    const uint32_t x = pgs_spv_new_id(&s.m);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpUndef, s.uint_type, x);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const uint32_t words[] = {s.uint_type, pgs_spv_new_id(&s.m),
                                  table[i].a == X ? x : pgs_spv_uint(&s.m, table[i].a),
                                  table[i].b == X ? x : pgs_spv_uint(&s.m, table[i].b)};
        const uint32_t *ins = pgs_spv_make(&s.m, table[i].op, words, 4);
        const uint32_t expected = table[i].result == -1 ? 0
                                  : table[i].result == -2
                                      ? x
                                      : pgs_spv_uint(&s.m, (uint32_t)table[i].result);
        assert_int_equal(pgs_spv_fold_instruction(&s.m, ins), expected);
    }
    pgs_spv_finish(&s.m);
}

static void leaves_floats_alone(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t type = pgs_spv_type_float(&s.m, 32);
    const uint32_t one =
        PGS_SPV_VALUE(&s.m, &s.m.sections[PGS_SPV_GLOBALS], SpvOpConstant, type, 0x3F800000u);
    static const uint32_t ops[] = {SpvOpFAdd, SpvOpFMul, SpvOpFDiv, SpvOpFOrdEqual};
    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        const uint32_t words[] = {ops[i] == SpvOpFOrdEqual ? s.bool_type : type,
                                  pgs_spv_new_id(&s.m), one, one};
        assert_int_equal(pgs_spv_fold_instruction(&s.m, pgs_spv_make(&s.m, ops[i], words, 4)), 0);
    }
    pgs_spv_finish(&s.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_decide_branches),
        cmocka_unit_test(what_is_not_known_stays),
        cmocka_unit_test(parameters_decide_together),
        cmocka_unit_test(loops_keep_their_shape),
        cmocka_unit_test(what_nothing_reads_is_not_stored),
        cmocka_unit_test(what_functions_use_comes_when_they_are_written),
        cmocka_unit_test(instances_have_names_if_wanted),
        cmocka_unit_test(wide_constants_are_made_once),
        cmocka_unit_test(unknown_functions_are_refused),
        cmocka_unit_test(computes_what_is_known),
        cmocka_unit_test(leaves_floats_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
