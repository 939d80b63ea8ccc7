/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_descriptor_buffer: draws with and without a geometry shader or tessellation, captures,
 * dispatches, passes and secondaries, whose sets are anywhere in two buffers. Offsets are set and
 * buffers bound again before passes and in them, in either order. With --push one of the sets is
 * pushed; with --embedded a geometry shader uses an embedded sampler; with --infos commands take
 * structures, as with VK_KHR_maintenance6. Every value is computed here, too. With --no-dispatches
 * there are draws alone.
 */
#include "gpu/xfb.h"

#include "buffered_capture_geom.h"
#include "descriptor_buffer_geom.h"
#include "embedded_geom.h"
#include "push_capture_vert.h"
#include "push_descriptors_comp.h"
#include "push_descriptors_frag.h"
#include "push_descriptors_tesc.h"
#include "push_descriptors_tese.h"
#include "push_descriptors_vert.h"

#include <string.h>

#define SIDE_PX 16u
#define STEP_B 256u
#define NUMBERS 24u
#define IMAGES 4u
#define RESULTS 16u
#define BUFFERS 2u
#define PLACES 12u /* of each kind of set in a buffer */

/* Descriptors of the sets, in the order of binding and element. */
enum { UNIFORM, LIST_0, LIST_1, SINGLE, TEXELS, FRAGMENT, IMAGE, OTHER_IMAGE, BOUND, DESCRIPTORS };
#define OF_FIRST_SET 8u
enum { FIRST, SECOND, DISPATCHED, SETS };

enum { WITH, WITHOUT, TESSELLATED, CAPTURES_WITH, CAPTURES_WITHOUT, PIPELINES };

