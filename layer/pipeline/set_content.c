/* SPDX-License-Identifier: MIT */
#include "pipeline/set_content.h"

#include "base/alloc.h"
#include "pipeline/device.h"

#include <stdatomic.h>

/* Words that a binding has in a key, besides its types. */
#define BINDING_W 6

static size_t key_size_w(const struct pgs_set_layout *layout)
{
    size_t size_w = 2;
    for (uint32_t i = 0; i < layout->binding_count; i++)
        size_w += BINDING_W + layout->bindings[i].type_count;
    return size_w;
}

static void write_key(const struct pgs_set_layout *layout, uint32_t *key)
{
    *key++ = layout->flags;
    *key++ = layout->binding_count;
    for (uint32_t i = 0; i < layout->binding_count; i++) {
        const struct pgs_set_binding *binding = &layout->bindings[i];
        const uint32_t words[BINDING_W] = {binding->binding,        binding->count,
                                           (uint32_t)binding->type, binding->stages,
                                           binding->flags,          binding->type_count};
        for (uint32_t w = 0; w < BINDING_W; w++)
            *key++ = words[w];
        for (uint32_t t = 0; t < binding->type_count; t++)
            *key++ = (uint32_t)binding->types[t];
    }
}

/* The key is all there is to it. */
static VkResult make_content(struct pgs_device *dev, struct pgs_shared *object, void *context)
{
    (void)dev, (void)object, (void)context;
    return VK_SUCCESS;
}

static void finish_content(struct pgs_device *dev, struct pgs_shared *object)
{
    (void)dev, (void)object;
}

/* NULL: out of memory. The caller owns the reference. */
static struct pgs_shared *find_content(struct pgs_device *dev, const struct pgs_set_layout *layout)
{
    static const struct pgs_shared_kind kind = {sizeof(struct pgs_shared), make_content,
                                                finish_content};
    const size_t size_B = key_size_w(layout) * sizeof(uint32_t);
    struct pgs_shared *content = NULL;
    uint32_t *key = pgs_alloc(size_B);
    if (!key)
        return NULL;
    write_key(layout, key);
    pgs_shared_get(&dev->pipelines->shared, &kind,
                   (struct pgs_shared_key){.bytes = key, .size_B = size_B}, NULL, &content);
    pgs_free(key);
    return content;
}

const void *pgs_set_layout_content(struct pgs_device *dev, struct pgs_set_layout *layout)
{
    struct pgs_shared *known = atomic_load_explicit(&layout->content, memory_order_acquire);
    if (known || !layout->comparable)
        return known ? (const void *)known : layout;
    struct pgs_shared *found = find_content(dev, layout);
    if (!found)
        return layout;
    if (atomic_compare_exchange_strong(&layout->content, &known, found))
        return found;
    pgs_shared_release(found); /* another thread was faster */
    return known;
}
