/* SPDX-License-Identifier: MIT
 *
 * Every way to fill a descriptor set, while its descriptors are seen by stages that the layer
 * moves: writes, templates, copies, writes after the set is bound; dynamic offsets of which each
 * stage sees some; immutable samplers, inline uniform blocks, arrays of variable length; sets that
 * are freed, and pools that are reset. Each step draws a row of pixels whose values are computed
 * here, too.
 */
#include "common/vkt.h"

#include "descriptor_updates_frag.h"
#include "descriptor_updates_geom.h"
#include "descriptor_updates_vert.h"

#include <string.h>

#define SIDE_PX 8u
#define NUMBERS 64u
#define PICTURES 16u
#define STORAGES 3u

/* Bindings. */
enum { FIRST, SECOND, BOTH, INLINE, COMBINED, SAMPLER, PICTURE, STORAGE, LAST, BINDINGS };

struct pool {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    bool after_bind;
};

struct suite {
    struct vkt t;
    struct vkt_buffer numbers;
    uint32_t step_B;
    struct vkt_image pictures[PICTURES];
    VkSampler sampler;
    struct vkt_target target;
    struct pool usual, after_bind;
    uint32_t rows;
};

static uint32_t value_of(uint32_t number)
{
    return 1000 + number * 17;
}

/* What a step writes: each of its sets has a salt of its own. */
static uint32_t number_of(uint32_t salt, uint32_t binding, uint32_t element)
{
    return (salt * 7 + binding * 3 + element * 5) % (NUMBERS / 2);
}

static uint32_t picture_of(uint32_t salt, uint32_t binding, uint32_t element)
{
    return (salt * 3 + binding + element * 5) % PICTURES;
}

struct row {
    uint32_t salt;
    uint32_t offsets[4]; /* in numbers; of FIRST, SECOND, BOTH and LAST */
};

/* late: the salt of the images and storage buffers. */
static uint32_t expected(const struct row *row, uint32_t late, uint32_t x)
{
    const uint32_t salt = row->salt;
    const uint32_t both = value_of(number_of(salt, BOTH, 0) + row->offsets[2]);
    const uint32_t value = x + value_of(number_of(salt, FIRST, 0) + row->offsets[0]) * 3 +
                           both * 5 + value_of(picture_of(late, PICTURE, 0)) * 7;
    const uint32_t next =
        value * 31 + value_of(number_of(salt, SECOND, 0) + row->offsets[1]) * 3 + both * 5 +
        value_of(number_of(salt, INLINE, 0)) * 7 + value_of(picture_of(late, COMBINED, 0)) * 11 +
        value_of(picture_of(late, COMBINED, 1)) * 13 + value_of(number_of(late, STORAGE, 0)) * 17;
    return next * 37 + value_of(number_of(salt, LAST, 0) + row->offsets[3]);
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    s->step_B = 256;
    s->numbers =
        vkt_buffer(t, NUMBERS * s->step_B,
                   VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < NUMBERS; i++)
        ((uint32_t *)s->numbers.map)[i * s->step_B / 4] = value_of(i);
    for (uint32_t i = 0; i < PICTURES; i++) {
        const uint32_t texels[4] = {0, 0, 0, value_of(i)};
        s->pictures[i] = vkt_image(t, VK_FORMAT_R32_UINT, 2, 2,
                                   VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
        vkt_image_upload(t, &s->pictures[i], texels, sizeof(texels),
                         VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
    }
    s->sampler = vkt_sampler(t, VK_FILTER_NEAREST);
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
}

/* -- layouts -- */

static VkDescriptorType type_of(const struct pool *p, uint32_t binding)
{
    switch (binding) {
    case INLINE:
        return VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    case COMBINED:
        return VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    case SAMPLER:
        return VK_DESCRIPTOR_TYPE_SAMPLER;
    case PICTURE:
        return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case STORAGE:
        return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    default:
        return p->after_bind ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                             : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    }
}

static uint32_t count_of(uint32_t binding)
{
    return binding == INLINE ? 16 : binding == COMBINED ? 2 : binding == STORAGE ? STORAGES : 1;
}

static VkDescriptorSetLayout make_set_layout(struct suite *s, const struct pool *p)
{
    const VkShaderStageFlags vertex = VK_SHADER_STAGE_VERTEX_BIT,
                             geometry = VK_SHADER_STAGE_GEOMETRY_BIT;
    const VkShaderStageFlags stages[BINDINGS] = {vertex,
                                                 geometry,
                                                 vertex | geometry,
                                                 geometry,
                                                 geometry,
                                                 vertex,
                                                 vertex,
                                                 geometry | VK_SHADER_STAGE_COMPUTE_BIT,
                                                 VK_SHADER_STAGE_FRAGMENT_BIT};
    const VkSampler samplers[2] = {s->sampler, s->sampler};
    VkDescriptorSetLayoutBinding bindings[BINDINGS];
    VkDescriptorBindingFlags flags[BINDINGS] = {0};
    /* Not in the order of their numbers. */
    for (uint32_t i = 0; i < BINDINGS; i++) {
        const uint32_t binding = (i * 2 + 1) % BINDINGS;
        bindings[i] = (VkDescriptorSetLayoutBinding){
            binding, type_of(p, binding), count_of(binding), stages[binding],
            binding == COMBINED || binding == SAMPLER ? samplers : NULL};
        if (p->after_bind && (binding == PICTURE || binding == STORAGE || binding == COMBINED))
            flags[i] = VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT;
    }
    const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
        .bindingCount = BINDINGS,
        .pBindingFlags = flags,
    };
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .pNext = p->after_bind ? &flags_info : NULL,
        .flags = p->after_bind ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0,
        .bindingCount = BINDINGS,
        .pBindings = bindings,
    };
    VkDescriptorSetLayout layout;
    VKT_CALL(vkCreateDescriptorSetLayout(s->t.device, &info, NULL, &layout));
    return layout;
}

