/* SPDX-License-Identifier: MIT
 *
 * Push descriptors on a fake driver: what is read of writes and templates, what stays of earlier
 * ones, what a stage group gets, and how it is pushed.
 */
#include "base/alloc.h"
#include "pipeline/bind_sets.h"
#include "pipeline/device.h"
#include "pipeline/layout.h"
#include "pipeline/pipeline_device.h"
#include "pipeline/set_update.h"
#include "vulkan/hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_commands.h"
#include "fake_objects.h"

#define UNIFORM VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
#define TEXELS VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER
#define IMAGE VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
#define VERTEX VK_SHADER_STAGE_VERTEX_BIT
#define GEOMETRY VK_SHADER_STAGE_GEOMETRY_BIT
#define FRAGMENT VK_SHADER_STAGE_FRAGMENT_BIT
#define COMPUTE VK_SHADER_STAGE_COMPUTE_BIT
#define HANDLE(type, number) ((type)(uintptr_t)(number))

/* --- The driver. --- */

static struct {
    VkDescriptorSetLayoutBinding bindings[8]; /* of the last set layout */
    uint32_t binding_count;
    VkDescriptorSetLayoutCreateFlags flags;
    uint32_t calls, descriptors;
    VkWriteDescriptorSet writes[64]; /* of all calls */
    VkDeviceSize offsets_B[64];      /* of the buffers of each write's first descriptor */
    uint32_t write_count;
    VkAccelerationStructureKHR structures[4]; /* of the last write that has any */
    uint32_t structure_count;
} fake;

static VkResult create_set_layout(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                  const VkAllocationCallbacks *allocator,
                                  VkDescriptorSetLayout *layout)
{
    (void)handle, (void)allocator;
    fake.binding_count = info->bindingCount;
    fake.flags = info->flags;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        fake.bindings[i] = info->pBindings[i];
    return FAKE_MAKE(FAKE_SET_LAYOUT, layout);
}

static VkResult create_template(VkDevice handle, const VkDescriptorUpdateTemplateCreateInfo *info,
                                const VkAllocationCallbacks *allocator,
                                VkDescriptorUpdateTemplate *template)
{
    (void)handle, (void)info, (void)allocator;
    return FAKE_MAKE(FAKE_OTHER, template);
}

static void destroy_template(VkDevice handle, VkDescriptorUpdateTemplate template,
                             const VkAllocationCallbacks *allocator)
{
    (void)handle, (void)allocator;
    fake_release_handle(FAKE_OTHER, (uint64_t) template);
}

static void push_set(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout layout,
                     uint32_t index, uint32_t count, const VkWriteDescriptorSet *writes)
{
    (void)cb, (void)point, (void)layout;
    assert_int_equal(index, 0);
    fake.calls++;
    for (uint32_t i = 0; i < count; i++) {
        fake.offsets_B[fake.write_count] =
            writes[i].descriptorType == UNIFORM ? writes[i].pBufferInfo[0].offset : 0;
        fake.writes[fake.write_count++] = writes[i];
        fake.descriptors += writes[i].descriptorCount;
        const VkWriteDescriptorSetAccelerationStructureKHR *structures = writes[i].pNext;
        if (structures) {
            fake.structure_count = structures->accelerationStructureCount;
            memcpy(fake.structures, structures->pAccelerationStructures,
                   fake.structure_count * sizeof(fake.structures[0]));
        }
        for (uint32_t e = 0; writes[i].descriptorType == UNIFORM && e < writes[i].descriptorCount;
             e++) /* as the tests choose them */
            assert_int_equal(writes[i].pBufferInfo[e].offset,
                             fake.offsets_B[fake.write_count - 1] + e);
    }
}

static struct pgs_instance instance;
static struct pgs_physical_device physical = {
    .emulates = true, .emulates_geometry = true, .instance = &instance};
