/* SPDX-License-Identifier: MIT
 *
 * A memory module for the few numbers that replayed layers need. To be included by one file of a
 * program, after cmocka.h.
 */
#ifndef FAKE_LINEAR_H
#define FAKE_LINEAR_H

#include "memory/memory.h"

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

#endif
