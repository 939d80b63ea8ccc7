/* SPDX-License-Identifier: MIT
 *
 * Functions that become shorter: selections that become choices, parts of variables that nothing
 * reads, words that are one number, what constants make known.
 */
#include "shrink_scene.h"

/* An arm that only computes becomes a choice; not if it may fail, acts or must stay an arm. */
static void arms_become_choices(void **state)
{
    (void)state;
    enum { SUM, QUOTIENT, STORED, KEPT, KINDS };
    for (int kind = SUM; kind < KINDS; kind++) {
        struct scene s;
        open_scene(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t first = nth(&s, SpvOpLabel, 0)[1];
        const uint32_t x = unknown(&s), less = is_less(&s, x, pgs_spv_uint(&s.m, 5));
        const uint32_t not_less = PGS_SPV_VALUE(&s.m, s.list, SpvOpLogicalNot, s.bool_type, less);
        const uint32_t done = pgs_spv_begin_if(&s.m, s.list, not_less);
        const uint32_t arm = s.list->items[s.list->count - 1][1];
        if (kind == KEPT)
            nth(&s, SpvOpSelectionMerge, 0)[2] = SpvSelectionControlDontFlattenMask;
        const uint32_t op = kind == QUOTIENT ? SpvOpUDiv : SpvOpIAdd;
        const uint32_t value = PGS_SPV_VALUE(&s.m, s.list, op, s.uint_type, x, x);
        if (kind == STORED)
            store(&s, s.shown, value);
        pgs_spv_end_if(&s.m, s.list, done);
        store(&s, s.shown,
              PGS_SPV_VALUE(&s.m, s.list, SpvOpPhi, s.uint_type, value, arm, x, first));
        end_function(&s);
        shrink(&s);
        assert_int_equal(count(&s, SpvOpLabel), kind == SUM ? 1 : 3);
        if (kind == SUM) {
            const uint32_t *chosen = nth(&s, SpvOpSelect, 0);
            assert_int_equal(stored(&s, 0), chosen[2]);
            assert_int_equal(chosen[3], less);
            assert_int_equal(chosen[4], x);
            assert_int_equal(chosen[5], value);
        }
        close_scene(&s);
    }
}

/* if (condition) other = constant, or a condition itself. */
static void choices_of_bools_are_logic(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4;
         kind++) { /* the arm if false, or true; else the condition, or a constant */
        struct scene s;
        open_scene(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t first = nth(&s, SpvOpLabel, 0)[1], arm = pgs_spv_new_id(&s.m),
                       done = pgs_spv_new_id(&s.m);
        const uint32_t x = unknown(&s), less = is_less(&s, x, pgs_spv_uint(&s.m, 5));
        const uint32_t known = pgs_spv_known_constant(
            &s.m, kind & 1 ? SpvOpConstantFalse : SpvOpConstantTrue, s.bool_type, 0);
        PGS_SPV_APPEND(&s.m, s.list, SpvOpSelectionMerge, done, 0);
        PGS_SPV_APPEND(&s.m, s.list, SpvOpBranchConditional, less, kind & 1 ? arm : done,
                       kind & 1 ? done : arm);
        PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, arm);
        const uint32_t other = is_less(&s, x, x);
        PGS_SPV_APPEND(&s.m, s.list, SpvOpBranch, done);
        PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, done);
        const uint32_t phi = PGS_SPV_VALUE(&s.m, s.list, SpvOpPhi, s.bool_type, other, arm,
                                           kind & 2 ? known : less, first);
        store(&s, s.shown,
              PGS_SPV_VALUE(&s.m, s.list, SpvOpSelect, s.uint_type, phi, x, pgs_spv_uint(&s.m, 9)));
        end_function(&s);
        shrink(&s);
        const uint32_t *logic = nth(&s, kind & 1 ? SpvOpLogicalAnd : SpvOpLogicalOr, 0);
        assert_int_equal(logic[2], phi);
        assert_int_equal(logic[3], less);
        assert_int_equal(logic[4], other);
        close_scene(&s);
    }
}