static struct pgs_device device = {
    .physical = &physical,
    .active = true,
    .vk = {.CreateDescriptorSetLayout = create_set_layout,
           .DestroyDescriptorSetLayout = fake_DestroyDescriptorSetLayout,
           .CreatePipelineLayout = fake_CreatePipelineLayout,
           .DestroyPipelineLayout = fake_DestroyPipelineLayout,
           .CreateDescriptorUpdateTemplate = create_template,
           .DestroyDescriptorUpdateTemplate = destroy_template,
           .DestroyPipeline = fake_DestroyPipeline,
           .CmdPushDescriptorSetKHR = push_set},
};

struct pgs_device *pgs_device_from_handle(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

/* --- The application. --- */

/* Binding 3 has no descriptors, and there is no binding 4. */
static const VkDescriptorSetLayoutBinding bindings[] = {
    {5, UNIFORM, 40, VERTEX, NULL}, {1, UNIFORM, 2, VERTEX, NULL},
    {2, UNIFORM, 1, VERTEX, NULL},  {3, UNIFORM, 0, VERTEX, NULL},
    {6, TEXELS, 1, GEOMETRY, NULL}, {7, IMAGE, 1, FRAGMENT | COMPUTE, NULL},
};
#define BINDINGS 6
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static struct pgs_pushed_set list, set;

static void open_layouts(void)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = BINDINGS,
        .pBindings = bindings};
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &set_layout};
    assert_int_equal(pgs_CreateDescriptorSetLayout(VK_NULL_HANDLE, &info, NULL, &set_layout),
                     VK_SUCCESS);
    assert_true(atomic_load(&device.pushed_sets));
    assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &layout_info, NULL, &layout),
                     VK_SUCCESS);
}

static int set_up(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof(fake));
    fakes_reset(4);
    /* High enough for set layouts to be widened. */
    physical.properties.limits = (VkPhysicalDeviceLimits){
        .maxPerStageDescriptorSamplers = 1 << 20,
        .maxPerStageDescriptorUniformBuffers = 1 << 20,
        .maxPerStageDescriptorStorageBuffers = 1 << 20,
        .maxPerStageDescriptorSampledImages = 1 << 20,
        .maxPerStageDescriptorStorageImages = 1 << 20,
        .maxPerStageResources = 1 << 20,
    };
    if (pgs_pipeline_device_create(&device) != VK_SUCCESS)
        return -1;
    open_layouts();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, set_layout, NULL);
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, layout, NULL);
    pgs_pushed_set_finish(&list);
    pgs_pushed_set_finish(&set);
    pgs_pipeline_device_destroy(&device);
    return fakes_alive() || pgs_alloc_live();
}

/* Buffers from an element on, at offsets that go on from `first`. */
static VkResult push_buffers(uint32_t binding, uint32_t element, uint32_t count, uint32_t first)
{
    VkDescriptorBufferInfo infos[64];
    for (uint32_t i = 0; i < count; i++)
        infos[i] = (VkDescriptorBufferInfo){HANDLE(VkBuffer, 1), first + i, 4};
    const VkWriteDescriptorSet write = {
        .dstBinding = binding,
        .dstArrayElement = element,
        .descriptorCount = count,
        .descriptorType = UNIFORM,
        .pImageInfo = HANDLE(const VkDescriptorImageInfo *, 1), /* ignored */
        .pBufferInfo = infos,
    };
    VkResult result = pgs_pushed_set_read(&device, layout, 0, 1, &write, &list);
    if (result == VK_SUCCESS)
        result = pgs_pushed_set_write(&set, &list);
    memset(infos, 0xff, sizeof(infos));
    return result;
}

static VkResult push_view(uint32_t view)
{
    const VkBufferView views[1] = {HANDLE(VkBufferView, view)};
    const VkWriteDescriptorSet write = {
        .dstBinding = 6, .descriptorCount = 1, .descriptorType = TEXELS, .pTexelBufferView = views};
    const VkResult result = pgs_pushed_set_read(&device, layout, 0, 1, &write, &list);
    return result == VK_SUCCESS ? pgs_pushed_set_write(&set, &list) : result;
}

static void expect_buffer(size_t at, uint32_t binding, uint32_t element, uint32_t offset_B)
{
    assert_true(at < set.descriptors.count);
    const struct pgs_pushed_descriptor *descriptor = &set.descriptors.items[at];
    assert_int_equal(descriptor->binding, binding);
    assert_int_equal(descriptor->element, element);
    assert_int_equal(descriptor->type, UNIFORM);
    assert_int_equal(descriptor->info.buffer.offset, offset_B);
}

