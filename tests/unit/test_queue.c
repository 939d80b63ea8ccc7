/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "vulkan/hooks.h"
#include "vulkan/queue.h"
#include "vulkan/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COMMAND_BUFFER ((VkCommandBuffer)(uintptr_t)0x1000)

static uint32_t next_reference;

static VKAPI_ATTR void VKAPI_CALL set_reference(VkCommandBuffer cb, VkStencilFaceFlags faces,
                                                uint32_t reference)
{
    assert_ptr_equal(cb, COMMAND_BUFFER);
    assert_int_equal(faces, VK_STENCIL_FACE_FRONT_BIT);
    assert_int_equal(reference, next_reference);
    next_reference++;
}

static void expect_reference(void *payload, VkCommandBuffer cb,
                             const struct pgs_device_dispatch *vk, void *context)
{
    (void)vk;
    assert_ptr_equal(cb, COMMAND_BUFFER);
    assert_int_equal(*(const uint32_t *)payload, next_reference);
    ++*(int *)context;
}

static const struct pgs_device_dispatch recording = {.CmdSetStencilReference = set_reference};

static void order_holds_over_many_blocks(void **state)
{
    (void)state;
    enum { COUNT = 20000, EVERY = 100 };
    struct pgs_queue queue;
    pgs_queue_init(&queue);
    int64_t blocks = 0;
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            if (i % EVERY == 0)
                assert_int_equal(pgs_enqueue_custom(&queue, expect_reference, &i, sizeof(i)), 0);
            assert_int_equal(
                pgs_enqueue_CmdSetStencilReference(&queue, VK_STENCIL_FACE_FRONT_BIT, i), 0);
        }
        for (int replay = 0; replay < 2; replay++) {
            int customs = 0;
            next_reference = 0;
            pgs_queue_replay(&queue, COMMAND_BUFFER, &recording, &customs);
            assert_int_equal(next_reference, COUNT);
            assert_int_equal(customs, COUNT / EVERY);
        }
        assert_true(round == 0 || pgs_alloc_live() == blocks);
        blocks = pgs_alloc_live();
        pgs_queue_reset(&queue);
        assert_true(pgs_queue_is_empty(&queue));
        pgs_queue_replay(&queue, COMMAND_BUFFER, &recording, NULL);
    }
    assert_true(blocks > 4);
    pgs_queue_finish(&queue);
    assert_int_equal(pgs_alloc_live(), 0);
}

static void keep_pointer(void *payload, VkCommandBuffer cb, const struct pgs_device_dispatch *vk,
                         void *context)
{
    (void)cb;
    (void)vk;
    *(void **)context = payload;
}

static void custom_without_size_keeps_the_pointer(void **state)
{
    (void)state;
    struct pgs_queue queue;
    pgs_queue_init(&queue);
    int own;
    void *seen = NULL;
    assert_int_equal(pgs_enqueue_custom(&queue, keep_pointer, &own, 0), VK_SUCCESS);
    pgs_queue_replay(&queue, COMMAND_BUFFER, &recording, &seen);
    assert_ptr_equal(seen, &own);
    pgs_queue_finish(&queue);
}

static uint32_t sets_bound;

static VKAPI_ATTR void VKAPI_CALL bind_set(VkCommandBuffer cb, VkPipelineBindPoint point,
                                           VkPipelineLayout layout, uint32_t first, uint32_t count,
                                           const VkDescriptorSet *sets, uint32_t offset_count,
                                           const uint32_t *offsets)
{
    (void)offsets;
    assert_ptr_equal(cb, COMMAND_BUFFER);
    assert_int_equal(point, VK_PIPELINE_BIND_POINT_GRAPHICS);
    assert_int_equal((uintptr_t)layout, 0x10 + sets_bound);
    assert_int_equal(first, sets_bound);
    assert_int_equal(count, 1);
    assert_int_equal((uintptr_t)sets[0], 0x20 + sets_bound);
    assert_int_equal(offset_count, 0);
    sets_bound++;
}