static const struct place {
    uint32_t binding, element;
    VkDescriptorType type;
} places[DESCRIPTORS] = {
    [UNIFORM] = {0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
    [LIST_0] = {1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    [LIST_1] = {1, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    [SINGLE] = {2, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
    [TEXELS] = {4, 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER},
    [FRAGMENT] = {5, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
    [IMAGE] = {6, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
    [OTHER_IMAGE] = {7, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE},
    [BOUND] = {0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
};

/* Where a set is. */
struct spot {
    uint32_t buffer, place;
};

struct suite {
    struct vkt t;
    bool pushes, infos, embeds;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties;
    struct vkt_buffer numbers, results, captured, descriptors[BUFFERS];
    struct vkt_image images[IMAGES];
    VkSampler sampler;
    struct vkt_target target;
    VkDescriptorSetLayout sets[SETS], embedded;
    VkDeviceSize sizes_B[SETS], first_B[SETS]; /* of one, aligned; of the first in a buffer */
    VkPipelineLayout layout, layout_of_dispatch;
    VkPipeline pipelines[PIPELINES], dispatch;
    uint32_t contents[BUFFERS][PLACES][DESCRIPTORS]; /* numbers */
    uint32_t random;
    uint32_t order[BUFFERS]; /* as they are bound */
    struct spot now[SETS];
    uint32_t pushed; /* the number, with --push */
    uint32_t expected[SIDE_PX][SIDE_PX];
};

static uint32_t value_of(uint32_t number)
{
    return 1000 + number * 17;
}

static uint32_t roll(struct suite *s, uint32_t below)
{
    s->random = s->random * 1664525u + 1013904223u;
    return (s->random >> 8) % below;
}

static VkDeviceAddress address_of(const struct suite *s, VkBuffer buffer)
{
    return vkGetBufferDeviceAddress(
        s->t.device, &(VkBufferDeviceAddressInfo){
                         .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer});
}

/* -- objects -- */

static void destroy_set_layout(struct vkt *t, uint64_t handle)
{
    vkDestroyDescriptorSetLayout(t->device, (VkDescriptorSetLayout)handle, NULL);
}

static VkDescriptorSetLayout make_set_layout(struct suite *s, VkDescriptorSetLayoutCreateFlags more,
                                             const VkDescriptorSetLayoutBinding *bindings,
                                             uint32_t count)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT | more,
        .bindingCount = count,
        .pBindings = bindings,
    };
    VkDescriptorSetLayout layout;
    VKT_CALL(vkCreateDescriptorSetLayout(s->t.device, &info, NULL, &layout));
    vkt_defer(&s->t, destroy_set_layout, (uint64_t)layout);
    return layout;
}

static void make_layouts(struct suite *s)
{
    const VkShaderStageFlags vertex = VK_SHADER_STAGE_VERTEX_BIT;
    const VkShaderStageFlags geometry = VK_SHADER_STAGE_GEOMETRY_BIT |
                                        VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    const VkShaderStageFlags fragment = VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkShaderStageFlags compute = VK_SHADER_STAGE_COMPUTE_BIT;
    const VkDescriptorSetLayoutBinding first[] = {
        {6, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, geometry | fragment, NULL},
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, vertex, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, geometry, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, geometry, NULL},
        {4, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, geometry, NULL},
        {5, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, fragment, NULL},
        {7, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, geometry, NULL}};
    const VkDescriptorSetLayoutBinding second = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, geometry,
                                                 NULL};
    const VkDescriptorSetLayoutBinding embedded = {0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, geometry,
                                                   &s->sampler};
    const VkDescriptorSetLayoutBinding dispatched[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, compute, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, compute, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, compute, NULL}};
    /* Mesa 25.0's lavapipe says 4, and its shaders crash on what is not aligned to vectors. */
    const VkDeviceSize asked_B = s->properties.descriptorBufferOffsetAlignment;
    const VkDeviceSize align_B = asked_B < 256 ? 256 : asked_B;
    s->sets[FIRST] = make_set_layout(s, 0, first, VKT_COUNT(first));
    s->sets[SECOND] = make_set_layout(
        s, s->pushes ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR : 0, &second, 1);
    s->sets[DISPATCHED] = make_set_layout(s, 0, dispatched, VKT_COUNT(dispatched));
    s->embedded = make_set_layout(
        s, VK_DESCRIPTOR_SET_LAYOUT_CREATE_EMBEDDED_IMMUTABLE_SAMPLERS_BIT_EXT, &embedded, 1);
    for (uint32_t i = 0; i < SETS; i++) {
        if (!s->pushes || i != SECOND)
            vkGetDescriptorSetLayoutSizeEXT(s->t.device, s->sets[i], &s->sizes_B[i]);
        s->sizes_B[i] = (s->sizes_B[i] + align_B - 1) / align_B * align_B;
        s->first_B[i] = i ? s->first_B[i - 1] + PLACES * s->sizes_B[i - 1] : align_B;
    }
    s->layout = vkt_layout(
        &s->t, (VkDescriptorSetLayout[]){s->sets[FIRST], s->sets[SECOND], s->embedded}, 3, NULL, 0);
    s->layout_of_dispatch = vkt_layout(&s->t, &s->sets[DISPATCHED], 1, NULL, 0);
}

static void choose_code(const struct suite *s, struct vkt_pipeline_info *info, uint32_t pipeline)
{
    info->vs = VKT_CODE(push_descriptors_vert);
    info->fs = VKT_CODE(push_descriptors_frag);
    if (pipeline == WITH)
        info->gs = s->embeds ? VKT_CODE(embedded_geom) : VKT_CODE(descriptor_buffer_geom);
    if (pipeline == CAPTURES_WITH)
        info->gs = VKT_CODE(buffered_capture_geom);
    if (pipeline == CAPTURES_WITHOUT)
        info->vs = VKT_CODE(push_capture_vert);
    if (pipeline == TESSELLATED) {
        info->tcs = VKT_CODE(push_descriptors_tesc);
        info->tes = VKT_CODE(push_descriptors_tese);
        info->topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info->patch_points = 1;
    }
}

static void destroy_pipeline(struct vkt *t, uint64_t handle)
{
    vkDestroyPipeline(t->device, (VkPipeline)handle, NULL);
}

static void make_dispatch(struct suite *s)
{
    const struct vkt_code code = VKT_CODE(push_descriptors_comp);
    const VkShaderModuleCreateInfo module = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code.size_B,
        .pCode = code.words,
    };
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .pName = "main"},
        .layout = s->layout_of_dispatch,
    };
    VKT_CALL(vkCreateShaderModule(s->t.device, &module, NULL, &info.stage.module));
    VKT_CALL(vkCreateComputePipelines(s->t.device, VK_NULL_HANDLE, 1, &info, NULL, &s->dispatch));
    vkDestroyShaderModule(s->t.device, info.stage.module, NULL);
    vkt_defer(&s->t, destroy_pipeline, (uint64_t)s->dispatch);
}