#define SETS 4u

static VkDescriptorPool make_pool(struct suite *s, const struct pool *p)
{
    VkDescriptorPoolSize sizes[BINDINGS];
    for (uint32_t i = 0; i < BINDINGS; i++)
        sizes[i] = (VkDescriptorPoolSize){type_of(p, i), SETS * count_of(i)};
    const VkDescriptorPoolInlineUniformBlockCreateInfo blocks = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO,
        .maxInlineUniformBlockBindings = SETS,
    };
    const VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .pNext = &blocks,
        .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT |
                 (p->after_bind ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0),
        .maxSets = SETS,
        .poolSizeCount = BINDINGS,
        .pPoolSizes = sizes,
    };
    VkDescriptorPool pool;
    VKT_CALL(vkCreateDescriptorPool(s->t.device, &info, NULL, &pool));
    return pool;
}

static void pool_open(struct suite *s, struct pool *p, bool after_bind)
{
    p->after_bind = after_bind;
    p->set_layout = make_set_layout(s, p);
    p->layout = vkt_layout(&s->t, &p->set_layout, 1, NULL, 0);
    p->pool = make_pool(s, p);
    p->pipeline = vkt_pipeline(&s->t, &(struct vkt_pipeline_info){
                                          .vs = VKT_CODE(descriptor_updates_vert),
                                          .gs = VKT_CODE(descriptor_updates_geom),
                                          .fs = VKT_CODE(descriptor_updates_frag),
                                          .layout = p->layout,
                                          .pass = s->target.pass,
                                          .width_px = SIDE_PX,
                                          .height_px = SIDE_PX,
                                          .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                      });
}

static void pool_close(struct suite *s, struct pool *p)
{
    vkDestroyDescriptorPool(s->t.device, p->pool, NULL);
    vkDestroyDescriptorSetLayout(s->t.device, p->set_layout, NULL);
}

static VkDescriptorSet set_new(struct suite *s, const struct pool *p)
{
    const VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = p->pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &p->set_layout,
    };
    VkDescriptorSet set;
    VKT_CALL(vkAllocateDescriptorSets(s->t.device, &info, &set));
    return set;
}

/* -- contents -- */

/* All that is written of a set, as a template reads it, too. */
struct contents {
    VkDescriptorBufferInfo buffers[BINDINGS], storages[STORAGES];
    VkDescriptorImageInfo combined[2], picture;
    uint32_t block[4];
};

