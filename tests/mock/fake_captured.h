/* SPDX-License-Identifier: MIT
 *
 * The driver's buffers and the notes of tests that capture over what draws of the same pass read.
 * To be included, behind cmocka.h, by one file of a program, which includes fake_modules.h first.
 */
#ifndef PGS_TEST_FAKE_CAPTURED_H
#define PGS_TEST_FAKE_CAPTURED_H

#include "fake_events.h"

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c)
{
    (void)b, (void)c;
    if (what != FAKE_CAPTURE)
        note_module(what, a);
}

static VkBuffer foreign; /* has no address */

static VkDeviceAddress buffer_address(VkDevice d, const VkBufferDeviceAddressInfo *info)
{
    return info->buffer == foreign ? 0 : fake_GetBufferDeviceAddress(d, info);
}

/* Ends the buffers of a test whose only handles they are. */
static void destroy_buffers(void)
{
    for (; fakes.handles; fakes.handles--)
        pgs_DestroyBuffer(dev.handle, HANDLE(VkBuffer, fakes.handles), NULL);
}

/* For commands of buffers in a dispatch table. */
#define FAKE_BUFFER_DISPATCH                                                                       \
    .CreateBuffer = fake_CreateBuffer, .DestroyBuffer = fake_DestroyBuffer,                        \
    .GetBufferDeviceAddress = buffer_address, .BindBufferMemory = fake_BindBufferMemory

#endif
