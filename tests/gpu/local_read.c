/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_dynamic_rendering_local_read around geometry shaders: locations and input attachments are
 * mapped anew within a pass, and what one draw wrote the next one reads, with barriers in between.
 * In passes, in secondaries, in secondaries of secondaries, where one is executed twice, which
 * makes the layer end the pass and resume it, and where the first geometry shader of the device is
 * created in the middle of a pass.
 */
#include "common/vkt.h"

#include "local_read_frag.h"
#include "local_read_geom.h"
#include "local_read_vert.h"
#include "value_frag.h"

#define SIDE_PX 32u
#define POINTS 16u
#define COLORS 2u
#define INPUT_INDEX 2u

#ifdef VK_KHR_dynamic_rendering_local_read
#define NONE VK_ATTACHMENT_UNUSED

static struct suite {
    struct vkt t;
    struct vkt_image colors[COLORS];
    VkDescriptorSet set;
    VkPipelineLayout layout;
} s;

struct push {
    float shift;
    uint32_t tint;
};

/* What a draw maps: it writes one attachment, and may read the other. */
enum kind { WRITES_FIRST, READS_FIRST, KIND_COUNT };
static const uint32_t locations[KIND_COUNT][COLORS] = {{0, NONE}, {NONE, 0}};
static const uint32_t indices[KIND_COUNT][COLORS] = {{NONE, NONE}, {INPUT_INDEX, NONE}};

static VkRenderingAttachmentLocationInfoKHR locations_of(enum kind kind, const void *next)
{
    return (VkRenderingAttachmentLocationInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO_KHR,
        .pNext = next,
        .colorAttachmentCount = COLORS,
        .pColorAttachmentLocations = locations[kind],
    };
}

static VkRenderingInputAttachmentIndexInfoKHR indices_of(enum kind kind, const void *next)
{
    return (VkRenderingInputAttachmentIndexInfoKHR){
        .sType = VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO_KHR,
        .pNext = next,
        .colorAttachmentCount = COLORS,
        .pColorAttachmentInputIndices = indices[kind],
    };
}

static const VkFormat formats[COLORS] = {VK_FORMAT_R32_UINT, VK_FORMAT_R32_UINT};

/* -- pipelines -- */

static VkPipeline make_pipeline(enum kind kind, bool geometry)
{
    const VkRenderingInputAttachmentIndexInfoKHR input = indices_of(kind, NULL);
    const VkRenderingAttachmentLocationInfoKHR location = locations_of(kind, &input);
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(local_read_vert),
        .gs = geometry ? VKT_CODE(local_read_geom) : (struct vkt_code){0},
        .fs = kind == READS_FIRST ? VKT_CODE(local_read_frag) : VKT_CODE(value_frag),
        .fs_first = true,
        .next = &location,
        .layout = s.layout,
        .dynamic_format = formats[0],
        .dynamic_colors = COLORS,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    return vkt_pipeline(&s.t, &info);
}

/* -- commands -- */

static void map(VkCommandBuffer cmd, enum kind kind)
{
    const VkRenderingAttachmentLocationInfoKHR location = locations_of(kind, NULL);
    const VkRenderingInputAttachmentIndexInfoKHR input = indices_of(kind, NULL);
    vkCmdSetRenderingAttachmentLocationsKHR(cmd, &location);
    vkCmdSetRenderingInputAttachmentIndicesKHR(cmd, &input);
}

static void draw(VkCommandBuffer cmd, VkPipeline pipeline, float shift, uint32_t tint)
{
    const struct push push = {shift, tint};
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.layout, 0, 1, &s.set, 0, NULL);
    vkCmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(push), &push);
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
}

/* What was written may be read, and written again. */
static void order(VkCommandBuffer cmd)
{
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |
                        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .srcAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |
                        VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
        .dstAccessMask =
            VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
    };
    const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                   .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT,
                                   .memoryBarrierCount = 1,
                                   .pMemoryBarriers = &barrier};
    vkCmdPipelineBarrier2(cmd, &info);
}