static struct contents contents_of(const struct suite *s, uint32_t salt)
{
    struct contents c;
    memset(&c, 0, sizeof(c));
    for (uint32_t b = 0; b < BINDINGS; b++)
        c.buffers[b] = (VkDescriptorBufferInfo){s->numbers.buffer,
                                                (VkDeviceSize)number_of(salt, b, 0) * s->step_B, 4};
    for (uint32_t i = 0; i < STORAGES; i++)
        c.storages[i] = (VkDescriptorBufferInfo){
            s->numbers.buffer, (VkDeviceSize)number_of(salt, STORAGE, i) * s->step_B, 4};
    for (uint32_t i = 0; i < 2; i++)
        c.combined[i] =
            (VkDescriptorImageInfo){VK_NULL_HANDLE, s->pictures[picture_of(salt, COMBINED, i)].view,
                                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    c.picture =
        (VkDescriptorImageInfo){VK_NULL_HANDLE, s->pictures[picture_of(salt, PICTURE, 0)].view,
                                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
    c.block[1] = value_of(number_of(salt, INLINE, 0));
    return c;
}

static const size_t at_B[BINDINGS] = {
    [FIRST] = offsetof(struct contents, buffers[FIRST]),
    [SECOND] = offsetof(struct contents, buffers[SECOND]),
    [BOTH] = offsetof(struct contents, buffers[BOTH]),
    [INLINE] = offsetof(struct contents, block),
    [COMBINED] = offsetof(struct contents, combined),
    [PICTURE] = offsetof(struct contents, picture),
    [STORAGE] = offsetof(struct contents, storages),
    [LAST] = offsetof(struct contents, buffers[LAST]),
};

static size_t stride_B(uint32_t binding)
{
    return binding == INLINE                           ? 1
           : binding == COMBINED || binding == PICTURE ? sizeof(VkDescriptorImageInfo)
                                                       : sizeof(VkDescriptorBufferInfo);
}

/* only: one binding; BINDINGS: all. */
static void write_set(struct suite *s, const struct pool *p, VkDescriptorSet set, uint32_t salt,
                      uint32_t only)
{
    const struct contents c = contents_of(s, salt);
    const VkWriteDescriptorSetInlineUniformBlock block = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK,
        .dataSize = sizeof(c.block),
        .pData = c.block,
    };
    for (uint32_t b = 0; b < BINDINGS; b++) {
        const void *from = (const char *)&c + at_B[b];
        const VkWriteDescriptorSet write = {
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .pNext = b == INLINE ? &block : NULL,
            .dstSet = set,
            .dstBinding = b,
            .descriptorCount = count_of(b),
            .descriptorType = type_of(p, b),
            .pBufferInfo = from,
            .pImageInfo = from,
        };
        if (b != SAMPLER && (only == BINDINGS || only == b))
            vkUpdateDescriptorSets(s->t.device, 1, &write, 0, NULL);
    }
}

static void write_by_template(struct suite *s, const struct pool *p, VkDescriptorSet set,
                              uint32_t salt)
{
    const struct contents c = contents_of(s, salt);
    VkDescriptorUpdateTemplateEntry entries[BINDINGS];
    uint32_t count = 0;
    for (uint32_t b = 0; b < BINDINGS; b++)
        if (b != SAMPLER)
            entries[count++] = (VkDescriptorUpdateTemplateEntry){
                b, 0, count_of(b), type_of(p, b), at_B[b], stride_B(b)};
    const VkDescriptorUpdateTemplateCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
        .descriptorUpdateEntryCount = count,
        .pDescriptorUpdateEntries = entries,
        .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
        .descriptorSetLayout = p->set_layout,
    };
    VkDescriptorUpdateTemplate template;
    VKT_CALL(vkCreateDescriptorUpdateTemplate(s->t.device, &info, NULL, &template));
    vkUpdateDescriptorSetWithTemplate(s->t.device, set, template, &c);
    vkDestroyDescriptorUpdateTemplate(s->t.device, template, NULL);
}

static void copy_set(struct suite *s, VkDescriptorSet from, VkDescriptorSet to)
{
    for (uint32_t b = 0; b < BINDINGS; b++) {
        const VkCopyDescriptorSet copy = {
            .sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
            .srcSet = from,
            .srcBinding = b,
            .dstSet = to,
            .dstBinding = b,
            .descriptorCount = count_of(b),
        };
        if (b != SAMPLER)
            vkUpdateDescriptorSets(s->t.device, 0, NULL, 1, &copy);
    }
}

/* -- steps -- */

static VkCommandBuffer record_begin(struct suite *s, const struct pool *p)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, s->rows > 0, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->pipeline);
    return cmd;
}

static void record_row(struct suite *s, const struct pool *p, VkCommandBuffer cmd,
                       VkDescriptorSet set, const struct row *row, uint32_t y)
{
    uint32_t offsets_B[4];
    for (uint32_t i = 0; i < 4; i++)
        offsets_B[i] = row->offsets[i] * s->step_B;
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, p->layout, 0, 1, &set,
                            p->after_bind ? 0 : 4, offsets_B);
    vkCmdDraw(cmd, SIDE_PX, 1, y * SIDE_PX, 0);
}

static void record_end(VkCommandBuffer cmd)
{
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
}

static void check_row(struct suite *s, const char *what, const struct row *row, uint32_t y)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t *line = (const uint32_t *)pixels.map + y * SIDE_PX;
    uint32_t wrong = 0;
    for (uint32_t x = 0; x < SIDE_PX; x++)
        wrong += line[x] != expected(row, row->salt, y * SIDE_PX + x);
    VKT_EXPECT(&s->t, !wrong, "%s: %u of %u pixels are wrong", what, wrong, SIDE_PX);
    char name[64];
    snprintf(name, sizeof(name), "%s/%u", what, y);
    vkt_dump_buffer(&s->t, name, line, SIDE_PX * 4);
}