/* Two selections that follow each other are one if they have one condition. */
static void equal_conditions_are_asked_once(void **state)
{
    (void)state;
    for (int other = 0; other < 3; other++) { /* not; another one; something is done between */
        struct scene s;
        open_scene(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t x = unknown(&s), y = unknown(&s);
        const uint32_t condition = is_less(&s, x, y), second = is_less(&s, y, x);
        uint32_t done = pgs_spv_begin_if(&s.m, s.list, condition);
        store(&s, s.shown, x);
        pgs_spv_end_if(&s.m, s.list, done);
        if (other == 2)
            store(&s, s.shown, pgs_spv_uint(&s.m, 3));
        done = pgs_spv_begin_if(&s.m, s.list, other == 1 ? second : condition);
        store(&s, s.shown, y);
        pgs_spv_end_if(&s.m, s.list, done);
        end_function(&s);
        shrink(&s);
        assert_int_equal(count(&s, SpvOpSelectionMerge), other ? 2 : 1);
        assert_int_equal(count(&s, SpvOpLabel), other ? 5 : 3);
        assert_int_equal(stored(&s, 0), x);
        assert_int_equal(stored(&s, other == 2 ? 2 : 1), y);
        close_scene(&s);
    }
}

/* Elements that no load may be of are not stored. */
static void unread_elements_go(void **state)
{
    (void)state;
    for (int index = 0; index < 3; index++) { /* 2: unknown */
        struct scene s;
        open_scene(&s);
        const uint32_t type = pgs_spv_type_uvec(&s.m, 4);
        const uint32_t vector = pgs_spv_variable(&s.m, SpvStorageClassPrivate, type);
        const uint32_t pointer = pgs_spv_type_pointer(&s.m, SpvStorageClassPrivate, s.uint_type);
        uint32_t part[3];
        begin_function(&s, s.callee);
        part[2] = PGS_SPV_VALUE(&s.m, s.list, SpvOpAccessChain, pointer, vector,
                                index == 2 ? unknown(&s) : pgs_spv_uint(&s.m, (uint32_t)index));
        store(&s, s.shown, load(&s, part[2]));
        end_function(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        for (uint32_t i = 0; i < 2; i++) {
            part[i] = PGS_SPV_VALUE(&s.m, s.list, SpvOpAccessChain, pointer, vector,
                                    pgs_spv_uint(&s.m, i));
            store(&s, part[i], unknown(&s));
        }
        call(&s, s.callee);
        call(&s, s.callee);
        end_function(&s);
        shrink(&s);
        assert_int_equal(count(&s, SpvOpStore), index == 2 ? 3 : 2);
        close_scene(&s);
    }
}

/* Words that are shuffled back, and masked twice. */
static void shuffles_and_masks_are_joined(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t pair = pgs_spv_type_uvec(&s.m, 2), quad = pgs_spv_type_uvec(&s.m, 4);
    const uint32_t from = pgs_spv_variable(&s.m, SpvStorageClassOutput, pair);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t vector = PGS_SPV_VALUE(&s.m, s.list, SpvOpLoad, pair, from);
    const uint32_t wide =
        PGS_SPV_VALUE(&s.m, s.list, SpvOpVectorShuffle, quad, vector, vector, 0, 1, 0, 0);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpStore, from,
                   PGS_SPV_VALUE(&s.m, s.list, SpvOpVectorShuffle, pair, wide, wide, 0, 5));
    PGS_SPV_APPEND(&s.m, s.list, SpvOpStore, from,
                   PGS_SPV_VALUE(&s.m, s.list, SpvOpVectorShuffle, pair, wide, wide, 1, 2));
    uint32_t masked = unknown(&s);
    for (uint32_t mask = 7; mask > 2; mask -= 3)
        masked = PGS_SPV_VALUE(&s.m, s.list, SpvOpBitwiseAnd, s.uint_type, masked,
                               pgs_spv_uint(&s.m, mask - 1));
    store(&s, s.shown, masked);
    end_function(&s);
    shrink(&s);
    assert_int_equal(nth(&s, SpvOpStore, 0)[2], vector);
    assert_int_equal(count(&s, SpvOpVectorShuffle), 1);
    const uint32_t *shuffle = nth(&s, SpvOpVectorShuffle, 0);
    assert_int_equal(shuffle[3], vector);
    assert_int_equal(shuffle[5], 1);
    assert_int_equal(shuffle[6], 0);
    assert_int_equal(count(&s, SpvOpBitwiseAnd), 1);
    assert_int_equal(nth(&s, SpvOpBitwiseAnd, 0)[4], pgs_spv_uint(&s.m, 2));
    close_scene(&s);
}

/* Whether two words are both 0 is asked of one number, which becomes a pointer without words. */
static void words_are_one_number(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        struct scene s;
        open_scene(&s);
        s.m.int64 = wide;
        const uint32_t pair = pgs_spv_type_uvec(&s.m, 2);
        const uint32_t ulong = pgs_spv_type(&s.m, SpvOpTypeInt, (const uint32_t[]){64, 0}, 2);
        const uint32_t bools = pgs_spv_type_vector(&s.m, s.bool_type, 2);
        const uint32_t from = pgs_spv_variable(&s.m, SpvStorageClassOutput, pair);
        const uint32_t pointer =
            pgs_spv_type_pointer(&s.m, SpvStorageClassPhysicalStorageBuffer, s.uint_type);
        const uint32_t zero =
            pgs_spv_value(&s.m, &s.m.sections[PGS_SPV_GLOBALS], SpvOpConstantNull, pair, NULL, 0);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t words = PGS_SPV_VALUE(&s.m, s.list, SpvOpLoad, pair, from);
        const uint32_t other = PGS_SPV_VALUE(&s.m, s.list, SpvOpLoad, pair, from);
        const uint32_t is_zero =
            PGS_SPV_VALUE(&s.m, s.list, SpvOpAll, s.bool_type,
                          PGS_SPV_VALUE(&s.m, s.list, SpvOpIEqual, bools, words, zero));
        const uint32_t both =
            PGS_SPV_VALUE(&s.m, s.list, SpvOpCompositeConstruct, bools, is_zero, is_zero);
        const uint32_t chosen = PGS_SPV_VALUE(&s.m, s.list, SpvOpSelect, pair, both, other, words);
        const uint32_t address = PGS_SPV_VALUE(&s.m, s.list, SpvOpBitcast, pointer, chosen);
        PGS_SPV_APPEND(&s.m, s.list, SpvOpStore, address, pgs_spv_uint(&s.m, 1),
                       SpvMemoryAccessAlignedMask, 4);
        end_function(&s);
        shrink(&s);
        assert_int_equal(count(&s, SpvOpAll), !wide);
        assert_int_equal(count(&s, SpvOpCompositeConstruct), !wide);
        assert_int_equal(count(&s, SpvOpConvertUToPtr), wide);
        if (wide) {
            const uint32_t *select = nth(&s, SpvOpSelect, 0);
            assert_int_equal(select[1], ulong);
            assert_int_equal(select[3], nth(&s, SpvOpIEqual, 0)[2]);
            assert_int_equal(nth(&s, SpvOpConvertUToPtr, 0)[3], select[2]);
        }
        close_scene(&s);
    }
}

