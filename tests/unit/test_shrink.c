/* SPDX-License-Identifier: MIT
 *
 * Functions that become shorter: calls that are written in place, values that are computed once,
 * loads of what was stored.
 */
#include "shrink_scene.h"
#include "spirv/ir/canonical.h"
#include "spirv/ir/fold.h"

/* -- calls -- */

/* The block of the call ends as another one, which the caller's phi must name. */
static void phis_follow_split_blocks(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    begin_function(&s, s.callee);
    const uint32_t inner =
        pgs_spv_begin_if(&s.m, s.list, is_less(&s, unknown(&s), pgs_spv_uint(&s.m, 5)));
    store(&s, s.shown, pgs_spv_uint(&s.m, 1));
    pgs_spv_end_if(&s.m, s.list, inner);
    end_function(&s);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t entry = s.list->items[s.list->count - 1][1];
    const uint32_t outer =
        pgs_spv_begin_if(&s.m, s.list, is_less(&s, unknown(&s), pgs_spv_uint(&s.m, 6)));
    const uint32_t arm = s.list->items[s.list->count - 1][1];
    call(&s, s.callee);
    const uint32_t value = unknown(&s);
    pgs_spv_end_if(&s.m, s.list, outer);
    const uint32_t phi = PGS_SPV_VALUE(&s.m, s.list, SpvOpPhi, s.uint_type, value, arm,
                                       pgs_spv_uint(&s.m, 7), entry);
    store(&s, s.shown, phi);
    end_function(&s);
    shrink(&s);
    assert_int_equal(count(&s, SpvOpFunction), 1);
    assert_int_equal(count(&s, SpvOpFunctionCall), 0);
    assert_int_equal(count(&s, SpvOpLabel), 5);
    const uint32_t *words = nth(&s, SpvOpPhi, 0);
    assert_int_equal(words[4], inner); /* behind the callee's selection */
    assert_int_equal(words[6], entry);
    close_scene(&s);
}

static void results_and_arguments_are_replaced(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t sum = write_sum(&s, false);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t argument = unknown(&s);
    store(&s, s.shown, call_sum(&s, sum, argument));
    end_function(&s);
    shrink(&s);
    assert_int_equal(count(&s, SpvOpFunctionCall), 0);
    assert_int_equal(nth(&s, SpvOpIAdd, 0)[3], argument);
    assert_int_equal(stored(&s, 0), nth(&s, SpvOpIAdd, 0)[2]);
    close_scene(&s);
}

static void calls_stay(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* two returns; two calls; not to be inlined */
        struct scene s;
        open_scene(&s);
        const uint32_t sum = write_sum(&s, kind == 0);
        s.list->items[0][3] = kind == 2 ? SpvFunctionControlDontInlineMask : 0;
        begin_function(&s, pgs_spv_new_id(&s.m));
        store(&s, s.shown, call_sum(&s, sum, unknown(&s)));
        if (kind == 1)
            store(&s, s.shown, call_sum(&s, sum, unknown(&s)));
        end_function(&s);
        shrink(&s);
        assert_int_equal(count(&s, SpvOpFunctionCall), kind == 1 ? 2 : 1);
        assert_int_equal(count(&s, SpvOpFunction), 2);
        close_scene(&s);
    }
}

/* A loop's first block has to stay one block. */
static void loop_headers_stay_whole(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    begin_function(&s, s.callee);
    const uint32_t done =
        pgs_spv_begin_if(&s.m, s.list, is_less(&s, unknown(&s), pgs_spv_uint(&s.m, 5)));
    store(&s, s.shown, pgs_spv_uint(&s.m, 1));
    pgs_spv_end_if(&s.m, s.list, done);
    end_function(&s);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t header = pgs_spv_new_id(&s.m), step = pgs_spv_new_id(&s.m),
                   after = pgs_spv_new_id(&s.m);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpBranch, header);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, header);
    call(&s, s.callee);
    const uint32_t more = is_less(&s, unknown(&s), pgs_spv_uint(&s.m, 6));
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLoopMerge, after, step, 0);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpBranchConditional, more, step, after);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, step);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpBranch, header);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, after);
    end_function(&s);
    shrink(&s);
    assert_int_equal(count(&s, SpvOpFunctionCall), 1);
    assert_int_equal(count(&s, SpvOpFunction), 2);
    close_scene(&s);
}

