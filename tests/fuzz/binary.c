/* SPDX-License-Identifier: MIT
 *
 * Binaries of shader objects that an application hands in, of any bytes: what is read lies within
 * them. The first byte of the input says whether a binary of the layer's is changed at some places,
 * and whether its hash is set right, so that the rest is looked at, too; a program can do so.
 */
#include "pipeline/shader_binary.h"

#include "base/hash.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

#define STAGE VK_SHADER_STAGE_GEOMETRY_BIT
#define MOST_B 1024u

const char *const fuzz_words[] = {"pgshader", "main", NULL};

static const uint32_t words[] = {0x07230203, 0x00010000, 7, 5, 0, 11};
static const uint32_t values[] = {3, 4};
static const VkSpecializationMapEntry entries[] = {{9, 0, 4}, {2, 4, 4}};
static const VkSpecializationInfo constants = {2, entries, sizeof(values), values};
static const struct pgs_shader_code code = {.stage = STAGE,
                                            .words = words,
                                            .word_count = sizeof(words) / sizeof(words[0]),
                                            .name = "main",
                                            .constants = &constants};

/* Bytes of a binary's head, the last eight of which are its hash. */
static size_t head_size(void)
{
    const struct pgs_shader_code least = {.stage = STAGE, .words = words, .name = ""};
    return pgs_shader_binary_size(&least) - 1;
}

/* The bytes of the input come in pairs: a place and what stands there. An odd one at the end says
 * how much is missing there. */
static size_t change_own(const uint8_t *data, size_t count, uint8_t *binary)
{
    size_t size_B = pgs_shader_binary_size(&code);
    pgs_shader_binary_write(&code, binary);
    for (size_t i = 0; i + 1 < count; i += 2)
        binary[data[i] % size_B] = data[i + 1];
    if (count % 2)
        size_B -= data[count - 1] % size_B;
    return size_B;
}

static void set_hash(uint8_t *binary, size_t size_B)
{
    const size_t head_B = head_size(), hash_at_B = head_B - sizeof(uint64_t);
    if (size_B < head_B)
        return;
    const uint64_t hash =
        pgs_hash(binary + head_B, size_B - head_B, pgs_hash(binary, hash_at_B, 0));
    memcpy(binary + hash_at_B, &hash, sizeof(hash));
}

/* Touches all that a shader is made from. */
static void use(const struct pgs_shader_binary *binary, const uint8_t *bytes, size_t size_B)
{
    const struct pgs_shader_code *read = &binary->code;
    const uint8_t *end = bytes + size_B, *from = (const uint8_t *)read->words;
    if (from < bytes || read->word_count > (size_t)(end - from) / 4 ||
        strlen(read->name) >= (size_t)(end - (const uint8_t *)read->name))
        fuzz_die("a shader that lies outside of its binary");
    if (!read->constants)
        return;
    const uint8_t *data = read->constants->pData;
    if (data < bytes || read->constants->dataSize > (size_t)(end - data))
        fuzz_die("constants that lie outside of the binary");
    uint32_t sum = 0;
    for (uint32_t i = 0; i < read->constants->mapEntryCount; i++)
        sum += read->constants->pMapEntries[i].constantID;
    (void)sum;
}

void fuzz_one(const uint8_t *data, size_t size_B)
{
    if (!size_B || size_B > MOST_B)
        return;
    const uint8_t how = data[0];
    uint8_t made[MOST_B];
    size_t made_B = size_B - 1;
    if (how & 1)
        made_B = change_own(data + 1, size_B - 1, made);
    else
        memcpy(made, data + 1, made_B);
    if (how & 2)
        set_hash(made, made_B);
    uint8_t *bytes = malloc(made_B + (made_B == 0)); /* so that a read beyond them is seen */
    if (!bytes)
        fuzz_die("out of memory");
    memcpy(bytes, made, made_B);
    struct pgs_shader_binary binary;
    if (pgs_shader_binary_read(&binary, STAGE, bytes, made_B) == VK_SUCCESS) {
        use(&binary, bytes, made_B);
        pgs_shader_binary_finish(&binary);
    }
    free(bytes);
}
