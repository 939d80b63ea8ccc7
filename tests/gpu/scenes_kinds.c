/* SPDX-License-Identifier: MIT
 *
 * What each scene draws with, and how it is recorded.
 */
#include "scenes.h"

#include "scenes_both_geom.h"
#include "scenes_captured_geom.h"
#include "scenes_frag.h"
#include "scenes_indexed_geom.h"
#include "scenes_layers_geom.h"
#include "scenes_show_vert.h"
#include "scenes_squares_geom.h"
#include "scenes_strips_geom.h"
#include "scenes_tesc.h"
#include "scenes_tese.h"
#include "scenes_vert.h"

#include <string.h>

/* Of scene_device.input. */
enum {
    INDEX_OFFSET_B = 0, /* lavapipe 22.3 takes indices of indirect draws from there */
    VERTEX_OFFSET_B = 1024,
    ARGUMENTS_OFFSET_B = 4096,
    SHADES_OFFSET_B = 8192,
    INPUT_B = 12288,
    POINTS = 48,
    INDICES = 100,
    CAPTURED_POINTS = SCENE_CAPTURED_PRIMITIVES / 2
};

const VkDescriptorSetLayoutBinding scene_binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                    VK_SHADER_STAGE_GEOMETRY_BIT, NULL};

struct vkt_buffer scene_input(struct vkt *t)
{
    const struct vkt_buffer made =
        vkt_buffer(t, INPUT_B,
                   VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                       VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                   0);
    uint8_t *input = made.map;
    uint16_t *indices = (uint16_t *)(input + INDEX_OFFSET_B);
    float *place = (float *)(input + VERTEX_OFFSET_B);
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = i % 11 == 10 ? 0xffff : (uint16_t)(i * 13 % POINTS);
    for (uint32_t i = 0; i < POINTS; i++) {
        const float values[4] = {(float)(i * 7 % 31) / 16.0f - 0.9375f,
                                 (float)(i * 5 % 29) / 16.0f - 0.875f, 0.25f, (float)(i * 3 % 8)};
        memcpy(place + (size_t)i * 4, values, sizeof(values));
    }
    const VkDrawIndirectCommand draws[2] = {{20, 2, 0, 0}, {9, 1, 30, 0}};
    memcpy(input + ARGUMENTS_OFFSET_B, draws, sizeof(draws));
    const float shades[16] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1};
    memcpy(input + SHADES_OFFSET_B, shades, sizeof(shades));
    return made;
}

static void choose_stages(uint32_t which, struct vkt_pipeline_info *info)
{
    info->vs = VKT_CODE(scenes_vert);
    info->topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    switch (which) {
    case SCENE_PLAIN:
        info->topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        break;
    case SCENE_SQUARES:
        info->gs = VKT_CODE(scenes_squares_geom);
        break;
    case SCENE_INDEXED:
        info->gs = VKT_CODE(scenes_indexed_geom);
        info->topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
        info->restart = true;
        break;
    case SCENE_BOTH:
        info->gs = VKT_CODE(scenes_both_geom);
        /* fall through */
    case SCENE_TESSELLATED:
        info->tcs = VKT_CODE(scenes_tesc);
        info->tes = VKT_CODE(scenes_tese);
        info->topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info->patch_points = 1;
        break;
    case SCENE_LAYERED:
        info->gs = VKT_CODE(scenes_layers_geom);
        break;
    case SCENE_CAPTURED:
        info->gs = VKT_CODE(scenes_captured_geom);
        break;
    case SCENE_SHOWN:
        info->vs = VKT_CODE(scenes_show_vert);
        info->topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
        break;
    default: /* all that differ in how they are drawn */
        info->gs = VKT_CODE(scenes_strips_geom);
        break;
    }
}

