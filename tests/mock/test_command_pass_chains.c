/* SPDX-License-Identifier: MIT
 *
 * What extensions say where a render pass is created or begun, when the layer ends the pass early
 * and resumes it: density maps, transforms, sample locations, feedback of merged subpasses.
 */
#include "fake_modules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_split.h"

#include "command/pass/split.h"
#include "vulkan/chain.h"

/* -- what the driver got -- */

struct seen_pass {
    VkAttachmentDescription attachments[3];
    uint32_t map; /* VK_ATTACHMENT_UNUSED: none */
    bool controls, has_feedback;
};

struct seen_begin {
    VkSurfaceTransformFlagBitsKHR transform;
    VkRect2D last_area; /* of a view */
    VkImageView map;
    uint32_t initial_count, post_count, nodes;
    /* The x of the first location, by attachment and by subpass; -1: nothing is said. */
    float initial[3], post[3];
};

static struct {
    struct seen_pass passes[4];
    struct seen_begin begins[4];
    uint32_t pass_count, begin_count;
} seen;

static uint32_t map_of(const void *chain)
{
    const VkRenderPassFragmentDensityMapCreateInfoEXT *map =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT);
    return map ? map->fragmentDensityMapAttachment.attachment : VK_ATTACHMENT_UNUSED;
}

static VkResult look_at_pass(VkDevice d, const VkRenderPassCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    struct seen_pass *one = &seen.passes[seen.pass_count++];
    assert_true(seen.pass_count <= 4);
    one->map = map_of(info->pNext);
    for (uint32_t i = 0; i < info->attachmentCount && i < 3; i++)
        one->attachments[i] = info->pAttachments[i];
    return create_pass(d, info, allocator, pass);
}

static VkResult look_at_pass2(VkDevice d, const VkRenderPassCreateInfo2 *info,
                              const VkAllocationCallbacks *allocator, VkRenderPass *pass)
{
    struct seen_pass *one = &seen.passes[seen.pass_count++];
    const VkSubpassDescription2 *subpass = &info->pSubpasses[0];
    const VkStructureType control = VK_STRUCTURE_TYPE_RENDER_PASS_CREATION_CONTROL_EXT;
    assert_true(seen.pass_count <= 4);
    one->map = map_of(info->pNext);
    one->controls = pgs_chain_find(info->pNext, control) && pgs_chain_find(subpass->pNext, control);
    one->has_feedback =
        pgs_chain_find(info->pNext,
                       VK_STRUCTURE_TYPE_RENDER_PASS_CREATION_FEEDBACK_CREATE_INFO_EXT) ||
        pgs_chain_find(subpass->pNext,
                       VK_STRUCTURE_TYPE_RENDER_PASS_SUBPASS_FEEDBACK_CREATE_INFO_EXT);
    return create_pass2(d, info, allocator, pass);
}

static void look_at_locations(struct seen_begin *one,
                              const VkRenderPassSampleLocationsBeginInfoEXT *info)
{
    for (uint32_t i = 0; i < 3; i++)
        one->initial[i] = one->post[i] = -1;
    if (!info)
        return;
    one->initial_count = info->attachmentInitialSampleLocationsCount;
    one->post_count = info->postSubpassSampleLocationsCount;
    for (uint32_t i = 0; i < one->initial_count; i++) {
        const VkAttachmentSampleLocationsEXT *of = &info->pAttachmentInitialSampleLocations[i];
        one->initial[of->attachmentIndex] = of->sampleLocationsInfo.pSampleLocations[0].x;
    }
    for (uint32_t i = 0; i < one->post_count; i++) {
        const VkSubpassSampleLocationsEXT *of = &info->pPostSubpassSampleLocations[i];
        one->post[of->subpassIndex] = of->sampleLocationsInfo.pSampleLocations[0].x;
    }
}

/* Of the views of VK_QCOM_multiview_per_view_render_areas. */
static VkRect2D last_area(const void *chain)
{
#ifdef VK_QCOM_multiview_per_view_render_areas
    const VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM *areas = pgs_chain_find(
        chain, VK_STRUCTURE_TYPE_MULTIVIEW_PER_VIEW_RENDER_AREAS_RENDER_PASS_BEGIN_INFO_QCOM);
    if (areas)
        return areas->pPerViewRenderAreas[areas->perViewRenderAreaCount - 1];
#else
    (void)chain;
#endif
    return (VkRect2D){.extent = {0, 0}};
}

