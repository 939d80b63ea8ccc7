/* SPDX-License-Identifier: MIT
 *
 * Descriptor sets and their mirrors on a fake driver: which bindings and dynamic offsets a stage
 * group gets, when contents are copied, that every failure is reported and leaks nothing.
 */
#include "base/alloc.h"
#include "pipeline/bind_sets.h"
#include "pipeline/device.h"
#include "pipeline/layout.h"
#include "pipeline/pipeline_device.h"
#include "poly_gs/bound.h"
#include "vulkan/hooks.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_commands.h"
#include "fake_objects.h"

#define UNIFORM VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
#define DYNAMIC VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
#define VERTEX VK_SHADER_STAGE_VERTEX_BIT
#define GEOMETRY VK_SHADER_STAGE_GEOMETRY_BIT
#define FRAGMENT VK_SHADER_STAGE_FRAGMENT_BIT

/* --- The driver. --- */

static struct {
    VkDescriptorSetLayoutBinding bindings[8]; /* of the last set layout */
    uint32_t binding_count;
    VkPipelineLayoutCreateFlags layout_flags; /* of the last pipeline layout */
    _Atomic uint32_t copies;                  /* descriptors */
} fake;

static VkResult create_set_layout(VkDevice handle, const VkDescriptorSetLayoutCreateInfo *info,
                                  const VkAllocationCallbacks *allocator,
                                  VkDescriptorSetLayout *layout)
{
    (void)handle, (void)allocator;
    fake.binding_count = info->bindingCount;
    for (uint32_t i = 0; i < info->bindingCount; i++)
        fake.bindings[i] = info->pBindings[i];
    return FAKE_MAKE(FAKE_SET_LAYOUT, layout);
}

static VkResult create_layout(VkDevice handle, const VkPipelineLayoutCreateInfo *info,
                              const VkAllocationCallbacks *allocator, VkPipelineLayout *made)
{
    fake.layout_flags = info->flags;
    return fake_CreatePipelineLayout(handle, info, allocator, made);
}

static VkResult allocate_sets(VkDevice handle, const VkDescriptorSetAllocateInfo *info,
                              VkDescriptorSet *sets)
{
    (void)handle;
    if (fake_result() != VK_SUCCESS)
        return VK_ERROR_OUT_OF_POOL_MEMORY;
    for (uint32_t i = 0; i < info->descriptorSetCount; i++)
        sets[i] = (VkDescriptorSet)(uintptr_t)(++fakes.handles << 4);
    return VK_SUCCESS;
}

static void update_sets(VkDevice handle, uint32_t write_count, const VkWriteDescriptorSet *writes,
                        uint32_t copy_count, const VkCopyDescriptorSet *copies)
{
    (void)handle, (void)write_count, (void)writes;
    for (uint32_t i = 0; i < copy_count; i++)
        fake.copies += copies[i].descriptorCount;
}

static struct pgs_instance instance;
static struct pgs_physical_device physical = {
    .emulates = true, .emulates_geometry = true, .instance = &instance};
static struct pgs_device device = {
    .physical = &physical,
    .active = true,
    .vk = {.CreateDescriptorSetLayout = create_set_layout,
           .DestroyDescriptorSetLayout = fake_DestroyDescriptorSetLayout,
           .CreatePipelineLayout = create_layout,
           .DestroyPipelineLayout = fake_DestroyPipelineLayout,
           .CreateDescriptorPool = fake_CreateDescriptorPool,
           .DestroyDescriptorPool = fake_DestroyDescriptorPool,
           .ResetDescriptorPool = fake_ResetDescriptorPool,
           .AllocateDescriptorSets = allocate_sets,
           .FreeDescriptorSets = fake_FreeDescriptorSets,
           .UpdateDescriptorSets = update_sets},
};

