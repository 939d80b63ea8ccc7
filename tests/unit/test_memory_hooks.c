/* SPDX-License-Identifier: MIT
 *
 * vkCreateBuffer, vkGetDeviceBufferMemoryRequirements and vkAllocateMemory: what is added on the
 * way down, what is left alone, and that the application's structs stay as they are.
 */
#include "base/alloc.h"
#include "memory/memory.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct {
    VkBufferCreateInfo buffer;
    VkMemoryAllocateFlagsInfo flags;
    int flags_count, nodes;
    int buffers, address_calls;
    uintptr_t next_buffer;
    VkResult bound;
    VkBufferUsageFlags fixed; /* usages that buffers in external memory cannot have */
} fake;

static VkResult create_buffer(VkDevice device, const VkBufferCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkBuffer *buffer)
{
    (void)device;
    (void)allocator;
    fake.buffer = *info;
    fake.buffers++;
    *buffer = (VkBuffer)(uintptr_t)(0x40 + fake.next_buffer);
    return VK_SUCCESS;
}

static VkResult bind(VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset_B)
{
    (void)device, (void)buffer, (void)memory, (void)offset_B;
    return fake.bound;
}

static VkResult bind2(VkDevice device, uint32_t count, const VkBindBufferMemoryInfo *infos)
{
    (void)device, (void)count, (void)infos;
    return fake.bound;
}

static void destroy_buffer(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks *allocator)
{
    (void)device;
    (void)allocator;
    fake.buffers -= buffer != VK_NULL_HANDLE;
}

static void device_requirements(VkDevice device, const VkDeviceBufferMemoryRequirements *info,
                                VkMemoryRequirements2 *out)
{
    (void)device;
    (void)out;
    fake.buffer = *info->pCreateInfo;
}

static VkDeviceAddress address_of(VkDevice device, const VkBufferDeviceAddressInfo *info)
{
    (void)device;
    (void)info;
    fake.address_calls++;
    return 0x1000;
}

static VkResult allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                         const VkAllocationCallbacks *allocator, VkDeviceMemory *memory)
{
    (void)device;
    (void)allocator;
    fake.flags_count = fake.nodes = 0;
    memset(&fake.flags, 0, sizeof(fake.flags));
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext) {
        fake.nodes++;
        if (s->sType == VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO) {
            fake.flags_count++;
            memcpy(&fake.flags, s, sizeof(fake.flags));
        }
    }
    *memory = (VkDeviceMemory)(uintptr_t)0x50;
    return VK_SUCCESS;
}

static void properties2(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
    (void)physical;
    VkPhysicalDeviceMaintenance4Properties *maintenance4 = out->pNext;
    assert_int_equal(maintenance4->sType,
                     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES);
    maintenance4->maxBufferSize = UINT32_MAX;
}

/* Opaque handles only. */
static void external_properties(VkPhysicalDevice physical,
                                const VkPhysicalDeviceExternalBufferInfo *info,
                                VkExternalBufferProperties *out)
{
    (void)physical;
    assert_false(info->usage & PGS_XFB_USAGE);
    if (info->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT &&
        !(info->usage & fake.fixed))
        out->externalMemoryProperties = (VkExternalMemoryProperties){
            .externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT,
            .compatibleHandleTypes = info->handleType};
}

static struct pgs_instance instance = {
    .vk = {.GetPhysicalDeviceProperties2 = properties2,
           .GetPhysicalDeviceExternalBufferProperties = external_properties}};
static struct pgs_physical_device physical = {
    .instance = &instance,
    .api_version = VK_API_VERSION_1_3,
    .emulates_xfb = true,
    .memory = {.memoryTypeCount = 2,
               .memoryTypes = {{.propertyFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT},
                               {.propertyFlags = VK_MEMORY_PROPERTY_PROTECTED_BIT}}},
};
static struct pgs_device device = {
    .physical = &physical,
    .vk = {.CreateBuffer = create_buffer,
           .DestroyBuffer = destroy_buffer,
           .GetDeviceBufferMemoryRequirements = device_requirements,
           .GetBufferDeviceAddress = address_of,
           .AllocateMemory = allocate,
           .BindBufferMemory = bind,
           .BindBufferMemory2 = bind2},
};