/* Two calls with one constant: the function computes with it. */
static void common_arguments_are_known(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        struct scene s;
        open_scene(&s);
        const uint32_t sum = write_sum(&s, false);
        begin_function(&s, pgs_spv_new_id(&s.m));
        store(&s, s.shown, call_sum(&s, sum, pgs_spv_uint(&s.m, 4)));
        store(&s, s.shown, call_sum(&s, sum, pgs_spv_uint(&s.m, same ? 4 : 5)));
        end_function(&s);
        shrink(&s);
        assert_int_equal(count(&s, SpvOpIAdd), !same);
        if (same)
            assert_int_equal(nth(&s, SpvOpReturnValue, 0)[1], pgs_spv_uint(&s.m, 5));
        close_scene(&s);
    }
}

/* -- values -- */

static void equal_values_are_one(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* equal; other operands; decorated */
        struct scene s;
        open_scene(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t x = unknown(&s), y = unknown(&s);
        const uint32_t first = add(&s, x, y), second = add(&s, x, kind == 1 ? x : y);
        store(&s, s.shown, first);
        store(&s, s.shown, second);
        if (kind == 2)
            pgs_spv_decorate(&s.m, second, SpvDecorationRelaxedPrecision, NULL, 0);
        end_function(&s);
        shrink(&s);
        assert_int_equal(stored(&s, 0), first);
        assert_int_equal(stored(&s, 1), kind == 0 ? first : second);
        close_scene(&s);
    }
}

/* A value of one arm is not there behind the selection. One that takes little is computed before.
 */