static void look_at_begin(VkCommandBuffer cb, const VkRenderPassBeginInfo *info,
                          VkSubpassContents contents)
{
    struct seen_begin *one = &seen.begins[seen.begin_count++];
    assert_true(seen.begin_count <= 4);
    const VkRenderPassTransformBeginInfoQCOM *transform =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM);
    one->transform = transform ? transform->transform : 0;
    one->last_area = last_area(info->pNext);
    look_at_locations(
        one,
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_SAMPLE_LOCATIONS_BEGIN_INFO_EXT));
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext)
        one->nodes++;
    begin_made_pass(cb, info, contents);
}

static void look_at_rendering(VkCommandBuffer cb, const VkRenderingInfo *info)
{
    struct seen_begin *one = &seen.begins[seen.begin_count++];
    const VkRenderingFragmentDensityMapAttachmentInfoEXT *map = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT);
    one->map = map ? map->imageView : VK_NULL_HANDLE;
    begin_loading(cb, info);
}

static int set_up_looking(void **context)
{
    memset(&seen, 0, sizeof(seen));
    if (setup(context) != 0)
        return -1;
    dev.vk.CreateRenderPass = look_at_pass;
    dev.vk.CreateRenderPass2 = look_at_pass2;
    dev.vk.CmdBeginRenderPass = look_at_begin;
    dev.vk.CmdBeginRendering = look_at_rendering;
    return 0;
}

/* -- density maps, transforms -- */

/* Subpasses with these depth attachments. */
static VkRenderPass make(uint32_t count, const VkAttachmentDescription *attachments,
                         uint32_t subpass_count, const uint32_t *depths, const void *chain)
{
    VkAttachmentReference references[3];
    VkSubpassDescription subpasses[3];
    memset(subpasses, 0, sizeof(subpasses));
    for (uint32_t i = 0; i < subpass_count; i++) {
        references[i] = (VkAttachmentReference){depths[i], VK_IMAGE_LAYOUT_GENERAL};
        subpasses[i].pDepthStencilAttachment = &references[i];
    }
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .pNext = chain,
        .attachmentCount = count,
        .pAttachments = attachments,
        .subpassCount = subpass_count,
        .pSubpasses = subpasses,
    };
    VkRenderPass pass;
    assert_int_equal(pgs_CreateRenderPass(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    return pass;
}

static void start(VkRenderPass pass, const void *chain)
{
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .pNext = chain, .renderPass = pass};
    begin(cmd, 0);
    pgs_CmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, NATIVE);
    pgs_CmdDraw(cmd, 3, 1, 0, 0);
}

/* Both halves read the map. It has no storeOp, which the others get, and the application is not
 * told that something may be lost. */
static void both_halves_have_the_map(void **context)
{
    (void)context;
    VkAttachmentDescription attachments[2] = {description(VK_FORMAT_D16_UNORM),
                                              description(VK_FORMAT_R8G8_UNORM)};
    attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachments[1].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    attachments[1].storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    attachments[1].initialLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    const VkRenderPassFragmentDensityMapCreateInfoEXT map = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT,
        .fragmentDensityMapAttachment = {1, VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT}};
    const void *areas_by_view = NULL;
#ifdef VK_QCOM_multiview_per_view_render_areas
    const VkRect2D areas[2] = {{.extent = {1, 2}}, {.extent = {3, 4}}};
    const VkMultiviewPerViewRenderAreasRenderPassBeginInfoQCOM by_view = {
        .sType = VK_STRUCTURE_TYPE_MULTIVIEW_PER_VIEW_RENDER_AREAS_RENDER_PASS_BEGIN_INFO_QCOM,
        .perViewRenderAreaCount = 2,
        .pPerViewRenderAreas = areas};
    areas_by_view = &by_view;
