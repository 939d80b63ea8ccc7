/* SPDX-License-Identifier: MIT
 *
 * Words that are loaded and stored in pairs. That the result is valid, spirv.corpus.* says; what it
 * computes, the gpu tests.
 */
#include "spirv/ir/builder.h"
#include "spirv/ir/pair_words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct scene {
    struct pgs_spv_module m;
    struct pgs_spv_list *list;
    uint32_t uint_type, float_type;
};

static void open_scene(struct scene *s)
{
    static const uint32_t words[] = {SpvMagicNumber,
                                     PGS_SPV_VERSION(1, 3),
                                     0,
                                     1,
                                     0,
                                     3u << 16 | SpvOpMemoryModel,
                                     SpvAddressingModelPhysicalStorageBuffer64,
                                     SpvMemoryModelGLSL450};
    *s = (struct scene){.list = &s->m.sections[PGS_SPV_FUNCTIONS]};
    assert_int_equal(pgs_spv_parse(&s->m, words, sizeof(words) / 4), PGS_SPV_OK);
    s->uint_type = pgs_spv_type_uint(&s->m);
    s->float_type = pgs_spv_type_float(&s->m, 32);
}

static void close_scene(struct scene *s)
{
    assert_int_equal(s->m.result, PGS_SPV_OK);
    pgs_spv_finish(&s->m);
}

/* An undefined pointer, which is enough for the pass. */
static uint32_t pointer_to(struct scene *s, uint32_t type, uint32_t storage_class)
{
    return pgs_spv_value(&s->m, s->list, SpvOpUndef,
                         pgs_spv_type_pointer(&s->m, storage_class, type), NULL, 0);
}

/* Loads `count` words from an address and stores them to another one. */
static void copy_words(struct scene *s, uint32_t scalar, uint32_t count, uint32_t access,
                       uint32_t alignment_B)
{
    const uint32_t type = pgs_spv_type_vector(&s->m, scalar, count);
    const uint32_t at = pointer_to(s, type, SpvStorageClassPhysicalStorageBuffer);
    const uint32_t value = PGS_SPV_VALUE(&s->m, s->list, SpvOpLoad, type, at,
                                         access | SpvMemoryAccessAlignedMask, alignment_B);
    PGS_SPV_APPEND(&s->m, s->list, SpvOpStore, at, value, access | SpvMemoryAccessAlignedMask,
                   alignment_B);
}

/* Components that are loaded and stored, as a driver without vectors counts them. */
struct traffic {
    uint32_t loads, stores, least_alignment_B;
};

static uint32_t components(const struct scene *s, uint32_t type)
{
    const uint32_t *vector = pgs_spv_def_op(&s->m, type, SpvOpTypeVector);
    return vector ? vector[3] : 1;
}

static struct traffic measure(const struct scene *s)
{
    struct traffic found = {.least_alignment_B = UINT32_MAX};
    for (uint32_t i = 0; i < s->list->count; i++) {
        const uint32_t *ins = s->list->items[i];
        const bool loads = pgs_spv_op(ins) == SpvOpLoad;
        if (!loads && pgs_spv_op(ins) != SpvOpStore)
            continue;
        const uint32_t alignment_B = ins[pgs_spv_length(ins) - 1];
        if (loads)
            found.loads += components(s, ins[1]);
        else
            found.stores += components(s, pgs_spv_type_of(&s->m, ins[2]));
        if (alignment_B < found.least_alignment_B)
            found.least_alignment_B = alignment_B;
    }
    return found;
}

static void halves_the_accesses(void **state)
{
    static const struct {
        uint32_t count, alignment_B, loads, stores, least_B;
    } cases[] = {
        {1, 4, 1, 1, 4}, /* nothing to pair */
        {2, 4, 1, 1, 8}, /* SPIR-V wants 8 of a type of 64 bits */
        {3, 4, 2, 3, 4}, /* the stores stay */
        {4, 4, 2, 2, 8}, {4, 16, 2, 2, 16},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (int floats = 0; floats < 2; floats++) {
            struct scene s;
            open_scene(&s);
            copy_words(&s, floats ? s.float_type : s.uint_type, cases[i].count, 0,
                       cases[i].alignment_B);
            pgs_spv_pair_words(&s.m);
            const struct traffic found = measure(&s);
            assert_int_equal(found.loads, cases[i].loads);
            assert_int_equal(found.stores, cases[i].stores);
            assert_int_equal(found.least_alignment_B, cases[i].least_B);
            assert_int_equal(pgs_spv_has_capability(&s.m, SpvCapabilityInt64), cases[i].count > 1);
            close_scene(&s);
        }
    }
}