static void values_of_arms_stay_there(void **state)
{
    (void)state;
    for (int cheap = 0; cheap < 2; cheap++) {
        const uint32_t op = cheap ? SpvOpIAdd : SpvOpUDiv;
        struct scene s;
        open_scene(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t x = unknown(&s);
        const uint32_t done = pgs_spv_begin_if(&s.m, s.list, is_less(&s, x, pgs_spv_uint(&s.m, 5)));
        const uint32_t in_arm = PGS_SPV_VALUE(&s.m, s.list, op, s.uint_type, x, x);
        store(&s, s.shown, in_arm);
        store(&s, s.shown, PGS_SPV_VALUE(&s.m, s.list, op, s.uint_type, x, x));
        pgs_spv_end_if(&s.m, s.list, done);
        const uint32_t behind = PGS_SPV_VALUE(&s.m, s.list, op, s.uint_type, x, x);
        store(&s, s.shown, behind);
        end_function(&s);
        shrink(&s);
        assert_int_equal(stored(&s, 1), in_arm);
        assert_int_equal(stored(&s, 2), cheap ? in_arm : behind);
        assert_int_equal(count(&s, op), cheap ? 1 : 2);
        assert_int_equal(nth(&s, op, 0)[2], in_arm);
        for (uint32_t i = 0; cheap && s.list->items[i] != nth(&s, op, 0); i++)
            assert_int_not_equal(pgs_spv_op(s.list->items[i]), SpvOpSelectionMerge);
        close_scene(&s);
    }
}

/* -- variables -- */

enum between {
    NOTHING,
    OTHER_STORE,  /* to another variable */
    STORE,        /* to this one */
    CALL,         /* of a function that stores to the other one */
    STORING_CALL, /* to this one */
    ARM,          /* of a selection that stores to this one */
    OTHER_ARM,    /* to the other one */
    BETWEEN_COUNT,
};

static void write_between(struct scene *s, enum between kind, uint32_t value)
{
    switch (kind) {
    case OTHER_STORE:
        store(s, s->b, value);
        break;
    case STORE:
        store(s, s->a, value);
        break;
    case CALL:
    case STORING_CALL:
        call(s, s->callee);
        call(s, s->callee);
        break;
    case ARM:
    case OTHER_ARM: {
        const uint32_t done =
            pgs_spv_begin_if(&s->m, s->list, is_less(s, value, pgs_spv_uint(&s->m, 5)));
        store(s, kind == ARM ? s->a : s->b, value);
        pgs_spv_end_if(&s->m, s->list, done);
        break;
    }
    default:
        break;
    }
}

static void loads_become_what_was_stored(void **state)
{
    (void)state;
    for (enum between kind = NOTHING; kind < BETWEEN_COUNT; kind++) {
        struct scene s;
        open_scene(&s);
        begin_function(&s, s.callee);
        store(&s, kind == STORING_CALL ? s.a : s.b, unknown(&s));
        end_function(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t x = unknown(&s), y = unknown(&s);
        store(&s, s.a, x);
        write_between(&s, kind, y);
        const uint32_t loaded = load(&s, s.a);
        store(&s, s.shown, loaded);
        store(&s, s.shown, load(&s, s.b));
        end_function(&s);
        shrink(&s);
        const bool changes = kind == STORING_CALL || kind == ARM;
        assert_int_equal(stored(&s, 0), changes ? loaded : kind == STORE ? y : x);
        close_scene(&s);
    }
}

/* In a loop, what its end stores is there when it begins again. */
static void loops_forget_what_they_store(void **state)
{
    (void)state;
    for (int other = 0; other < 2; other++) {
        struct scene s;
        struct pgs_spv_loop loop;
        open_scene(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t x = unknown(&s), y = unknown(&s);
        store(&s, s.a, x);
        pgs_spv_begin_loop(&s.m, s.list, pgs_spv_uint(&s.m, 3), 0, &loop);
        const uint32_t loaded = load(&s, s.a);
        store(&s, s.shown, loaded);
        store(&s, other ? s.b : s.a, y);
        pgs_spv_end_loop(&s.m, s.list, &loop);
        store(&s, s.shown, load(&s, s.b));
        end_function(&s);
        shrink(&s);
        assert_int_equal(stored(&s, 0), other ? x : loaded);
        close_scene(&s);
    }
}

static void parts_are_known_by_themselves(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t type = pgs_spv_type_uvec(&s.m, 4);
    const uint32_t vector = pgs_spv_variable(&s.m, SpvStorageClassPrivate, type);
    const uint32_t pointer = pgs_spv_type_pointer(&s.m, SpvStorageClassPrivate, s.uint_type);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t x = unknown(&s), y = unknown(&s);
    uint32_t part[4];
    for (uint32_t i = 0; i < 3; i++)
        part[i] =
            PGS_SPV_VALUE(&s.m, s.list, SpvOpAccessChain, pointer, vector, pgs_spv_uint(&s.m, i));
    store(&s, part[0], x);
    store(&s, part[1], y);
    store(&s, s.shown, load(&s, part[0]));
    part[3] = PGS_SPV_VALUE(&s.m, s.list, SpvOpAccessChain, pointer, vector, y); /* any of them */
    store(&s, part[3], y);
    const uint32_t changed = load(&s, part[0]);
    store(&s, s.shown, changed);
    end_function(&s);
    shrink(&s);
    assert_int_equal(stored(&s, 0), x);
    assert_int_equal(stored(&s, 1), changed);
    close_scene(&s);
}

/* What nothing stores to is undefined, so 0; another index may be any. */
static void parts_without_stores_are_zero(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* one stored; any stored; initialized */
        struct scene s;
        open_scene(&s);
        const uint32_t type = pgs_spv_type_uvec(&s.m, 4);
        const uint32_t vector = pgs_spv_variable(&s.m, SpvStorageClassPrivate, type);
        const uint32_t pointer = pgs_spv_type_pointer(&s.m, SpvStorageClassPrivate, s.uint_type);
        if (kind == 2) {
            const uint32_t *variable = pgs_spv_def(&s.m, vector);
            uint32_t words[] = {variable[1], variable[2], variable[3], pgs_spv_null(&s.m, type)};
            s.m.defs[vector] = pgs_spv_make(&s.m, SpvOpVariable, words, 4);
        }
        begin_function(&s, s.callee);
        const uint32_t index = kind == 1 ? unknown(&s) : pgs_spv_uint(&s.m, 2);
        store(&s, PGS_SPV_VALUE(&s.m, s.list, SpvOpAccessChain, pointer, vector, index),
              unknown(&s));
        end_function(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        call(&s, s.callee);
        call(&s, s.callee);
        uint32_t loaded[2];
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t part = PGS_SPV_VALUE(&s.m, s.list, SpvOpAccessChain, pointer, vector,
                                                pgs_spv_uint(&s.m, 1 + i));
            loaded[i] = load(&s, part);
            store(&s, s.shown, loaded[i]);
        }
        end_function(&s);
        shrink(&s);
        assert_int_equal(stored(&s, 0), kind == 0 ? pgs_spv_uint(&s.m, 0) : loaded[0]);
        assert_int_equal(stored(&s, 1), loaded[1]);
        close_scene(&s);
    }
}

/* All that is ever stored is one constant, even if that is elsewhere. */
static void variables_may_be_constants(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* stored twice; two constants; initialized */
        struct scene s;
        open_scene(&s);
        begin_function(&s, s.callee);
        store(&s, s.a, pgs_spv_uint(&s.m, 4));
        end_function(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        uint32_t *variable = pgs_spv_def(&s.m, s.a);
        if (kind == 2) {
            uint32_t words[] = {variable[1], variable[2], variable[3], pgs_spv_uint(&s.m, 6)};
            s.m.defs[s.a] = pgs_spv_make(&s.m, SpvOpVariable, words, 4);
        }
        const uint32_t loaded = load(&s, s.a);
        store(&s, s.shown, loaded);
        call(&s, s.callee);
        call(&s, s.callee);
        store(&s, s.a, pgs_spv_uint(&s.m, kind == 1 ? 5 : 4));
        call(&s, s.callee);
        end_function(&s);
        shrink(&s);
        assert_int_equal(stored(&s, 0), kind == 0 ? pgs_spv_uint(&s.m, 4) : loaded);
        close_scene(&s);
    }
}

/* Stores to local variables go with the loads of them, and the variables with the stores. */
static void unread_variables_go(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t local = PGS_SPV_VALUE(
        &s.m, s.list, SpvOpVariable,
        pgs_spv_type_pointer(&s.m, SpvStorageClassFunction, s.uint_type), SpvStorageClassFunction);
    const uint32_t x = unknown(&s);
    store(&s, local, x);
    store(&s, s.shown, load(&s, local));
    end_function(&s);
    shrink(&s);
    assert_int_equal(count(&s, SpvOpVariable), 0);
    assert_int_equal(count(&s, SpvOpStore), 1);
    assert_int_equal(stored(&s, 0), x);
    close_scene(&s);
}

/* -- what nothing needs -- */

/* Of two functions whose results nothing uses, the one that only computes goes with its call. */
static void idle_calls_go(void **state)
{
    (void)state;
    for (int acts = 0; acts < 2; acts++) {
        struct scene s;
        open_scene(&s);
        begin_function(&s, s.callee);
        const uint32_t sum = add(&s, unknown(&s), pgs_spv_uint(&s.m, 1));
        if (acts)
            store(&s, s.shown, sum);
        end_function(&s);
        begin_function(&s, pgs_spv_new_id(&s.m));
        call(&s, s.callee);
        call(&s, s.callee);
        end_function(&s);
        shrink(&s);
        assert_int_equal(count(&s, SpvOpFunctionCall), acts ? 2 : 0);
        assert_int_equal(count(&s, SpvOpFunction), acts ? 2 : 1);
        close_scene(&s);
    }
}

/* What is before and in front of a loop stays apart from it, but its header tests the counter. */
static void blocks_are_joined(void **state)
{
    (void)state;
    struct scene s;
    struct pgs_spv_loop loop;
    open_scene(&s);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t next = pgs_spv_new_id(&s.m);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpBranch, next);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, next);
    pgs_spv_begin_loop(&s.m, s.list, pgs_spv_uint(&s.m, 3), 0, &loop);
    store(&s, s.shown, loop.counter);
    pgs_spv_end_loop(&s.m, s.list, &loop);
    end_function(&s);
    const uint32_t first = nth(&s, SpvOpLabel, 0)[1];
    shrink(&s);
    /* First, header, body, continue, rest. */
    assert_int_equal(count(&s, SpvOpLabel), 5);
    assert_int_equal(nth(&s, SpvOpLabel, 0)[1], first);
    assert_int_equal(nth(&s, SpvOpPhi, 0)[4], first);
    for (uint32_t i = 0; i + 1 < s.list->count; i++)
        if (pgs_spv_op(s.list->items[i]) == SpvOpLoopMerge)
            assert_int_equal(pgs_spv_op(s.list->items[i + 1]), SpvOpBranchConditional);
    close_scene(&s);
}