#endif
    const VkRenderPassTransformBeginInfoQCOM transform = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM,
        .pNext = (void *)areas_by_view,
        .transform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR};
    const uint32_t depth = 0;
    const VkRenderPass pass = make(2, attachments, 1, &depth, &map);
    fake_possible = true; /* queued from the start */
    start(pass, &transform);
    draw_first_emulated();
    pgs_pass_begin_segment(pgs_command_buffer_find(cmd), "a test wants it");
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_int_equal(seen.pass_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct seen_pass *one = &seen.passes[i]; /* whole, first part, last part */
        assert_int_equal(one->map, 1);
        assert_int_equal(one->attachments[0].loadOp,
                         i == 2 ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR);
        assert_int_equal(one->attachments[0].storeOp,
                         i == 1 ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE);
        assert_int_equal(one->attachments[1].loadOp, VK_ATTACHMENT_LOAD_OP_DONT_CARE);
        assert_int_equal(one->attachments[1].storeOp, VK_ATTACHMENT_STORE_OP_DONT_CARE);
        assert_int_equal(one->attachments[1].initialLayout,
                         i == 2 ? VK_IMAGE_LAYOUT_GENERAL
                                : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
    assert_int_equal(seen.begin_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(seen.begins[i].transform, VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR);
        assert_int_equal(seen.begins[i].last_area.extent.height, areas_by_view ? 4 : 0);
    }
    pgs_DestroyRenderPass(dev.handle, pass, NULL);

    /* A map alone leaves a pass that stores everything, which needs no first part of its own. */
    seen.pass_count = 0;
    attachments[0].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    attachments[0].stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
    const VkRenderPass stored = make(2, attachments, 1, &depth, &map);
    seen.begin_count = 0;
    fake_possible = false;
    start(stored, NULL);
    draw_first_emulated();
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_int_equal(seen.pass_count, 2);
    pgs_DestroyRenderPass(dev.handle, stored, NULL);
}

static void both_renderings_have_the_map(void **context)
{
    (void)context;
    const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    const VkRenderingFragmentDensityMapAttachmentInfoEXT map = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT,
        .imageView = HANDLE(VkImageView, 7),
        .imageLayout = VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT};
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .pNext = &map,
        .colorAttachmentCount = 1,
        .pColorAttachments = &color,
    };
    begin(cmd, 0);
    pgs_CmdBeginRendering(cmd, &info);
    draw_first_emulated();
    pgs_CmdEndRendering(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_int_equal(seen.begin_count, 2);
    assert_ptr_equal(seen.begins[0].map, map.imageView);
    assert_ptr_equal(seen.begins[1].map, map.imageView);
}

/* -- feedback -- */

/* It is of the application's pass alone; what it asks for is of every part. */
static void parts_give_no_feedback(void **context)
{
    (void)context;
    VkRenderPassCreationFeedbackInfoEXT whole = {.postMergeSubpassCount = 9};
    VkRenderPassSubpassFeedbackInfoEXT of_subpass = {.postMergeIndex = 9};
    VkRenderPassCreationControlEXT controls[2];
    for (int i = 0; i < 2; i++)
        controls[i] = (VkRenderPassCreationControlEXT){
            .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATION_CONTROL_EXT,
            .disallowMerging = VK_TRUE};
    VkRenderPassSubpassFeedbackCreateInfoEXT subpass_feedback = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_SUBPASS_FEEDBACK_CREATE_INFO_EXT,
        .pNext = &controls[0],
        .pSubpassFeedback = &of_subpass};
    VkRenderPassCreationFeedbackCreateInfoEXT feedback = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATION_FEEDBACK_CREATE_INFO_EXT,
        .pNext = &controls[1],
        .pRenderPassFeedback = &whole};
    const VkAttachmentDescription2 attachment = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2, .format = VK_FORMAT_R8_UNORM};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .pNext = &subpass_feedback};
    const VkRenderPassCreateInfo2 info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                          .pNext = &feedback,
                                          .attachmentCount = 1,
                                          .pAttachments = &attachment,
                                          .subpassCount = 1,
                                          .pSubpasses = &subpass};
    VkRenderPass pass;
    assert_int_equal(pgs_CreateRenderPass2(dev.handle, &info, NULL, &pass), VK_SUCCESS);
    memset(&feedback, 0, sizeof(feedback)); /* the application's again */
    memset(&subpass_feedback, 0, sizeof(subpass_feedback));
    memset(controls, 0, sizeof(controls));
    start(pass, NULL);
    draw_first_emulated();
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_int_equal(seen.pass_count, 2);
    assert_true(seen.passes[0].has_feedback && seen.passes[0].controls);
    assert_true(!seen.passes[1].has_feedback && seen.passes[1].controls);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* -- sample locations -- */

#define LOCATIONS 4

static VkSampleLocationEXT locations[LOCATIONS] = {
    {0.125f, 0.5f}, {0.25f, 0.5f}, {0.5f, 0.5f}, {0.75f, 0.5f}};

static VkSampleLocationsInfoEXT location(int index)
{
    return (VkSampleLocationsInfoEXT){.sType = VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT,
                                      .sampleLocationsPerPixel = VK_SAMPLE_COUNT_1_BIT,
                                      .sampleLocationGridSize = {1, 1},
                                      .sampleLocationsCount = 1,
                                      .pSampleLocations = &locations[index]};
}

