/* SPDX-License-Identifier: MIT
 *
 * What a batch records: the order of the stages, one barrier between stages however many draws,
 * nothing bound twice, and failures reported without a leak. The driver is fake and writes down
 * what it is told.
 */
#include "base/alloc.h"
#include "draw/compute.h"
#include "memory/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct {
    char log[4096];
    int memories;
    bool no_kernels;
    uint64_t next_handle;
} fake;

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    const size_t length = strlen(fake.log);
    va_list args;
    va_start(args, format);
    vsnprintf(fake.log + length, sizeof(fake.log) - length, format, args);
    va_end(args);
}

static void expect(const char *log)
{
    assert_string_equal(fake.log, log);
    fake.log[0] = 0;
}

/* Kernels: handles 101 and up. */
VkResult pgs_kernel_get(struct pgs_device *dev, enum pgs_kernel kernel, VkPipeline *pipeline,
                        VkPipelineLayout *layout)
{
    (void)dev;
    if (fake.no_kernels)
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    *pipeline = (VkPipeline)(uintptr_t)(101 + kernel);
    *layout = (VkPipelineLayout)(uintptr_t)100;
    return VK_SUCCESS;
}

static VkResult create_buffer(VkDevice device, const VkBufferCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkBuffer *buffer)
{
    (void)device;
    (void)info;
    (void)allocator;
    *buffer = (VkBuffer)(uintptr_t)(++fake.next_handle << 32);
    return VK_SUCCESS;
}

static void destroy_buffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)buffer;
    (void)allocator;
}

static void requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements *out)
{
    (void)device;
    (void)buffer;
    *out = (VkMemoryRequirements){.size = 1 << 20, .alignment = 256, .memoryTypeBits = 1};
}

static VkResult allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                         const VkAllocationCallbacks *allocator, VkDeviceMemory *memory)
{
    (void)device;
    (void)info;
    (void)allocator;
    fake.memories++;
    *memory = (VkDeviceMemory)(uintptr_t)calloc(1, 1 << 20);
    return VK_SUCCESS;
}

static void free_memory(VkDevice device, VkDeviceMemory memory,
                        const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)allocator;
    fake.memories -= memory != VK_NULL_HANDLE;
    free((void *)(uintptr_t)memory);
}

static VkResult bind_memory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                            VkDeviceSize offset)
{
    (void)device;
    (void)buffer;
    (void)memory;
    (void)offset;
    return VK_SUCCESS;
}

static VkResult map_memory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                           VkDeviceSize size, VkMemoryMapFlags flags, void **data)
{
    (void)device;
    (void)offset;
    (void)size;
    (void)flags;
    *data = (void *)(uintptr_t)memory;
    return VK_SUCCESS;
}

static VkDeviceAddress address_of(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
    (void)device;
    return (VkDeviceAddress)(uintptr_t)info->buffer;
}

static void bind_pipeline(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipeline pipeline)
{
    (void)cb;
    assert_int_equal(point, VK_PIPELINE_BIND_POINT_COMPUTE);
    say("bind %d\n", (int)(uintptr_t)pipeline);
}

static void bind_sets(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                      uint32_t first, uint32_t count, const VkDescriptorSet *sets,
                      uint32_t offset_count, const uint32_t *offsets)
{
    (void)cb;
    assert_int_equal(point, VK_PIPELINE_BIND_POINT_COMPUTE);
    assert_int_equal(count, 1);
    say("set %d: %d of layout %d", (int)first, (int)(uintptr_t)*sets, (int)(uintptr_t)layout);
    for (uint32_t i = 0; i < offset_count; i++)
        say(" +%u", offsets[i]);
    say("\n");
}

static void push(VkCommandBuffer cb, VkPipelineLayout layout, VkShaderStageFlags stages,
                 uint32_t offset, uint32_t size, const void *data)
{
    (void)cb;
    (void)layout;
    assert_int_equal(stages, VK_SHADER_STAGE_COMPUTE_BIT);
    assert_int_equal(offset, 0);
    assert_int_equal(size, 8);
    VkDeviceAddress address;
    memcpy(&address, data, sizeof(address));
    assert_int_not_equal(address, 0);
}

static void dispatch(VkCommandBuffer cb, uint32_t x, uint32_t y, uint32_t z)
{
    (void)cb;
    assert_int_equal(z, 1);
    say("dispatch %u x %u\n", x, y);
}

