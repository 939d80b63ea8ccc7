/* SPDX-License-Identifier: MIT
 *
 * A fake driver that writes down what is recorded into a command buffer, in words, and the kernels
 * that the pipeline module would give. Each test includes it once, after cmocka.h.
 */
#ifndef PGS_TEST_FAKE_RECORDER_H
#define PGS_TEST_FAKE_RECORDER_H

#include "fake_heap.h"
#include "fake_log.h"
#include "memory/memory.h"
#include "pipeline/device.h"
#include "poly_gs/abi.h"
#include "poly_gs/bound.h"
#include "poly_gs/digits.h"

#define FAKE_ROOTS 256
#define FAKE_GRIDS 16
#define FAKE_KERNEL_PIPELINE 100 /* handles from here on are kernels */
#define FAKE_KERNEL_LAYOUT 99

static struct {
    bool no_kernels;
    int bound; /* pipeline */
    struct pgs_root root;
    bool has_digits;
    uint32_t bases[PGS_BOUND_BUFFERS];
    VkDeviceAddress drawn; /* where the driver finds the arguments of the last indirect draw */
    struct {
        int pipeline;
        VkDeviceAddress address;
    } roots[FAKE_ROOTS]; /* of the dispatches so far, one for each z */
    int root_count;
    VkAccessFlags barriers_to;          /* all accesses that barriers have made wait */
    struct pgs_range grids[FAKE_GRIDS]; /* where indirect dispatches find how large they are */
    int grid_count;
    struct pgs_range slots_at; /* vertex buffer 0 */
} fake;

#include "fake_raster.h"

static void expect(const char *text)
{
    expect_events(text);
    fake.root_count = 0;
    fake.barriers_to = 0;
}

/* What lies at an address of host-visible memory. */
static const void *at(VkDeviceAddress address)
{
    const void *there = fake_at(address);
    assert_non_null(there);
    return there;
}

#include "fake_kernels.h"

static void fake_bind_pipeline(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)cb;
    if (point == VK_PIPELINE_BIND_POINT_GRAPHICS) {
        note("draw with %d", (int)(uintptr_t)pipeline);
        return;
    }
    assert_int_equal(point, VK_PIPELINE_BIND_POINT_COMPUTE);
    fake.bound = (int)(uintptr_t)pipeline;
    if (fake.bound >= FAKE_KERNEL_PIPELINE)
        note("bind %s", fake_kernel_names[fake.bound - FAKE_KERNEL_PIPELINE]);
    else
        note("bind %d", fake.bound);
}

static void fake_bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                           uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                           uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb;
    assert_int_equal(count, 1);
    note("%sset %d: %d of layout %d", point == VK_PIPELINE_BIND_POINT_GRAPHICS ? "raster " : "",
         (int)first, (int)(uintptr_t)*sets, (int)(uintptr_t)layout);
    for (uint32_t i = 0; i < offset_count; i++)
        note_more(" +%u", offsets[i]);
}

/* What the shaders of CPUs have behind the root. */
static void fake_push_digits(uint32_t size, const void *data)
{
    const uint32_t *digits = data;
    assert_int_equal(size, PGS_ROOT_DIGITS_B);
    for (uint32_t i = 0; i < PGS_ROOT_DIGITS; i++)
        assert_int_equal(digits[i], i);
    fake.has_digits = true;
}

static void fake_push(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                      uint32_t offset, uint32_t size, const void *data)
{
    (void)cb;
    (void)layout;
    assert_int_equal(stages, VK_SHADER_STAGE_COMPUTE_BIT);
    if (offset == sizeof(fake.root) + PGS_ROOT_DIGITS_B) {
        assert_int_equal(size, sizeof(fake.bases));
        memcpy(fake.bases, data, sizeof(fake.bases));
        return;
    }
    if (offset == sizeof(fake.root)) {
        fake_push_digits(size, data);
        return;
    }
    assert_int_equal(offset, 0);
    assert_int_equal(size, sizeof(fake.root));
    memcpy(&fake.root, data, sizeof(fake.root));
    assert_int_not_equal(fake.root.first, 0);
    assert_int_equal(fake.root.first % 16, 0);
}