/* The selection goes to its end instead, where the phi names its first block. */
static void empty_arms_go(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t first = nth(&s, SpvOpLabel, 0)[1], arm = pgs_spv_new_id(&s.m),
                   empty = pgs_spv_new_id(&s.m), done = pgs_spv_new_id(&s.m);
    const uint32_t x = unknown(&s), condition = is_less(&s, x, pgs_spv_uint(&s.m, 5));
    PGS_SPV_APPEND(&s.m, s.list, SpvOpSelectionMerge, done, 0);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpBranchConditional, condition, empty, arm);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, empty);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpBranch, done);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, arm);
    const uint32_t sum = unknown(&s);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpBranch, done);
    PGS_SPV_APPEND(&s.m, s.list, SpvOpLabel, done);
    store(&s, s.shown, PGS_SPV_VALUE(&s.m, s.list, SpvOpPhi, s.uint_type, x, empty, sum, arm));
    end_function(&s);
    shrink(&s);
    assert_int_equal(count(&s, SpvOpLabel), 3);
    assert_int_equal(nth(&s, SpvOpBranchConditional, 0)[2], done);
    assert_int_equal(nth(&s, SpvOpBranchConditional, 0)[3], arm);
    assert_int_equal(nth(&s, SpvOpPhi, 0)[4], first);
    assert_int_equal(nth(&s, SpvOpPhi, 0)[6], arm);
    close_scene(&s);
}