static void make_pipelines(struct suite *s)
{
    for (uint32_t i = 0; i < PIPELINES; i++) {
        struct vkt_pipeline_info info = {
            .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
            .layout = s->layout,
            .pass = s->target.pass,
            .width_px = SIDE_PX,
            .height_px = SIDE_PX,
            .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        };
        choose_code(s, &info, i);
        s->pipelines[i] = vkt_pipeline(&s->t, &info);
    }
    make_dispatch(s);
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkBufferUsageFlags addressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    s->numbers =
        vkt_buffer(t, NUMBERS * STEP_B,
                   VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                       VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | addressed,
                   0);
    s->results = vkt_buffer(t, RESULTS * STEP_B, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | addressed, 0);
    s->captured = xfb_buffer(t, SIDE_PX * SIDE_PX * 4);
    for (uint32_t i = 0; i < NUMBERS; i++)
        ((uint32_t *)s->numbers.map)[i * STEP_B / 4] = value_of(i);
    for (uint32_t i = 0; i < IMAGES; i++) {
        const uint32_t texel = value_of(i);
        s->images[i] = vkt_image(t, VK_FORMAT_R32_UINT, 1, 1,
                                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
        vkt_image_upload(t, &s->images[i], &texel, 4, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
    s->sampler = vkt_sampler(t, VK_FILTER_NEAREST);
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
}

/* -- descriptors -- */

static size_t descriptor_size(const struct suite *s, VkDescriptorType type)
{
    switch ((int)type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
        return s->properties.uniformBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
        return s->properties.storageBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
        return s->properties.uniformTexelBufferDescriptorSize;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
        return s->properties.sampledImageDescriptorSize;
    default:
        return s->properties.combinedImageSamplerDescriptorSize;
    }
}

static void write_descriptor(struct suite *s, uint32_t set, struct spot spot,
                             const struct place *place, VkDeviceAddress address, uint32_t number)
{
    const VkDescriptorAddressInfoEXT buffer = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
        .address = address,
        .range = 4,
        .format = place->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER ? VK_FORMAT_R32_UINT
                                                                         : VK_FORMAT_UNDEFINED,
    };
    const bool sampled = place->type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const VkDescriptorImageInfo image = {sampled ? s->sampler : VK_NULL_HANDLE,
                                         s->images[number % IMAGES].view,
                                         VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    VkDescriptorGetInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT,
                                   .type = place->type};
    if (sampled)
        info.data.pCombinedImageSampler = &image;
    else if (place->type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE)
        info.data.pSampledImage = &image;
    else if (place->type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
        info.data.pUniformTexelBuffer = &buffer;
    else if (place->type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
        info.data.pStorageBuffer = &buffer;
    else
        info.data.pUniformBuffer = &buffer;
    VkDeviceSize at_B;
    vkGetDescriptorSetLayoutBindingOffsetEXT(s->t.device, s->sets[set], place->binding, &at_B);
    at_B += s->first_B[set] + spot.place * s->sizes_B[set] +
            place->element * descriptor_size(s, place->type);
    vkGetDescriptorEXT(s->t.device, &info, descriptor_size(s, place->type),
                       (char *)s->descriptors[spot.buffer].map + at_B);
}

static VkDeviceAddress number_address(const struct suite *s, uint32_t number)
{
    return address_of(s, s->numbers.buffer) + number * STEP_B;
}

static void fill_descriptors(struct suite *s)
{
    static const struct place operands[2] = {{0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER},
                                             {1, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER}};
    static const struct place result = {2, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    const VkDeviceSize size_B = s->first_B[SETS - 1] + PLACES * s->sizes_B[SETS - 1];
    for (uint32_t b = 0; b < BUFFERS; b++) {
        s->descriptors[b] = vkt_buffer(&s->t, size_B,
                                       VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                                           VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT |
                                           VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
                                       0);
        for (uint32_t p = 0; p < PLACES; p++) {
            const struct spot spot = {b, p};
            for (uint32_t d = 0; d < DESCRIPTORS; d++) {
                const uint32_t number = roll(s, NUMBERS);
                s->contents[b][p][d] = number;
                if (d < OF_FIRST_SET || !s->pushes)
                    write_descriptor(s, d < OF_FIRST_SET ? FIRST : SECOND, spot, &places[d],
                                     number_address(s, number), number);
            }
            for (uint32_t i = 0; i < 2; i++)
                write_descriptor(s, DISPATCHED, spot, &operands[i],
                                 number_address(s, (b * PLACES + p + i * 5) % NUMBERS), 0);
            write_descriptor(s, DISPATCHED, spot, &result,
                             address_of(s, s->results.buffer) + p * STEP_B, 0);
        }
    }
}

/* -- commands -- */

static void bind_buffers(struct suite *s, VkCommandBuffer cmd)
{
    VkDescriptorBufferBindingInfoEXT infos[BUFFERS];
    s->order[0] = roll(s, BUFFERS);
    s->order[1] = 1 - s->order[0];
    for (uint32_t i = 0; i < BUFFERS; i++)
        infos[i] = (VkDescriptorBufferBindingInfoEXT){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
            .address = address_of(s, s->descriptors[s->order[i]].buffer),
            .usage = VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT |
                     VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT,
        };
    vkCmdBindDescriptorBuffersEXT(cmd, BUFFERS, infos);
    memset(infos, 0xab, sizeof(infos)); /* they were read */
}

static void set_offsets(struct suite *s, VkCommandBuffer cmd, bool compute, uint32_t first,
                        uint32_t count)
{
    const VkPipelineLayout layout = compute ? s->layout_of_dispatch : s->layout;
    const uint32_t set = compute ? DISPATCHED : first;
    uint32_t indices[SETS];
    VkDeviceSize offsets_B[SETS];
    for (uint32_t i = 0; i < count; i++) {
        s->now[set + i] = (struct spot){s->order[indices[i] = roll(s, BUFFERS)], roll(s, PLACES)};
        offsets_B[i] = s->first_B[set + i] + s->now[set + i].place * s->sizes_B[set + i];
    }
#ifdef VK_KHR_maintenance6
    const VkSetDescriptorBufferOffsetsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_SET_DESCRIPTOR_BUFFER_OFFSETS_INFO_EXT,
        .stageFlags = compute ? VK_SHADER_STAGE_COMPUTE_BIT : VK_SHADER_STAGE_ALL_GRAPHICS,
        .layout = layout,
        .firstSet = first,
        .setCount = count,
        .pBufferIndices = indices,
        .pOffsets = offsets_B,
    };
    if (s->infos) {
        vkCmdSetDescriptorBufferOffsets2EXT(cmd, &info);
        return;
    }
#endif
    vkCmdSetDescriptorBufferOffsetsEXT(
        cmd, compute ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS, layout,
        first, count, indices, offsets_B);
}

static void bind_embedded(const struct suite *s, VkCommandBuffer cmd)
{
#ifdef VK_KHR_maintenance6
    const VkBindDescriptorBufferEmbeddedSamplersInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_BUFFER_EMBEDDED_SAMPLERS_INFO_EXT,
        .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS,
        .layout = s->layout,
        .set = 2,
    };
    if (s->infos) {
        vkCmdBindDescriptorBufferEmbeddedSamplers2EXT(cmd, &info);
        return;
    }
#endif
    vkCmdBindDescriptorBufferEmbeddedSamplersEXT(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout,
                                                 2);
}

/* Embedded samplers are bound before the first buffers, and again with each set: lavapipe points
 * its shaders to them only while no buffer is bound, and crashes natively, too, if that never was
 * so. */
static void begin_binds(struct suite *s, VkCommandBuffer cmd)
{
    if (s->embeds)
        bind_embedded(s, cmd);
    bind_buffers(s, cmd);
}

static void push(struct suite *s, VkCommandBuffer cmd)
{
    const uint32_t number = roll(s, NUMBERS);
    const VkDescriptorBufferInfo buffer = {s->numbers.buffer, number * STEP_B, 4};
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
        .pBufferInfo = &buffer,
    };
    vkCmdPushDescriptorSetKHR(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, SECOND, 1, &write);
    s->pushed = number;
}

static void set_all(struct suite *s, VkCommandBuffer cmd)
{
    set_offsets(s, cmd, false, FIRST, s->pushes ? 1 : 2);
    if (s->pushes)
        push(s, cmd);
    bind_embedded(s, cmd);
}

static void change(struct suite *s, VkCommandBuffer cmd)
{
    switch (roll(s, 6)) {
    case 0:
        bind_buffers(s, cmd);
        set_all(s, cmd);
        break;
    case 1:
        set_offsets(s, cmd, false, FIRST, 1);
        break;
    case 2:
        if (s->pushes)
            push(s, cmd);
        else
            set_offsets(s, cmd, false, SECOND, 1);
        break;
    case 3:
        set_all(s, cmd);
        break;
    }
}

/* -- draws -- */

static uint32_t shows(const struct suite *s, uint32_t descriptor)
{
    const struct spot *spot = &s->now[descriptor == BOUND ? SECOND : FIRST];
    const uint32_t number = descriptor == BOUND && s->pushes
                                ? s->pushed
                                : s->contents[spot->buffer][spot->place][descriptor];
    const bool is_image = descriptor == IMAGE || descriptor == OTHER_IMAGE;
    return value_of(is_image ? number % IMAGES : number);
}

/* Of the last stage before the rasterizer. */
static uint32_t expect_captured(const struct suite *s, uint32_t with, uint32_t index)
{
    const uint32_t value = index * 31 + shows(s, UNIFORM) * 3;
    if (with == WITHOUT || with == CAPTURES_WITHOUT)
        return value;
    return value + shows(s, LIST_0) * 5 + shows(s, LIST_1) * 7 + shows(s, SINGLE) * 11 +
           shows(s, TEXELS) * 13 + shows(s, IMAGE) * 29 + shows(s, BOUND) * 17 +
           (with == TESSELLATED ? 0 : shows(s, OTHER_IMAGE) * 37);
}

static uint32_t expect(const struct suite *s, uint32_t with, uint32_t index)
{
    return expect_captured(s, with, index) + shows(s, FRAGMENT) * 19 + shows(s, IMAGE) * 23;
}

static void draw_row(struct suite *s, VkCommandBuffer cmd, uint32_t with, uint32_t y)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[with]);
    vkCmdDraw(cmd, SIDE_PX, 1, y * SIDE_PX, 0);
    for (uint32_t x = 0; x < SIDE_PX; x++)
        s->expected[y][x] = expect(s, with, y * SIDE_PX + x);
}

