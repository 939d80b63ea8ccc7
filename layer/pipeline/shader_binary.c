/* SPDX-License-Identifier: MIT */
#include "pipeline/shader_binary.h"

#include "base/alloc.h"
#include "base/build_id.h"
#include "base/hash.h"

#include <string.h>

/* A constant of the specialization. */
struct entry {
    uint32_t id, offset_B, size_B;
};

/* Followed by the words, the entries, the values of the constants, and the name with its zero. */
struct header {
    unsigned char magic[8];
    unsigned char build[PGS_BUILD_ID_MAX_B]; /* other builds may write other binaries */
    uint32_t stage;                          /* VkShaderStageFlagBits */
    uint32_t word_count, entry_count, values_B, name_B;
    uint32_t specialized; /* 0: no specialization was given */
    uint64_t hash;        /* of all that precedes and follows */
};

static void start_header(struct header *header)
{
    static const unsigned char magic[8] = {'p', 'g', 's', 'h', 'a', 'd', 'e', 'r'};
    memset(header, 0, sizeof(*header));
    memcpy(header->magic, magic, sizeof(magic));
    pgs_build_id(header->build);
}

static size_t rest_size(const struct header *header)
{
    return (size_t)header->word_count * sizeof(uint32_t) +
           (size_t)header->entry_count * sizeof(struct entry) + header->values_B + header->name_B;
}

static uint64_t hash_of(const struct header *header, const unsigned char *rest)
{
    return pgs_hash(rest, rest_size(header), pgs_hash(header, offsetof(struct header, hash), 0));
}

static void fill_header(struct header *header, const struct pgs_shader_code *code)
{
    const VkSpecializationInfo *constants = code->constants;
    start_header(header);
    header->stage = code->stage;
    header->word_count = (uint32_t)code->word_count;
    header->specialized = constants != NULL;
    header->entry_count = constants ? constants->mapEntryCount : 0;
    header->values_B = constants ? (uint32_t)constants->dataSize : 0;
    header->name_B = (uint32_t)strlen(code->name) + 1;
}

size_t pgs_shader_binary_size(const struct pgs_shader_code *code)
{
    struct header header;
    fill_header(&header, code);
    return sizeof(header) + rest_size(&header);
}

static unsigned char *append(unsigned char *to, const void *from, size_t size_B)
{
    if (size_B)
        memcpy(to, from, size_B);
    return to + size_B;
}

void pgs_shader_binary_write(const struct pgs_shader_code *code, void *to)
{
    struct header header;
    fill_header(&header, code);
    unsigned char *const rest = (unsigned char *)to + sizeof(header);
    unsigned char *next = append(rest, code->words, code->word_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < header.entry_count; i++) {
        const VkSpecializationMapEntry *from = &code->constants->pMapEntries[i];
        const struct entry entry = {from->constantID, from->offset, (uint32_t)from->size};
        next = append(next, &entry, sizeof(entry));
    }
    if (code->constants)
        next = append(next, code->constants->pData, header.values_B);
    append(next, code->name, header.name_B);
    header.hash = hash_of(&header, rest);
    memcpy(to, &header, sizeof(header));
}

/* True if this build wrote all of it, and nothing has changed since. Anybody can compute the hash,
 * so what is read without a size must end within the binary whatever that says. */
static bool is_ours(const struct header *header, VkShaderStageFlagBits stage, const void *bytes,
                    size_t size_B)
{
    struct header own;
    start_header(&own);
    return memcmp(header->magic, own.magic, sizeof(own.magic)) == 0 &&
           memcmp(header->build, own.build, sizeof(own.build)) == 0 &&
           header->stage == (uint32_t)stage && header->name_B > 0 &&
           size_B == sizeof(*header) + rest_size(header) &&
           ((const unsigned char *)bytes)[size_B - 1] == '\0' &&
           hash_of(header, (const unsigned char *)bytes + sizeof(*header)) == header->hash;
}

static VkResult read_constants(struct pgs_shader_binary *binary, const struct header *header,
                               const unsigned char *entries)
{
    binary->constants = (VkSpecializationInfo){
        .mapEntryCount = header->entry_count,
        .dataSize = header->values_B,
        .pData = entries + header->entry_count * sizeof(struct entry),
    };
    if (!header->specialized)
        return VK_SUCCESS;
    binary->code.constants = &binary->constants;
    if (!header->entry_count)
        return VK_SUCCESS;
    binary->entries = pgs_calloc(header->entry_count, sizeof(*binary->entries));
    if (!binary->entries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < header->entry_count; i++) {
        struct entry entry;
        memcpy(&entry, entries + i * sizeof(entry), sizeof(entry));
        binary->entries[i] = (VkSpecializationMapEntry){entry.id, entry.offset_B, entry.size_B};
    }
    binary->constants.pMapEntries = binary->entries;
    return VK_SUCCESS;
}

VkResult pgs_shader_binary_read(struct pgs_shader_binary *binary, VkShaderStageFlagBits stage,
                                const void *bytes, size_t size_B)
{
    struct header header;
    *binary = (struct pgs_shader_binary){.entries = NULL};
    if (size_B < sizeof(header))
        return VK_NOT_READY;
    memcpy(&header, bytes, sizeof(header));
    if (!is_ours(&header, stage, bytes, size_B))
        return VK_NOT_READY;
    const unsigned char *rest = (const unsigned char *)bytes + sizeof(header);
    const unsigned char *entries = rest + header.word_count * sizeof(uint32_t);
    binary->code = (struct pgs_shader_code){
        .stage = stage,
        .words = (const uint32_t *)(const void *)rest, /* binaries are aligned to 16 bytes */
        .word_count = header.word_count,
        .name = (const char *)bytes + size_B - header.name_B,
    };
    return read_constants(binary, &header, entries);
}

void pgs_shader_binary_finish(struct pgs_shader_binary *binary)
{
    pgs_free(binary->entries);
    binary->entries = NULL;
}