/* A function that passes its argument on, and what is computed of constants. */
static void constants_are_passed_on(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t sum = write_sum(&s, false);
    const uint32_t types[] = {s.uint_type, s.uint_type};
    const uint32_t type = pgs_spv_type(&s.m, SpvOpTypeFunction, types, 2);
    const uint32_t passes = pgs_spv_new_id(&s.m), parameter = pgs_spv_new_id(&s.m);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpFunction, s.uint_type, passes, 0, type);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpFunctionParameter, s.uint_type, parameter);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, pgs_spv_new_id(&s.m));
    store(&s, s.shown, call_sum(&s, sum, parameter));
    PGS_SPV_APPEND(&s.m, s.list, SpvOpReturnValue, call_sum(&s, sum, parameter));
    pgs_spv_append(&s.m, s.list, SpvOpFunctionEnd, NULL, 0);
    begin_function(&s, pgs_spv_new_id(&s.m));
    store(&s, s.shown, call_sum(&s, passes, pgs_spv_uint(&s.m, 4)));
    store(&s, s.a, add(&s, pgs_spv_uint(&s.m, 6), pgs_spv_uint(&s.m, 7)));
    call(&s, s.callee);
    call(&s, s.callee);
    end_function(&s);
    begin_function(&s, s.callee);
    store(&s, s.shown, load(&s, s.a));
    end_function(&s);
    shrink(&s);
    assert_int_equal(count(&s, SpvOpIAdd), 0);
    assert_int_equal(nth(&s, SpvOpReturnValue, 0)[1], pgs_spv_uint(&s.m, 5));
    assert_int_equal(stored(&s, 2), pgs_spv_uint(&s.m, 13));
    close_scene(&s);
}

/* A loop whose next value is known only once its function stands in its caller: the phi in front
 * takes what it becomes. */