/* --- The tests. --- */

static void later_pushes_keep_the_rest(void **state)
{
    (void)state;
    assert_int_equal(push_buffers(5, 0, 2, 10), VK_SUCCESS);
    assert_int_equal(push_buffers(1, 0, 2, 20), VK_SUCCESS);
    assert_int_equal(push_buffers(1, 1, 1, 30), VK_SUCCESS);
    assert_int_equal(push_buffers(5, 0, 1, 40), VK_SUCCESS);
    assert_int_equal(set.descriptors.count, 4);
    expect_buffer(0, 1, 0, 20);
    expect_buffer(1, 1, 1, 30);
    expect_buffer(2, 5, 0, 40);
    expect_buffer(3, 5, 1, 11);
}

/* From the last element of binding 1, through binding 2 and over binding 3, into binding 5. */
static void writes_go_on_in_the_next_binding(void **state)
{
    (void)state;
    assert_int_equal(push_buffers(1, 1, 4, 100), VK_SUCCESS);
    assert_int_equal(set.descriptors.count, 4);
    expect_buffer(0, 1, 1, 100);
    expect_buffer(1, 2, 0, 101);
    expect_buffer(2, 5, 0, 102);
    expect_buffer(3, 5, 1, 103);
}

static void fields_that_a_type_ignores_are_left_out(void **state)
{
    (void)state;
    const VkDescriptorImageInfo info = {HANDLE(VkSampler, 0xbad), HANDLE(VkImageView, 7),
                                        VK_IMAGE_LAYOUT_GENERAL};
    const VkWriteDescriptorSet write = {
        .dstBinding = 7, .descriptorCount = 1, .descriptorType = IMAGE, .pImageInfo = &info};
    assert_int_equal(pgs_pushed_set_read(&device, layout, 0, 1, &write, &list), VK_SUCCESS);
    assert_int_equal(list.descriptors.count, 1);
    assert_null(list.descriptors.items[0].info.image.sampler);
    assert_ptr_equal(list.descriptors.items[0].info.image.imageView, info.imageView);
    assert_int_equal(list.descriptors.items[0].info.image.imageLayout, VK_IMAGE_LAYOUT_GENERAL);
}

/* Vulkan: pImageInfo is ignored for the descriptors of a binding with immutable samplers. */
static void immutable_samplers_are_pushed_without_infos(void **state)
{
    static const VkSampler samplers[2] = {HANDLE(VkSampler, 3), HANDLE(VkSampler, 4)};
    const VkDescriptorSetLayoutBinding binding = {.descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                                  .descriptorCount = 2,
                                                  .stageFlags = FRAGMENT,
                                                  .pImmutableSamplers = samplers};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = 1,
        .pBindings = &binding};
    VkDescriptorSetLayout other_set;
    VkPipelineLayout other;
    (void)state;
    assert_int_equal(pgs_CreateDescriptorSetLayout(VK_NULL_HANDLE, &info, NULL, &other_set),
                     VK_SUCCESS);
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &other_set};
    assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &layout_info, NULL, &other),
                     VK_SUCCESS);
    for (uintptr_t ignored = 0; ignored < 2; ignored++) {
        const VkWriteDescriptorSet write = {.descriptorCount = 2,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLER,
                                            .pImageInfo =
                                                HANDLE(const VkDescriptorImageInfo *, ignored)};
        assert_int_equal(pgs_pushed_set_read(&device, other, 0, 1, &write, &list), VK_SUCCESS);
        assert_int_equal(list.descriptors.count, 2);
        assert_int_equal(list.descriptors.items[1].element, 1);
        assert_null(list.descriptors.items[1].info.image.sampler);
    }
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, other, NULL);
    pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, other_set, NULL);
}