static void fake_dispatch(VkCommandBuffer cb, uint32_t x, uint32_t y, uint32_t z)
{
    (void)cb;
    assert_true(x && y && z);
    note("dispatch %u x %u", x, y);
    if (z > 1) {
        assert_int_equal(fake.root.stride_B % 16, 0);
        note_more(" of %u draws", z);
    }
    for (uint32_t i = 0; i < z && fake.root_count < FAKE_ROOTS; i++) {
        fake.roots[fake.root_count].pipeline = fake.bound;
        fake.roots[fake.root_count++].address = fake.root.first + (uint64_t)i * fake.root.stride_B;
    }
}

static void fake_dispatch_indirect(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset)
{
    (void)cb;
    assert_int_equal(offset % 4, 0);
    note("dispatch by grid");
    if (fake.grid_count < FAKE_GRIDS)
        fake.grids[fake.grid_count++] = (struct pgs_range){.buffer = buffer, .offset_B = offset};
}

static void fake_draw(VkCommandBuffer cb, uint32_t count, uint32_t instances, uint32_t first,
                      uint32_t first_instance)
{
    (void)cb;
    assert_int_equal(first, 0);
    note("draw %u of %u", instances, count);
    if (first_instance)
        note_more(" from %u", first_instance);
}

/* The n-th root that a pipeline works on. */
static const void *root_of_pipeline(int pipeline, int n)
{
    for (int i = 0; i < fake.root_count; i++)
        if (fake.roots[i].pipeline == pipeline && n-- == 0)
            return at(fake.roots[i].address);
    fail_msg("no such dispatch");
    return NULL;
}

__attribute__((unused)) static const void *root_of(enum pgs_kernel kernel, int n)
{
    return root_of_pipeline(FAKE_KERNEL_PIPELINE + (int)kernel, n);
}

static void fake_barrier(VkCommandBuffer cb, VkPipelineStageFlags from, VkPipelineStageFlags to,
                         VkDependencyFlags flags, uint32_t count, const VkMemoryBarrier *barriers,
                         uint32_t buffer_count, const VkBufferMemoryBarrier *buffer_barriers,
                         uint32_t image_count, const VkImageMemoryBarrier *image_barriers)
{
    (void)cb;
    (void)flags;
    (void)buffer_barriers;
    (void)image_barriers;
    assert_int_equal(count, 1);
    assert_int_equal(buffer_count + image_count, 0);
    assert_true(barriers->srcAccessMask & VK_ACCESS_SHADER_WRITE_BIT);
    assert_true(from & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    fake.barriers_to |= barriers->dstAccessMask;
    const VkPipelineStageFlags grids =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    const VkPipelineStageFlags raster = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                        VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
                                        VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    if (to == raster)
        note("barrier to raster");
    else if (to == (raster | VK_PIPELINE_STAGE_HOST_BIT))
        note("barrier to raster and host");
    else if (to == VK_PIPELINE_STAGE_HOST_BIT)
        note("barrier to host");
    else if (to == VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT)
        note("barrier to all");
    else if (to == grids)
        note("barrier to grids");
    else if ((from & raster) == raster)
        note("barrier from raster");
    else
        note("barrier");
}

static struct pgs_instance fake_instance;

/* Puts the recording commands into fake_device. */
static void fake_recorder_init(void)
{
    forget();
    fake.no_kernels = false;
    fake.root_count = fake.grid_count = 0;
    fake_physical.instance = &fake_instance;
    struct pgs_device_dispatch *vk = &fake_device.vk;
    vk->CmdBindPipeline = fake_bind_pipeline;
    vk->CmdBindDescriptorSets = fake_bind_sets;
    vk->CmdPushConstants = fake_push;
    vk->CmdDispatch = fake_dispatch;
    vk->CmdDispatchIndirect = fake_dispatch_indirect;
    vk->CmdPipelineBarrier = fake_barrier;
    vk->CmdBindVertexBuffers = fake_bind_vertex;
    vk->CmdBindIndexBuffer = fake_bind_index;
    vk->CmdDrawIndexedIndirect = fake_draw_indexed_indirect;
    vk->CmdDrawIndirect = fake_draw_indirect;
    vk->CmdDraw = fake_draw;
}

#endif
