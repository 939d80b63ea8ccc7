/* SPDX-License-Identifier: MIT */
#include "pipeline/translation.h"

#include "base/array.h"
#include "base/build_id.h"
#include "base/disk_cache.h"
#include "pipeline/device.h"

#include <string.h>

struct key {
    PGS_ARRAY(unsigned char) bytes;
    bool failed; /* out of memory */
};

static void add(struct key *key, const void *bytes, size_t size_B)
{
    if (key->failed || !size_B)
        return;
    if (!pgs_array_reserve(&key->bytes, size_B)) {
        key->failed = true;
        return;
    }
    memcpy(key->bytes.items + key->bytes.count, bytes, size_B);
    key->bytes.count += size_B;
}

/* What distinguishes a shader in another process, too. */
static void add_shader(struct key *key, const struct pgs_shader *shader)
{
    const struct pgs_spv_shader *code = &shader->code;
    const uint64_t head[] = {(uint64_t)code->stage,
                             code->word_count,
                             code->spec_entry_count,
                             code->spec_entry_count ? code->spec_data_B : 0,
                             code->int64,
                             code->pairs_words,
                             code->joins_loads,
                             code->keeps_names};
    add(key, head, sizeof(head));
    add(key, code->entry_point, strlen(code->entry_point) + 1);
    add(key, code->words, code->word_count * sizeof(*code->words));
    add(key, code->spec_entries, code->spec_entry_count * sizeof(*code->spec_entries));
    add(key, code->spec_data, (size_t)head[3]);
}

/* False: out of memory, or builds cannot be told apart. */
static bool key_init(struct key *key, const struct pgs_translation *translation)
{
    unsigned char id[PGS_BUILD_ID_MAX_B];
    const size_t id_B = pgs_build_id(id);
    *key = (struct key){.failed = id_B == 0};
    add(key, id, id_B);
    add(key, translation->inputs, translation->inputs_B);
    for (unsigned char i = 0; i < PGS_TRANSLATION_SHADERS; i++) {
        if (!translation->shaders[i])
            continue;
        add(key, &i, sizeof(i));
        add_shader(key, translation->shaders[i]);
    }
    if (key->failed)
        pgs_array_finish(&key->bytes);
    return !key->failed;
}

bool pgs_translation_read(const struct pgs_device *dev, const struct pgs_translation *translation,
                          struct pgs_spv_blob *words)
{
    struct pgs_disk_cache *disk = dev->pipelines->disk;
    struct key key;
    void *value = NULL;
    size_t value_B = 0;
    if (!disk || !key_init(&key, translation))
        return false;
    const bool found =
        pgs_disk_cache_read(disk, key.bytes.items, key.bytes.count, &value, &value_B);
    pgs_array_finish(&key.bytes);
    if (!found)
        return false;
    if (value_B % sizeof(uint32_t)) { /* no module */
        pgs_free(value);
        return false;
    }
    *words = (struct pgs_spv_blob){.words = value, .word_count = value_B / sizeof(uint32_t)};
    return true;
}

void pgs_translation_write(const struct pgs_device *dev, const struct pgs_translation *translation,
                           const struct pgs_spv_blob *words)
{
    struct pgs_disk_cache *disk = dev->pipelines->disk;
    struct key key;
    if (!disk || !key_init(&key, translation))
        return;
    pgs_disk_cache_write(disk, key.bytes.items, key.bytes.count, words->words,
                         words->word_count * sizeof(uint32_t));
    pgs_array_finish(&key.bytes);
}
