/* SPDX-License-Identifier: MIT
 *
 * Sets that are bound once for draws of several pipelines: what the layer binds for one of them
 * must leave the others what they need. Pipelines with a geometry shader, whose layouts have fewer
 * sets, or another one that their shaders do not use, stand between native ones. With --wide set 0
 * has many dynamic offsets for each of six stages, and shaders read the last one, also a dispatch
 * behind the pass. Every value is computed here, too.
 */
#include "common/vkt.h"

#include "descriptor_binds_frag.h"
#include "descriptor_binds_geom.h"
#include "descriptor_binds_native_frag.h"
#include "descriptor_binds_vert.h"
#include "descriptor_binds_wide_comp.h"
#include "descriptor_binds_wide_geom.h"

#define SIDE_PX 8u
#define STEP_B 256u
#define NUMBERS 8u
#define PUSHED 4711u
#define WIDE_BINDINGS 8u
#define WIDE_RESULT 6u /* binding, and that of the last offset: */
#define WIDE_SECOND 7u
#define MOST_OFFSETS 128u
#define COMPUTED 5u /* the number that a dispatch gets, or the next one */

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
    bool wide;
    struct vkt_buffer result;
    uint32_t offset_count;    /* of set 0 */
    VkPipelineLayout compute; /* as SHORT; likewise, for the wide set: */
    VkPipeline dispatched;
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

/* How many offsets the wide set can have in each of six stages. */
static uint32_t offsets_of_stage(const struct suite *s)
{
    const VkPhysicalDeviceLimits *limits = &s->t.properties.limits;
    VkPhysicalDeviceDescriptorIndexingProperties indexing = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &indexing};
    vkGetPhysicalDeviceProperties2(s->t.physical, &properties);
    uint32_t each = (MOST_OFFSETS - 2) / 6;
    if (each > limits->maxPerStageDescriptorStorageBuffers)
        each = limits->maxPerStageDescriptorStorageBuffers;
    if (each > limits->maxDescriptorSetStorageBuffersDynamic / 6)
        each = limits->maxDescriptorSetStorageBuffersDynamic / 6;
    if (each > limits->maxDescriptorSetStorageBuffers / 6)
        each = limits->maxDescriptorSetStorageBuffers / 6;
    /* VUID-VkPipelineLayoutCreateInfo-pSetLayouts-03040 counts other sets, too. */
    if (each > indexing.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic / 6)
        each = indexing.maxDescriptorSetUpdateAfterBindStorageBuffersDynamic / 6;
    return each;
}

/* Offsets of all stages, of arrays that no shader reads, are in front of the last one. */
static uint32_t wide_bindings(struct suite *s, VkDescriptorSetLayoutBinding *bindings)
{
    static const VkShaderStageFlags stages[] = {
        VK_SHADER_STAGE_VERTEX_BIT,
        VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
        VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
        VK_SHADER_STAGE_GEOMETRY_BIT,
        VK_SHADER_STAGE_FRAGMENT_BIT,
        VK_SHADER_STAGE_COMPUTE_BIT,
    };
    const uint32_t each = offsets_of_stage(s);
    bindings[0] = (VkDescriptorSetLayoutBinding){0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1,
                                                 VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    for (uint32_t i = 0; i < 6; i++)
        bindings[1 + i] = (VkDescriptorSetLayoutBinding){
            1 + i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, each, stages[i], NULL};
    bindings[WIDE_SECOND] = (VkDescriptorSetLayoutBinding){
        WIDE_SECOND, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1,
        VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    s->offset_count = 6 * each + 1;
    printf("set 0 has %u dynamic offsets\n", s->offset_count);
    return WIDE_BINDINGS;
}

static void make_layouts(struct suite *s)
{
    VkDescriptorSetLayoutBinding wide[WIDE_BINDINGS];
    const uint32_t wide_count = s->wide ? wide_bindings(s, wide) : 0;
    static const VkDescriptorSetLayoutBinding bindings[LAYOUTS][2] = {
        {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL},
         {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_GEOMETRY_BIT, NULL}},
        {{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL}},
        {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
          VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_COMPUTE_BIT, NULL}}};
    VkDescriptorSetLayout of[3];
    for (uint32_t i = 0; i < 3; i++) {
        const bool is_wide = s->wide && i == 0;
        const VkDescriptorSetLayoutBinding *own = is_wide ? wide : bindings[i];
        const uint32_t count = is_wide ? wide_count : i == 0 ? 2 : 1;
        of[i] = vkt_set_layout(&s->t, own, count);
        if (i == 2)
            continue;
        s->sets[i] = vkt_set(&s->t, of[i], own, count);
        for (uint32_t b = 0; b < count; b++)
            for (uint32_t e = 0; e < own[b].descriptorCount; e++)
                vkt_write_buffer(&s->t, s->sets[i], b, e, own[b].descriptorType,
                                 is_wide && b == WIDE_RESULT ? s->result.buffer : s->numbers.buffer,
                                 0, 4);
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
            info.gs =
                s->wide ? VKT_CODE(descriptor_binds_wide_geom) : VKT_CODE(descriptor_binds_geom);
        s->pipelines[i] = vkt_pipeline(&s->t, &info);
    }
    s->compute = s->layouts[SHORT];
    if (s->wide)
        s->dispatched =
            vkt_compute_pipeline(&s->t, VKT_CODE(descriptor_binds_wide_comp), s->compute);
}