VkPipeline scene_pipeline(struct scene_device *d, uint32_t which)
{
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    static const VkVertexInputAttributeDescription attributes[2] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}, {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16}};
    const bool shown = which == SCENE_SHOWN;
    const VkVertexInputBindingDescription binding = {0, shown ? 32 : 16,
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    struct vkt_pipeline_info info = {
        .fs = VKT_CODE(scenes_frag),
        .layout = d->layout,
        .pass = d->passes[SCENE_CLEARS],
        .width_px = 1,
        .height_px = 1,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = shown ? 2 : 1,
        .dynamic = dynamic,
        .dynamic_count = VKT_COUNT(dynamic),
    };
    choose_stages(which, &info);
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_try(&d->t, &info, &pipeline));
    return pipeline;
}

static void bind(const struct scene_actor *a, VkCommandBuffer cmd, uint32_t which,
                 const VkRect2D *place)
{
    const struct scene_device *d = a->device;
    const VkDeviceSize offset_B = which == SCENE_SHOWN ? 0 : VERTEX_OFFSET_B;
    const VkViewport viewport = {(float)place->offset.x,
                                 (float)place->offset.y,
                                 (float)place->extent.width,
                                 (float)place->extent.height,
                                 0,
                                 1};
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, a->pipelines[which]);
    vkCmdSetViewport(cmd, 0, 1, &viewport);
    vkCmdSetScissor(cmd, 0, 1, place);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, d->layout, 0, 1, &a->set, 0,
                            NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, which == SCENE_SHOWN ? &a->captured.buffer : &d->input.buffer,
                           &offset_B);
}

/* The counter lies behind what is captured. */
static void record_captures(const struct scene_actor *a, VkCommandBuffer cmd)
{
    const VkDeviceSize zero = 0, counter_B = SCENE_CAPTURED_B, size_B = SCENE_CAPTURED_B;
    vkCmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &a->captured.buffer, &zero, &size_B);
    vkCmdBeginQueryIndexedEXT(cmd, a->queries, 0, 0, 0);
    vkCmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    vkCmdDraw(cmd, CAPTURED_POINTS, 1, 0, 0);
    vkCmdEndTransformFeedbackEXT(cmd, 0, 1, &a->captured.buffer, &counter_B);
    vkCmdEndQueryIndexedEXT(cmd, a->queries, 0, 0);
}

void scene_record(const struct scene_actor *a, VkCommandBuffer cmd, uint32_t kind,
                  const VkRect2D *place)
{
    const VkBuffer input = a->device->input.buffer;
    bind(a, cmd, kind, place);
    switch (kind) {
    case SCENE_PLAIN:
        vkCmdDraw(cmd, POINTS, 1, 0, 0);
        break;
    case SCENE_INDEXED:
        vkCmdBindIndexBuffer(cmd, input, INDEX_OFFSET_B, VK_INDEX_TYPE_UINT16);
        vkCmdDrawIndexed(cmd, INDICES, 1, 0, 0, 0);
        break;
    case SCENE_INDIRECT:
        vkCmdDrawIndirect(cmd, input, ARGUMENTS_OFFSET_B, 1, 16);
        vkCmdDrawIndirect(cmd, input, ARGUMENTS_OFFSET_B + 16, 1, 16);
        break;
    case SCENE_CAPTURED:
        record_captures(a, cmd);
        break;
    default:
        vkCmdDraw(cmd, 20, 2, 0, 0);
        vkCmdDraw(cmd, 9, 1, 30, 0);
        break;
    }
}

void scene_record_shown(const struct scene_actor *a, VkCommandBuffer cmd, const VkRect2D *place)
{
    bind(a, cmd, SCENE_SHOWN, place);
    if (!vkt_has_layer(&a->device->t.options, "poly_gs"))
        /* lavapipe 22.3 draws the other one wrong. */
        vkCmdDraw(cmd, SCENE_CAPTURED_PRIMITIVES * 3, 1, 0, 0);
    else
        vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, a->captured.buffer, SCENE_CAPTURED_B, 0, 32);
}

void scene_write_set(struct scene_actor *a)
{
    vkt_write_buffer(&a->own, a->set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                     a->device->input.buffer, SHADES_OFFSET_B, 64);
}