/* Attachment 0 begins with locations 0; `posts` are those after each of three subpasses. */
static VkRenderPass start_with_locations(const uint32_t depths[3], const int posts[3])
{
    VkAttachmentDescription attachments[2] = {description(VK_FORMAT_D16_UNORM),
                                              description(VK_FORMAT_D16_UNORM)};
    const VkAttachmentSampleLocationsEXT initial = {0, location(0)};
    VkSubpassSampleLocationsEXT post[3];
    for (uint32_t i = 0; i < 3; i++)
        post[i] = (VkSubpassSampleLocationsEXT){i, location(posts[i])};
    VkRenderPassSampleLocationsBeginInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_SAMPLE_LOCATIONS_BEGIN_INFO_EXT,
        .attachmentInitialSampleLocationsCount = 1,
        .pAttachmentInitialSampleLocations = &initial,
        .postSubpassSampleLocationsCount = 3,
        .pPostSubpassSampleLocations = post};
    const VkRenderPassTransformBeginInfoQCOM transform = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_TRANSFORM_BEGIN_INFO_QCOM,
        .pNext = &info,
        .transform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR};
    const VkRenderPass pass = make(2, attachments, 3, depths, NULL);
    start(pass, &transform);
    return pass;
}

static void expect_begin(uint32_t begin, float initial0, float initial1, float post0, float post1,
                         float post2)
{
    const struct seen_begin *one = &seen.begins[begin];
    assert_true(one->initial[0] == initial0 && one->initial[1] == initial1);
    assert_true(one->post[0] == post0 && one->post[1] == post1 && one->post[2] == post2);
    assert_int_equal(one->transform, VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR);
    assert_int_equal(one->nodes, 2);
}

/* Split twice, in the first and in the second subpass. Empty subpasses leave their attachment, so
 * they say the locations that it has. */
static void parts_have_their_locations(void **context)
{
    (void)context;
    const uint32_t depths[3] = {0, 0, 1};
    const int posts[3] = {1, 2, 3};
    fake_possible = true;
    const VkRenderPass pass = start_with_locations(depths, posts);
    draw_first_emulated();
    pgs_pass_begin_segment(pgs_command_buffer_find(cmd), "a test wants it");
    pgs_CmdDraw(cmd, 4, 1, 0, 0);
    pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdDraw(cmd, 5, 1, 0, 0);
    pgs_pass_begin_segment(pgs_command_buffer_find(cmd), "a test wants it");
    pgs_CmdDraw(cmd, 6, 1, 0, 0);
    pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
    pgs_CmdEndRenderPass(cmd);
    assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
    assert_int_equal(seen.begin_count, 3);
    /* Nobody says what attachment 1 begins with, so nothing is said of the empty subpass 2. */
    expect_begin(0, 0.125f, -1, 0.25f, 0.25f, 0.75f);
    expect_begin(1, 0.25f, -1, 0.25f, 0.5f, 0.75f);
    expect_begin(2, 0.5f, -1, 0.5f, 0.5f, 0.75f);
    pgs_DestroyRenderPass(dev.handle, pass, NULL);
}

/* The driver has begun the pass with the application's locations. */
static void a_begun_pass_keeps_its_locations(void **context)
{
    (void)context;
    static const struct {
        uint32_t depths[3];
        int posts[3];
        bool splits; /* else it is queued, and nothing is split */
    } cases[] = {
        {{0, 0, 0}, {1, 1, 1}, true},
        {{0, 0, 0}, {1, 2, 1}, false},
        {{0, VK_ATTACHMENT_UNUSED, VK_ATTACHMENT_UNUSED}, {1, 2, 3}, true},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fake_possible = false;
        seen.begin_count = seen.pass_count = 0;
        const VkRenderPass pass = start_with_locations(cases[i].depths, cases[i].posts);
        draw_first_emulated();
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        pgs_CmdEndRenderPass(cmd);
        assert_int_equal(pgs_EndCommandBuffer(cmd), VK_SUCCESS);
        assert_int_equal(seen.begin_count, cases[i].splits ? 2 : 1);
        if (cases[i].splits)
            assert_true(seen.begins[1].initial[0] == 0.25f);
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
    }
}

/* Every failure is reported, and leaves nothing behind. */
static void failures_are_reported(void **context)
{
    (void)context;
    const uint32_t depths[3] = {0, 0, 0};
    const int posts[3] = {1, 1, 1};
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        assert_true(n < 100);
        fake_possible = false;
        seen.begin_count = seen.pass_count = 0;
        driver.pass_count = driver.begun_count = 0;
        const VkRenderPass pass = start_with_locations(depths, posts);
        pgs_alloc_fail_after(n, true);
        draw_first_emulated();
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        pgs_CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
        pgs_CmdEndRenderPass(cmd);
        result = pgs_EndCommandBuffer(cmd);
        pgs_alloc_fail_after(0, false);
        assert_true(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
        pgs_DestroyRenderPass(dev.handle, pass, NULL);
        assert_int_equal(fakes.alive[FAKE_PASS], 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_looking, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(both_halves_have_the_map),         TEST(both_renderings_have_the_map),
        TEST(parts_give_no_feedback),           TEST(parts_have_their_locations),
        TEST(a_begun_pass_keeps_its_locations), TEST(failures_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
