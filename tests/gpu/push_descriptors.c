/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_push_descriptor: some or all bindings of a set, one by one or with templates, between
 * draws with and without a geometry shader or tessellation, captures, dispatches, passes and
 * secondaries. What is not pushed stays. The pushes are random, and every value is computed here,
 * too.
 */
#include "gpu/xfb.h"

#include "push_capture_geom.h"
#include "push_capture_vert.h"

#include "push_descriptors_comp.h"
#include "push_descriptors_frag.h"
#include "push_descriptors_geom.h"
#include "push_descriptors_tesc.h"
#include "push_descriptors_tese.h"
#include "push_descriptors_vert.h"
#include "push_other_frag.h"
#include "push_other_geom.h"
#include "push_other_vert.h"

#include <string.h>

#define SIDE_PX 16u
#define STEP_B 256u
#define NUMBERS 24u
#define IMAGES 4u
#define RESULTS 16u

/* Descriptors of the set, in the order of binding and element. Both of the list are pushed
 * together: Mesa 22.3's lavapipe does not heed the first element of a write, and does not go on in
 * the next binding (the unit tests do both). */
enum { UNIFORM, LIST_0, LIST_1, SINGLE, TEXELS, FRAGMENT, IMAGE, DESCRIPTORS };
#define ALL ((1u << DESCRIPTORS) - 1)
#define LIST (3u << LIST_0)

/* What a row is drawn with: with a geometry shader, without, with tessellation that does the same,
 * or with a geometry shader that sees other sets; the first two as they capture. */
enum { WITH, WITHOUT, TESSELLATED, OTHER, CAPTURES_WITH, CAPTURES_WITHOUT, PIPELINES };

/* Numbers that the descriptors show. */
struct content {
    uint32_t numbers[DESCRIPTORS];
};

struct push_template {
    VkDescriptorUpdateTemplate handle;
    uint32_t mask;
};

struct suite {
    struct vkt t;
    struct vkt_buffer numbers, results, captured;
    VkBufferView views[NUMBERS];
    struct vkt_image images[IMAGES];
    VkSampler sampler;
    bool immutable; /* the sampler is; then there is no twin */
    bool infos;     /* commands take them, as with VK_KHR_maintenance6 */
    struct vkt_target target;
    VkDescriptorSetLayout pushed_sets[2], bound_sets[2]; /* for draws, for dispatches or OTHER */
    VkDescriptorSet bound, other;
    VkPipelineLayout layout, layout_of_other, layout_of_dispatch;
    VkPipelineLayout twin; /* as `layout`, from another set layout */
    VkPipeline pipelines[PIPELINES], dispatch;
    struct push_template templates[2];
    uint32_t random;
    struct content now;
    uint32_t offset; /* of the dynamic buffer, in numbers */
    uint32_t expected[SIDE_PX][SIDE_PX];
};

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

/* -- objects -- */

static void destroy_set_layout(struct vkt *t, uint64_t handle)
{
    vkDestroyDescriptorSetLayout(t->device, (VkDescriptorSetLayout)handle, NULL);
}

static void destroy_template(struct vkt *t, uint64_t handle)
{
    vkDestroyDescriptorUpdateTemplate(t->device, (VkDescriptorUpdateTemplate)handle, NULL);
}