static VkCommandBuffer begin(bool secondaries)
{
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    VkRenderingAttachmentInfo colors[COLORS];
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    for (uint32_t i = 0; i < COLORS; i++) {
        const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        vkt_image_barrier(cmd, s.colors[i].image, range, VK_IMAGE_LAYOUT_UNDEFINED,
                          VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR);
        colors[i] = (VkRenderingAttachmentInfo){
            .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
            .imageView = s.colors[i].view,
            .imageLayout = VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR,
            .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
            .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        };
    }
    const VkRenderingInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .flags = secondaries ? VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT : 0,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
        .colorAttachmentCount = COLORS,
        .pColorAttachments = colors,
    };
    vkCmdBeginRendering(cmd, &info);
    return cmd;
}

/* A secondary that begins with what `kind` maps. */
static VkCommandBuffer begin_secondary(enum kind kind)
{
    const VkRenderingInputAttachmentIndexInfoKHR input = indices_of(kind, NULL);
    const VkRenderingAttachmentLocationInfoKHR location = locations_of(kind, &input);
    const VkCommandBufferInheritanceRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
        .pNext = &location,
        .colorAttachmentCount = COLORS,
        .pColorAttachmentFormats = formats,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    const VkCommandBufferInheritanceInfo inheritance = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &rendering};
    return vkt_secondary(&s.t,
                         VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT |
                             VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                         &inheritance);
}

static void finish(VkCommandBuffer cmd, const char *name)
{
    static const char *const attachments[COLORS] = {"first", "second"};
    vkCmdEndRendering(cmd);
    for (uint32_t i = 0; i < COLORS; i++) {
        const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
        vkt_image_barrier(cmd, s.colors[i].image, range, VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR,
                          VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    }
    vkt_submit(&s.t, cmd);
    for (uint32_t i = 0; i < COLORS; i++) {
        const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.colors[i], 4);
        const uint32_t *texels = pixels.map;
        char dump[64];
        uint32_t drawn = 0, read = 0;
        for (uint32_t k = 0; k < SIDE_PX * SIDE_PX; k++) {
            drawn += texels[k] != 0;
            read += texels[k] >= 10000;
        }
        VKT_EXPECT(&s.t, drawn >= POINTS && (i == 0) == (read == 0),
                   "%s, %s attachment: %u texels drawn, %u of them read the other", name,
                   attachments[i], drawn, read);
        snprintf(dump, sizeof(dump), "%s_%s", name, attachments[i]);
        vkt_dump_image(&s.t, dump, texels, SIDE_PX, SIDE_PX, 4);
    }
}

/* -- passes -- */

static void run_inline(const char *name, VkPipeline writer, VkPipeline reader)
{
    const VkCommandBuffer cmd = begin(false);
    for (uint32_t i = 0; i < 3; i++) {
        map(cmd, WRITES_FIRST);
        draw(cmd, writer, 0.03f * (float)i, 100 + 20 * i);
        order(cmd);
        map(cmd, READS_FIRST);
        draw(cmd, reader, 0.02f * (float)i, 3 + i);
        order(cmd);
    }
    finish(cmd, name);
}

static void run_secondaries(VkPipeline writer, VkPipeline reader)
{
    const VkCommandBuffer writes = begin_secondary(WRITES_FIRST);
    draw(writes, writer, 0, 100);
    VKT_CALL(vkEndCommandBuffer(writes));
    const VkCommandBuffer reads = begin_secondary(READS_FIRST);
    draw(reads, reader, 0.02f, 5);
    VKT_CALL(vkEndCommandBuffer(reads));
    const VkCommandBuffer cmd = begin(true);
    map(cmd, WRITES_FIRST);
    vkCmdExecuteCommands(cmd, 1, &writes);
    vkCmdExecuteCommands(cmd, 1, &writes);
    map(cmd, READS_FIRST);
    order(cmd);
    vkCmdExecuteCommands(cmd, 1, &reads);
    order(cmd);
    vkCmdExecuteCommands(cmd, 1, &reads);
    finish(cmd, "secondaries");
}

