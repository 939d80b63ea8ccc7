/* SPDX-License-Identifier: MIT
 *
 * Binaries of shader objects: what is written is read again, and nothing else is.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "pipeline/shader_binary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint32_t words[] = {0x07230203, 0x00010000, 7, 5, 0, 11};
static const uint32_t values[] = {3, 4};
static const VkSpecializationMapEntry entries[] = {{9, 0, 4}, {2, 4, 4}};
static const VkSpecializationInfo constants = {2, entries, sizeof(values), values};

static struct pgs_shader_code code_of(const VkSpecializationInfo *specialization)
{
    return (struct pgs_shader_code){
        .stage = VK_SHADER_STAGE_GEOMETRY_BIT,
        .words = words,
        .word_count = sizeof(words) / sizeof(*words),
        .name = "other_main",
        .constants = specialization,
    };
}

/* The caller frees it. */
static unsigned char *write_binary(const VkSpecializationInfo *specialization, size_t *size_B)
{
    const struct pgs_shader_code code = code_of(specialization);
    *size_B = pgs_shader_binary_size(&code);
    unsigned char *bytes = aligned_alloc(16, (*size_B + 31) & ~(size_t)15);
    assert_non_null(bytes);
    memset(bytes, 0xAB, (*size_B + 31) & ~(size_t)15);
    pgs_shader_binary_write(&code, bytes);
    assert_int_equal(bytes[*size_B], 0xAB);
    return bytes;
}

static void is_read_again(void **state)
{
    (void)state;
    size_t size_B;
    unsigned char *bytes = write_binary(&constants, &size_B);
    struct pgs_shader_binary binary;
    assert_int_equal(pgs_shader_binary_read(&binary, VK_SHADER_STAGE_GEOMETRY_BIT, bytes, size_B),
                     VK_SUCCESS);
    assert_int_equal(binary.code.stage, VK_SHADER_STAGE_GEOMETRY_BIT);
    assert_int_equal(binary.code.word_count, sizeof(words) / sizeof(*words));
    assert_memory_equal(binary.code.words, words, sizeof(words));
    assert_string_equal(binary.code.name, "other_main");
    const VkSpecializationInfo *read = binary.code.constants;
    assert_non_null(read);
    assert_int_equal(read->mapEntryCount, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(read->pMapEntries[i].constantID, entries[i].constantID);
        assert_int_equal(read->pMapEntries[i].offset, entries[i].offset);
        assert_int_equal(read->pMapEntries[i].size, entries[i].size);
    }
    assert_int_equal(read->dataSize, sizeof(values));
    assert_memory_equal(read->pData, values, sizeof(values));
    pgs_shader_binary_finish(&binary);
    free(bytes);
}

static void needs_no_specialization(void **state)
{
    const VkSpecializationInfo empty = {0, NULL, 0, NULL};
    (void)state;
    for (int i = 0; i < 2; i++) {
        size_t size_B;
        unsigned char *bytes = write_binary(i ? &empty : NULL, &size_B);
        struct pgs_shader_binary binary;
        assert_int_equal(
            pgs_shader_binary_read(&binary, VK_SHADER_STAGE_GEOMETRY_BIT, bytes, size_B),
            VK_SUCCESS);
        assert_int_equal(binary.code.constants != NULL, i);
        assert_memory_equal(binary.code.words, words, sizeof(words));
        assert_string_equal(binary.code.name, "other_main");
        pgs_shader_binary_finish(&binary);
        free(bytes);
    }
}

/* Other bytes, of other sizes, for another stage. */
static void refuses_what_it_did_not_write(void **state)
{
    (void)state;
    size_t size_B;
    unsigned char *bytes = write_binary(&constants, &size_B);
    struct pgs_shader_binary binary;
    for (size_t i = 0; i < size_B; i++) {
        bytes[i] ^= 0x10;
        assert_int_equal(
            pgs_shader_binary_read(&binary, VK_SHADER_STAGE_GEOMETRY_BIT, bytes, size_B),
            VK_NOT_READY);
        bytes[i] ^= 0x10;
    }
    for (size_t size = 0; size < size_B; size++)
        assert_int_equal(pgs_shader_binary_read(&binary, VK_SHADER_STAGE_GEOMETRY_BIT, bytes, size),
                         VK_NOT_READY);
    assert_int_equal(
        pgs_shader_binary_read(&binary, VK_SHADER_STAGE_GEOMETRY_BIT, bytes, size_B + 1),
        VK_NOT_READY);
    assert_int_equal(pgs_shader_binary_read(&binary, VK_SHADER_STAGE_VERTEX_BIT, bytes, size_B),
                     VK_NOT_READY);
    free(bytes);
}

/* Whoever knows how, gives it the hash that belongs to it. */
static void refuses_a_name_without_end(void **state)
{
    (void)state;
    const struct pgs_shader_code least = {.stage = VK_SHADER_STAGE_GEOMETRY_BIT, .name = ""};
    const size_t head_B = pgs_shader_binary_size(&least) - 1, hash_at_B = head_B - sizeof(uint64_t);
    size_t size_B;
    unsigned char *bytes = write_binary(&constants, &size_B);
    struct pgs_shader_binary binary;
    bytes[size_B - 1] = 'x';
    const uint64_t hash = pgs_hash(bytes + head_B, size_B - head_B, pgs_hash(bytes, hash_at_B, 0));
    memcpy(bytes + hash_at_B, &hash, sizeof(hash));
    assert_int_equal(pgs_shader_binary_read(&binary, VK_SHADER_STAGE_GEOMETRY_BIT, bytes, size_B),
                     VK_NOT_READY);
    free(bytes);
}

static void reports_that_memory_is_out(void **state)
{
    (void)state;
    size_t size_B;
    unsigned char *bytes = write_binary(&constants, &size_B);
    struct pgs_shader_binary binary;
    const int64_t live = pgs_alloc_live();
    pgs_alloc_fail_after(1, false);
    assert_int_equal(pgs_shader_binary_read(&binary, VK_SHADER_STAGE_GEOMETRY_BIT, bytes, size_B),
                     VK_ERROR_OUT_OF_HOST_MEMORY);
    pgs_alloc_fail_after(0, false);
    assert_int_equal(pgs_alloc_live(), live);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_read_again),
        cmocka_unit_test(needs_no_specialization),
        cmocka_unit_test(refuses_what_it_did_not_write),
        cmocka_unit_test(refuses_a_name_without_end),
        cmocka_unit_test(reports_that_memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