static VkDescriptorSetLayout
make_pushed(struct suite *s, const VkDescriptorSetLayoutBinding *bindings, uint32_t count)
{
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
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
    const VkDescriptorSetLayoutBinding draws[] = {
        {6, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, geometry | fragment,
         s->immutable ? &s->sampler : NULL},
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, vertex, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, geometry, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, geometry, NULL},
        {4, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, geometry, NULL},
        {5, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, fragment, NULL}};
    const VkDescriptorSetLayoutBinding dispatches[] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutBinding bound[2] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, geometry, NULL},
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, vertex | geometry, NULL}};
    struct vkt *t = &s->t;
    s->pushed_sets[0] = make_pushed(s, draws, VKT_COUNT(draws));
    s->pushed_sets[1] = make_pushed(s, dispatches, VKT_COUNT(dispatches));
    for (uint32_t i = 0; i < 2; i++)
        s->bound_sets[i] = vkt_set_layout(t, &bound[i], 1);
    s->bound = vkt_set(t, s->bound_sets[0], &bound[0], 1);
    s->other = vkt_set(t, s->bound_sets[1], &bound[1], 1);
    vkt_write_buffer(t, s->bound, 0, 0, bound[0].descriptorType, s->numbers.buffer, 0, 4);
    vkt_write_buffer(t, s->other, 0, 0, bound[1].descriptorType, s->numbers.buffer, 0, 4);
    s->layout =
        vkt_layout(t, (VkDescriptorSetLayout[]){s->pushed_sets[0], s->bound_sets[0]}, 2, NULL, 0);
    const VkDescriptorSetLayout twins[2] = {make_pushed(s, draws, VKT_COUNT(draws)),
                                            s->bound_sets[0]};
    s->twin = vkt_layout(t, twins, 2, NULL, 0);
    s->layout_of_other = vkt_layout(t, &s->bound_sets[1], 1, NULL, 0);
    s->layout_of_dispatch = vkt_layout(t, &s->pushed_sets[1], 1, NULL, 0);
}

static void choose_code(struct vkt_pipeline_info *info, uint32_t pipeline)
{
    info->vs = VKT_CODE(push_descriptors_vert);
    info->fs = VKT_CODE(push_descriptors_frag);
    if (pipeline == WITH)
        info->gs = VKT_CODE(push_descriptors_geom);
    if (pipeline == CAPTURES_WITH)
        info->gs = VKT_CODE(push_capture_geom);
    if (pipeline == CAPTURES_WITHOUT)
        info->vs = VKT_CODE(push_capture_vert);
    if (pipeline == TESSELLATED) {
        info->tcs = VKT_CODE(push_descriptors_tesc);
        info->tes = VKT_CODE(push_descriptors_tese);
        info->topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info->patch_points = 1;
    }
    if (pipeline == OTHER) {
        info->vs = VKT_CODE(push_other_vert);
        info->gs = VKT_CODE(push_other_geom);
        info->fs = VKT_CODE(push_other_frag);
    }
}

static void make_pipelines(struct suite *s)
{
    for (uint32_t i = 0; i < PIPELINES; i++) {
        struct vkt_pipeline_info info = {
            .layout = i == OTHER ? s->layout_of_other : s->layout,
            .pass = s->target.pass,
            .width_px = SIDE_PX,
            .height_px = SIDE_PX,
            .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        };
        choose_code(&info, i);
        s->pipelines[i] = vkt_pipeline(&s->t, &info);
    }
    s->dispatch =
        vkt_compute_pipeline(&s->t, VKT_CODE(push_descriptors_comp), s->layout_of_dispatch);
}

/* -- pushes -- */

union info {
    VkDescriptorImageInfo image;
    VkDescriptorBufferInfo buffer;
    VkBufferView view;
};

static union info info_of(const struct suite *s, uint32_t descriptor, uint32_t number)
{
    if (descriptor == IMAGE)
        return (union info){.image = {.sampler = s->immutable ? VK_NULL_HANDLE : s->sampler,
                                      .imageView = s->images[number % IMAGES].view,
                                      .imageLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL}};
    if (descriptor == TEXELS)
        return (union info){.view = s->views[number]};
    return (union info){.buffer = {s->numbers.buffer, number * STEP_B, 4}};
}

static uint32_t seen(uint32_t descriptor, uint32_t number)
{
    return value_of(descriptor == IMAGE ? number % IMAGES : number);
}

