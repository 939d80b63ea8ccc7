/* SPDX-License-Identifier: MIT
 *
 * Small modules that tests of pgs_spv_shrink write and look at.
 */
#ifndef TESTS_UNIT_SHRINK_SCENE_H
#define TESTS_UNIT_SHRINK_SCENE_H

#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/ir/shrink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct scene {
    struct pgs_spv_module m;
    struct pgs_spv_list *list;
    uint32_t uint_type, bool_type, void_type;
    uint32_t a, b;   /* Private uints */
    uint32_t shown;  /* what the test stores there stays: an output */
    uint32_t callee; /* void(), of begin_callee */
};

static inline void open_scene(struct scene *s)
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
    s->void_type = pgs_spv_type_void(&s->m);
    s->a = pgs_spv_variable(&s->m, SpvStorageClassPrivate, s->uint_type);
    s->b = pgs_spv_variable(&s->m, SpvStorageClassPrivate, s->uint_type);
    s->shown = pgs_spv_variable(&s->m, SpvStorageClassOutput, s->uint_type);
    s->callee = pgs_spv_new_id(&s->m);
}

static inline uint32_t begin_function(struct scene *s, uint32_t id)
{
    PGS_SPV_APPEND(&s->m, s->list, SpvOpFunction, s->void_type, id, 0,
                   pgs_spv_type_procedure(&s->m));
    PGS_SPV_APPEND(&s->m, s->list, SpvOpLabel, pgs_spv_new_id(&s->m));
    return id;
}

static inline void end_function(struct scene *s)
{
    pgs_spv_append(&s->m, s->list, SpvOpReturn, NULL, 0);
    pgs_spv_append(&s->m, s->list, SpvOpFunctionEnd, NULL, 0);
}

static inline uint32_t load(struct scene *s, uint32_t variable)
{
    return PGS_SPV_VALUE(&s->m, s->list, SpvOpLoad, s->uint_type, variable);
}

static inline void store(struct scene *s, uint32_t variable, uint32_t value)
{
    PGS_SPV_APPEND(&s->m, s->list, SpvOpStore, variable, value);
}

static inline uint32_t add(struct scene *s, uint32_t a, uint32_t b)
{
    return PGS_SPV_VALUE(&s->m, s->list, SpvOpIAdd, s->uint_type, a, b);
}

static inline uint32_t is_less(struct scene *s, uint32_t a, uint32_t b)
{
    return PGS_SPV_VALUE(&s->m, s->list, SpvOpULessThan, s->bool_type, a, b);
}

static inline void call(struct scene *s, uint32_t function)
{
    PGS_SPV_VALUE(&s->m, s->list, SpvOpFunctionCall, s->void_type, function);
}

/* A value that nothing is known of. */
static inline uint32_t unknown(struct scene *s)
{
    const uint32_t shown = s->shown;
    return PGS_SPV_VALUE(&s->m, s->list, SpvOpLoad, s->uint_type, shown);
}

static inline uint32_t count(const struct scene *s, uint32_t op)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < s->list->count; i++)
        found += pgs_spv_op(s->list->items[i]) == op;
    return found;
}

static inline uint32_t *nth(const struct scene *s, uint32_t op, uint32_t number)
{
    for (uint32_t i = 0; i < s->list->count; i++) {
        if (pgs_spv_op(s->list->items[i]) == op && number-- == 0)
            return s->list->items[i];
    }
    fail();
    return NULL;
}

/* The number-th value that is stored to the output. */
static inline uint32_t stored(const struct scene *s, uint32_t number)
{
    for (uint32_t i = 0; i < s->list->count; i++) {
        const uint32_t *ins = s->list->items[i];
        if (pgs_spv_op(ins) == SpvOpStore && ins[1] == s->shown && number-- == 0)
            return ins[2];
    }
    fail();
    return 0;
}

static inline void shrink(struct scene *s)
{
    pgs_spv_shrink(&s->m);
    assert_int_equal(s->m.result, PGS_SPV_OK);
}

static inline void close_scene(struct scene *s)
{
    pgs_spv_finish(&s->m);
}

/* Adds the parameter of a function to 1 and returns the sum; early: another return before. */
static inline uint32_t write_sum(struct scene *s, bool early)
{
    struct pgs_spv_module *m = &s->m;
    const uint32_t types[] = {s->uint_type, s->uint_type};
    const uint32_t type = pgs_spv_type(m, SpvOpTypeFunction, types, 2);
    const uint32_t function = pgs_spv_new_id(m), parameter = pgs_spv_new_id(m);
    PGS_SPV_APPEND(m, s->list, SpvOpFunction, s->uint_type, function, 0, type);
    PGS_SPV_APPEND(m, s->list, SpvOpFunctionParameter, s->uint_type, parameter);
    PGS_SPV_APPEND(m, s->list, SpvOpLabel, pgs_spv_new_id(m));
    if (early) {
        const uint32_t rest =
            pgs_spv_begin_if(m, s->list, is_less(s, parameter, pgs_spv_uint(m, 9)));
        PGS_SPV_APPEND(m, s->list, SpvOpReturnValue, parameter);
        PGS_SPV_APPEND(m, s->list, SpvOpLabel, rest);
    }
    PGS_SPV_APPEND(m, s->list, SpvOpReturnValue, add(s, parameter, pgs_spv_uint(m, 1)));
    pgs_spv_append(m, s->list, SpvOpFunctionEnd, NULL, 0);
    return function;
}

static inline uint32_t call_sum(struct scene *s, uint32_t function, uint32_t argument)
{
    return PGS_SPV_VALUE(&s->m, s->list, SpvOpFunctionCall, s->uint_type, function, argument);
}

#endif
