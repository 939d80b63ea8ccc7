/* SPDX-License-Identifier: MIT
 *
 * Kernels as devices with VK_EXT_buffer_device_address get them. That the result is valid, the
 * validation layer says in gpu-*_ext_address.
 */
#include "base/alloc.h"
#include "shaders/embedded.h"
#include "spirv/spirv.h"

#include "spirv/ir/module.h"
#include "spirv/ir/operands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct counts {
    unsigned khr, ext, int64, from_words, from_integer;
};

static uint32_t op_of_type(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def(m, type);
    return def ? pgs_spv_op(def) : SpvOpNop;
}

static struct counts count(const uint32_t *words, size_t word_count)
{
    struct counts counts = {0};
    struct pgs_spv_module m;
    assert_int_equal(pgs_spv_parse(&m, words, word_count), PGS_SPV_OK);
    const struct pgs_spv_list *list = &m.sections[PGS_SPV_EXTENSIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        counts.khr += pgs_spv_string_is(list->items[i], 1, "SPV_KHR_physical_storage_buffer");
        counts.ext += pgs_spv_string_is(list->items[i], 1, "SPV_EXT_physical_storage_buffer");
    }
    list = &m.sections[PGS_SPV_CAPABILITIES];
    for (uint32_t i = 0; i < list->count; i++)
        counts.int64 += list->items[i][1] == SpvCapabilityInt64;
    list = &m.sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        counts.from_words +=
            pgs_spv_op(ins) == SpvOpBitcast && op_of_type(&m, ins[1]) == SpvOpTypePointer;
        counts.from_integer += pgs_spv_op(ins) == SpvOpConvertUToPtr;
    }
    pgs_spv_finish(&m);
    return counts;
}

static void casts_through_integers(void **state)
{
    (void)state;
    const struct counts before = count(pgs_kernel_expand, pgs_kernel_expand_words);
    assert_true(before.khr == 1 && before.ext == 0 && before.from_words > 0);
    struct pgs_spv_blob blob;
    assert_int_equal(pgs_spv_use_ext_addresses(pgs_kernel_expand, pgs_kernel_expand_words, &blob),
                     PGS_SPV_OK);
    const struct counts after = count(blob.words, blob.word_count);
    assert_true(after.khr == 0 && after.ext == 1 && after.int64 == 1);
    assert_int_equal(after.from_words, 0);
    assert_int_equal(after.from_integer, before.from_words + before.from_integer);
    /* The version must not rise above what the driver takes. */
    assert_int_equal(blob.words[1], pgs_kernel_expand[1]);
    assert_true(blob.words[1] <= PGS_SPV_VERSION(1, 3));

    /* What has no addresses of this kind is left alone, and so is what was changed. */
    struct pgs_spv_blob again;
    assert_int_equal(pgs_spv_use_ext_addresses(blob.words, blob.word_count, &again), PGS_SPV_OK);
    assert_int_equal(again.word_count, blob.word_count);
    assert_memory_equal(again.words, blob.words, blob.word_count * 4);
    pgs_spv_blob_free(&again);
    pgs_spv_blob_free(&blob);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void fails_cleanly(void **state)
{
    (void)state;
    struct pgs_spv_blob blob = {0};
    assert_int_equal(pgs_spv_use_ext_addresses(pgs_kernel_expand, 4, &blob), PGS_SPV_INVALID);
    assert_null(blob.words);
    enum pgs_spv_result result = PGS_SPV_OUT_OF_MEMORY;
    for (int n = 1; result == PGS_SPV_OUT_OF_MEMORY; n++) {
        pgs_alloc_fail_after(n, false);
        result = pgs_spv_use_ext_addresses(pgs_kernel_expand, pgs_kernel_expand_words, &blob);
        pgs_alloc_fail_after(0, false);
        assert_int_equal(pgs_alloc_live(), result == PGS_SPV_OK);
    }
    assert_int_equal(result, PGS_SPV_OK);
    pgs_spv_blob_free(&blob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_through_integers),
        cmocka_unit_test(fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