static void make_template(struct suite *s, struct push_template *made, uint32_t mask)
{
    VkDescriptorUpdateTemplateEntry entries[DESCRIPTORS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < DESCRIPTORS; i++)
        if (mask >> i & 1 && i != LIST_1)
            entries[count++] = (VkDescriptorUpdateTemplateEntry){
                .dstBinding = places[i].binding,
                .dstArrayElement = places[i].element,
                .descriptorCount = i == LIST_0 ? 2 : 1,
                .descriptorType = places[i].type,
                .offset = i * sizeof(union info),
                .stride = sizeof(union info),
            };
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = count,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .pipelineLayout = s->layout,
        .set = 0,
    };
    made->mask = mask;
    VKT_CALL(vkCreateDescriptorUpdateTemplate(s->t.device, &info, NULL, &made->handle));
    vkt_defer(&s->t, destroy_template, (uint64_t)made->handle);
}

static void change(struct suite *s, uint32_t mask)
{
    for (uint32_t i = 0; i < DESCRIPTORS; i++)
        if (mask >> i & 1)
            s->now.numbers[i] = roll(s, NUMBERS);
}

/* Layouts that are defined alike may take turns; the validation layer of Debian 13 thinks that
 * those with immutable samplers are not. */
static VkPipelineLayout one_layout(struct suite *s)
{
    return !s->immutable && roll(s, 2) ? s->twin : s->layout;
}

static VkShaderStageFlags stages_of(VkPipelineBindPoint point)
{
    return point == VK_PIPELINE_BIND_POINT_COMPUTE ? VK_SHADER_STAGE_COMPUTE_BIT
                                                   : VK_SHADER_STAGE_ALL_GRAPHICS;
}

static void push_template(const struct suite *s, VkCommandBuffer cmd,
                          VkDescriptorUpdateTemplate template, VkPipelineLayout layout,
                          const void *data)
{
#ifdef VK_KHR_maintenance6
    const VkPushDescriptorSetWithTemplateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_WITH_TEMPLATE_INFO_KHR,
        .descriptorUpdateTemplate = template,
        .layout = layout,
        .pData = data,
    };
    if (s->infos) {
        vkCmdPushDescriptorSetWithTemplate2KHR(cmd, &info);
        return;
    }
#endif
    (void)s;
    vkCmdPushDescriptorSetWithTemplateKHR(cmd, template, layout, 0, data);
}

static void push_writes(const struct suite *s, VkCommandBuffer cmd, VkPipelineBindPoint point,
                        VkPipelineLayout layout, uint32_t count, const VkWriteDescriptorSet *writes)
{
#ifdef VK_KHR_maintenance6
    const VkPushDescriptorSetInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PUSH_DESCRIPTOR_SET_INFO_KHR,
        .stageFlags = stages_of(point),
        .layout = layout,
        .descriptorWriteCount = count,
        .pDescriptorWrites = writes,
    };
    if (s->infos) {
        vkCmdPushDescriptorSet2KHR(cmd, &info);
        return;
    }
#endif
    (void)s;
    (void)stages_of;
    vkCmdPushDescriptorSetKHR(cmd, point, layout, 0, count, writes);
}

static void bind_set(const struct suite *s, VkCommandBuffer cmd, VkPipelineLayout layout,
                     uint32_t index, VkDescriptorSet set, uint32_t offset_count,
                     const uint32_t *offsets)
{
#ifdef VK_KHR_maintenance6
    const VkBindDescriptorSetsInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_BIND_DESCRIPTOR_SETS_INFO_KHR,
        .stageFlags = VK_SHADER_STAGE_ALL_GRAPHICS,
        .layout = layout,
        .firstSet = index,
        .descriptorSetCount = 1,
        .pDescriptorSets = &set,
        .dynamicOffsetCount = offset_count,
        .pDynamicOffsets = offsets,
    };
    if (s->infos) {
        vkCmdBindDescriptorSets2KHR(cmd, &info);
        return;
    }
