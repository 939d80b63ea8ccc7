/* SPDX-License-Identifier: MIT */
#include "gpu/queries.h"

#include <string.h>

#define FILL 0xcd
/* Enough for a query in any form. */
#define QUERY_B ((QUERIES_MAX_VALUES + 4) * 8u)

enum { FORM_COUNT = 32 }; /* the flags below 16, with and without a gap after each result */

struct form {
    VkQueryResultFlags flags;
    uint32_t value_B, result_B, stride_B, count;
};

static struct form form_of(const struct queries_expected *e, uint32_t number, bool unavailable)
{
    struct form form = {.flags = number & 15};
    form.value_B = form.flags & VK_QUERY_RESULT_64_BIT ? 8 : 4;
    form.result_B = e->value_count * form.value_B;
    if (form.flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT)
        form.result_B += form.value_B;
    form.stride_B = form.result_B + (number & 16 ? 2 * form.value_B : 0);
    form.count = e->available;
    if (unavailable && !(form.flags & VK_QUERY_RESULT_WAIT_BIT))
        form.count++;
    return form;
}

static bool is_filled(const unsigned char *bytes, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++)
        if (bytes[i] != FILL)
            return false;
    return true;
}

static uint64_t read_value(const unsigned char *bytes, uint32_t value_B)
{
    uint64_t value = 0;
    memcpy(&value, bytes, value_B); /* little-endian */
    return value;
}

static void check_available(struct vkt *t, const struct queries_expected *e,
                            const struct form *form, uint32_t query, const unsigned char *got,
                            const char *where)
{
    for (uint32_t v = 0; v < e->value_count; v++) {
        uint64_t want = e->values[query][v];
        const uint64_t value = read_value(got + v * form->value_B, form->value_B);
        if (form->value_B == 4)
            want = (uint32_t)want;
        VKT_EXPECT(t, value == want, "%s: flags %u %s: value %u of query %u is %llu, wanted %llu",
                   e->name, form->flags, where, v, query, (unsigned long long)value,
                   (unsigned long long)want);
    }
}

/* Elsewhere results that are not there yet need not be copied. */
static bool is_copied(const struct queries_expected *e, const struct form *form)
{
    return e->copies_wait || form->flags & VK_QUERY_RESULT_WAIT_BIT;
}

/* All of a form, and that the rest of `size_B` was left alone. */
static void check(struct vkt *t, const struct queries_expected *e, const struct form *form,
                  const unsigned char *got, size_t size_B, const char *where)
{
    for (uint32_t q = 0; q < form->count; q++) {
        const unsigned char *at = got + (size_t)q * form->stride_B;
        const bool available = q < e->available;
        if (available)
            check_available(t, e, form, q, at, where);
        else if (!(form->flags & VK_QUERY_RESULT_PARTIAL_BIT))
            VKT_EXPECT(t, is_filled(at, e->value_count * form->value_B),
                       "%s: flags %u %s: a value of a query that is not available", e->name,
                       form->flags, where);
        if (form->flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) {
            const uint64_t word = read_value(at + e->value_count * form->value_B, form->value_B);
            VKT_EXPECT(t, !word == !available, "%s: flags %u %s: availability of query %u is %llu",
                       e->name, form->flags, where, q, (unsigned long long)word);
        }
        const size_t end_B = q + 1 < form->count ? form->stride_B : size_B - q * form->stride_B;
        VKT_EXPECT(t, is_filled(at + form->result_B, end_B - form->result_B),
                   "%s: flags %u %s: bytes behind query %u were written", e->name, form->flags,
                   where, q);
    }
}

void queries_check_host(struct vkt *t, const struct queries_expected *e)
{
    static unsigned char got[64 * QUERY_B];
    for (uint32_t n = 0; n < FORM_COUNT; n++) {
        const struct form form = form_of(e, n, e->exact);
        const size_t size_B = (size_t)(e->available + 1) * QUERY_B;
        if (size_B > sizeof(got))
            vkt_die("too many queries");
        memset(got, FILL, size_B);
        const size_t data_B = (size_t)(form.count - 1) * form.stride_B + form.result_B;
        const VkResult result = vkGetQueryPoolResults(t->device, e->pool, 0, form.count, data_B,
                                                      got, form.stride_B, form.flags);
        const bool all = form.count == e->available;
        /* With PARTIAL either is right. */
        VKT_EXPECT(t,
                   result == (all ? VK_SUCCESS : VK_NOT_READY) ||
                       (result == VK_SUCCESS && form.flags & VK_QUERY_RESULT_PARTIAL_BIT),
                   "%s: flags %u: vkGetQueryPoolResults returned %d", e->name, form.flags, result);
        check(t, e, &form, got, size_B, "on the host");
    }
}

static VkDeviceSize copy_size_B(const struct queries_expected *e)
{
    return (VkDeviceSize)(e->available + 1) * QUERY_B;
}

struct vkt_buffer queries_copy_buffer(struct vkt *t, const struct queries_expected *e)
{
    return vkt_buffer(t, FORM_COUNT * copy_size_B(e), VK_BUFFER_USAGE_TRANSFER_DST_BIT, FILL);
}

void queries_copy(VkCommandBuffer cmd, const struct queries_expected *e,
                  const struct vkt_buffer *buffer)
{
    for (uint32_t n = 0; n < FORM_COUNT; n++) {
        const struct form form = form_of(e, n, e->copies_unavailable);
        if (is_copied(e, &form))
            vkCmdCopyQueryPoolResults(cmd, e->pool, 0, form.count, buffer->buffer,
                                      n * copy_size_B(e), form.stride_B, form.flags);
    }
    /* What copies write, transfers have written. */
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
}

void queries_check_copies(struct vkt *t, const struct queries_expected *e,
                          const struct vkt_buffer *buffer)
{
    for (uint32_t n = 0; n < FORM_COUNT; n++) {
        const struct form form = form_of(e, n, e->copies_unavailable);
        if (is_copied(e, &form))
            check(t, e, &form, (const unsigned char *)buffer->map + n * copy_size_B(e),
                  copy_size_B(e), "in a buffer");
    }
    memset(buffer->map, FILL, buffer->size_B);
}