/* Scans leave out what they do not ask for. */
static void sets_are_bound_as_they_were_queued(void **state)
{
    (void)state;
    const struct pgs_device_dispatch binding = {.CmdBindDescriptorSets = bind_set};
    struct pgs_queue queue;
    pgs_queue_init(&queue);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(pgs_enqueue_set(&queue, (VkPipelineLayout)(uintptr_t)(0x10 + i), i,
                                         (VkDescriptorSet)(uintptr_t)(0x20 + i)),
                         VK_SUCCESS);
    sets_bound = 0;
    pgs_queue_replay(&queue, COMMAND_BUFFER, &binding, NULL);
    assert_int_equal(sets_bound, 3);
    sets_bound = 0;
    pgs_queue_scan(&queue, COMMAND_BUFFER, &binding, NULL);
    assert_int_equal(sets_bound, 3);
    pgs_queue_scan(&queue, COMMAND_BUFFER, &recording, NULL);
    assert_int_equal(sets_bound, 3);
    pgs_queue_finish(&queue);
}

static uint32_t pushed_bytes;

static VKAPI_ATTR void VKAPI_CALL push_large(VkCommandBuffer cb, VkPipelineLayout layout,
                                             VkShaderStageFlags stages, uint32_t offset,
                                             uint32_t size, const void *values)
{
    (void)cb;
    (void)layout;
    (void)stages;
    (void)offset;
    for (uint32_t i = 0; i < size; i++)
        assert_int_equal(((const unsigned char *)values)[i], i & 255);
    pushed_bytes += size;
}

static void arrays_may_exceed_a_block(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    unsigned char *values = pgs_alloc(SIZE);
    for (int i = 0; i < SIZE; i++)
        values[i] = (unsigned char)i;
    struct pgs_queue queue;
    pgs_queue_init(&queue);
    assert_int_equal(pgs_enqueue_CmdPushConstants(&queue, VK_NULL_HANDLE, 0, 0, SIZE, values), 0);
    assert_int_equal(pgs_enqueue_CmdPushConstants(&queue, VK_NULL_HANDLE, 0, 0, 16, values), 0);
    pgs_free(values);
    const struct pgs_device_dispatch vk = {.CmdPushConstants = push_large};
    pushed_bytes = 0;
    pgs_queue_replay(&queue, COMMAND_BUFFER, &vk, NULL);
    assert_int_equal(pushed_bytes, SIZE + 16);
    pgs_queue_finish(&queue);
    assert_int_equal(pgs_alloc_live(), 0);
}

static int begun;

static VKAPI_ATTR void VKAPI_CALL begin_without_chain(VkCommandBuffer cb,
                                                      const VkRenderingInfo *info)
{
    (void)cb;
    const VkDeviceGroupRenderPassBeginInfo *group = info->pNext;
    assert_non_null(group);
    assert_int_equal(group->sType, VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO);
    assert_null(group->pNext);
    begun++;
}

static void unknown_nodes_are_left_out(void **state)
{
    (void)state;
    const VkBaseInStructure last = {.sType = (VkStructureType)0x7ffffff1};
    const VkDeviceGroupRenderPassBeginInfo group = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_RENDER_PASS_BEGIN_INFO, .pNext = &last};
    const VkBaseInStructure first = {.sType = (VkStructureType)0x7ffffff0,
                                     .pNext = (const VkBaseInStructure *)&group};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .pNext = &first};
    struct pgs_queue queue;
    pgs_queue_init(&queue);
    assert_int_equal(pgs_enqueue_CmdBeginRendering(&queue, &info), VK_SUCCESS);
    const struct pgs_device_dispatch vk = {.CmdBeginRendering = begin_without_chain};
    begun = 0;
    pgs_queue_replay(&queue, COMMAND_BUFFER, &vk, NULL);
    assert_int_equal(begun, 1);
    pgs_queue_finish(&queue);
}