static void barrier(VkCommandBuffer cb, VkPipelineStageFlags from, VkPipelineStageFlags to,
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
    const VkPipelineStageFlags raster = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                        VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |
                                        VK_PIPELINE_STAGE_VERTEX_SHADER_BIT;
    if (to == raster)
        say("barrier to raster\n");
    else if ((from & raster) == raster)
        say("barrier from raster\n");
    else
        say("barrier\n");
}

static void bind_vertex(VkCommandBuffer cb, uint32_t first, uint32_t count, const VkBuffer *buffers,
                        const VkDeviceSize *offsets)
{
    (void)cb;
    (void)buffers;
    assert_int_equal(first, 0);
    assert_int_equal(count, 1);
    assert_int_equal(*offsets % 16, 0);
    say("vertex\n");
}

static void bind_index(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, VkIndexType type)
{
    (void)cb;
    (void)buffer;
    assert_int_equal(offset, 0);
    assert_int_equal(type, VK_INDEX_TYPE_UINT32);
    say("index\n");
}

static void draw_indirect(VkCommandBuffer cb, VkBuffer buffer, VkDeviceSize offset, uint32_t count,
                          uint32_t stride)
{
    (void)cb;
    (void)buffer;
    assert_int_equal(offset % 4, 0);
    assert_int_equal(stride, 20);
    say("draw %u\n", count);
}

static struct pgs_instance instance;
static struct pgs_physical_device physical = {
    .instance = &instance,
    .memory = {.memoryTypeCount = 1,
               .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                 VK_MEMORY_PROPERTY_HOST_COHERENT_BIT}}},
};
static struct pgs_device device = {
    .physical = &physical,
    .active = true,
    .vk = {.CreateBuffer = create_buffer,
           .DestroyBuffer = destroy_buffer,
           .GetBufferMemoryRequirements = requirements,
           .AllocateMemory = allocate,
           .FreeMemory = free_memory,
           .BindBufferMemory = bind_memory,
           .MapMemory = map_memory,
           .GetBufferDeviceAddress = address_of,
           .CmdBindPipeline = bind_pipeline,
           .CmdBindDescriptorSets = bind_sets,
           .CmdPushConstants = push,
           .CmdDispatch = dispatch,
           .CmdPipelineBarrier = barrier,
           .CmdBindVertexBuffers = bind_vertex,
           .CmdBindIndexBuffer = bind_index,
           .CmdDrawIndexedIndirect = draw_indirect},
};

static struct pgs_layout layout = {.compute = (VkPipelineLayout)(uintptr_t)50, .set_count = 3};
static struct pgs_emulated_pipeline pipeline;
static struct pgs_graphics_state state;
static struct pgs_batch *batch;

static int set_up(void **unused)
{
    (void)unused;
    fake.log[0] = 0;
    fake.no_kernels = false;
    pipeline = (struct pgs_emulated_pipeline){
        .vertex = (VkPipeline)(uintptr_t)11,
        .geometry = (VkPipeline)(uintptr_t)12,
        .layout = &layout,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        .gs = {.input_vertices = 3,
               .output_kind = 3,
               .max_vertices = 4,
               .invocations = 2,
               .in = {.stride_w = 4},
               .out_stride_w = 4},
    };
    state = (struct pgs_graphics_state){
        .pipeline = &pipeline,
        .index_type = VK_INDEX_TYPE_UINT32,
        .sets = {(VkDescriptorSet)(uintptr_t)7, VK_NULL_HANDLE, (VkDescriptorSet)(uintptr_t)9},
        .dynamic_count = {1, 0, 2},
        .dynamic_offsets = {{16}, {0}, {32, 64}},
    };
    return pgs_heap_create(&device) != VK_SUCCESS ||
           pgs_batch_create(&device, &batch) != VK_SUCCESS;
}

static int tear_down(void **unused)
{
    (void)unused;
    pgs_batch_destroy(batch);
    pgs_heap_destroy(&device);
    return fake.memories || pgs_alloc_live();
}

static struct pgs_draw *add(struct pgs_draw_call call)
{
    struct pgs_draw *draw;
    assert_int_equal(pgs_batch_add(batch, &state, &call, &draw), VK_SUCCESS);
    return draw;
}