#endif
    (void)s;
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, index, 1, &set,
                            offset_count, offsets);
}

static void push_with(struct suite *s, VkCommandBuffer cmd, const struct push_template *template)
{
    union info infos[DESCRIPTORS];
    change(s, template->mask);
    for (uint32_t i = 0; i < DESCRIPTORS; i++)
        infos[i] = info_of(s, i, s->now.numbers[i]);
    push_template(s, cmd, template->handle, one_layout(s), infos);
    memset(infos, 0xab, sizeof(infos)); /* it was read */
}

/* In random order. */
static void push(struct suite *s, VkCommandBuffer cmd, uint32_t mask)
{
    VkWriteDescriptorSet writes[DESCRIPTORS];
    union info infos[DESCRIPTORS];
    VkDescriptorBufferInfo list[2];
    uint32_t count = 0;
    const uint32_t first = roll(s, DESCRIPTORS);
    if (mask & LIST)
        mask |= LIST;
    change(s, mask);
    for (uint32_t k = 0; k < DESCRIPTORS; k++) {
        const uint32_t i = (first + k) % DESCRIPTORS;
        if (!(mask >> i & 1) || i == LIST_1)
            continue;
        infos[i] = info_of(s, i, s->now.numbers[i]);
        writes[count++] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = places[i].binding,
            .dstArrayElement = places[i].element,
            .descriptorCount = 1,
            .descriptorType = places[i].type,
            .pImageInfo = &infos[i].image,
            .pBufferInfo = &infos[i].buffer,
            .pTexelBufferView = &infos[i].view,
        };
        if (i != LIST_0)
            continue;
        list[0] = infos[i].buffer;
        list[1] = info_of(s, LIST_1, s->now.numbers[LIST_1]).buffer;
        writes[count - 1].descriptorCount = 2;
        writes[count - 1].pBufferInfo = list;
    }
    push_writes(s, cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, one_layout(s), count, writes);
    memset(writes, 0xab, sizeof(writes));
    memset(infos, 0xab, sizeof(infos));
    memset(list, 0xab, sizeof(list));
}

static void push_something(struct suite *s, VkCommandBuffer cmd)
{
    const uint32_t way = roll(s, 4);
    if (way == 0)
        push_with(s, cmd, &s->templates[roll(s, VKT_COUNT(s->templates))]);
    else
        push(s, cmd, 1 + roll(s, ALL));
}

/* -- draws -- */

static void bind(struct suite *s, VkCommandBuffer cmd)
{
    const uint32_t offset_B = (s->offset = roll(s, NUMBERS)) * STEP_B;
    bind_set(s, cmd, s->layout, 1, s->bound, 1, &offset_B);
}

static uint32_t shows(const struct suite *s, uint32_t descriptor)
{
    return seen(descriptor, s->now.numbers[descriptor]);
}

/* Of the last stage before the rasterizer. */
static uint32_t expect_captured(const struct suite *s, uint32_t with, uint32_t index)
{
    const uint32_t value = index * 31 + shows(s, UNIFORM) * 3;
    if (with == OTHER)
        return index * 31 + value_of(0) * 2;
    if (with == WITHOUT || with == CAPTURES_WITHOUT)
        return value;
    return value + shows(s, LIST_0) * 5 + shows(s, LIST_1) * 7 + shows(s, SINGLE) * 11 +
           shows(s, TEXELS) * 13 + shows(s, IMAGE) * 29 + value_of(s->offset) * 17;
}

static uint32_t expect(const struct suite *s, uint32_t with, uint32_t index)
{
    const uint32_t value = expect_captured(s, with, index);
    return with == OTHER ? value : value + shows(s, FRAGMENT) * 19 + shows(s, IMAGE) * 23;
}

