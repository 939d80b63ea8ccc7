/* SPDX-License-Identifier: MIT */
#include "draw/strip_list.h"

#include "base/alloc.h"
#include "memory/linear.h"

#include <pthread.h>

/* 0xFFFF is no index: drivers may take it for a restart. */
#define MOST_INDEX_EL 0xFFFF

struct known {
    struct known *next;
    struct pgs_strip_list list;
};

struct pgs_strip_lists {
    pthread_mutex_t lock; /* guards the rest; lists that are there do not change */
    struct pgs_linear *upload;
    struct known *first;
};

VkResult pgs_strip_lists_create(struct pgs_device *dev)
{
    struct pgs_strip_lists *lists = pgs_calloc(1, sizeof(*lists));
    if (!lists)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = pgs_linear_create(dev, PGS_MEMORY_UPLOAD, &lists->upload);
    if (result != VK_SUCCESS || pthread_mutex_init(&lists->lock, NULL)) {
        pgs_linear_destroy(lists->upload);
        pgs_free(lists);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    dev->strips = lists;
    return VK_SUCCESS;
}

void pgs_strip_lists_destroy(struct pgs_device *dev)
{
    struct pgs_strip_lists *lists = dev->strips;
    if (!lists)
        return;
    while (lists->first) {
        struct known *known = lists->first;
        lists->first = known->next;
        pgs_free(known);
    }
    pgs_linear_destroy(lists->upload);
    pthread_mutex_destroy(&lists->lock);
    pgs_free(lists);
    dev->strips = NULL;
}

/* Vertex `corner` of a primitive of a strip. Odd triangles turn the other way, so two of their
 * vertices are swapped; the provoking one stays first, or last. */
static uint32_t strip_vertex(const struct pgs_strip_list *list, uint32_t primitive, uint32_t corner)
{
    const uint32_t keeps = list->provoking_last ? 2 : 0;
    const bool swaps = list->kind == 3 && (primitive & 1) && corner != keeps;
    return primitive + (swaps ? 3 - keeps - corner : corner);
}

static void fill(const struct pgs_strip_list *list)
{
    const uint32_t primitives = list->strip_indices / list->kind;
    uint16_t *to = list->range.mapped;
    for (uint32_t first = 0; first < list->most_el; first += list->strip_el)
        for (uint32_t i = 0; i < primitives; i++)
            for (uint32_t corner = 0; corner < list->kind; corner++)
                *to++ = (uint16_t)(first + strip_vertex(list, i, corner));
}

static bool is_like(const struct pgs_strip_list *a, const struct pgs_strip_list *b)
{
    return a->strip_el == b->strip_el && a->kind == b->kind &&
           a->provoking_last == b->provoking_last;
}

static VkResult make(struct pgs_strip_lists *lists, const struct pgs_strip_list *wanted,
                     const struct pgs_strip_list **list)
{
    struct known *made = pgs_calloc(1, sizeof(*made));
    if (!made)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    made->list = *wanted;
    const VkDeviceSize size_B =
        (VkDeviceSize)wanted->most_el / wanted->strip_el * wanted->strip_indices * sizeof(uint16_t);
    const VkResult result =
        pgs_linear_alloc(lists->upload, size_B, sizeof(uint32_t), &made->list.range);
    if (result != VK_SUCCESS) {
        pgs_free(made);
        return result;
    }
    fill(&made->list);
    made->next = lists->first;
    lists->first = made;
    *list = &made->list;
    return VK_SUCCESS;
}

VkResult pgs_strip_list_find(struct pgs_device *dev, uint32_t strip_el, uint32_t kind,
                             bool provoking_last, const struct pgs_strip_list **list)
{
    struct pgs_strip_lists *lists = dev->strips;
    const struct pgs_strip_list wanted = {
        .strip_el = strip_el,
        .kind = kind,
        .provoking_last = provoking_last,
        .strip_indices = (strip_el - kind + 1) * kind,
        .most_el = MOST_INDEX_EL / strip_el * strip_el,
    };
    pthread_mutex_lock(&lists->lock);
    const struct known *known = lists->first;
    while (known && !is_like(&known->list, &wanted))
        known = known->next;
    VkResult result = VK_SUCCESS;
    if (known)
        *list = &known->list;
    else
        result = make(lists, &wanted, list);
    pthread_mutex_unlock(&lists->lock);
    return result;
}

void pgs_strip_list_bind(const struct pgs_device_dispatch *vk, const struct pgs_strip_list *list,
                         VkCommandBuffer cb)
{
    vk->CmdBindIndexBuffer(cb, list->range.buffer, list->range.offset_B, VK_INDEX_TYPE_UINT16);
}

void pgs_strip_list_draw(const struct pgs_device_dispatch *vk, const struct pgs_strip_list *list,
                         uint32_t first_el, uint32_t count_el, uint32_t first_instance,
                         uint32_t instances, VkCommandBuffer cb)
{
    const uint32_t end_el = first_el + count_el;
    for (uint32_t i = first_el; i < end_el; i += list->most_el) {
        const uint32_t some_el = end_el - i < list->most_el ? end_el - i : list->most_el;
        vk->CmdDrawIndexed(cb, some_el / list->strip_el * list->strip_indices, instances, 0,
                           (int32_t)i, first_instance);
    }
}