/* Components of one vector become a shuffle, all of them in order the vector itself. */
static void vectors_are_shuffled(void **state)
{
    (void)state;
    for (int in_order = 0; in_order < 2; in_order++) {
        struct scene s;
        open_scene(&s);
        const uint32_t pair = pgs_spv_type_uvec(&s.m, 2);
        const uint32_t from = pgs_spv_variable(&s.m, SpvStorageClassOutput, pair);
        begin_function(&s, pgs_spv_new_id(&s.m));
        const uint32_t vector = PGS_SPV_VALUE(&s.m, s.list, SpvOpLoad, pair, from);
        const uint32_t x = PGS_SPV_VALUE(&s.m, s.list, SpvOpCompositeExtract, s.uint_type, vector,
                                         in_order ? 0u : 1u);
        const uint32_t y =
            in_order ? PGS_SPV_VALUE(&s.m, s.list, SpvOpCompositeExtract, s.uint_type, vector, 1)
                     : pgs_spv_uint(&s.m, 0);
        const uint32_t made = PGS_SPV_VALUE(&s.m, s.list, SpvOpCompositeConstruct, pair, x, y);
        PGS_SPV_APPEND(&s.m, s.list, SpvOpStore, from, made);
        end_function(&s);
        shrink(&s);
        const uint32_t *last = nth(&s, SpvOpStore, 0);
        assert_int_equal(count(&s, SpvOpCompositeExtract), 0);
        assert_int_equal(count(&s, SpvOpVectorShuffle), in_order ? 0 : 1);
        assert_int_equal(last[2], in_order ? vector : made);
        if (!in_order) {
            const uint32_t *shuffle = nth(&s, SpvOpVectorShuffle, 0);
            assert_int_equal(shuffle[5], 1);
            assert_int_equal(shuffle[6], 2);
            assert_non_null(pgs_spv_def_op(&s.m, shuffle[4], SpvOpConstantNull));
        }
        close_scene(&s);
    }
}