struct pgs_device *pgs_device_from_handle(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

/* --- The application. --- */

static const VkDescriptorSetLayoutBinding bindings[] = {
    {3, DYNAMIC, 2, GEOMETRY, NULL},          {0, UNIFORM, 1, VERTEX, NULL},
    {1, DYNAMIC, 1, VERTEX | FRAGMENT, NULL}, {2, DYNAMIC, 1, FRAGMENT, NULL},
    {5, UNIFORM, 4, GEOMETRY, NULL},
};
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout;
static VkDescriptorPool pool;
static VkDescriptorSet set;

static VkResult open_sets(VkDescriptorBindingFlags flags)
{
    const VkDescriptorBindingFlags all[] = {0, 0, 0, 0, flags};
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = 5,
        .pBindingFlags = all};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = flags ? &flags_info : NULL,
        .bindingCount = 5,
        .pBindings = bindings};
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1};
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &set_layout};
    set_layout = VK_NULL_HANDLE;
    layout = VK_NULL_HANDLE;
    pool = VK_NULL_HANDLE;
    set = VK_NULL_HANDLE;
    VkResult result = pgs_CreateDescriptorSetLayout(VK_NULL_HANDLE, &info, NULL, &set_layout);
    if (result == VK_SUCCESS)
        result = pgs_CreatePipelineLayout(VK_NULL_HANDLE, &layout_info, NULL, &layout);
    if (result == VK_SUCCESS)
        result = pgs_CreateDescriptorPool(VK_NULL_HANDLE, &pool_info, NULL, &pool);
    const VkDescriptorSetAllocateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &set_layout};
    return result == VK_SUCCESS ? pgs_AllocateDescriptorSets(VK_NULL_HANDLE, &set_info, &set)
                                : result;
}

/* The set layout goes first: its sets and the pipeline layout still need it. */
static void close_sets(void)
{
    pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, set_layout, NULL);
    pgs_DestroyDescriptorPool(VK_NULL_HANDLE, pool, NULL);
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, layout, NULL);
}

static int set_up(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof(fake));
    fakes_reset(4);
    physical.properties.limits = (VkPhysicalDeviceLimits){
        .maxPerStageDescriptorUniformBuffers = 12,
        .maxPerStageResources = 128,
    };
    device.vk.DestroyPipeline = fake_DestroyPipeline;
    return pgs_pipeline_device_create(&device) != VK_SUCCESS;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_pipeline_device_destroy(&device);
    return fakes_alive() || pgs_alloc_live();
}

static VkResult find(struct pgs_layout *known, enum pgs_stage_group group, VkDescriptorSet *found)
{
    const VkResult result = pgs_layout_prepare(&device, known, group);
    return result == VK_SUCCESS ? pgs_layout_find_set(&device, known, group, 0, set, found)
                                : result;
}

/* --- The tests. --- */

static void leaves_the_application_its_layout(void **state)
{
    (void)state;
    assert_int_equal(open_sets(0), VK_SUCCESS);
    assert_int_equal(fake.binding_count, 5);
    assert_memory_equal(fake.bindings, bindings, sizeof(bindings));
    close_sets();
}

static void shows_a_group_its_bindings(void **state)
{
    (void)state;
    static const uint32_t offsets[] = {10, 20, 30, 40};
    uint32_t taken[4];
    assert_int_equal(open_sets(0), VK_SUCCESS);
    struct pgs_layout *known = pgs_layout_acquire(&device, layout);
    VkDescriptorSet found, again;
    assert_int_equal(pgs_layout_group(known, PGS_GROUP_GEOMETRY), PGS_GROUP_ALL);
    assert_int_equal(find(known, PGS_GROUP_GEOMETRY, &found), VK_SUCCESS);
    assert_int_equal(fake.binding_count, 2);
    assert_int_equal(fake.bindings[0].binding, 3);
    assert_int_equal(fake.bindings[0].stageFlags, VK_SHADER_STAGE_COMPUTE_BIT);
    assert_int_equal(fake.bindings[1].binding, 5);
    assert_int_equal(fake.copies, 2 + 4);
    assert_true(found && found != set);
    assert_int_equal(pgs_layout_take_offsets(known, PGS_GROUP_GEOMETRY, 0, offsets, 4, taken), 2);
    assert_int_equal(taken[0], 30);
    assert_int_equal(taken[1], 40);
    assert_int_equal(find(known, PGS_GROUP_CONTROL, &again), VK_SUCCESS);
    assert_null(again); /* nothing for it */
    assert_int_equal(find(known, PGS_GROUP_RASTER, &again), VK_SUCCESS);
    assert_int_equal(fake.binding_count, 5);
    assert_int_equal(fake.bindings[1].stageFlags, VERTEX | FRAGMENT);
    assert_int_equal(fake.bindings[3].stageFlags, VERTEX);
    pgs_layout_release(&device, known);
    close_sets();
}