static void draw_rows(struct suite *s, VkCommandBuffer cmd, uint32_t first, uint32_t end)
{
    for (uint32_t y = first; y < end; y++) {
        change(s, cmd);
        draw_row(s, cmd, roll(s, CAPTURES_WITH), y);
    }
}

static void check(struct suite *s, const char *what)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t *texels = pixels.map;
    for (uint32_t y = 0; y < SIDE_PX; y++) {
        uint32_t wrong = 0;
        for (uint32_t x = 0; x < SIDE_PX; x++)
            wrong += texels[y * SIDE_PX + x] != s->expected[y][x];
        VKT_EXPECT(&s->t, !wrong, "%s: %u of %u pixels of row %u are wrong", what, wrong, SIDE_PX,
                   y);
    }
    vkt_dump_buffer(&s->t, what, texels, SIDE_PX * SIDE_PX * 4);
}

/* What is bound before a pass, in it, and not again in the next one. */
static void case_draws(struct suite *s, const char *what, uint32_t seed)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    s->random = seed;
    vkt_begin(cmd, 0);
    begin_binds(s, cmd);
    set_all(s, cmd);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    draw_rows(s, cmd, 0, SIDE_PX / 2);
    vkCmdEndRenderPass(cmd);
    vkt_target_begin(cmd, &s->target, true, VK_SUBPASS_CONTENTS_INLINE);
    draw_row(s, cmd, WITHOUT, SIDE_PX / 2);
    draw_rows(s, cmd, SIDE_PX / 2 + 1, SIDE_PX);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    check(s, what);
}