#ifdef VK_EXT_depth_bias_control
static VKAPI_ATTR void VKAPI_CALL see_bias(VkCommandBuffer cb, const VkDepthBiasInfoEXT *info)
{
    (void)cb;
    const VkDepthBiasRepresentationInfoEXT *as = info->pNext;
    assert_non_null(as);
    assert_int_equal(as->sType, VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT);
    assert_int_equal(as->depthBiasRepresentation, VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT);
    assert_true(as->depthBiasExact && info->depthBiasSlopeFactor == 3);
    begun++;
}

/* Of VK_EXT_depth_bias_control. */
static void biases_keep_their_representation(void **state)
{
    (void)state;
    VkDepthBiasRepresentationInfoEXT as = {
        .sType = VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT,
        .depthBiasRepresentation = VK_DEPTH_BIAS_REPRESENTATION_FLOAT_EXT,
        .depthBiasExact = VK_TRUE};
    const VkDepthBiasInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT,
                                     .pNext = &as,
                                     .depthBiasConstantFactor = 1,
                                     .depthBiasSlopeFactor = 3};
    struct pgs_queue queue;
    pgs_queue_init(&queue);
    assert_int_equal(pgs_enqueue_CmdSetDepthBias2EXT(&queue, &info), VK_SUCCESS);
    as.depthBiasExact = VK_FALSE; /* the program's again */
    const struct pgs_device_dispatch vk = {.CmdSetDepthBias2EXT = see_bias};
    begun = 0;
    pgs_queue_replay(&queue, COMMAND_BUFFER, &vk, NULL);
    assert_int_equal(begun, 1);
    pgs_queue_finish(&queue);
}
#endif

static VkCompareOp mode_seen;

static VKAPI_ATTR void VKAPI_CALL see_mode(VkCommandBuffer cb, VkCompareOp mode)
{
    (void)cb;
    mode_seen = mode;
}

static void hooks_queue_or_forward(void **state)
{
    (void)state;
    const struct pgs_device_dispatch vk = {.CmdSetDepthCompareOp = see_mode};
    struct pgs_recorder recorder = {.vk = &vk};
    struct pgs_queue queue;
    pgs_queue_init(&queue);
    assert_true(pgs_recorder_register(COMMAND_BUFFER, &recorder));
    pgs_CmdSetDepthCompareOp(COMMAND_BUFFER, VK_COMPARE_OP_EQUAL);
    assert_true(mode_seen == VK_COMPARE_OP_EQUAL);

    recorder.queue = &queue;
    pgs_alloc_fail_after(1, false);
    pgs_CmdSetDepthCompareOp(COMMAND_BUFFER, VK_COMPARE_OP_LESS);
    pgs_alloc_fail_after(0, false);
    assert_int_equal(recorder.result, VK_ERROR_OUT_OF_HOST_MEMORY);
    pgs_CmdSetDepthCompareOp(COMMAND_BUFFER, VK_COMPARE_OP_NOT_EQUAL);
    assert_int_equal(recorder.result, VK_ERROR_OUT_OF_HOST_MEMORY); /* the first error stays */
    assert_true(mode_seen == VK_COMPARE_OP_EQUAL);
    pgs_queue_replay(&queue, COMMAND_BUFFER, &vk, NULL);
    assert_true(mode_seen == VK_COMPARE_OP_NOT_EQUAL);
    pgs_recorder_unregister(COMMAND_BUFFER);
    pgs_queue_finish(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_holds_over_many_blocks),
        cmocka_unit_test(custom_without_size_keeps_the_pointer),
        cmocka_unit_test(sets_are_bound_as_they_were_queued),
        cmocka_unit_test(arrays_may_exceed_a_block),
        cmocka_unit_test(unknown_nodes_are_left_out),
#ifdef VK_EXT_depth_bias_control
        cmocka_unit_test(biases_keep_their_representation),
#endif
        cmocka_unit_test(hooks_queue_or_forward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