/* Data at any offset and stride. */
static void templates_are_read_with_their_data(void **state)
{
    (void)state;
    const VkDescriptorUpdateTemplateEntry entries[] = {{5, 3, 2, UNIFORM, 5, 31},
                                                       {6, 0, 1, TEXELS, 90, 0}};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = 2,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_COMPUTE,
        .pipelineLayout = layout,
    };
    VkDescriptorUpdateTemplate handle;
    unsigned char data[128];
    const VkBufferView view = HANDLE(VkBufferView, 9);
    for (uint32_t i = 0; i < 2; i++) {
        const VkDescriptorBufferInfo buffer = {HANDLE(VkBuffer, 1), 50 + i, 4};
        memcpy(data + 5 + i * 31, &buffer, sizeof(buffer));
    }
    memcpy(data + 90, &view, sizeof(view));
    assert_int_equal(pgs_CreateDescriptorUpdateTemplate(VK_NULL_HANDLE, &info, NULL, &handle),
                     VK_SUCCESS);
    const struct pgs_update_template *known = pgs_update_template_find(&device, handle);
    assert_non_null(known);
    assert_int_equal(known->point, VK_PIPELINE_BIND_POINT_COMPUTE);
    assert_int_equal(pgs_pushed_set_read_entries(&device, layout, 0, known->entry_count,
                                                 known->entries, data, &list),
                     VK_SUCCESS);
    assert_int_equal(pgs_pushed_set_write(&set, &list), VK_SUCCESS);
    assert_int_equal(set.descriptors.count, 3);
    expect_buffer(0, 5, 3, 50);
    expect_buffer(1, 5, 4, 51);
    assert_int_equal(set.descriptors.items[2].binding, 6);
    assert_ptr_equal(set.descriptors.items[2].info.view, view);
    pgs_DestroyDescriptorUpdateTemplate(VK_NULL_HANDLE, handle, NULL);
    assert_null(pgs_update_template_find(&device, handle));
}

static void find(struct pgs_layout *known, enum pgs_stage_group group, struct pgs_arena *arena,
                 const struct pgs_pushed_set **found)
{
    fake.binding_count = 0;
    assert_int_equal(pgs_layout_prepare(&device, known, group), VK_SUCCESS);
    assert_int_equal(pgs_layout_find_pushed(known, group, &set, arena, found), VK_SUCCESS);
}

/* Though the driver's limits would allow to widen other set layouts. */
static void a_group_gets_what_it_sees(void **state)
{
    (void)state;
    struct pgs_arena arena = {0};
    const struct pgs_pushed_set *found;
    assert_true(device.pipelines->widens_set_layouts);
    assert_int_equal(fake.bindings[0].stageFlags, VERTEX);
    assert_int_equal(push_buffers(1, 0, 2, 20), VK_SUCCESS);
    assert_int_equal(push_view(9), VK_SUCCESS);
    struct pgs_layout *known = pgs_layout_acquire(&device, layout);
    find(known, PGS_GROUP_GEOMETRY, &arena, &found);
    assert_int_equal(fake.binding_count, 1);
    assert_int_equal(fake.bindings[0].binding, 6);
    assert_int_equal(fake.bindings[0].stageFlags, COMPUTE);
    assert_int_equal(fake.flags, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR);
    assert_non_null(found);
    assert_int_equal(found->descriptors.count, 1);
    assert_int_equal(found->descriptors.items[0].binding, 6);
    find(known, PGS_GROUP_ALL, &arena, &found);
    assert_int_equal(found->descriptors.count, 3);
    find(known, PGS_GROUP_CONTROL, &arena, &found);
    assert_null(found);
    find(known, PGS_GROUP_RASTER, &arena, &found); /* runs as vertex shader, too */
    assert_int_equal(found->descriptors.count, 3);
    assert_int_equal(fake.bindings[4].stageFlags, VERTEX);
    pgs_layout_release(&device, known);
    pgs_arena_finish(&arena);
}