struct pgs_device *pgs_device_from_handle(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

static int set_up(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof(fake));
    device.active = true;
    device.xfb = false;
    return pgs_buffer_table_create(&device) != VK_SUCCESS;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_buffer_table_destroy(&device);
    return pgs_alloc_live() != 0;
}

/* Creates and destroys; what the driver saw is in fake.buffer. The requirements query must see the
 * same. */
static void create(VkDeviceSize size_B, VkBufferUsageFlags usage, const void *next,
                   struct pgs_buffer_info *known)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = next,
                                     .size = size_B,
                                     .usage = usage};
    const VkDeviceBufferMemoryRequirements query = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, .pCreateInfo = &info};
    pgs_GetDeviceBufferMemoryRequirements(VK_NULL_HANDLE, &query, NULL);
    const VkBufferCreateInfo queried = fake.buffer;
    VkBuffer buffer;
    assert_int_equal(pgs_CreateBuffer(VK_NULL_HANDLE, &info, NULL, &buffer), VK_SUCCESS);
    assert_true(queried.size == fake.buffer.size);
    assert_int_equal(queried.usage, fake.buffer.usage);
    assert_true(info.size == size_B);
    assert_int_equal(info.usage, usage);
    *known = (struct pgs_buffer_info){0};
    for (int i = 0; i < 3; i++)
        pgs_buffer_lookup(&device, buffer, known);
    const uint32_t destroyed = pgs_count_destroyed(&device.destroyed.buffers);
    pgs_DestroyBuffer(VK_NULL_HANDLE, buffer, NULL);
    assert_int_not_equal(pgs_count_destroyed(&device.destroyed.buffers), destroyed);
    assert_false(pgs_buffer_lookup(&device, buffer, &(struct pgs_buffer_info){0}));
}

static void widens_what_draws_read(void **state)
{
    (void)state;
    static const VkBufferUsageFlags usages[] = {
        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        VK_BUFFER_USAGE_INDEX_BUFFER_BIT, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
        VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT};
    const VkBufferUsageFlags added =
        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    struct pgs_buffer_info known;
    for (size_t i = 0; i < 4; i++) {
        fake.address_calls = 0;
        create(13, usages[i], NULL, &known);
        assert_int_equal(fake.buffer.usage, usages[i] | added);
        assert_int_equal(fake.buffer.size, 16);
        assert_int_equal(known.size_B, 13);
        assert_int_equal(known.address, 0x1000);
        assert_int_equal(fake.address_calls, 1);
    }
    create(VK_WHOLE_SIZE >> 32, usages[0], NULL, &known); /* padding would exceed maxBufferSize */
    assert_true(fake.buffer.size == UINT32_MAX);
    create(UINT32_MAX - 3, usages[0], NULL, &known);
    assert_true(fake.buffer.size == UINT32_MAX - 3);
}

/* Draws do not read what video queues do. */
static void leaves_bitstreams_alone(void **state)
{
    (void)state;
    const VkVideoProfileListInfoKHR profiles = {.sType =
                                                    VK_STRUCTURE_TYPE_VIDEO_PROFILE_LIST_INFO_KHR};
    struct pgs_buffer_info known;
    create(13, VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR, &profiles, &known);
    assert_int_equal(fake.buffer.usage, VK_BUFFER_USAGE_VIDEO_DECODE_SRC_BIT_KHR);
    assert_int_equal(fake.buffer.size, 13);
    assert_ptr_equal(fake.buffer.pNext, &profiles);
}