static void records_stage_by_stage(void **unused)
{
    (void)unused;
    assert_true(pgs_batch_is_empty(batch));
    const struct pgs_draw *first = add((struct pgs_draw_call){.count = 66, .instance_count = 2});
    const struct pgs_draw *second = add((struct pgs_draw_call){.count = 3, .instance_count = 1});
    assert_null(add((struct pgs_draw_call){.count = 2, .instance_count = 1}));
    assert_non_null(second);
    assert_false(pgs_batch_is_empty(batch));
    pgs_batch_record(batch, VK_NULL_HANDLE);
    expect("barrier from raster\n"
           "bind 11\nset 0: 7 of layout 50 +16\nset 2: 9 of layout 50 +32 +64\n"
           "dispatch 3 x 1\ndispatch 1 x 1\n"
           "bind 12\nbarrier\ndispatch 4 x 1\ndispatch 1 x 1\n"
           "bind 106\nbarrier\ndispatch 1 x 1\ndispatch 1 x 1\n"
           "barrier to raster\n");
    pgs_draw_replay(first, VK_NULL_HANDLE);
    expect("vertex\nindex\ndraw 1\n");
    pgs_batch_next_pass(batch);
    assert_true(pgs_batch_is_empty(batch));
    pgs_batch_record(batch, VK_NULL_HANDLE);
    expect("");
}

static void adds_the_restart_stages_where_needed(void **unused)
{
    (void)unused;
    pipeline.primitive_restart = true;
    device.buffers = NULL;
    state.index_buffer = VK_NULL_HANDLE;
    assert_non_null(
        add((struct pgs_draw_call){.indexed = true, .count = 300, .instance_count = 1}));
    pgs_batch_record(batch, VK_NULL_HANDLE);
    expect("barrier from raster\n"
           "bind 11\nset 0: 7 of layout 50 +16\nset 2: 9 of layout 50 +32 +64\ndispatch 5 x 1\n"
           "bind 101\ndispatch 2 x 1\n"
           "bind 102\nbarrier\ndispatch 1 x 1\n"
           "bind 103\nbarrier\ndispatch 2 x 1\n"
           "bind 12\nbarrier\ndispatch 10 x 1\n"
           "bind 104\nbarrier\ndispatch 3 x 1\n"
           "bind 106\nbarrier\ndispatch 3 x 1\n"
           "barrier to raster\n");
}

static void runs_only_the_shaders_under_discard(void **unused)
{
    (void)unused;
    pipeline.rasterizer_discard = true;
    const struct pgs_draw *draw = add((struct pgs_draw_call){.count = 3, .instance_count = 1});
    pgs_batch_record(batch, VK_NULL_HANDLE);
    expect("barrier from raster\n"
           "bind 11\nset 0: 7 of layout 50 +16\nset 2: 9 of layout 50 +32 +64\ndispatch 1 x 1\n"
           "bind 12\nbarrier\ndispatch 1 x 1\nbarrier to raster\n");
    pgs_draw_replay(draw, VK_NULL_HANDLE);
    expect("");
}

static void folds_large_grids_and_splits_large_draws(void **unused)
{
    (void)unused;
    pipeline.gs.max_vertices = 1024;
    pipeline.gs.in.stride_w = pipeline.gs.out_stride_w = 0;
    const uint32_t triangles = 64 * PGS_GRID_X;
    const struct pgs_draw *draw =
        add((struct pgs_draw_call){.count = triangles + 2, .instance_count = 1});
    assert_int_equal(draw->plan.part_count, (2 * triangles + 16382) / 16383);
    pgs_batch_record(batch, VK_NULL_HANDLE);
    assert_non_null(strstr(fake.log, "dispatch 32768 x 2\nbind 12\nbarrier\ndispatch 256 x 1\n"));
    fake.log[0] = 0;
}

static void reports_every_failure_and_leaks_nothing(void **unused)
{
    (void)unused;
    const struct pgs_draw_call call = {.count = 3, .instance_count = 1};
    struct pgs_draw *draw;
    fake.no_kernels = true;
    assert_int_equal(pgs_batch_add(batch, &state, &call, &draw), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_null(draw);
    fake.no_kernels = false;
    int failures = 0;
    for (int64_t n = 1;; n++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = pgs_batch_add(batch, &state, &call, &draw);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_null(draw);
        assert_true(pgs_batch_is_empty(batch));
        failures++;
    }
    assert_true(failures >= 3);
    pgs_batch_reset(batch);
    const struct pgs_draw_call huge = {.count = UINT32_MAX, .instance_count = UINT32_MAX};
    assert_int_equal(pgs_batch_add(batch, &state, &huge, &draw), VK_ERROR_OUT_OF_DEVICE_MEMORY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_stage_by_stage),
        TEST(adds_the_restart_stages_where_needed),
        TEST(runs_only_the_shaders_under_discard),
        TEST(folds_large_grids_and_splits_large_draws),
        TEST(reports_every_failure_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