/* The vertex shader sees 2 uniform buffers, the geometry shader 6, and a stage may see 7. */
static void keeps_stages_apart_beyond_a_limit(void **state)
{
    (void)state;
    physical.properties.limits.maxPerStageDescriptorUniformBuffers = 7;
    pgs_pipeline_device_destroy(&device);
    assert_int_equal(pgs_pipeline_device_create(&device), VK_SUCCESS);
    assert_int_equal(open_sets(0), VK_SUCCESS);
    struct pgs_layout *known = pgs_layout_acquire(&device, layout);
    assert_int_equal(pgs_layout_group(known, PGS_GROUP_GEOMETRY), PGS_GROUP_GEOMETRY);
    assert_false(pgs_layout_group_fits(&device, known, PGS_GROUP_VERTEX_GEOMETRY));
    assert_true(pgs_layout_group_fits(&device, known, PGS_GROUP_GEOMETRY));
    pgs_layout_release(&device, known);
    close_sets();
}

static void push_nothing(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout of,
                         uint32_t index, uint32_t count, const VkWriteDescriptorSet *writes)
{
    (void)cb, (void)point, (void)of, (void)index, (void)count, (void)writes;
}

/* One more set than the application's, whose buffers count with those that the stage sees. */
static void may_have_a_set_of_its_own(void **state)
{
    (void)state;
    VkPhysicalDeviceLimits *limits = &physical.properties.limits;
    limits->maxBoundDescriptorSets = 2;
    limits->maxPerStageDescriptorStorageBuffers = PGS_BOUND_BUFFERS;
    pgs_pipeline_device_destroy(&device);
    assert_int_equal(pgs_pipeline_device_create(&device), VK_SUCCESS);
    assert_int_equal(open_sets(0), VK_SUCCESS);
    struct pgs_layout *known = pgs_layout_acquire(&device, layout);
    assert_false(pgs_layout_may_bind(&device, known, PGS_GROUP_ALL)); /* nothing can be pushed */
    device.vk.CmdPushDescriptorSetKHR = push_nothing;
    assert_true(pgs_layout_may_bind(&device, known, PGS_GROUP_ALL));
    limits->maxBoundDescriptorSets = 1;
    assert_false(pgs_layout_may_bind(&device, known, PGS_GROUP_ALL));
    limits->maxBoundDescriptorSets = 2;
    device.pipelines->descriptor_limits.plain[PGS_DESCRIPTOR_STORAGE_BUFFER]--;
    assert_false(pgs_layout_may_bind(&device, known, PGS_GROUP_ALL));
    device.pipelines->descriptor_limits.plain[PGS_DESCRIPTOR_STORAGE_BUFFER]++;
    known->sets[0]->flags |= VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    assert_false(pgs_layout_may_bind(&device, known, PGS_GROUP_ALL)); /* one set may be pushed */
    known->sets[0]->flags = 0;
    assert_int_equal(pgs_layout_prepare(&device, known, PGS_GROUP_ALL), VK_SUCCESS);
    assert_int_equal(pgs_layout_prepare_bound(&device, known, PGS_GROUP_ALL), VK_SUCCESS);
    const VkPipelineLayout bound = pgs_layout_bound_of_group(known, PGS_GROUP_ALL);
    assert_true(bound && bound != pgs_layout_of_group(known, PGS_GROUP_ALL));
    assert_int_equal(fake.binding_count, PGS_BOUND_BUFFERS);
    assert_int_equal(pgs_layout_prepare_bound(&device, known, PGS_GROUP_ALL), VK_SUCCESS);
    assert_true(bound == pgs_layout_bound_of_group(known, PGS_GROUP_ALL));
    assert_false(atomic_load(&device.pushed_sets)); /* the layer's own does not count */
    device.vk.CmdPushDescriptorSetKHR = NULL;
    pgs_layout_release(&device, known);
    close_sets();
}