static void case_secondaries(struct suite *s, const char *what, uint32_t seed)
{
    VkCommandBuffer secondaries[2];
    s->random = seed;
    for (uint32_t i = 0; i < 2; i++) {
        secondaries[i] = vkt_secondary_in(&s->t, s->target.pass, 0);
        begin_binds(s, secondaries[i]);
        set_all(s, secondaries[i]);
        draw_rows(s, secondaries[i], i * SIDE_PX / 2, (i + 1) * SIDE_PX / 2);
        VKT_CALL(vkEndCommandBuffer(secondaries[i]));
    }
    vkt_submit_secondaries(&s->t, &s->target, secondaries, 2);
    check(s, what);
}

static void case_captures(struct suite *s, const char *what, uint32_t with, uint32_t seed)
{
    const struct xfb_range range = {s->captured.buffer, 0, s->captured.size_B};
    VkCommandBuffer cmd = vkt_commands(&s->t);
    uint32_t wrong = 0, expected[SIDE_PX][SIDE_PX];
    s->random = seed;
    vkt_begin(cmd, 0);
    begin_binds(s, cmd);
    set_all(s, cmd);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[with]);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    for (uint32_t y = 0; y < SIDE_PX; y++) {
        change(s, cmd);
        vkCmdDraw(cmd, SIDE_PX, 1, y * SIDE_PX, 0);
        for (uint32_t x = 0; x < SIDE_PX; x++) {
            s->expected[y][x] = expect(s, with, y * SIDE_PX + x);
            expected[y][x] = expect_captured(s, with, y * SIDE_PX + x);
        }
    }
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);
    check(s, what);
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
        wrong += xfb_word(&s->captured, 4 * i) != expected[i / SIDE_PX][i % SIDE_PX];
    VKT_EXPECT(&s->t, !wrong, "%s: %u captured values are wrong", what, wrong);
    xfb_dump(&s->t, s->captured.map, s->captured.size_B, "%s/captured", what);
}