/* Hands a loaded vector on and reads these components of it. */
static void read_components(struct scene *s, uint32_t count, uint32_t mask, int way)
{
    const uint32_t uvec = pgs_spv_type_uvec(&s->m, count);
    const uint32_t vec = pgs_spv_type_vector(&s->m, s->float_type, count);
    const uint32_t at = pointer_to(s, uvec, SpvStorageClassPhysicalStorageBuffer);
    const uint32_t to = pointer_to(s, s->float_type, SpvStorageClassPrivate);
    const uint32_t loaded =
        PGS_SPV_VALUE(&s->m, s->list, SpvOpLoad, uvec, at, SpvMemoryAccessAlignedMask, 4);
    uint32_t value = PGS_SPV_VALUE(&s->m, s->list, SpvOpBitcast, vec, loaded);
    if (way == 1) { /* backwards */
        uint32_t words[2 + 4] = {value, value};
        for (uint32_t i = 0; i < count; i++)
            words[2 + i] = count - 1 - i;
        value = pgs_spv_value(&s->m, s->list, SpvOpVectorShuffle, vec, words, 2 + count);
    }
    if (way == 2) { /* around a loop */
        const uint32_t phi = PGS_SPV_VALUE(&s->m, s->list, SpvOpPhi, vec, value, 1, value, 1);
        uint32_t *ins = s->list->items[s->list->count - 1];
        value = PGS_SPV_VALUE(&s->m, s->list, SpvOpFAdd, vec, phi, phi);
        ins[5] = value;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!(mask >> i & 1))
            continue;
        const uint32_t place = way == 1 ? count - 1 - i : i;
        PGS_SPV_APPEND(
            &s->m, s->list, SpvOpStore, to,
            PGS_SPV_VALUE(&s->m, s->list, SpvOpCompositeExtract, s->float_type, value, place));
    }
}

static uint32_t loaded_words(const struct scene *s)
{
    uint32_t words = 0;
    for (uint32_t i = 0; i < s->list->count; i++) {
        const uint32_t *ins = s->list->items[i];
        if (pgs_spv_op(ins) != SpvOpLoad)
            continue;
        const uint32_t *vector = pgs_spv_def_op(&s->m, ins[1], SpvOpTypeVector);
        words += components(s, ins[1]) * pgs_spv_def(&s->m, vector ? vector[2] : ins[1])[2] / 32;
    }
    return words;
}

static void loads_what_is_read(void **state)
{
    (void)state;
    for (uint32_t count = 2; count <= 4; count++) {
        for (uint32_t mask = 1; mask < 1u << count; mask++) {
            for (int way = 0; way < 3; way++) {
                struct scene s;
                open_scene(&s);
                read_components(&s, count, mask, way);
                pgs_spv_pair_words(&s.m);
                assert_int_equal(loaded_words(&s), __builtin_popcount(mask));
                assert_int_equal(measure(&s).loads, !!(mask & 3) + !!(mask & 12));
                close_scene(&s);
            }
        }
    }
}

/* Of a vector that is stored as a whole, or whose component is chosen later, all may be read. */
static void loads_all_that_may_be_read(void **state)
{
    (void)state;
    for (int chosen = 0; chosen < 2; chosen++) {
        struct scene s;
        open_scene(&s);
        const uint32_t quad = pgs_spv_type_uvec(&s.m, 4);
        const uint32_t at = pointer_to(&s, quad, SpvStorageClassPhysicalStorageBuffer);
        const uint32_t to = pointer_to(&s, quad, SpvStorageClassPrivate);
        const uint32_t value =
            PGS_SPV_VALUE(&s.m, s.list, SpvOpLoad, quad, at, SpvMemoryAccessAlignedMask, 16);
        PGS_SPV_VALUE(&s.m, s.list, SpvOpCompositeExtract, s.uint_type, value, 0);
        if (chosen)
            PGS_SPV_VALUE(&s.m, s.list, SpvOpVectorExtractDynamic, s.uint_type, value,
                          pgs_spv_value(&s.m, s.list, SpvOpUndef, s.uint_type, NULL, 0));
        else
            PGS_SPV_APPEND(&s.m, s.list, SpvOpStore, to, value);
        pgs_spv_pair_words(&s.m);
        assert_int_equal(loaded_words(&s), 4);
        close_scene(&s);
    }
}

static void leaves_others_alone(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s);
    copy_words(&s, s.uint_type, 4, SpvMemoryAccessVolatileMask, 16);
    copy_words(&s, pgs_spv_type_float(&s.m, 64), 2, 0, 16);
    const uint32_t quad = pgs_spv_type_uvec(&s.m, 4);
    PGS_SPV_VALUE(&s.m, s.list, SpvOpLoad, quad, pointer_to(&s, quad, SpvStorageClassStorageBuffer),
                  SpvMemoryAccessAlignedMask, 16);
    const uint32_t count = s.list->count;
    pgs_spv_pair_words(&s.m);
    assert_int_equal(s.list->count, count);
    assert_false(pgs_spv_has_capability(&s.m, SpvCapabilityInt64));
    close_scene(&s);
}

/* A pointer that comes from a cast does not say it any more. */
static void leaves_memory_alone_that_others_watch(void **state)
{
    static const uint32_t decorations[] = {SpvDecorationVolatile, SpvDecorationCoherent};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (int member = 0; member < 2; member++) {
            struct scene s;
            open_scene(&s);
            struct pgs_spv_list *annotations = &s.m.sections[PGS_SPV_ANNOTATIONS];
            if (member)
                PGS_SPV_APPEND(&s.m, annotations, SpvOpMemberDecorate, s.uint_type, 0,
                               decorations[i]);
            else
                PGS_SPV_APPEND(&s.m, annotations, SpvOpDecorate, s.uint_type, decorations[i]);
            copy_words(&s, s.uint_type, 4, 0, 16);
            pgs_spv_pair_words(&s.m);
            assert_int_equal(measure(&s).loads, 4);
            close_scene(&s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_the_accesses),
        cmocka_unit_test(loads_what_is_read),
        cmocka_unit_test(loads_all_that_may_be_read),
        cmocka_unit_test(leaves_others_alone),
        cmocka_unit_test(leaves_memory_alone_that_others_watch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