static void copies_what_was_written(void **state)
{
    (void)state;
    atomic_store(&device.late_sets, false);
    for (int after_bind = 0; after_bind < 2; after_bind++) {
        assert_int_equal(open_sets(after_bind ? VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT : 0),
                         VK_SUCCESS);
        assert_int_equal(atomic_load(&device.late_sets), after_bind);
        struct pgs_layout *known = pgs_layout_acquire(&device, layout);
        VkDescriptorSet first, second;
        fake.copies = 0;
        assert_int_equal(find(known, PGS_GROUP_GEOMETRY, &first), VK_SUCCESS);
        assert_int_equal(fake.copies, 2 + 4); /* a new mirror has everything */
        assert_int_equal(find(known, PGS_GROUP_GEOMETRY, &second), VK_SUCCESS);
        assert_true(first == second);
        fake.copies = 0;
        /* From the last element of binding 3 on into binding 5. */
        const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = set,
                                            .dstBinding = 3,
                                            .dstArrayElement = 1,
                                            .descriptorCount = 3};
        pgs_UpdateDescriptorSets(VK_NULL_HANDLE, 1, &write, 0, NULL);
        assert_int_equal(fake.copies, after_bind ? 2 : 0);
        assert_int_equal(find(known, PGS_GROUP_GEOMETRY, &second), VK_SUCCESS);
        assert_int_equal(fake.copies, after_bind ? 2 + 2 : 6);
        assert_int_equal(find(known, PGS_GROUP_GEOMETRY, &second), VK_SUCCESS);
        assert_int_equal(fake.copies, after_bind ? 2 + 2 : 6);
        pgs_layout_release(&device, known);
        close_sets();
    }
}

static void takes_mirrors_back(void **state)
{
    (void)state;
    assert_int_equal(open_sets(0), VK_SUCCESS);
    struct pgs_layout *known = pgs_layout_acquire(&device, layout);
    VkDescriptorSet first, found;
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &set_layout};
    assert_int_equal(find(known, PGS_GROUP_VERTEX, &first), VK_SUCCESS);
    const int objects = fakes_alive();
    for (int i = 0; i < 100; i++) {
        if (i % 2)
            pgs_FreeDescriptorSets(VK_NULL_HANDLE, pool, 1, &set);
        else
            pgs_ResetDescriptorPool(VK_NULL_HANDLE, pool, 0);
        assert_int_equal(pgs_AllocateDescriptorSets(VK_NULL_HANDLE, &info, &set), VK_SUCCESS);
        assert_int_equal(find(known, PGS_GROUP_VERTEX, &found), VK_SUCCESS);
        assert_true(found == first);
    }
    assert_int_equal(fakes_alive(), objects);
    pgs_layout_release(&device, known);
    close_sets();
}

static VkResult everything(void)
{
    VkResult result = open_sets(0);
    struct pgs_layout *known = pgs_layout_acquire(&device, layout);
    for (int group = 0; group < PGS_GROUP_COUNT && result == VK_SUCCESS; group++) {
        VkDescriptorSet found;
        result = find(known, (enum pgs_stage_group)group, &found);
    }
    pgs_layout_release(&device, known);
    close_sets();
    return result;
}

static void every_failure_leaves_nothing(void **state)
{
    (void)state;
    VkResult result = VK_NOT_READY;
    int driver_failures = 0, host_failures = 0;
    for (int n = 1; result != VK_SUCCESS; n++, driver_failures++) {
        fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        result = everything();
        fake_fail_after(0, VK_SUCCESS);
    }
    assert_true(driver_failures > 20);
    result = VK_NOT_READY;
    for (int64_t n = 1; result != VK_SUCCESS; n++, host_failures++) {
        pgs_alloc_fail_after(n, false);
        result = everything();
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    assert_true(host_failures > 20);
}

static void *find_often(void *known)
{
    for (int i = 0; i < 1000; i++) {
        VkDescriptorSet found;
        if (find(known, (enum pgs_stage_group)(i % PGS_GROUP_COUNT), &found) != VK_SUCCESS)
            return known;
    }
    return NULL;
}

static void threads_may_ask_for_the_same(void **state)
{
    (void)state;
    pthread_t threads[4];
    assert_int_equal(open_sets(0), VK_SUCCESS);
    struct pgs_layout *known = pgs_layout_acquire(&device, layout);
    /* The fake driver's own counts are no part of this. */
    for (int group = 0; group < PGS_GROUP_COUNT; group++)
        assert_int_equal(pgs_layout_prepare(&device, known, (enum pgs_stage_group)group),
                         VK_SUCCESS);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, find_often, known), 0);
    for (int i = 0; i < 4; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    pgs_layout_release(&device, known);
    close_sets();
}