static void loops_take_what_is_known_behind(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    struct pgs_spv_module *m = &s.m;
    const uint32_t types[] = {s.void_type, s.uint_type};
    const uint32_t function = pgs_spv_new_id(m), parameter = pgs_spv_new_id(m);
    const uint32_t head = pgs_spv_new_id(m), body = pgs_spv_new_id(m), end = pgs_spv_new_id(m),
                   next = pgs_spv_new_id(m);
    begin_function(&s, pgs_spv_new_id(m));
    PGS_SPV_VALUE(m, s.list, SpvOpFunctionCall, s.void_type, function, pgs_spv_uint(m, 0));
    end_function(&s);
    PGS_SPV_APPEND(m, s.list, SpvOpFunction, s.void_type, function, 0,
                   pgs_spv_type(m, SpvOpTypeFunction, types, 2));
    PGS_SPV_APPEND(m, s.list, SpvOpFunctionParameter, s.uint_type, parameter);
    const uint32_t before = pgs_spv_new_id(m);
    PGS_SPV_APPEND(m, s.list, SpvOpLabel, before);
    const uint32_t x = unknown(&s);
    PGS_SPV_APPEND(m, s.list, SpvOpBranch, head);
    PGS_SPV_APPEND(m, s.list, SpvOpLabel, head);
    const uint32_t phi = PGS_SPV_VALUE(m, s.list, SpvOpPhi, s.uint_type, x, before, next, body);
    const uint32_t less = is_less(&s, phi, pgs_spv_uint(m, 9));
    PGS_SPV_APPEND(m, s.list, SpvOpLoopMerge, end, body, 0);
    PGS_SPV_APPEND(m, s.list, SpvOpBranchConditional, less, body, end);
    PGS_SPV_APPEND(m, s.list, SpvOpLabel, body);
    const uint32_t product =
        PGS_SPV_VALUE(m, s.list, SpvOpIMul, s.uint_type, phi, pgs_spv_uint(m, 3));
    PGS_SPV_APPEND(m, s.list, SpvOpIAdd, s.uint_type, next, product, parameter);
    PGS_SPV_APPEND(m, s.list, SpvOpBranch, head);
    PGS_SPV_APPEND(m, s.list, SpvOpLabel, end);
    store(&s, s.shown, phi);
    end_function(&s);
    shrink(&s);
    assert_int_equal(count(&s, SpvOpIAdd), 0);
    assert_int_equal(nth(&s, SpvOpPhi, 0)[5], product);
    close_scene(&s);
}

/* A branch without a merge of its own goes to the end of the selection that it stands in. */
static void ends_that_branches_leave_to_stay(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t x = unknown(&s), y = unknown(&s), less = is_less(&s, x, y),
                   other = is_less(&s, y, x);
    const uint32_t end = pgs_spv_begin_if(&s.m, s.list, less), leave = pgs_spv_new_id(&s.m);
    store(&s, s.shown, x);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpBranchConditional, other, end, leave);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, leave);
    pgs_spv_append(&s.m, s.list, SpvOpReturn, NULL, 0);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, end);
    const uint32_t done = pgs_spv_begin_if(&s.m, s.list, less);
    store(&s, s.shown, y);
    pgs_spv_end_if(&s.m, s.list, done);
    end_function(&s);
    shrink(&s);
    assert_int_equal(count(&s, SpvOpSelectionMerge), 2);
    assert_int_equal(nth(&s, SpvOpSelectionMerge, 0)[1], end);
    close_scene(&s);
}

/* In broken modules vectors are made of themselves, or have other sizes than they say. */
static void broken_vectors_are_left_alone(void **state)
{
    (void)state;
    for (uint32_t size = 0; size < 2; size++) {
        struct scene s;
        open_scene(&s);
        struct pgs_spv_module *m = &s.m;
        const uint32_t pair = pgs_spv_type_uvec(m, 2);
        const uint32_t type = pgs_spv_type_vector(m, s.uint_type, size ? 1u << 30 : 0);
        const uint32_t from = pgs_spv_variable(m, SpvStorageClassOutput, pair);
        const uint32_t to = pgs_spv_variable(m, SpvStorageClassOutput, pair);
        begin_function(&s, pgs_spv_new_id(m));
        const uint32_t vector = PGS_SPV_VALUE(m, s.list, SpvOpLoad, pair, from);
        const uint32_t broken =
            PGS_SPV_VALUE(m, s.list, SpvOpVectorShuffle, type, vector, vector, 0);
        const uint32_t shuffle = PGS_SPV_VALUE(m, s.list, SpvOpVectorShuffle, pair, broken, broken,
                                               0, size ? (1u << 29) : 0);
        store(&s, to, shuffle);
        const uint32_t self = pgs_spv_new_id(m);
        PGS_SPV_APPEND(m, s.list, SpvOpCompositeInsert, pair, self, vector, self, 1);
        store(&s, s.shown, PGS_SPV_VALUE(m, s.list, SpvOpCompositeExtract, s.uint_type, self, 0));
        end_function(&s);
        shrink(&s);
        assert_int_equal(nth(&s, SpvOpVectorShuffle, 1)[3], broken);
        assert_int_equal(nth(&s, SpvOpCompositeExtract, 0)[3], self);
        close_scene(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arms_become_choices),
        cmocka_unit_test(choices_of_bools_are_logic),
        cmocka_unit_test(equal_conditions_are_asked_once),
        cmocka_unit_test(unread_elements_go),
        cmocka_unit_test(shuffles_and_masks_are_joined),
        cmocka_unit_test(words_are_one_number),
        cmocka_unit_test(constants_are_passed_on),
        cmocka_unit_test(loops_take_what_is_known_behind),
        cmocka_unit_test(ends_that_branches_leave_to_stay),
        cmocka_unit_test(broken_vectors_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