static void constants_are_widened(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    const uint32_t wide = pgs_spv_type(&s.m, SpvOpTypeInt, (const uint32_t[]){64, 0}, 2);
    const uint32_t to = pgs_spv_variable(&s.m, SpvStorageClassOutput, wide);
    begin_function(&s, pgs_spv_new_id(&s.m));
    for (int i = 0; i < 2; i++)
        PGS_SPV_APPEND(&s.m, s.list, SpvOpStore, to,
                       PGS_SPV_VALUE(&s.m, s.list, SpvOpUConvert, wide, pgs_spv_uint(&s.m, 7)));
    end_function(&s);
    shrink(&s);
    const uint32_t *constant = pgs_spv_def_op(&s.m, nth(&s, SpvOpStore, 0)[2], SpvOpConstant);
    assert_non_null(constant);
    assert_int_equal(constant[1], wide);
    assert_int_equal(constant[3], 7);
    assert_int_equal(constant[4], 0);
    assert_int_equal(nth(&s, SpvOpStore, 1)[2], constant[2]);
    assert_int_equal(count(&s, SpvOpUConvert), 0);
    close_scene(&s);
}

/* x = a + number, in a module whose ids, names and declarations depend on `turned`. */
static struct pgs_spv_blob canonical_sum(bool turned, uint32_t number)
{
    struct pgs_spv_module m;
    static const uint32_t words[] = {SpvMagicNumber,
                                     PGS_SPV_VERSION(1, 3),
                                     0,
                                     1,
                                     0,
                                     3u << 16 | SpvOpMemoryModel,
                                     SpvAddressingModelLogical,
                                     SpvMemoryModelGLSL450};
    struct pgs_spv_blob blob;
    struct pgs_spv_list *list = &m.sections[PGS_SPV_FUNCTIONS];
    struct pgs_spv_list *notes = &m.sections[PGS_SPV_ANNOTATIONS];
    assert_int_equal(pgs_spv_parse(&m, words, sizeof(words) / 4), PGS_SPV_OK);
    if (turned) {
        pgs_spv_uint(&m, number);
        pgs_spv_new_id(&m);
    }
    const uint32_t type = pgs_spv_type_uint(&m);
    const uint32_t first =
        pgs_spv_variable(&m, turned ? SpvStorageClassInput : SpvStorageClassOutput, type);
    const uint32_t second =
        pgs_spv_variable(&m, turned ? SpvStorageClassOutput : SpvStorageClassInput, type);
    const uint32_t a = turned ? first : second, x = turned ? second : first;
    for (int i = 0; i < 2; i++)
        PGS_SPV_APPEND(&m, notes, SpvOpDecorate, (i == turned) ? a : x, SpvDecorationLocation, 3);
    if (turned)
        pgs_spv_push(&m, &m.sections[PGS_SPV_NAMES],
                     pgs_spv_make_string(&m, SpvOpName, &a, 1, "apple", NULL, 0));
    const uint32_t function = pgs_spv_new_id(&m);
    PGS_SPV_APPEND(&m, list, SpvOpFunction, pgs_spv_type_void(&m), function, 0,
                   pgs_spv_type_procedure(&m));
    PGS_SPV_APPEND(&m, list, SpvOpLabel, pgs_spv_new_id(&m));
    const uint32_t loaded = PGS_SPV_VALUE(&m, list, SpvOpLoad, type, a);
    PGS_SPV_APPEND(&m, list, SpvOpStore, x,
                   PGS_SPV_VALUE(&m, list, SpvOpIAdd, type, loaded, pgs_spv_uint(&m, number)));
    pgs_spv_append(&m, list, SpvOpReturn, NULL, 0);
    pgs_spv_append(&m, list, SpvOpFunctionEnd, NULL, 0);
    pgs_spv_set_entry(&m, SpvExecutionModelVertex, function, "main");
    pgs_spv_make_canonical(&m);
    assert_int_equal(m.entry[2], 1 + 1); /* behind its type */
    assert_int_equal(pgs_spv_write(&m, &blob), PGS_SPV_OK);
    pgs_spv_finish(&m);
    return blob;
}