static void draw_row(struct suite *s, const struct pool *p, const char *what, VkDescriptorSet set,
                     const struct row *row)
{
    const uint32_t y = s->rows % SIDE_PX;
    VkCommandBuffer cmd = record_begin(s, p);
    record_row(s, p, cmd, set, row, y);
    record_end(cmd);
    vkt_submit(&s->t, cmd);
    check_row(s, what, row, y);
    s->rows++;
}

static void several_draws(struct suite *s, const struct pool *p, VkDescriptorSet a,
                          VkDescriptorSet b)
{
    const struct row rows[3] = {{8, {0, 1, 2, 3}}, {9, {5, 1, 0, 2}}, {8, {7, 6, 5, 4}}};
    const uint32_t y = 4;
    write_set(s, p, a, 8, BINDINGS);
    write_set(s, p, b, 9, BINDINGS);
    VkCommandBuffer cmd = record_begin(s, p);
    for (uint32_t i = 0; i < 3; i++)
        record_row(s, p, cmd, i == 1 ? b : a, &rows[i], y + i);
    record_end(cmd);
    vkt_submit(&s->t, cmd);
    for (uint32_t i = 0; i < 3; i++)
        check_row(s, "several", &rows[i], y + i);
}

static void usual_steps(struct suite *s)
{
    struct pool *p = &s->usual;
    VkDescriptorSet a = set_new(s, p), b = set_new(s, p);
    write_set(s, p, a, 1, BINDINGS);
    draw_row(s, p, "written", a, &(struct row){1, {0, 0, 0, 0}});
    write_set(s, p, a, 2, BINDINGS);
    draw_row(s, p, "written-again", a, &(struct row){2, {1, 2, 3, 4}});
    write_by_template(s, p, a, 3);
    draw_row(s, p, "template", a, &(struct row){3, {4, 3, 2, 1}});
    write_set(s, p, b, 4, BINDINGS);
    copy_set(s, b, a);
    draw_row(s, p, "copied", a, &(struct row){4, {0, 1, 0, 1}});
    VKT_CALL(vkFreeDescriptorSets(s->t.device, p->pool, 1, &a));
    a = set_new(s, p);
    write_set(s, p, a, 5, BINDINGS);
    draw_row(s, p, "freed", a, &(struct row){5, {2, 2, 2, 2}});
    VKT_CALL(vkResetDescriptorPool(s->t.device, p->pool, 0));
    b = set_new(s, p);
    a = set_new(s, p);
    write_set(s, p, a, 6, BINDINGS);
    draw_row(s, p, "reset", a, &(struct row){6, {3, 0, 3, 0}});
    several_draws(s, p, a, b);
}

/* The images and the storage buffers change between the recording and the execution, and between
 * two of them. */
static void after_bind_steps(struct suite *s)
{
    static const uint32_t changed[] = {COMBINED, PICTURE, STORAGE};
    struct pool *p = &s->after_bind;
    const uint32_t y = 7;
    const VkDescriptorSet set = set_new(s, p);
    const struct row row = {.salt = 20};
    write_set(s, p, set, row.salt, BINDINGS);
    VkCommandBuffer cmd = record_begin(s, p);
    record_row(s, p, cmd, set, &row, y);
    record_end(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
    for (uint32_t salt = row.salt + 1; salt < row.salt + 4; salt++) {
        for (uint32_t i = 0; i < VKT_COUNT(changed); i++)
            write_set(s, p, set, salt, changed[i]);
        const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .commandBufferCount = 1,
                                     .pCommandBuffers = &cmd};
        VKT_CALL(vkQueueSubmit(s->t.queue, 1, &submit, VK_NULL_HANDLE));
        VKT_CALL(vkQueueWaitIdle(s->t.queue));
        const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
        const uint32_t *line = (const uint32_t *)pixels.map + y * SIDE_PX;
        const uint32_t want = expected(&row, salt, y * SIDE_PX);
        VKT_EXPECT(&s->t, line[0] == want, "after bind, %u: %u instead of %u", salt, line[0], want);
    }
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-descriptor_updates", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    if (!s.t.features.inline_blocks)
        vkt_skip("no inlineUniformBlock");
    make_resources(&s);
    pool_open(&s, &s.usual, false);
    usual_steps(&s);
    pool_close(&s, &s.usual);
    if (s.t.features.update_after_bind) {
        pool_open(&s, &s.after_bind, true);
        after_bind_steps(&s);
        pool_close(&s, &s.after_bind);
    } else {
        printf("without updates after bind\n");
    }
    return vkt_finish(&s.t);
}
