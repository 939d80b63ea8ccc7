/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "vulkan/chain.h"
#include "vulkan/device.h"
#include "vulkan/hooks.h"
#include "vulkan/outarray.h"
#include "vulkan/recorder.h"
#include "vulkan/stages.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../common/within.h"

static VkResult list(uint32_t available, uint32_t *items, uint32_t *count)
{
    struct pgs_outarray out = pgs_outarray_begin(items, count);
    for (uint32_t i = 0; i < available; i++) {
        uint32_t at;
        if (pgs_outarray_next(&out, &at))
            items[at] = i;
    }
    return pgs_outarray_end(&out);
}

static void outarray_follows_the_protocol(void **state)
{
    (void)state;
    uint32_t items[4] = {9, 9, 9, 9}, count = 77;
    assert_int_equal(list(3, NULL, &count), VK_SUCCESS);
    assert_int_equal(count, 3);
    count = 2;
    assert_int_equal(list(3, items, &count), VK_INCOMPLETE);
    assert_int_equal(count, 2);
    assert_int_equal(items[1], 1);
    assert_int_equal(items[2], 9);
    count = 4;
    assert_int_equal(list(3, items, &count), VK_SUCCESS);
    assert_int_equal(count, 3);
    count = 0;
    assert_int_equal(list(3, items, &count), VK_INCOMPLETE);
    assert_int_equal(count, 0);
    count = 5;
    assert_int_equal(list(0, NULL, &count), VK_SUCCESS);
    assert_int_equal(count, 0);
}

struct chain {
    VkLayerDeviceCreateInfo layer;
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceVulkan12Features vulkan12;
    VkPhysicalDeviceVulkan13Features vulkan13;
};

static void chain_build(struct chain *c)
{
    *c = (struct chain){
        .layer = {.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
                  .pNext = &c->features,
                  .function = VK_LAYER_LINK_INFO},
        .features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                     .pNext = &c->vulkan12,
                     .features.geometryShader = VK_TRUE},
        .vulkan12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                     .pNext = &c->vulkan13},
        .vulkan13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES},
    };
}

#define UNKNOWN ((VkStructureType)0x7ffffff0) /* of a size that nobody knows */

static const VkStructureType edited[] = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};

