/* SPDX-License-Identifier: MIT
 *
 * What a test of the command room saw, in words, and a memory room for the few numbers that
 * replayed layers need. To be included by one file of a program, after cmocka.
 */
#ifndef FAKE_WORDS_H
#define FAKE_WORDS_H

#include "fake_rooms.h"
#include "memory/memory.h"

#include <stdarg.h>
#include <stdio.h>

/* What reached the driver or the draw room, a word each. */
static char seen[2048];
static size_t seen_B;

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int count = vsnprintf(seen + seen_B, sizeof(seen) - seen_B, format, args);
    va_end(args);
    seen_B += (size_t)count;
    assert_true(seen_B + 1 < sizeof(seen));
    seen[seen_B++] = ' ';
    seen[seen_B] = 0;
}

static void forget(void)
{
    seen_B = 0;
    seen[0] = 0;
}

/* Compares, and forgets. */
static void expect(const char *words)
{
    assert_string_equal(seen, words);
    forget();
}

static void fake_rooms_note(char what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    note("%c%u", what, (unsigned)a);
}

/* --- Memory --- */

#define NUMBERS HANDLE(VkBuffer, 0x55)
static uint32_t numbers[8 * 4];
static bool memory_fails;

VkResult pgs_linear_create(struct pgs_device *d, enum pgs_memory_kind kind,
                           struct pgs_linear **linear)
{
    (void)d, (void)kind;
    *linear = (struct pgs_linear *)numbers;
    return VK_SUCCESS;
}

void pgs_linear_destroy(struct pgs_linear *linear)
{
    (void)linear;
}

void pgs_linear_rewind(struct pgs_linear *linear)
{
    (void)linear;
}

void pgs_linear_reset(struct pgs_linear *linear)
{
    (void)linear;
}

VkResult pgs_linear_alloc(struct pgs_linear *linear, VkDeviceSize size_B, VkDeviceSize align_B,
                          struct pgs_range *range)
{
    (void)linear, (void)align_B;
    if (memory_fails)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    assert_int_equal(size_B, sizeof(numbers));
    *range = (struct pgs_range){.buffer = NUMBERS, .offset_B = 64, .mapped = numbers};
    return VK_SUCCESS;
}

/* --- Commands of the driver --- */

static void draw(VkCommandBuffer cb, uint32_t vertices, uint32_t instances, uint32_t first,
                 uint32_t first_instance)
{
    (void)cb, (void)instances, (void)first, (void)first_instance;
    note("Draw%u", vertices);
}

static void clear_attachments(VkCommandBuffer cb, uint32_t count,
                              const VkClearAttachment *attachments, uint32_t rectangle_count,
                              const VkClearRect *rectangles)
{
    (void)cb, (void)count, (void)attachments;
    note("Clear");
    for (uint32_t i = 0; i < rectangle_count; i++)
        note("%u:%u+%u", rectangles[i].rect.extent.width, rectangles[i].baseArrayLayer,
             rectangles[i].layerCount);
}

static void barrier(VkCommandBuffer cb, VkPipelineStageFlags source, VkPipelineStageFlags target,
                    VkDependencyFlags flags, uint32_t memory_count, const VkMemoryBarrier *memory,
                    uint32_t buffer_count, const VkBufferMemoryBarrier *buffer,
                    uint32_t image_count, const VkImageMemoryBarrier *image)
{
    (void)cb, (void)source, (void)target, (void)flags, (void)memory_count, (void)memory;
    (void)buffer_count, (void)buffer;
    note("Barrier");
    if (image_count)
        note("%d-%d:%u+%u,%x", (int)image[0].oldLayout, (int)image[0].newLayout,
             image[0].subresourceRange.baseArrayLayer, image[0].subresourceRange.layerCount,
             image[0].subresourceRange.aspectMask);
}

static void begin_query(VkCommandBuffer cb, VkQueryPool pool, uint32_t query,
                        VkQueryControlFlags flags)
{
    (void)cb, (void)pool, (void)query, (void)flags;
    note("Query");
}

static void end_query(VkCommandBuffer cb, VkQueryPool pool, uint32_t query)
{
    (void)cb, (void)pool, (void)query;
    note("Queried");
}

static void write_timestamp(VkCommandBuffer cb, VkPipelineStageFlagBits stage, VkQueryPool pool,
                            uint32_t query)
{
    (void)cb, (void)stage, (void)pool, (void)query;
    note("Time");
}

#endif