/* Compute pipelines may have no layout whose sets are independent. */
static void only_raster_layouts_are_independent(void **state)
{
    (void)state;
    assert_int_equal(open_sets(0), VK_SUCCESS);
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .flags =
                                                 VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &set_layout};
    VkPipelineLayout independent;
    assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &info, NULL, &independent),
                     VK_SUCCESS);
    assert_int_equal(fake.layout_flags, VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT);
    struct pgs_layout *known = pgs_layout_acquire(&device, independent),
                      *plain = pgs_layout_acquire(&device, layout);
    for (int group = 0; group < PGS_GROUP_COUNT; group++) {
        assert_int_equal(pgs_layout_prepare(&device, known, (enum pgs_stage_group)group),
                         VK_SUCCESS);
        assert_int_equal(fake.layout_flags, group == PGS_GROUP_RASTER
                                                ? VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT
                                                : 0);
    }
    struct pgs_layout_identity identities[2];
    memset(identities, 0, sizeof(identities));
    pgs_layout_identify(&device, known, &identities[0]);
    pgs_layout_identify(&device, plain, &identities[1]);
    assert_memory_equal(&identities[0], &identities[1], sizeof(identities[0]));
    pgs_layout_release(&device, known);
    pgs_layout_release(&device, plain);
    pgs_DestroyPipelineLayout(VK_NULL_HANDLE, independent, NULL);
    close_sets();
}

/* Vertex shaders get what geometry shaders get, unless a push to other stages would have to name
 * them, too. */
static void gives_push_constants_to_vertex_shaders(void **state)
{
    (void)state;
    const VkShaderStageFlags v = VERTEX, g = GEOMETRY, f = FRAGMENT;
    const struct {
        VkPushConstantRange ranges[3];
        uint32_t count, driver_count;
        VkPushConstantRange vertices; /* the driver's last range */
        bool all;
    } rows[] = {
        {{{g, 16, 32}}, 1, 1, {v, 16, 32}, true},
        {{{v | g, 16, 32}}, 1, 1, {v, 16, 32}, true},
        {{{g, 16, 8}, {v, 8, 24}}, 2, 1, {v, 8, 24}, true},
        {{{g, 0, 32}, {v, 8, 8}}, 2, 1, {v, 0, 32}, true},
        {{{v, 0, 4}, {g, 16, 4}}, 2, 1, {v, 0, 20}, true},
        {{{g, 0, 4}, {f, 4, 12}, {v, 32, 4}}, 3, 2, {v, 32, 4}, false},
        {{{g, 0, 4}, {f, 0, 4}, {v, 32, 4}}, 3, 2, {v, 0, 36}, true},
        {{{f, 0, 4}}, 1, 1, {f, 0, 4}, true}, /* there is none to give */
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkPipelineLayoutCreateInfo info = {.sType =
                                                     VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                 .pushConstantRangeCount = rows[i].count,
                                                 .pPushConstantRanges = rows[i].ranges};
        const uint32_t last = rows[i].driver_count - 1;
        VkPipelineLayout made;
        assert_int_equal(pgs_CreatePipelineLayout(VK_NULL_HANDLE, &info, NULL, &made), VK_SUCCESS);
        assert_int_equal(pgs_layout_push_stages(&device, made, g), rows[i].all ? v : 0);
        assert_int_equal(pgs_layout_push_stages(&device, made, f), f);
        struct pgs_layout *known = pgs_layout_acquire(&device, made);
        assert_int_equal(known->vertices_get_all, rows[i].all);
        assert_int_equal(known->range_count, rows[i].driver_count);
        assert_memory_equal(&known->ranges[last], &rows[i].vertices, sizeof(VkPushConstantRange));
        pgs_layout_release(&device, known);
        pgs_DestroyPipelineLayout(VK_NULL_HANDLE, made, NULL);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(leaves_the_application_its_layout),
        TEST(shows_a_group_its_bindings),
        TEST(keeps_stages_apart_beyond_a_limit),
        TEST(may_have_a_set_of_its_own),
        TEST(copies_what_was_written),
        TEST(takes_mirrors_back),
        TEST(every_failure_leaves_nothing),
        TEST(threads_may_ask_for_the_same),
        TEST(only_raster_layouts_are_independent),
        TEST(gives_push_constants_to_vertex_shaders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
