/* SPDX-License-Identifier: MIT
 *
 * Sets that are bound once for draws of several pipelines: what the layer binds for one of them
 * must leave the others what they need. Pipelines with a geometry shader, whose layouts have fewer
 * sets, or another one that their shaders do not use, stand between native ones. Every value is
 * computed here, too.
 */
#include "common/vkt.h"

#include "descriptor_binds_frag.h"
#include "descriptor_binds_geom.h"
#include "descriptor_binds_native_frag.h"
#include "descriptor_binds_vert.h"

#define SIDE_PX 8u
#define STEP_B 256u
#define NUMBERS 8u
#define PUSHED 4711u

/* Layouts, of the sets 0 and 1, all alike in set 0; and the pipelines made with them. */
enum { SHORT, FULL, OTHER, LAYOUTS };

/* What a row is drawn with: the geometry shader of SHORT or OTHER, or none, which is FULL. */
struct row {
    uint32_t with;
    uint32_t second, third; /* dynamic offsets, in numbers */
};

struct suite {
    struct vkt t;
    struct vkt_buffer numbers;
    struct vkt_target target;
    VkDescriptorSet sets[2];
    VkPipelineLayout layouts[LAYOUTS];
    VkPipeline pipelines[LAYOUTS];
};

static uint32_t value_of(uint32_t number)
{
    return 1000 + number * 17;
}

static uint32_t expected(const struct row *row, uint32_t index)
{
    return row->with == FULL ? index * 37 + value_of(row->third) * 7 + PUSHED
                             : index * 31 + value_of(0) * 3 + value_of(row->second) * 5;
}

static VkPipelineLayout make_layout(struct suite *s, const VkDescriptorSetLayout *sets,
                                    uint32_t count)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = count,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkPipelineLayout layout;
    VKT_CALL(vkCreatePipelineLayout(s->t.device, &info, NULL, &layout));
    return layout;
}

static void make_layouts(struct suite *s)
{
    static const VkDescriptorSetLayoutBinding bindings[LAYOUTS][2] = {
        {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
         {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL}},
        {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL}},
        {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
          VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT, NULL}}};
    VkDescriptorSetLayout of[3];
    for (uint32_t i = 0; i < 3; i++)
        of[i] = vkt_set_layout(&s->t, bindings[i], i == 0 ? 2 : 1);
    for (uint32_t i = 0; i < 2; i++) {
        s->sets[i] = vkt_set(&s->t, of[i], bindings[i], i == 0 ? 2 : 1);
        for (uint32_t b = 0; b < (i == 0 ? 2 : 1); b++)
            vkt_write_buffer(&s->t, s->sets[i], b, 0, bindings[i][b].descriptorType,
                             s->numbers.buffer, 0, 4);
    }
    s->layouts[SHORT] = make_layout(s, (VkDescriptorSetLayout[]){of[0]}, 1);
    s->layouts[FULL] = make_layout(s, (VkDescriptorSetLayout[]){of[0], of[1]}, 2);
    s->layouts[OTHER] = make_layout(s, (VkDescriptorSetLayout[]){of[0], of[2]}, 2);
}

static void make_pipelines(struct suite *s)
{
    for (uint32_t i = 0; i < LAYOUTS; i++) {
        struct vkt_pipeline_info info = {
            .vs = VKT_CODE(descriptor_binds_vert),
            .fs = VKT_CODE(descriptor_binds_frag),
            .layout = s->layouts[i],
            .pass = s->target.pass,
            .width_px = SIDE_PX,
            .height_px = SIDE_PX,
            .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        };
        if (i == FULL)
            info.fs = VKT_CODE(descriptor_binds_native_frag);
        else
            info.gs = VKT_CODE(descriptor_binds_geom);
        s->pipelines[i] = vkt_pipeline(&s->t, &info);
    }
}

