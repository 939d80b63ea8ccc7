/* SPDX-License-Identifier: MIT
 *
 * The part of fake_recorder.h that is recorded inside of passes. Included there.
 */
#ifndef PGS_TEST_FAKE_RASTER_H
#define PGS_TEST_FAKE_RASTER_H

static void fake_bind_vertex(VkCommandBuffer cb, uint32_t first, uint32_t count,
                             const VkBuffer *buffers, const VkDeviceSize *offsets)
{
    (void)cb;
    fake.slots_at = (struct pgs_range){.buffer = buffers[0], .offset_B = offsets[0]};
    assert_int_equal(first, 0);
    assert_int_equal(count, 1);
    assert_int_equal(*offsets % 16, 0);
    note("vertex");
}

static void fake_bind_index(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset,
                            VkIndexType type)
{
    (void)cb;
    (void)buffer;
    assert_int_equal(offset, 0);
    assert_int_equal(type, VK_INDEX_TYPE_UINT32);
    note("index");
}

static void fake_draw_indexed_indirect(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset,
                                       uint32_t count, uint32_t stride)
{
    (void)cb;
    assert_int_equal(offset % 4, 0);
    assert_true(stride >= 20 && stride % 4 == 0);
    fake.drawn = (VkDeviceAddress)(uintptr_t)buffer + offset;
    note("draw %u", count);
}

static void fake_draw_indirect(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset,
                               uint32_t count, uint32_t stride)
{
    (void)cb;
    assert_int_equal(count, 1);
    assert_int_equal(stride, 16);
    fake.drawn = (VkDeviceAddress)(uintptr_t)buffer + offset;
    note("draw indirect");
}

#endif
