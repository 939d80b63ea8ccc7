/* SPDX-License-Identifier: MIT
 *
 * Pipelines with equal shaders in front of the rasterizer, whose layouts, vertex input and fragment
 * shaders differ: in one pass, and when those that were created first are gone.
 */
#include "common/vkt.h"

#include "sharing_frag.h"
#include "sharing_geom.h"
#include "sharing_vert.h"

#define SIDE_PX 8u
#define ROWS SIDE_PX
#define FACTORS 4u
#define STEP_B 256u

struct push {
    uint32_t row, sum, unused[2];
};

struct suite {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer numbers, factors;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet sets[FACTORS];
};

/* What a row of the picture is drawn with. */
struct row {
    uint32_t layout; /* which of the two */
    uint32_t stride_el, offset_el;
    uint32_t shift;
    uint32_t factor;
};

static const struct row rows[ROWS] = {
    {0, 1, 0, 0, 0}, {1, 1, 0, 0, 0}, {0, 2, 0, 0, 1}, {1, 3, 1, 1, 1},
    {1, 1, 2, 2, 2}, {0, 1, 1, 3, 2}, {0, 3, 2, 1, 3}, {1, 2, 1, 0, 3},
};

static uint32_t factor_of(uint32_t i)
{
    return 3 + i * 4;
}

static uint32_t sum_of(uint32_t row)
{
    return 100 * row;
}

static const VkDescriptorSetLayoutBinding factor_binding = {
    0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, NULL};

/* Compatible for the set, which is of a third layout, and with one range that is longer than the
 * other. */
static void make_layouts(struct suite *s, VkPipelineLayout layouts[2])
{
    for (uint32_t i = 0; i < 2; i++) {
        const VkDescriptorSetLayoutCreateInfo set_info = {
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .bindingCount = 1,
            .pBindings = &factor_binding,
        };
        VkDescriptorSetLayout set_layout;
        VKT_CALL(vkCreateDescriptorSetLayout(s->t.device, &set_info, NULL, &set_layout));
        const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 8 + 8 * i};
        const VkPipelineLayoutCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
            .setLayoutCount = 1,
            .pSetLayouts = &set_layout,
            .pushConstantRangeCount = 1,
            .pPushConstantRanges = &range,
        };
        VKT_CALL(vkCreatePipelineLayout(s->t.device, &info, NULL, &layouts[i]));
        vkDestroyDescriptorSetLayout(s->t.device, set_layout, NULL);
    }
}

static VkPipeline make_pipeline(struct suite *s, const struct row *row, VkPipelineLayout layout)
{
    const VkVertexInputBindingDescription binding = {0, row->stride_el * 4,
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT,
                                                         row->offset_el * 4};
    const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, 4, &row->shift};
    VkPipeline pipeline;
    VKT_CALL(vkt_pipeline_try(&s->t,
                              &(struct vkt_pipeline_info){
                                  .vs = VKT_CODE(sharing_vert),
                                  .gs = VKT_CODE(sharing_geom),
                                  .fs = VKT_CODE(sharing_frag),
                                  .fs_constants = &constants,
                                  .layout = layout,
                                  .pass = s->target.pass,
                                  .width_px = SIDE_PX,
                                  .height_px = SIDE_PX,
                                  .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                  .bindings = &binding,
                                  .binding_count = 1,
                                  .attributes = &attribute,
                                  .attribute_count = 1,
                              },
                              &pipeline));
    return pipeline;
}

static void draw_row(struct suite *s, VkCommandBuffer cmd, uint32_t row, VkPipeline pipeline,
                     VkPipelineLayout layout)
{
    const struct push push = {row, sum_of(row), {0, 0}};
    const VkDeviceSize offset_B = 0;
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1,
                            &s->sets[rows[row].factor], 0, NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->numbers.buffer, &offset_B);
    vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 8 + 8 * rows[row].layout, &push);
    vkCmdDraw(cmd, SIDE_PX, 1, 0, 0);
}

static void check(struct suite *s, const char *what)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t *texels = pixels.map, *numbers = s->numbers.map;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < SIDE_PX * ROWS; i++) {
        const struct row *row = &rows[i / SIDE_PX];
        const uint32_t number = numbers[i % SIDE_PX * row->stride_el + row->offset_el];
        const uint32_t factor = factor_of(row->factor);
        const uint32_t value = number * factor + sum_of(i / SIDE_PX);
        wrong += texels[i] != (value % 5 == factor % 5 ? 0 : (value << row->shift) + 1);
    }
    VKT_EXPECT(&s->t, !wrong, "%s: %u pixels are wrong", what, wrong);
    vkt_dump_buffer(&s->t, what, texels, SIDE_PX * ROWS * 4);
}

static void draw(struct suite *s, const char *what, const VkPipeline pipelines[ROWS],
                 const VkPipelineLayout layouts[2])
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t row = 0; row < ROWS; row++)
        draw_row(s, cmd, row, pipelines[row], layouts[rows[row].layout]);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    check(s, what);
}

/* Each time half of the pipelines and both layouts are new, and the others use what was made for
 * pipelines that are gone. */
static void draw_with_changes(struct suite *s)
{
    static const char *const names[] = {"first", "even-ones-anew", "odd-ones-anew"};
    VkPipelineLayout layouts[2];
    VkPipeline pipelines[ROWS];
    make_layouts(s, layouts);
    for (uint32_t row = 0; row < ROWS; row++)
        pipelines[row] = make_pipeline(s, &rows[row], layouts[rows[row].layout]);
    draw(s, names[0], pipelines, layouts);
    for (uint32_t round = 1; round < VKT_COUNT(names); round++) {
        for (uint32_t i = 0; i < 2; i++)
            vkDestroyPipelineLayout(s->t.device, layouts[i], NULL);
        make_layouts(s, layouts);
        for (uint32_t row = round - 1; row < ROWS; row += 2) {
            vkDestroyPipeline(s->t.device, pipelines[row], NULL);
            pipelines[row] = make_pipeline(s, &rows[row], layouts[rows[row].layout]);
        }
        draw(s, names[round], pipelines, layouts);
    }
    for (uint32_t row = 0; row < ROWS; row++)
        vkDestroyPipeline(s->t.device, pipelines[row], NULL);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyPipelineLayout(s->t.device, layouts[i], NULL);
}

static void make_sets(struct suite *s)
{
    s->factors = vkt_buffer(&s->t, FACTORS * STEP_B, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    s->set_layout = vkt_set_layout(&s->t, &factor_binding, 1);
    for (uint32_t i = 0; i < FACTORS; i++) {
        ((uint32_t *)s->factors.map)[i * STEP_B / 4] = factor_of(i);
        s->sets[i] = vkt_set(&s->t, s->set_layout, &factor_binding, 1);
        vkt_write_buffer(&s->t, s->sets[i], 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                         s->factors.buffer, (VkDeviceSize)i * STEP_B, 4);
    }
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-sharing", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    s.numbers = vkt_buffer(&s.t, 4 * SIDE_PX * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < 4 * SIDE_PX; i++)
        ((uint32_t *)s.numbers.map)[i] = i * i + 1;
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    make_sets(&s);
    draw_with_changes(&s);
    return vkt_finish(&s.t);
}
