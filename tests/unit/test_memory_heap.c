/* SPDX-License-Identifier: MIT
 *
 * The heap and its linear allocators over a fake driver: sharing of blocks, growth, give-back, and
 * failure of each call without a leak.
 */
#include "base/alloc.h"
#include "memory/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* The driver: counts what lives, hands out addresses, fails the n-th call that may fail. */
static struct {
    int buffers, memories;
    int calls_until_failure; /* 0: none fails */
    int memories_limit;      /* 0: none */
    VkDeviceSize last_allocation_B;
    uint32_t last_type;
    VkBufferUsageFlags last_usage;
    uint64_t next_handle;
} fake;

static bool fails(void)
{
    return fake.calls_until_failure && --fake.calls_until_failure == 0;
}

static VkResult create_buffer(VkDevice device, const VkBufferCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkBuffer *buffer)
{
    (void)device;
    (void)allocator;
    if (fails())
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    fake.buffers++;
    fake.last_usage = info->usage;
    fake.last_allocation_B = info->size;
    *buffer = (VkBuffer)(uintptr_t)(++fake.next_handle << 32);
    return VK_SUCCESS;
}

static void destroy_buffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)allocator;
    fake.buffers -= buffer != VK_NULL_HANDLE;
}

static void requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements *out)
{
    (void)device;
    (void)buffer;
    *out = (VkMemoryRequirements){
        .size = fake.last_allocation_B, .alignment = 256, .memoryTypeBits = 7};
}

static VkResult allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                         const VkAllocationCallbacks *allocator, VkDeviceMemory *memory)
{
    (void)device;
    (void)allocator;
    const VkMemoryAllocateFlagsInfo *flags = info->pNext;
    assert_non_null(flags);
    assert_int_equal(flags->sType, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    assert_true(flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
    if (fails() || (fake.memories_limit && fake.memories >= fake.memories_limit))
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    fake.memories++;
    fake.last_type = info->memoryTypeIndex;
    *memory = (VkDeviceMemory)(uintptr_t)calloc(1, 16);
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
    return fails() ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

static VkResult map_memory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                           VkDeviceSize size, VkMemoryMapFlags flags, void **data)
{
    (void)device;
    (void)offset;
    (void)size;
    (void)flags;
    if (fails())
        return VK_ERROR_MEMORY_MAP_FAILED;
    *data = (void *)(uintptr_t)memory;
    return VK_SUCCESS;
}

static VkDeviceAddress address_of(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
    (void)device;
    return (VkDeviceAddress)(uintptr_t)info->buffer;
}

static struct pgs_physical_device physical = {
    .memory = {.memoryTypeCount = 3,
               .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT},
                               {.propertyFlags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                                 VK_MEMORY_PROPERTY_HOST_COHERENT_BIT},
                               {.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT}}},
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
           .GetBufferDeviceAddress = address_of},
};

static int set_up(void **state)
{
    (void)state;
    fake.calls_until_failure = 0;
    fake.memories_limit = 0;
    return pgs_heap_create(&device) == VK_SUCCESS ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_heap_destroy(&device);
    return fake.buffers || fake.memories || pgs_alloc_live();
}