/* Those of set 0, of which only the last counts, and the one of set 1. */
static void fill_offsets(const struct suite *s, uint32_t offsets_B[MOST_OFFSETS], uint32_t second,
                         uint32_t third)
{
    for (uint32_t i = 0; i + 1 < s->offset_count; i++)
        offsets_B[i] = (second + 1 + i % (NUMBERS - 1)) % NUMBERS * STEP_B;
    offsets_B[s->offset_count - 1] = second * STEP_B;
    offsets_B[s->offset_count] = third * STEP_B;
}

/* All at once, or the upper one first and the lower one for a layout that ends there. */
static void bind_sets(const struct suite *s, VkCommandBuffer cmd, const struct row *row, bool apart)
{
    uint32_t offsets_B[MOST_OFFSETS];
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    fill_offsets(s, offsets_B, row->second, row->third);
    if (!apart) {
        vkCmdBindDescriptorSets(cmd, graphics, s->layouts[FULL], 0, 2, s->sets, s->offset_count + 1,
                                offsets_B);
        return;
    }
    vkCmdBindDescriptorSets(cmd, graphics, s->layouts[FULL], 1, 1, &s->sets[1], 1,
                            &offsets_B[s->offset_count]);
    vkCmdBindDescriptorSets(cmd, graphics, s->layouts[SHORT], 0, 1, &s->sets[0], s->offset_count,
                            offsets_B);
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

static void bind_for_dispatch(const struct suite *s, VkCommandBuffer cmd, uint32_t number)
{
    uint32_t offsets_B[MOST_OFFSETS];
    if (!s->wide)
        return;
    fill_offsets(s, offsets_B, number, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->dispatched);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->compute, 0, 1, s->sets,
                            s->offset_count, offsets_B);
}

/* The first offset of the array for compute says where the result is. */
static void check_dispatch(struct suite *s, const char *what, uint32_t number)
{
    uint32_t offsets_B[MOST_OFFSETS];
    if (!s->wide)
        return;
    fill_offsets(s, offsets_B, number, 0);
    const uint32_t first = offsets_B[(s->offset_count - 1) / 6 * 5];
    const uint32_t *result = s->result.map;
    VKT_EXPECT(&s->t, result[first / 4] == value_of(number), "%s: the dispatch got %u, not %u",
               what, result[first / 4], value_of(number));
}

static void draw(struct suite *s, const char *what, const struct row rows[SIDE_PX], bool apart)
{
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    bind_for_dispatch(s, cmd, COMPUTED);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    record_rows(s, cmd, rows, apart);
    if (apart) /* what the dispatch gets is bound within the pass */
        bind_for_dispatch(s, cmd, COMPUTED + 1);
    vkCmdEndRenderPass(cmd);
    if (s->wide)
        vkCmdDispatch(cmd, 1, 1, 1);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    check(s, what, rows);
    check_dispatch(s, what, COMPUTED + (apart ? 1 : 0));
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
    s.numbers =
        vkt_buffer(&s.t, NUMBERS * STEP_B,
                   VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s.offset_count = 1;
    for (uint32_t i = 0; i < NUMBERS; i++)
        ((uint32_t *)s.numbers.map)[i * STEP_B / 4] = value_of(i);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.wide = vkt_flag(&options, "--wide");
    if (s.wide && !offsets_of_stage(&s))
        vkt_skip("no dynamic offset for each stage");
    if (s.wide)
        s.result = vkt_buffer(&s.t, NUMBERS * STEP_B, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    make_layouts(&s);
    make_pipelines(&s);
    draw(&s, "fewer", fewer, false);
    draw(&s, "fewer-apart", fewer, true);
    draw(&s, "other", other, false);
    draw(&s, "other-apart", other, true);
    draw_secondary(&s, "secondary", other);
    return vkt_finish(&s.t);
}