static void chain_copies_only_the_prefix(void **state)
{
    (void)state;
    struct chain c, before;
    chain_build(&c);
    memcpy(&before, &c, sizeof(c));
    const void *copy;
    void *block;
    assert_int_equal(pgs_chain_copy_prefix(&c, edited, 2, &copy, &block), VK_SUCCESS);
    const VkLayerDeviceCreateInfo *layer = copy;
    assert_ptr_not_equal(layer, &c.layer);
    assert_int_equal(layer->function, VK_LAYER_LINK_INFO);
    VkPhysicalDeviceFeatures2 *features =
        pgs_chain_find(copy, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
    assert_ptr_not_equal(features, &c.features);
    assert_true(features->features.geometryShader);
    features->features.geometryShader = VK_FALSE;
    VkPhysicalDeviceVulkan12Features *vulkan12 =
        pgs_chain_find(copy, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    assert_ptr_not_equal(vulkan12, &c.vulkan12);
    vulkan12->bufferDeviceAddress = VK_TRUE;
    assert_ptr_equal(vulkan12->pNext, &c.vulkan13); /* the tail is shared */
    assert_memory_equal(&c, &before, sizeof(c));    /* and the application's chain untouched */
    pgs_free(block);
}

static void chain_copies_come_back(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 2; first++) { /* a node in the middle, or the head */
        struct chain c, before;
        chain_build(&c);
        void *chain = first ? (void *)&c.features : (void *)&c.layer;
        memcpy(&before, &c, sizeof(c));
        const void *copy;
        void *block;
        const VkStructureType removed = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
        const VkStructureType both[] = {removed,
                                        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
        assert_int_equal(pgs_chain_copy_prefix(chain, both, 2, &copy, &block), VK_SUCCESS);
        pgs_chain_remove(&copy, &removed, 1);
        assert_null(pgs_chain_find(copy, removed));
        assert_memory_equal(&c, &before, sizeof(c));
        VkPhysicalDeviceVulkan12Features *vulkan12 = pgs_chain_find(copy, both[1]);
        assert_ptr_not_equal(vulkan12, &c.vulkan12);
        vulkan12->bufferDeviceAddress = VK_TRUE;
        pgs_chain_copy_back(chain, copy, &removed, 1);
        assert_true(c.vulkan12.bufferDeviceAddress);
        before.vulkan12.bufferDeviceAddress = VK_TRUE;
        assert_memory_equal(&c, &before, sizeof(c)); /* the links and the rest as they were */
        pgs_free(block);

        assert_int_equal(pgs_chain_copy_prefix(&c.features, &removed, 1, &copy, &block),
                         VK_SUCCESS);
        pgs_chain_remove(&copy, &removed, 1);
        assert_ptr_equal(copy, &c.vulkan12); /* nothing is left but what is shared */
        pgs_chain_copy_back(&c.features, copy, &removed, 1);
        pgs_free(block);
    }
}

static void chain_copy_leaves_what_it_need_not_touch(void **state)
{
    (void)state;
    struct chain c;
    chain_build(&c);
    const VkStructureType other = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MULTIVIEW_FEATURES;
    const void *copy;
    void *block;
    assert_int_equal(pgs_chain_copy_prefix(&c, &other, 1, &copy, &block), VK_SUCCESS);
    assert_ptr_equal(copy, &c);
    assert_null(block);
    assert_int_equal(pgs_chain_copy_prefix(NULL, edited, 2, &copy, &block), VK_SUCCESS);
    assert_null(copy);
    assert_null(pgs_chain_find(&c, other));

    pgs_alloc_fail_after(1, false);
    assert_int_equal(pgs_chain_copy_prefix(&c, edited, 2, &copy, &block),
                     VK_ERROR_OUT_OF_HOST_MEMORY);
    pgs_alloc_fail_after(0, false);
    assert_ptr_equal(copy, &c);

    c.vulkan13.sType = UNKNOWN; /* in the tail it does not matter */
    assert_true(pgs_chain_is_known(&c, edited, 2));
    assert_int_equal(pgs_chain_copy_prefix(&c, edited, 2, &copy, &block), VK_SUCCESS);
    const VkPhysicalDeviceVulkan12Features *vulkan12 = pgs_chain_find(copy, edited[1]);
    assert_ptr_equal(vulkan12->pNext, &c.vulkan13);
    pgs_free(block);
    assert_int_equal(pgs_alloc_live(), 0);
}

/* Wherever they stand in front of what is to be edited. */
static void chain_copy_leaves_out_what_it_does_not_know(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        VkBaseInStructure strange[] = {{.sType = UNKNOWN}, {.sType = UNKNOWN}};
        struct chain c;
        chain_build(&c);
        const void *head = &c.features, *copy;
        void *block;
        if (i & 1) {
            strange[0].pNext = (const VkBaseInStructure *)&c.features;
            head = &strange[0];
        }
        if (i & 2) {
            strange[1].pNext = (const VkBaseInStructure *)&c.vulkan12;
            c.features.pNext = &strange[1];
        }
        assert_int_equal(pgs_chain_is_known(head, edited, 2), i == 0);
        assert_true(pgs_chain_is_known(head, &c.layer.sType, 1));
        assert_int_equal(pgs_chain_copy_prefix(head, edited, 2, &copy, &block), VK_SUCCESS);
        const VkPhysicalDeviceFeatures2 *features = copy;
        assert_int_equal(features->sType, edited[0]);
        assert_true(features->features.geometryShader);
        const VkPhysicalDeviceVulkan12Features *vulkan12 = features->pNext;
        assert_int_equal(vulkan12->sType, edited[1]);
        assert_ptr_equal(vulkan12->pNext, &c.vulkan13);
        pgs_chain_remove(&copy, edited, 2);
        assert_ptr_equal(copy, &c.vulkan13);
        pgs_free(block);
    }
    const VkStructureType strange = UNKNOWN; /* as in headers that do not have the name */
    const VkBaseInStructure node = {.sType = UNKNOWN};
    const void *copy;
    void *block;
    assert_int_equal(pgs_chain_copy_prefix(&node, &strange, 1, &copy, &block), VK_SUCCESS);
    assert_ptr_equal(copy, &node);
    assert_null(block);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void struct_sizes_are_right(void **state)
{
    (void)state;
    assert_int_equal(pgs_struct_size(VK_STRUCTURE_TYPE_SUBMIT_INFO), sizeof(VkSubmitInfo));
    assert_int_equal(pgs_struct_size(VK_STRUCTURE_TYPE_RENDERING_INFO), sizeof(VkRenderingInfo));
    assert_int_equal(pgs_struct_size(VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO),
                     sizeof(VkLayerInstanceCreateInfo));
    const struct {
        VkBaseInStructure base;
        VkBool32 features[15];
    } portability; /* VK_KHR_portability_subset: only in vulkan_beta.h */
    assert_within(pgs_struct_size((VkStructureType)1000163000),
                  sizeof(portability.base) + sizeof(portability.features), sizeof(portability));
    assert_int_equal(pgs_struct_size((VkStructureType)0x7ffffff0), 0);
}

static void stages_gain_compute(void **state)
{
    (void)state;
    static const VkPipelineStageFlags2 moved[] = {
        VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
        VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT,
        VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT,
        VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT,
        VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
        VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT,
        VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT,
        VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT,
    };
    static const struct pgs_native_stages none = {0}, geometry = {.geometry = true},
                                          tessellation = {.tessellation = true}, all = {true, true};
    const VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++) {
        const struct pgs_native_stages native = i & 1 ? geometry : none;
        const bool fetches = i >= 1 && i < 4; /* inline draws do that in their vertex shader */
        const VkPipelineStageFlags2 kept =
            moved[i] | (fetches ? VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT : 0);
        assert_int_equal(pgs_widen_stages(moved[i], native), kept | compute);
        assert_int_equal(pgs_keep_graphics_stages(moved[i], native), kept);
        assert_int_equal(pgs_native_stage(moved[i], native), moved[i]);
    }
    static const VkPipelineStageFlags2 others[] = {
        0,
        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
        VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT,
        VK_PIPELINE_STAGE_2_HOST_BIT,
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        assert_int_equal(pgs_widen_stages(others[i], none), others[i]);

    /* Those of stages that the driver's pipelines never have, and what they become with
     * none, geometry, tessellation, all of the driver's own. */
    enum { VERTEX = 8, CONTROL = 16, EVALUATION = 32, GEOMETRY = 64 };
    static const struct {
        VkPipelineStageFlags2 stages, becomes[4];
    } gone[] = {
        {CONTROL, {VERTEX, VERTEX, CONTROL, CONTROL}},
        {EVALUATION, {VERTEX, VERTEX, EVALUATION, EVALUATION}},
        {CONTROL | EVALUATION, {VERTEX, VERTEX, CONTROL | EVALUATION, CONTROL | EVALUATION}},
        {GEOMETRY, {VERTEX, GEOMETRY, EVALUATION, GEOMETRY}},
        {VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, {VERTEX, GEOMETRY, EVALUATION, GEOMETRY}},
        {VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT | GEOMETRY | CONTROL,
         {VERTEX, VERTEX | GEOMETRY, EVALUATION | CONTROL, GEOMETRY | CONTROL}},
    };
    const struct pgs_native_stages natives[] = {none, geometry, tessellation, all};
    const VkPipelineStageFlags2 color = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
    for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
        for (int n = 0; n < 4; n++) {
            assert_int_equal(pgs_keep_graphics_stages(gone[i].stages, natives[n]),
                             gone[i].becomes[n]);
            assert_int_equal(pgs_widen_stages(gone[i].stages | color, natives[n]),
                             gone[i].becomes[n] | compute | color);
        }
    }
    assert_int_equal(pgs_keep_graphics_stages(color, none), color);
}

static void accesses_gain_shader_ones(void **state)
{
    (void)state;
    const VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    static const VkAccessFlags2 reads[] = {
        VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, VK_ACCESS_2_INDEX_READ_BIT,
        VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT};
    for (size_t i = 0; i < 4; i++) {
        const VkAccessFlags2 widened = reads[i] | VK_ACCESS_2_SHADER_READ_BIT;
        assert_int_equal(pgs_widen_access(reads[i], compute), widened);
        assert_int_equal(pgs_widen_access(reads[i], VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT), widened);
        assert_int_equal(pgs_widen_access(reads[i], VK_PIPELINE_STAGE_2_COPY_BIT), reads[i]);
    }
    const VkAccessFlags2 counter_read = VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT;
    assert_int_equal(pgs_widen_access(VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, compute),
                     VK_ACCESS_2_SHADER_WRITE_BIT);
    assert_int_equal(
        pgs_widen_access(VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, compute),
        VK_ACCESS_2_SHADER_WRITE_BIT);
    assert_int_equal(pgs_widen_access(counter_read, compute), VK_ACCESS_2_SHADER_READ_BIT);
    assert_int_equal(pgs_widen_access(counter_read, VK_PIPELINE_STAGE_2_COPY_BIT), 0);
    assert_int_equal(pgs_widen_access(VK_ACCESS_2_UNIFORM_READ_BIT, compute),
                     VK_ACCESS_2_UNIFORM_READ_BIT);
}

static void accesses_of_xfb_go_inside_passes(void **state)
{
    (void)state;
    const VkPipelineStageFlags2 xfb = VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT;
    const VkPipelineStageFlags2 indirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
    const VkAccessFlags2 write = VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT;
    const VkAccessFlags2 read = VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT;
    assert_int_equal(pgs_keep_graphics_access(write, xfb), VK_ACCESS_2_SHADER_WRITE_BIT);
    assert_int_equal(pgs_keep_graphics_access(read, xfb), VK_ACCESS_2_SHADER_READ_BIT);
    assert_int_equal(pgs_keep_graphics_access(read, indirect),
                     VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
    assert_int_equal(pgs_keep_graphics_access(read | write, VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT),
                     VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT |
                         VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT);
    assert_int_equal(pgs_keep_graphics_access(VK_ACCESS_2_INDEX_READ_BIT, xfb | indirect),
                     VK_ACCESS_2_INDEX_READ_BIT);
    const VkPipelineStageFlags2 input = VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT;
    assert_int_equal(pgs_keep_graphics_access(VK_ACCESS_2_INDEX_READ_BIT, input),
                     VK_ACCESS_2_INDEX_READ_BIT | VK_ACCESS_2_SHADER_READ_BIT);
    assert_true(pgs_accesses_may_go(input));
    assert_true(pgs_accesses_may_go(xfb));
    assert_true(pgs_accesses_may_go(indirect));
    assert_false(pgs_accesses_may_go(VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT));
}

static void VKAPI_CALL alias_function(void)
{
}

static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL only_khr(VkDevice device, const char *name)
{
    (void)device;
    return strcmp(name, "vkCmdPipelineBarrier2KHR") == 0 ? alias_function : NULL;
}

static void dispatch_falls_back_to_aliases(void **state)
{
    (void)state;
    struct pgs_device_dispatch table;
    memset(&table, 0xff, sizeof(table));
    pgs_device_dispatch_load(&table, NULL, only_khr);
    assert_ptr_equal((void *)(uintptr_t)table.CmdPipelineBarrier2,
                     (void *)(uintptr_t)alias_function);
    assert_null((void *)(uintptr_t)table.CmdDraw);
    assert_ptr_equal((void *)(uintptr_t)table.GetDeviceProcAddr, (void *)(uintptr_t)only_khr);
}

/* As the loader makes them: the first word is the dispatch key. */
struct fake_handle {
    const void *key;
};

static void registry_finds_by_dispatch_key(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    static int keys[COUNT];
    struct fake_handle handles[COUNT], child = {.key = &keys[17]};
    static struct pgs_device devices[COUNT];
    for (int i = 0; i < COUNT; i++) {
        handles[i].key = &keys[i];
        devices[i].handle = (VkDevice)&handles[i];
        assert_int_equal(pgs_registry_add_device(&devices[i]), VK_SUCCESS);
    }
    for (int i = 0; i < COUNT; i++)
        assert_ptr_equal(pgs_device_from_handle(&handles[i]), &devices[i]);
    assert_ptr_equal(pgs_device_from_handle(&child), &devices[17]);
    assert_null(pgs_instance_from_handle(&child));
    pgs_registry_remove_device(&devices[17]);
    assert_null(pgs_device_from_handle(&child));
    assert_int_equal(pgs_registry_add_device(&devices[17]), VK_SUCCESS);
    assert_ptr_equal(pgs_device_from_handle(&child), &devices[17]);
    for (int i = 0; i < COUNT; i++)
        pgs_registry_remove_device(&devices[i]);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void registry_reports_lack_of_memory(void **state)
{
    (void)state;
    static struct pgs_physical_device physical[9];
    static int handles[9];
    pgs_alloc_fail_after(1, true);
    for (int i = 0; i < 9; i++) {
        physical[i].handle = (VkPhysicalDevice)(void *)&handles[i];
        assert_int_equal(pgs_registry_add_physical_device(&physical[i]),
                         i < 8 ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY);
    }
    pgs_alloc_fail_after(0, false);
    assert_ptr_equal(pgs_physical_device_from_handle(physical[7].handle), &physical[7]);
    assert_null(pgs_physical_device_from_handle(physical[8].handle));
    for (int i = 0; i < 8; i++)
        pgs_registry_remove_physical_device(&physical[i]);
}

enum { THREADS = 4, ROUNDS = 5000 };

/* Every thread takes handles from a pool of its own and reuses them with another recorder each
 * time. */
static void *record_often(void *argument)
{
    struct fake_handle *own = argument;
    struct pgs_recorder recorders[2] = {{.queue = NULL}};
    for (int i = 0; i < ROUNDS; i++) {
        VkCommandBuffer handle = (VkCommandBuffer)&own[i % 3];
        if (!pgs_recorder_register(handle, &recorders[i % 2]))
            return "register";
        for (int k = 0; k < 3; k++) {
            if (pgs_recorder_find(handle) != &recorders[i % 2])
                return "find";
        }
        pgs_recorder_unregister(handle);
        if (pgs_recorder_find(handle))
            return "dead handle found";
    }
    return NULL;
}

static void recorders_are_safe_under_threads(void **state)
{
    (void)state;
    static struct fake_handle handles[THREADS][3];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, record_often, handles[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *error;
        pthread_join(threads[i], &error);
        assert_null(error);
    }
}

static float line_width;

static VKAPI_ATTR void VKAPI_CALL set_line_width(VkCommandBuffer cb, float width)
{
    (void)cb;
    line_width = width;
}

static void unregistered_command_buffers_go_straight_down(void **state)
{
    (void)state;
    static int key;
    struct fake_handle device = {&key}, cb = {&key};
    static struct pgs_device dev;
    dev.handle = (VkDevice)&device;
    dev.vk.CmdSetLineWidth = set_line_width;
    assert_int_equal(pgs_registry_add_device(&dev), VK_SUCCESS);
    pgs_CmdSetLineWidth((VkCommandBuffer)&cb, 4.0f);
    assert_true(line_width == 4.0f);
    pgs_registry_remove_device(&dev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outarray_follows_the_protocol),
        cmocka_unit_test(chain_copies_only_the_prefix),
        cmocka_unit_test(chain_copies_come_back),
        cmocka_unit_test(chain_copy_leaves_what_it_need_not_touch),
        cmocka_unit_test(chain_copy_leaves_out_what_it_does_not_know),
        cmocka_unit_test(struct_sizes_are_right),
        cmocka_unit_test(stages_gain_compute),
        cmocka_unit_test(accesses_gain_shader_ones),
        cmocka_unit_test(accesses_of_xfb_go_inside_passes),
        cmocka_unit_test(dispatch_falls_back_to_aliases),
        cmocka_unit_test(registry_finds_by_dispatch_key),
        cmocka_unit_test(registry_reports_lack_of_memory),
        cmocka_unit_test(recorders_are_safe_under_threads),
        cmocka_unit_test(unregistered_command_buffers_go_straight_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