/* Dispatches whose set was bound before a pass, or in it; draws whose sets were bound before it. */
static void case_dispatches(struct suite *s, const char *what, uint32_t seed)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    uint32_t expected[PLACES] = {0};
    s->random = seed;
    memset(s->results.map, 0, s->results.size_B);
    vkt_begin(cmd, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->dispatch);
    begin_binds(s, cmd);
    set_all(s, cmd);
    set_offsets(s, cmd, true, 0, 1);
    for (uint32_t i = 0; i < SIDE_PX; i++) {
        const uint32_t inside = roll(s, 4);
        vkt_target_begin(cmd, &s->target, i > 0, VK_SUBPASS_CONTENTS_INLINE);
        draw_row(s, cmd, i % 3 == 2 ? WITHOUT : WITH, i);
        if (inside == 0) {
            bind_buffers(s, cmd);
            set_all(s, cmd);
        }
        if (inside <= 1)
            set_offsets(s, cmd, true, 0, 1);
        draw_row(s, cmd, WITH, i);
        vkCmdEndRenderPass(cmd);
        vkt_barrier_all(cmd);
        vkCmdDispatch(cmd, 1, 1, 1);
        const struct spot *spot = &s->now[DISPATCHED];
        const uint32_t number = spot->buffer * PLACES + spot->place;
        expected[spot->place] =
            value_of(number % NUMBERS) * 3 + value_of((number + 5) % NUMBERS) * 5;
    }
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    check(s, what);
    for (uint32_t i = 0; i < PLACES; i++)
        VKT_EXPECT(&s->t, ((const uint32_t *)s->results.map)[i * STEP_B / 4] == expected[i],
                   "%s: dispatch %u has a wrong result", what, i);
}

static void read_properties(struct suite *s)
{
    s->properties = (VkPhysicalDeviceDescriptorBufferPropertiesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
    vkGetPhysicalDeviceProperties2(
        s->t.physical,
        &(VkPhysicalDeviceProperties2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &s->properties});
    if (s->pushes && !s->properties.bufferlessPushDescriptors)
        vkt_skip("push descriptors need a buffer");
    if (s->properties.maxSamplerDescriptorBufferBindings < BUFFERS ||
        s->properties.maxResourceDescriptorBufferBindings < BUFFERS)
        vkt_skip("one descriptor buffer of a kind at a time");
}

int main(int argc, char **argv)
{
    static struct suite s;
    struct vkt_options options = vkt_parse("gpu-descriptor_buffer", argc, argv);
    s.pushes = vkt_flag(&options, "--push");
    s.infos = vkt_flag(&options, "--infos");
    s.embeds = vkt_flag(&options, "--embedded");
    VkPhysicalDeviceDescriptorBufferFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
        .descriptorBuffer = VK_TRUE,
        .descriptorBufferPushDescriptors = s.pushes,
    };
    const struct vkt_extension extensions[] = {
        {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME, &features, 4}, {NULL, NULL, 0}};
    options.tessellation = options.xfb = options.addresses = true;
    options.push_descriptors = s.pushes;
    options.maintenance = s.infos ? 6 : 0;
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    read_properties(&s);
    s.random = 5;
    make_resources(&s);
    make_layouts(&s);
    make_pipelines(&s);
    fill_descriptors(&s);
    for (uint32_t i = 0; i < 6; i++) {
        char what[32];
        snprintf(what, sizeof(what), "draws-%u", i);
        case_draws(&s, what, 11 + i);
        snprintf(what, sizeof(what), "secondaries-%u", i);
        case_secondaries(&s, what, 23 + i);
        snprintf(what, sizeof(what), "dispatches-%u", i);
        if (!vkt_flag(&options, "--no-dispatches"))
            case_dispatches(&s, what, 37 + i);
        snprintf(what, sizeof(what), "captures-%u", i);
        case_captures(&s, what, i % 2 ? CAPTURES_WITH : CAPTURES_WITHOUT, 43 + i);
    }
    return vkt_finish(&s.t);
}