/* An array becomes one write, and a call has 32 descriptors at most. */
static void neighbours_are_pushed_together(void **state)
{
    (void)state;
    assert_int_equal(push_buffers(5, 0, 40, 100), VK_SUCCESS);
    assert_int_equal(push_buffers(1, 0, 2, 20), VK_SUCCESS);
    pgs_pushed_set_record(&set, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, &device.vk, NULL);
    assert_int_equal(fake.calls, 2);
    assert_int_equal(fake.descriptors, 42);
    assert_int_equal(fake.write_count, 3);
    assert_int_equal(fake.writes[0].dstBinding, 1);
    assert_int_equal(fake.writes[0].descriptorCount, 2);
    assert_int_equal(fake.offsets_B[0], 20);
    assert_int_equal(fake.writes[1].descriptorCount, 30);
    assert_int_equal(fake.writes[2].dstArrayElement, 30);
    assert_int_equal(fake.offsets_B[2], 130);
}

/* Their handles stand in the chain of a write. */
static void acceleration_structures_are_pushed(void **state)
{
    (void)state;
    const VkAccelerationStructureKHR handles[] = {HANDLE(VkAccelerationStructureKHR, 11),
                                                  HANDLE(VkAccelerationStructureKHR, 12)};
    const VkWriteDescriptorSetAccelerationStructureKHR structures = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = 2,
        .pAccelerationStructures = handles};
    const VkWriteDescriptorSet write = {.pNext = &structures,
                                        .dstBinding = 5,
                                        .dstArrayElement = 3,
                                        .descriptorCount = 2,
                                        .descriptorType =
                                            VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
    assert_int_equal(push_view(9), VK_SUCCESS);
    assert_int_equal(pgs_pushed_set_read(&device, layout, 0, 1, &write, &list), VK_SUCCESS);
    assert_int_equal(pgs_pushed_set_write(&set, &list), VK_SUCCESS);
    pgs_pushed_set_record(&set, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, &device.vk,
                          VK_NULL_HANDLE);
    assert_int_equal(fake.calls, 1);
    assert_int_equal(fake.write_count, 2);
    assert_int_equal(fake.writes[0].descriptorCount, 2);
    assert_int_equal(fake.structure_count, 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_ptr_equal(fake.structures[i], handles[i]);
    assert_null(fake.writes[1].pNext);
}

static void equal_contents_match(void **state)
{
    (void)state;
    struct pgs_arena arena = {0};
    assert_int_equal(push_buffers(1, 0, 2, 20), VK_SUCCESS);
    assert_int_equal(push_view(9), VK_SUCCESS);
    const struct pgs_pushed_set *before = pgs_pushed_set_keep(&arena, &set);
    assert_int_equal(push_view(9), VK_SUCCESS);
    assert_true(pgs_pushed_sets_match(before, &set));
    assert_int_equal(push_view(8), VK_SUCCESS);
    assert_false(pgs_pushed_sets_match(before, &set));
    assert_false(pgs_pushed_sets_match(before, NULL));
    assert_true(pgs_pushed_sets_match(NULL, NULL));
    pgs_arena_finish(&arena);
}

/* A push that fails changes nothing. */
static void every_failure_is_reported(void **state)
{
    (void)state;
    int failures = 0;
    for (int64_t n = 1;; n++, failures++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = push_buffers(5, 0, 40, 100);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
        assert_int_equal(set.descriptors.count, 0);
    }
    assert_true(failures > 1);
    struct pgs_pushed_set copy = {0};
    pgs_alloc_fail_after(1, false);
    assert_int_equal(pgs_pushed_set_copy(&copy, &set), VK_ERROR_OUT_OF_HOST_MEMORY);
    pgs_alloc_fail_after(0, false);
    assert_int_equal(pgs_pushed_set_copy(&copy, &set), VK_SUCCESS);
    assert_true(pgs_pushed_sets_match(&copy, &set));
    pgs_pushed_set_finish(&copy);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(later_pushes_keep_the_rest),
        TEST(writes_go_on_in_the_next_binding),
        TEST(fields_that_a_type_ignores_are_left_out),
        TEST(immutable_samplers_are_pushed_without_infos),
        TEST(templates_are_read_with_their_data),
        TEST(a_group_gets_what_it_sees),
        TEST(neighbours_are_pushed_together),
        TEST(acceleration_structures_are_pushed),
        TEST(equal_contents_match),
        TEST(every_failure_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