static void equal_modules_get_equal_words(void **state)
{
    (void)state;
    struct pgs_spv_blob blobs[3] = {canonical_sum(false, 5), canonical_sum(true, 5),
                                    canonical_sum(true, 6)};
    uint32_t differing = 0;
    for (int i = 1; i < 3; i++)
        assert_int_equal(blobs[i].word_count, blobs[0].word_count);
    assert_memory_equal(blobs[0].words, blobs[1].words, blobs[0].word_count * 4);
    for (size_t i = 0; i < blobs[0].word_count; i++)
        differing += blobs[0].words[i] != blobs[2].words[i];
    assert_int_equal(differing, 1);
    for (int i = 0; i < 3; i++)
        pgs_spv_blob_free(&blobs[i]);
}

/* As broken modules have them: a bool of a type that has no width. */
static void numbers_of_no_width_are_left_alone(void **state)
{
    (void)state;
    static const uint32_t ops[] = {SpvOpShiftRightArithmetic, SpvOpSDiv, SpvOpSLessThan};
    struct scene s;
    open_scene(&s);
    begin_function(&s, pgs_spv_new_id(&s.m));
    const uint32_t yes = PGS_SPV_VALUE(&s.m, &s.m.sections[PGS_SPV_GLOBALS], SpvOpConstantTrue,
                                       pgs_spv_type_float(&s.m, 32));
    for (int i = 0; i < 3; i++)
        store(&s, s.shown,
              PGS_SPV_VALUE(&s.m, s.list, ops[i], s.uint_type, yes, pgs_spv_uint(&s.m, 1)));
    end_function(&s);
    shrink(&s);
    for (int i = 0; i < 3; i++)
        assert_int_equal(count(&s, ops[i]), 1);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phis_follow_split_blocks),
        cmocka_unit_test(results_and_arguments_are_replaced),
        cmocka_unit_test(calls_stay),
        cmocka_unit_test(loop_headers_stay_whole),
        cmocka_unit_test(common_arguments_are_known),
        cmocka_unit_test(equal_values_are_one),
        cmocka_unit_test(values_of_arms_stay_there),
        cmocka_unit_test(loads_become_what_was_stored),
        cmocka_unit_test(loops_forget_what_they_store),
        cmocka_unit_test(parts_are_known_by_themselves),
        cmocka_unit_test(parts_without_stores_are_zero),
        cmocka_unit_test(variables_may_be_constants),
        cmocka_unit_test(unread_variables_go),
        cmocka_unit_test(idle_calls_go),
        cmocka_unit_test(blocks_are_joined),
        cmocka_unit_test(empty_arms_go),
        cmocka_unit_test(vectors_are_shuffled),
        cmocka_unit_test(constants_are_widened),
        cmocka_unit_test(numbers_of_no_width_are_left_alone),
        cmocka_unit_test(equal_modules_get_equal_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