/* The driver may not know them. */
static void takes_usages_of_xfb_away(void **state)
{
    (void)state;
    static const VkBufferUsageFlags usages[] = {
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
        VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT};
    struct pgs_buffer_info known;
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    for (size_t i = 0; i < 2; i++) {
        create(14, usages[i] | VK_BUFFER_USAGE_TRANSFER_SRC_BIT, NULL, &known);
        assert_int_equal(fake.buffer.usage, VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                                VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
        assert_int_equal(fake.buffer.size, 16);
        assert_int_equal(known.size_B, 14);
        assert_int_equal(known.address, 0x1000);
        create(14, usages[i], &external, &known);
        assert_int_equal(fake.buffer.usage, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
        assert_int_equal(fake.buffer.size, 14);
        assert_int_equal(known.address, 0x1000);
        fake.fixed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
        create(14, usages[i], &external, &known);
        fake.fixed = 0;
        assert_int_equal(fake.buffer.usage, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
        assert_int_equal(fake.buffer.size, 14);
        assert_int_equal(known.address, 0);
    }
}

static void knows_the_largest_that_xfb_could_fill(void **state)
{
    (void)state;
    struct pgs_buffer_info known;
    assert_int_equal(pgs_buffer_largest_xfb_B(&device), 0);
    create(5000, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, NULL, &known);
    create(5000, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT, NULL, &known);
    assert_int_equal(pgs_buffer_largest_xfb_B(&device), 0);
    create(300, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, NULL, &known);
    create(301, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, NULL, &known);
    create(299, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT, NULL, &known);
    assert_int_equal(pgs_buffer_largest_xfb_B(&device), 301);
}

/* Some forms of copied query results leave words as they were. */
static void lets_targets_of_results_be_read(void **state)
{
    (void)state;
    struct pgs_buffer_info known;
    const VkBufferUsageFlags uniform = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    create(13, uniform | VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL, &known);
    assert_int_equal(fake.buffer.usage, uniform | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    device.xfb = true;
    create(13, uniform | VK_BUFFER_USAGE_TRANSFER_DST_BIT, NULL, &known);
    assert_int_equal(fake.buffer.usage,
                     uniform | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    assert_int_equal(fake.buffer.size, 13);
    assert_int_equal(known.address, 0);
    create(13, uniform, NULL, &known);
    assert_int_equal(fake.buffer.usage, uniform);
    create(13, VK_BUFFER_USAGE_TRANSFER_DST_BIT, &external, &known);
    assert_int_equal(fake.buffer.usage,
                     VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    fake.fixed = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    create(13, VK_BUFFER_USAGE_TRANSFER_DST_BIT, &external, &known);
    assert_int_equal(fake.buffer.usage, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

static void leaves_other_buffers_alone(void **state)
{
    (void)state;
    struct pgs_buffer_info known;
    create(13, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, NULL, &known);
    assert_int_equal(fake.buffer.usage, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    assert_int_equal(fake.buffer.size, 13);
    assert_int_equal(known.size_B, 0);
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    fake.fixed = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    create(13, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, &external, &known);
    assert_int_equal(fake.buffer.usage, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    assert_int_equal(known.size_B, 13);
    assert_int_equal(known.address, 0);
    assert_int_equal(fake.address_calls, 0);
    fake.fixed = 0;
    create(13, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, &external, &known);
    assert_int_equal(fake.buffer.size, 13);
    assert_int_equal(known.address, 0x1000);
    fake.fixed = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    external.handleTypes = 0;
    create(13, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, &external, &known);
    assert_int_equal(known.address, 0x1000);

    const VkBufferCreateInfo info = {.size = 13, .usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT};
    VkBuffer buffer;
    device.active = false;
    assert_int_equal(pgs_CreateBuffer(VK_NULL_HANDLE, &info, NULL, &buffer), VK_SUCCESS);
    assert_int_equal(fake.buffer.size, 13);
}

static void buffers_report_lack_of_memory(void **state)
{
    (void)state;
    const VkBufferCreateInfo info = {.size = 13, .usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT};
    VkBuffer buffers[64];
    int count = 0;
    for (int64_t n = 1; n <= 2;
         n++) { /* the buffer, and, once there are some, the table's memory */
        VkResult result;
        do {
            pgs_alloc_fail_after(n, false);
            fake.next_buffer++;
            result = pgs_CreateBuffer(VK_NULL_HANDLE, &info, NULL, &buffers[count]);
        } while (result == VK_SUCCESS && ++count < 64);
        pgs_alloc_fail_after(0, false);
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(fake.buffers, count);
    }
    while (count)
        pgs_DestroyBuffer(VK_NULL_HANDLE, buffers[--count], NULL);
}

static VkBuffer buffer_on(VkBufferUsageFlags usage, uintptr_t memory, VkDeviceSize offset_B)
{
    const VkBufferCreateInfo info = {.size = 100, .usage = usage};
    VkBuffer buffer;
    fake.next_buffer++;
    assert_int_equal(pgs_CreateBuffer(VK_NULL_HANDLE, &info, NULL, &buffer), VK_SUCCESS);
    const VkBindBufferMemoryInfo bound = {
        .buffer = buffer, .memory = (VkDeviceMemory)memory, .memoryOffset = offset_B};
    const VkResult result =
        fake.next_buffer % 2 ? pgs_BindBufferMemory(VK_NULL_HANDLE, buffer, bound.memory, offset_B)
                             : pgs_BindBufferMemory2(VK_NULL_HANDLE, 1, &bound);
    assert_int_equal(result, fake.bound);
    return buffer;
}

/* Of all buffers on the same bytes. */
static void knows_who_shares_memory(void **state)
{
    (void)state;
    enum {
        CAPTURED = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT,
        UNIFORM = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT,
        STORAGE = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
        TEXEL = VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
    };
    device.xfb = true;
    VkBuffer all[6] = {
        buffer_on(CAPTURED, 7, 1000), buffer_on(UNIFORM, 7, 1099), buffer_on(STORAGE, 7, 901),
        buffer_on(TEXEL, 7, 1100),    buffer_on(TEXEL, 7, 900),    buffer_on(TEXEL, 8, 1000),
    };
    static const struct {
        VkDeviceSize offset_B, size_B;
        VkBufferUsageFlags usage;
    } cases[] = {
        {0, VK_WHOLE_SIZE, CAPTURED | UNIFORM | STORAGE}, {0, 99, CAPTURED | STORAGE},
        {0, 100, CAPTURED | UNIFORM | STORAGE},           {1, 98, CAPTURED},
        {1, VK_WHOLE_SIZE, CAPTURED | UNIFORM},           {100, VK_WHOLE_SIZE, CAPTURED},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(
            pgs_usage_of_memory(
                &device, &(struct pgs_buffer_range){all[0], cases[i].offset_B, cases[i].size_B}),
            cases[i].usage);
    fake.bound = VK_ERROR_OUT_OF_DEVICE_MEMORY; /* and so nowhere */
    const VkBuffer unbound = buffer_on(CAPTURED, 7, 1099);
    assert_int_equal(
        pgs_usage_of_memory(&device, &(struct pgs_buffer_range){unbound, 0, VK_WHOLE_SIZE}),
        CAPTURED);
    for (int i = 0; i < 6; i++)
        pgs_DestroyBuffer(VK_NULL_HANDLE, all[i], NULL);
    pgs_DestroyBuffer(VK_NULL_HANDLE, unbound, NULL);
    device.xfb = false; /* nobody asks: nothing is kept of it */
    const VkBuffer other = buffer_on(UNIFORM, 7, 0);
    struct pgs_buffer_info info;
    assert_false(pgs_buffer_lookup(&device, other, &info));
    pgs_DestroyBuffer(VK_NULL_HANDLE, other, NULL);
}

static VkResult allocate_with(const void *next, uint32_t type)
{
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = next,
                                       .allocationSize = 100,
                                       .memoryTypeIndex = type};
    VkDeviceMemory memory;
    return pgs_AllocateMemory(VK_NULL_HANDLE, &info, NULL, &memory);
}

static void allocations_gain_the_address_flag(void **state)
{
    (void)state;
    assert_int_equal(allocate_with(NULL, 0), VK_SUCCESS);
    assert_int_equal(fake.flags_count, 1);
    assert_int_equal(fake.flags.flags, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);

    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT,
                                             .deviceMask = 1};
    const VkMemoryPriorityAllocateInfoEXT priority = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_PRIORITY_ALLOCATE_INFO_EXT, .pNext = &flags};
    assert_int_equal(allocate_with(&priority, 0), VK_SUCCESS);
    assert_int_equal(fake.flags_count, 1);
    assert_int_equal(fake.nodes, 2);
    assert_int_equal(fake.flags.flags,
                     VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
    assert_int_equal(fake.flags.deviceMask, 1);
    assert_int_equal(flags.flags, VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT);

    pgs_alloc_fail_after(1, false);
    assert_int_equal(allocate_with(&priority, 0), VK_ERROR_OUT_OF_HOST_MEMORY);
    pgs_alloc_fail_after(0, false);
}

/* A driver that does not see what is imported gives other memory. */
static void imports_of_platforms_stay(void **state)
{
    (void)state;
    const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                             .flags = VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT,
                                             .deviceMask = 1};
    const struct {
        VkStructureType type;
        const void *next, *rest[3];
    } windows = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_WIN32_HANDLE_INFO_KHR, &flags, {0}},
      android = {VK_STRUCTURE_TYPE_IMPORT_ANDROID_HARDWARE_BUFFER_INFO_ANDROID, &windows, {0}},
      strange = {(VkStructureType)1999999000, &flags, {0}};
    assert_int_equal(allocate_with(&android, 0), VK_SUCCESS);
    assert_int_equal(fake.nodes, 3);
    assert_int_equal(fake.flags.flags,
                     VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT | VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
    assert_int_equal(allocate_with(&strange, 0), VK_SUCCESS);
    assert_int_equal(fake.nodes, 2);
    assert_int_equal(fake.flags.flags, VK_MEMORY_ALLOCATE_DEVICE_MASK_BIT);
}

static void leaves_images_alone(void **state)
{
    (void)state;
    const VkImportMemoryFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR};
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO, .image = (VkImage)(uintptr_t)1};
    assert_int_equal(allocate_with(&import, 0), VK_SUCCESS);
    assert_int_equal(fake.flags_count, 1);
    assert_int_equal(fake.flags.flags, VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
    assert_int_equal(allocate_with(&dedicated, 0), VK_SUCCESS);
    assert_int_equal(fake.flags_count, 0);
    dedicated.image = VK_NULL_HANDLE;
    assert_int_equal(allocate_with(&dedicated, 0), VK_SUCCESS);
    assert_int_equal(fake.flags_count, 1);
    assert_int_equal(allocate_with(NULL, 1), VK_SUCCESS); /* protected */
    assert_int_equal(fake.flags_count, 0);
    assert_int_equal(allocate_with(NULL, 99), VK_SUCCESS);
    assert_int_equal(fake.flags_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(widens_what_draws_read),
        TEST(leaves_bitstreams_alone),
        TEST(takes_usages_of_xfb_away),
        TEST(lets_targets_of_results_be_read),
        TEST(knows_the_largest_that_xfb_could_fill),
        TEST(leaves_other_buffers_alone),
        TEST(buffers_report_lack_of_memory),
        TEST(knows_who_shares_memory),
        TEST(allocations_gain_the_address_flag),
        TEST(imports_of_platforms_stay),
        TEST(leaves_images_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