static void draw_row(struct suite *s, VkCommandBuffer cmd, uint32_t with, uint32_t y)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[with]);
    vkCmdDraw(cmd, SIDE_PX, 1, y * SIDE_PX, 0);
    for (uint32_t x = 0; x < SIDE_PX; x++)
        s->expected[y][x] = expect(s, with, y * SIDE_PX + x);
}

/* All that is bound or pushed is so again. */
static void draw_other(struct suite *s, VkCommandBuffer cmd, uint32_t y)
{
    bind_set(s, cmd, s->layout_of_other, 0, s->other, 0, NULL);
    draw_row(s, cmd, OTHER, y);
    push(s, cmd, ALL);
    bind(s, cmd);
}

static void draw_rows(struct suite *s, VkCommandBuffer cmd, uint32_t first, uint32_t end)
{
    for (uint32_t y = first; y < end; y++) {
        if (roll(s, 5) == 0) {
            draw_other(s, cmd, y);
            continue;
        }
        if (roll(s, 4))
            push_something(s, cmd);
        if (roll(s, 4) == 0)
            bind(s, cmd);
        draw_row(s, cmd, roll(s, OTHER), y);
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

/* One pass; what is pushed before it, in it, and not again in the next one. */
static void case_draws(struct suite *s, const char *what, uint32_t seed)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    s->random = seed;
    vkt_begin(cmd, 0);
    push(s, cmd, ALL);
    bind(s, cmd);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    draw_rows(s, cmd, 0, SIDE_PX / 2);
    vkCmdEndRenderPass(cmd);
    vkt_target_begin(cmd, &s->target, true, VK_SUBPASS_CONTENTS_INLINE);
    draw_row(s, cmd, WITH, SIDE_PX / 2);
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
        push(s, secondaries[i], ALL);
        bind(s, secondaries[i]);
        draw_rows(s, secondaries[i], i * SIDE_PX / 2, (i + 1) * SIDE_PX / 2);
        VKT_CALL(vkEndCommandBuffer(secondaries[i]));
    }
    vkt_submit_secondaries(&s->t, &s->target, secondaries, 2);
    check(s, what);
}

/* -- captures -- */

static void case_captures(struct suite *s, const char *what, uint32_t with, uint32_t seed)
{
    const struct xfb_range range = {s->captured.buffer, 0, s->captured.size_B};
    VkCommandBuffer cmd = vkt_commands(&s->t);
    uint32_t wrong = 0, expected[SIDE_PX][SIDE_PX];
    s->random = seed;
    vkt_begin(cmd, 0);
    push(s, cmd, ALL);
    bind(s, cmd);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[with]);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    for (uint32_t y = 0; y < SIDE_PX; y++) {
        if (roll(s, 4))
            push_something(s, cmd);
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

/* -- dispatches between them -- */

struct operands {
    uint32_t first, second;
};

/* Bits of mask: first, second, result. */
static void push_operands(struct suite *s, VkCommandBuffer cmd, struct operands *operands,
                          uint32_t mask, uint32_t result)
{
    operands->first = mask & 1 ? roll(s, NUMBERS) : operands->first;
    operands->second = mask & 2 ? roll(s, NUMBERS) : operands->second;
    const VkDescriptorBufferInfo infos[] = {{s->numbers.buffer, operands->first * STEP_B, 4},
                                            {s->numbers.buffer, operands->second * STEP_B, 4},
                                            {s->results.buffer, result * STEP_B, 4}};
    VkWriteDescriptorSet writes[3];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3; i++)
        if (mask >> i & 1)
            writes[count++] = (VkWriteDescriptorSet){
                .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                .dstBinding = i,
                .descriptorCount = 1,
                .descriptorType =
                    i == 2 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                .pBufferInfo = &infos[i],
            };
    push_writes(s, cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout_of_dispatch, count, writes);
}

/* Each pass pushes to both bind points. Of the next dispatch, the operands and the result are
 * pushed before the pass, in it, and after it, in all combinations. */
