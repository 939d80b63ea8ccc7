/* SPDX-License-Identifier: MIT */
#include "pipeline/kept_binary.h"

#include "base/alloc.h"
#include "base/disk_cache.h"
#include "pipeline/device.h"

#include <string.h>

/* What a key begins with; the words follow. No padding. */
struct key_head {
    char kind[8]; /* other keys begin with a build of the layer */
    uint32_t vendor, device, driver, pointer_B;
    uint8_t cache_uuid[VK_UUID_SIZE];
};

/* The caller frees it. NULL: out of memory. */
static void *make_key(const struct pgs_device *dev, const struct pgs_kept_binary *kept,
                      size_t *key_B)
{
    const VkPhysicalDeviceProperties *properties = &dev->physical->properties;
    struct key_head head = {
        .kind = "binary1",
        .vendor = properties->vendorID,
        .device = properties->deviceID,
        .driver = properties->driverVersion,
        .pointer_B = sizeof(void *),
    };
    memcpy(head.cache_uuid, properties->pipelineCacheUUID, sizeof(head.cache_uuid));
    const size_t words_B = kept->word_count * sizeof(*kept->words);
    char *key = pgs_alloc(sizeof(head) + words_B);
    if (!key)
        return NULL;
    memcpy(key, &head, sizeof(head));
    memcpy(key + sizeof(head), kept->words, words_B);
    *key_B = sizeof(head) + words_B;
    return key;
}

static void *read_data(const struct pgs_device *dev, struct pgs_kept_binary *kept)
{
    size_t key_B;
    void *data = NULL, *key = make_key(dev, kept, &key_B);
    if (key && !pgs_disk_cache_read(dev->pipelines->disk, key, key_B, &data, &kept->data_B))
        kept->data_B = 0;
    pgs_free(key);
    return data;
}

bool pgs_kept_binary_begin(const struct pgs_device *dev, const uint32_t *words, size_t word_count,
                           struct pgs_kept_binary *kept)
{
    *kept = (struct pgs_kept_binary){.words = words, .word_count = word_count};
    if (!dev->pipelines->disk)
        return false;
    void *data = read_data(dev, kept);
    const VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = kept->data_B,
        .pInitialData = data,
    };
    const VkResult result = dev->vk.CreatePipelineCache(dev->handle, &info, NULL, &kept->cache);
    pgs_free(data);
    return result == VK_SUCCESS;
}

/* A driver that keeps nothing in its caches gives a header only. */
static bool has_more(const struct pgs_kept_binary *kept, size_t data_B)
{
    return data_B > sizeof(VkPipelineCacheHeaderVersionOne) && data_B != kept->data_B;
}

static void write_data(const struct pgs_device *dev, struct pgs_kept_binary *kept)
{
    size_t data_B = 0, key_B;
    if (dev->vk.GetPipelineCacheData(dev->handle, kept->cache, &data_B, NULL) != VK_SUCCESS ||
        !has_more(kept, data_B))
        return;
    void *data = pgs_alloc(data_B), *key = make_key(dev, kept, &key_B);
    if (data && key &&
        dev->vk.GetPipelineCacheData(dev->handle, kept->cache, &data_B, data) == VK_SUCCESS)
        pgs_disk_cache_write(dev->pipelines->disk, key, key_B, data, data_B);
    pgs_free(key);
    pgs_free(data);
}

void pgs_kept_binary_end(const struct pgs_device *dev, struct pgs_kept_binary *kept, bool compiled)
{
    if (compiled)
        write_data(dev, kept);
    dev->vk.DestroyPipelineCache(dev->handle, kept->cache, NULL);
}