/* All at once, or the upper one first and the lower one for a layout that ends there. */
static void bind_sets(const struct suite *s, VkCommandBuffer cmd, const struct row *row, bool apart)
{
    const uint32_t offsets_B[2] = {row->second * STEP_B, row->third * STEP_B};
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    if (!apart) {
        vkCmdBindDescriptorSets(cmd, graphics, s->layouts[FULL], 0, 2, s->sets, 2, offsets_B);
        return;
    }
    vkCmdBindDescriptorSets(cmd, graphics, s->layouts[FULL], 1, 1, &s->sets[1], 1, &offsets_B[1]);
    vkCmdBindDescriptorSets(cmd, graphics, s->layouts[SHORT], 0, 1, &s->sets[0], 1, offsets_B);
}

static void check(struct suite *s, const char *what, const struct row *rows)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t *texels = pixels.map;
    for (uint32_t y = 0; y < SIDE_PX; y++) {
        uint32_t wrong = 0;
        for (uint32_t x = 0; x < SIDE_PX; x++)
            wrong += texels[y * SIDE_PX + x] != expected(&rows[y], y * SIDE_PX + x);
        VKT_EXPECT(&s->t, !wrong, "%s: %u of %u pixels of row %u are wrong", what, wrong, SIDE_PX,
                   y);
    }
    vkt_dump_buffer(&s->t, what, texels, SIDE_PX * SIDE_PX * 4);
}

/* The sets are bound before the first row, and before the fifth. */
static void record_rows(const struct suite *s, VkCommandBuffer cmd, const struct row rows[SIDE_PX],
                        bool apart)
{
    const uint32_t pushed = PUSHED;
    vkCmdPushConstants(cmd, s->layouts[FULL], VK_SHADER_STAGE_FRAGMENT_BIT, 0, 4, &pushed);
    for (uint32_t y = 0; y < SIDE_PX; y++) {
        if (y % 4 == 0)
            bind_sets(s, cmd, &rows[y], apart);
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[rows[y].with]);
        vkCmdDraw(cmd, SIDE_PX, 1, y * SIDE_PX, 0);
    }
}

static void draw(struct suite *s, const char *what, const struct row rows[SIDE_PX], bool apart)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    record_rows(s, cmd, rows, apart);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    check(s, what, rows);
}

/* Layouts have to live while something is recorded with them, and no longer. */
static void draw_secondary(struct suite *s, const char *what, const struct row rows[SIDE_PX])
{
    VkCommandBuffer secondary = vkt_secondary_in(&s->t, s->target.pass, 0);
    record_rows(s, secondary, rows, true);
    VKT_CALL(vkEndCommandBuffer(secondary));
    for (uint32_t i = 0; i < LAYOUTS; i++)
        vkDestroyPipelineLayout(s->t.device, s->layouts[i], NULL);
    vkt_submit_secondaries(&s->t, &s->target, &secondary, 1);
    check(s, what, rows);
}

int main(int argc, char **argv)
{
    static const struct row fewer[SIDE_PX] = {
        {SHORT, 1, 2}, {FULL, 1, 2}, {SHORT, 1, 2}, {FULL, 1, 2},
        {FULL, 3, 4},  {FULL, 3, 4}, {SHORT, 3, 4}, {FULL, 3, 4},
    };
    static const struct row other[SIDE_PX] = {
        {OTHER, 1, 2}, {FULL, 1, 2},  {SHORT, 1, 2}, {FULL, 1, 2},
        {FULL, 3, 4},  {OTHER, 3, 4}, {SHORT, 3, 4}, {FULL, 3, 4},
    };
    const struct vkt_options options = vkt_parse("gpu-descriptor_binds", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    s.numbers = vkt_buffer(&s.t, NUMBERS * STEP_B, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < NUMBERS; i++)
        ((uint32_t *)s.numbers.map)[i * STEP_B / 4] = value_of(i);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    make_layouts(&s);
    make_pipelines(&s);
    draw(&s, "fewer", fewer, false);
    draw(&s, "fewer-apart", fewer, true);
    draw(&s, "other", other, false);
    draw(&s, "other-apart", other, true);
    draw_secondary(&s, "secondary", other);
    return vkt_finish(&s.t);
}