static void allocates_nothing_before_it_is_asked(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    assert_int_equal(pgs_linear_create(&device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    assert_int_equal(fake.memories, 0);
    struct pgs_range range;
    assert_int_equal(pgs_linear_alloc(linear, 100, 16, &range), VK_SUCCESS);
    assert_int_equal(fake.memories, 1);
    assert_int_equal(fake.last_allocation_B, 64 << 20);
    assert_int_equal(fake.last_type, 2);
    assert_null(range.mapped);
    assert_true(fake.last_usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    pgs_linear_destroy(linear);
}

static void many_share_one_block(void **state)
{
    (void)state;
    struct pgs_linear *linear[64];
    struct pgs_range range[64];
    for (int i = 0; i < 64; i++) {
        assert_int_equal(pgs_linear_create(&device, PGS_MEMORY_SCRATCH, &linear[i]), VK_SUCCESS);
        assert_int_equal(pgs_linear_alloc(linear[i], 1000, 16, &range[i]), VK_SUCCESS);
        for (int k = 0; k < i; k++)
            assert_true(range[i].address >= range[k].address + range[k].size_B ||
                        range[k].address >= range[i].address + range[i].size_B);
    }
    assert_int_equal(fake.memories, 1);
    for (int i = 0; i < 64; i++)
        pgs_linear_destroy(linear[i]);
    assert_int_equal(fake.memories, 1); /* kept for the next */
}

static void ranges_are_aligned_and_apart(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    assert_int_equal(pgs_linear_create(&device, PGS_MEMORY_UPLOAD, &linear), VK_SUCCESS);
    VkDeviceAddress end = 0;
    VkBuffer buffer = VK_NULL_HANDLE;
    for (int i = 0; i < 500; i++) {
        struct pgs_range range;
        const VkDeviceSize size_B = 1 + (VkDeviceSize)i * 7 % 1500;
        assert_int_equal(pgs_linear_alloc(linear, size_B, 16, &range), VK_SUCCESS);
        assert_int_equal(range.address % 16, 0);
        assert_int_equal(range.address, (uintptr_t)range.buffer + range.offset_B);
        assert_int_equal(range.size_B, size_B);
        assert_non_null(range.mapped);
        if (range.buffer == buffer && i < 20)
            assert_true(range.address >= end);
        buffer = range.buffer;
        end = range.address + size_B;
    }
    assert_int_equal(fake.last_type, 1);
    pgs_linear_destroy(linear);
}

static void rewinding_reuses_and_resetting_gives_back(void **state)
{
    (void)state;
    struct pgs_linear *linear, *other;
    struct pgs_range first, again, rest;
    assert_int_equal(pgs_linear_create(&device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    assert_int_equal(pgs_linear_create(&device, PGS_MEMORY_SCRATCH, &other), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(linear, 60 << 20, 16, &first), VK_SUCCESS);
    pgs_linear_rewind(linear);
    assert_int_equal(pgs_linear_alloc(linear, 60 << 20, 16, &again), VK_SUCCESS);
    assert_int_equal(first.address, again.address);
    assert_int_equal(pgs_linear_alloc(other, 60 << 20, 16, &rest), VK_SUCCESS);
    assert_int_equal(fake.memories, 2);
    pgs_linear_reset(linear);
    pgs_linear_reset(other);
    assert_int_equal(fake.memories, 2); /* the next frame wants them again */
    for (int i = 0; i < PGS_IDLE_GIVES; i++) {
        assert_int_equal(pgs_linear_alloc(linear, 60 << 20, 16, &first), VK_SUCCESS);
        pgs_linear_reset(linear);
    }
    assert_int_equal(fake.memories, 1); /* or does not */
    pgs_linear_destroy(linear);
    pgs_linear_destroy(other);
}

static void large_requests_get_their_own_block(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    assert_int_equal(pgs_linear_create(&device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    const VkDeviceSize size_B = (UINT64_C(5) << 30) + 12345;
    assert_int_equal(pgs_linear_alloc(linear, size_B, 16, &range), VK_SUCCESS);
    assert_true(fake.last_allocation_B >= size_B);
    assert_true(range.size_B == size_B);
    pgs_linear_reset(linear);
    assert_int_equal(fake.memories, 1); /* for the next frame */
    assert_int_equal(pgs_linear_alloc(linear, UINT64_MAX - 5, 16, &range),
                     VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(fake.memories, 1);

    /* Where memory is short, what waits for its next use goes first. */
    fake.memories_limit = 1;
    assert_int_equal(pgs_linear_alloc(linear, size_B * 2, 16, &range), VK_SUCCESS);
    assert_int_equal(fake.memories, 1);
    pgs_linear_reset(linear);
    pgs_linear_destroy(linear);
}

static void asks_for_less_where_memory_is_short(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    assert_int_equal(pgs_linear_create(&device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    assert_int_equal(pgs_linear_alloc(linear, 60 << 20, 16, &range), VK_SUCCESS);
    fake.memories_limit = 1;
    assert_int_equal(pgs_linear_alloc(linear, 3 << 20, 16, &range), VK_SUCCESS);
    assert_int_equal(fake.memories, 1);
    assert_int_equal(pgs_linear_alloc(linear, 3 << 20, 16, &range), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    fake.memories_limit = 0;
    pgs_linear_destroy(linear);
}

static void every_driver_failure_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    for (int kind = PGS_MEMORY_UPLOAD; kind <= PGS_MEMORY_SCRATCH; kind++) {
        struct pgs_linear *linear;
        struct pgs_range range;
        assert_int_equal(pgs_linear_create(&device, kind, &linear), VK_SUCCESS);
        for (int n = 1; n <= 3 + (kind == PGS_MEMORY_UPLOAD); n++) {
            /* The scratch heap falls back to host memory when the first type is exhausted. */
            fake.calls_until_failure = n;
            const VkResult result = pgs_linear_alloc(linear, 10, 16, &range);
            if (result == VK_SUCCESS) {
                assert_int_equal(kind, PGS_MEMORY_SCRATCH);
                assert_int_equal(n, 2);
                assert_int_equal(fake.last_type, 0);
                pgs_linear_reset(linear);
                pgs_heap_destroy(&device);
                assert_int_equal(pgs_heap_create(&device), VK_SUCCESS);
                continue;
            }
            assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
            assert_int_equal(fake.buffers, 0);
            assert_int_equal(fake.memories, 0);
        }
        fake.calls_until_failure = 0;
        assert_int_equal(pgs_linear_alloc(linear, 10, 16, &range), VK_SUCCESS);
        pgs_linear_destroy(linear);
        pgs_heap_destroy(&device);
        assert_int_equal(pgs_heap_create(&device), VK_SUCCESS);
    }
}

static void every_host_failure_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    struct pgs_linear *linear;
    struct pgs_range range;
    assert_int_equal(pgs_linear_create(&device, PGS_MEMORY_SCRATCH, &linear), VK_SUCCESS);
    int failures = 0;
    for (int64_t n = 1;; n++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = pgs_linear_alloc(linear, 10, 16, &range);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(fake.memories, 0);
        failures++;
    }
    assert_true(failures >= 2);
    pgs_linear_destroy(linear);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(allocates_nothing_before_it_is_asked),
        TEST(many_share_one_block),
        TEST(ranges_are_aligned_and_apart),
        TEST(rewinding_reuses_and_resetting_gives_back),
        TEST(large_requests_get_their_own_block),
        TEST(asks_for_less_where_memory_is_short),
        TEST(every_driver_failure_is_reported_and_leaks_nothing),
        TEST(every_host_failure_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