/* Both inherit what the primary maps. */
static void run_nested(const char *name, VkPipeline writer, VkPipeline outer_reader,
                       VkPipeline inner_reader)
{
    const VkCommandBuffer writes = begin_secondary(WRITES_FIRST);
    draw(writes, writer, 0, 100);
    VKT_CALL(vkEndCommandBuffer(writes));
    const VkCommandBuffer inner = begin_secondary(READS_FIRST);
    draw(inner, inner_reader, 0.1f, 3);
    order(inner);
    draw(inner, outer_reader, 0.05f, 4);
    VKT_CALL(vkEndCommandBuffer(inner));
    const VkCommandBuffer outer = begin_secondary(READS_FIRST);
    draw(outer, outer_reader, 0, 5);
    order(outer);
    vkCmdExecuteCommands(outer, 1, &inner);
    order(outer);
    draw(outer, outer_reader, 0.02f, 7);
    VKT_CALL(vkEndCommandBuffer(outer));
    const VkCommandBuffer cmd = begin(true);
    map(cmd, WRITES_FIRST);
    vkCmdExecuteCommands(cmd, 1, &writes);
    map(cmd, READS_FIRST);
    order(cmd);
    vkCmdExecuteCommands(cmd, 1, &outer);
    finish(cmd, name);
}

/* The device's first geometry shader comes when the pass has begun. */
static void run_lazily(VkPipeline writer, VkPipeline reader)
{
    const VkCommandBuffer cmd = begin(false);
    map(cmd, WRITES_FIRST);
    draw(cmd, writer, 0, 100);
    order(cmd);
    map(cmd, READS_FIRST);
    draw(cmd, make_pipeline(READS_FIRST, true), 0.02f, 5);
    order(cmd);
    draw(cmd, reader, 0.3f, 9);
    finish(cmd, "lazily");
}

static void make_resources(void)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1,
                                                  VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    for (uint32_t i = 0; i < COLORS; i++)
        s.colors[i] =
            vkt_image(&s.t, formats[i], SIDE_PX, SIDE_PX,
                      VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT |
                          VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    const VkDescriptorSetLayout layout = vkt_set_layout(&s.t, &binding, 1);
    s.set = vkt_set(&s.t, layout, &binding, 1);
    s.layout = vkt_layout(&s.t, &layout, 1, &range, 1);
    vkt_write_image(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, s.colors[0].view,
                    VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ_KHR, VK_NULL_HANDLE);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceDynamicRenderingLocalReadFeaturesKHR features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_LOCAL_READ_FEATURES_KHR,
        .dynamicRenderingLocalRead = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_KHR_DYNAMIC_RENDERING_LOCAL_READ_EXTENSION_NAME, &features, 1}, {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("local_read", argc, argv);
    options.extensions = extensions;
    options.nested = true;
    vkt_init(&s.t, &options);
    make_resources();
    const VkPipeline writer = make_pipeline(WRITES_FIRST, false),
                     reader = make_pipeline(READS_FIRST, false);
    run_lazily(writer, reader);
    const VkPipeline geometry_writer = make_pipeline(WRITES_FIRST, true),
                     geometry_reader = make_pipeline(READS_FIRST, true);
    run_inline("emulated", geometry_writer, geometry_reader);
    run_inline("emulated_writer", geometry_writer, reader);
    run_secondaries(geometry_writer, geometry_reader);
    run_nested("nested", geometry_writer, geometry_reader, geometry_reader);
    run_nested("nested_inner", writer, reader, geometry_reader);
    run_nested("nested_outer", geometry_writer, geometry_reader, reader);
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("local_read", argc, argv);
    vkt_skip("the Vulkan headers are older than VK_KHR_dynamic_rendering_local_read");
}
#endif