static void case_dispatches(struct suite *s, const char *what, uint32_t seed)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    uint32_t expected[RESULTS];
    struct operands operands = {0};
    s->random = seed;
    memset(s->results.map, 0, s->results.size_B);
    vkt_begin(cmd, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->dispatch);
    push_operands(s, cmd, &operands, 7, 0);
    push(s, cmd, ALL);
    bind(s, cmd);
    for (uint32_t i = 0; i < RESULTS; i++) {
        const uint32_t before = roll(s, 8), inside = roll(s, 8);
        if (before)
            push_operands(s, cmd, &operands, before, i);
        vkt_target_begin(cmd, &s->target, i > 0, VK_SUBPASS_CONTENTS_INLINE);
        draw_row(s, cmd, WITH, i);
        if (inside)
            push_operands(s, cmd, &operands, inside, i);
        push_something(s, cmd);
        draw_row(s, cmd, WITH, i);
        vkCmdEndRenderPass(cmd);
        if (!((before | inside) & 4))
            push_operands(s, cmd, &operands, 4, i);
        vkCmdDispatch(cmd, 1, 1, 1);
        expected[i] = value_of(operands.first) * 3 + value_of(operands.second) * 5;
    }
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    check(s, what);
    for (uint32_t i = 0; i < RESULTS; i++)
        VKT_EXPECT(&s->t, ((const uint32_t *)s->results.map)[i * STEP_B / 4] == expected[i],
                   "%s: dispatch %u has a wrong result", what, i);
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    s->numbers =
        vkt_buffer(t, NUMBERS * STEP_B,
                   VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                       VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                   0);
    s->results = vkt_buffer(t, RESULTS * STEP_B, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s->captured = xfb_buffer(t, SIDE_PX * SIDE_PX * 4);
    for (uint32_t i = 0; i < NUMBERS; i++) {
        const VkBufferViewCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
            .buffer = s->numbers.buffer,
            .format = VK_FORMAT_R32_UINT,
            .offset = i * STEP_B,
            .range = 4,
        };
        ((uint32_t *)s->numbers.map)[i * STEP_B / 4] = value_of(i);
        VKT_CALL(vkCreateBufferView(t->device, &info, NULL, &s->views[i]));
        vkt_defer(t, vkt_destroy_buffer_view, (uint64_t)s->views[i]);
    }
    for (uint32_t i = 0; i < IMAGES; i++) {
        const uint32_t texel = value_of(i);
        s->images[i] = vkt_image(t, VK_FORMAT_R32_UINT, 1, 1,
                                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
        vkt_image_upload(t, &s->images[i], &texel, 4, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
    s->sampler = vkt_sampler(t, VK_FILTER_NEAREST);
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-push_descriptors", argc, argv);
    static struct suite s;
    options.push_descriptors = options.tessellation = options.xfb = true;
    s.infos = vkt_flag(&options, "--infos");
    options.maintenance = s.infos ? 6 : 0;
    vkt_init(&s.t, &options);
    s.immutable = vkt_flag(&options, "--immutable");
    make_resources(&s);
    make_layouts(&s);
    make_pipelines(&s);
    make_template(&s, &s.templates[0], ALL);
    make_template(&s, &s.templates[1], 1u << UNIFORM | LIST | 1u << TEXELS | 1u << IMAGE);
    for (uint32_t i = 0; i < 6; i++) {
        char what[32];
        snprintf(what, sizeof(what), "draws-%u", i);
        case_draws(&s, what, 11 + i);
        snprintf(what, sizeof(what), "secondaries-%u", i);
        case_secondaries(&s, what, 23 + i);
        snprintf(what, sizeof(what), "dispatches-%u", i);
        case_dispatches(&s, what, 37 + i);
        snprintf(what, sizeof(what), "captures-%u", i);
        case_captures(&s, what, i % 2 ? CAPTURES_WITH : CAPTURES_WITHOUT, 43 + i);
    }
    return vkt_finish(&s.t);
}
