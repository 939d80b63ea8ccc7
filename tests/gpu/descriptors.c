/* SPDX-License-Identifier: MIT
 *
 * As many descriptors of every kind as a stage may have, in every stage at once: what the layer
 * shows to a stage of its own must not take from what the application's shaders may see. Every
 * value is computed here, too. With --unused the shaders are a vertex, a fragment and a compute
 * shader, and with --plain no feature of the layer's is enabled besides.
 */
#include "common/vkt.h"

#include "descriptors_comp.h"
#include "descriptors_frag.h"
#include "descriptors_geom.h"
#include "descriptors_geom_cells.h"
#include "descriptors_several_comp.h"
#include "descriptors_several_frag.h"
#include "descriptors_several_geom.h"
#include "descriptors_several_geom_cells.h"
#include "descriptors_several_tesc.h"
#include "descriptors_several_tese.h"
#include "descriptors_several_vert.h"
#include "descriptors_several_vert_cells.h"
#include "descriptors_tesc.h"
#include "descriptors_tese.h"
#include "descriptors_vert.h"
#include "descriptors_vert_cells.h"

#include <stddef.h>
#include <string.h>

#define SIDE_PX 8u
#define CELLS 16u
/* Drivers with a million of a kind are not asked for all of them. */
#define MOST 32u
#define SEED 77u

enum stage { VERTEX, CONTROL, EVALUATION, GEOMETRY, FRAGMENT, COMPUTE, STAGES };
enum kind { UNIFORM, STORAGE, PICTURE, IMAGE, KINDS };

static const VkShaderStageFlagBits stage_bits[STAGES] = {
    VK_SHADER_STAGE_VERTEX_BIT,
    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
    VK_SHADER_STAGE_GEOMETRY_BIT,
    VK_SHADER_STAGE_FRAGMENT_BIT,
    VK_SHADER_STAGE_COMPUTE_BIT,
};
static const VkDescriptorType types[KINDS] = {
    VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
};
static const uint32_t factors[KINDS] = {31, 33, 37, 39};
/* With several sets. */
static const uint32_t set_of[STAGES] = {0, 1, 1, 2, 3, 3};

struct code {
    struct vkt_code vert, vert_cells, tesc, tese, geom, geom_cells, frag, comp;
};

struct suite {
    struct vkt t;
    bool plain;
    uint32_t count[KINDS];
    VkSpecializationInfo constants, compute_constants;
    uint32_t values[KINDS + 1], compute_values[KINDS + 1]; /* the last: READS_STORAGES */
    struct vkt_buffer numbers, result;                     /* numbers: value i at i * step */
    uint32_t step_B, number_count;
    struct vkt_image images[MOST];
    VkSampler sampler;
    struct vkt_target target;
    VkDescriptorSetLayout set_layouts[4];
    VkDescriptorSet sets[4];
    uint32_t set_count;
    VkPipelineLayout layout;
};

/* The descriptor `i` of a kind in a stage holds the number... */
static uint32_t number_of(enum stage stage, enum kind kind, uint32_t i)
{
    return kind <= STORAGE ? (stage * 7 + kind * 3 + i * 5) % 64 : (stage * 11 + i * 3) % MOST;
}

static uint32_t value_of(enum kind kind, uint32_t number)
{
    return kind <= STORAGE ? 1000 + number * 17 : 5000 + number * 13;
}

static uint32_t count_of(const struct suite *s, enum stage stage, enum kind kind)
{
    return stage == COMPUTE ? s->compute_values[kind] : s->values[kind];
}

static uint32_t weigh(const struct suite *s, enum stage stage, uint32_t sum)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t i = 0; i < count_of(s, stage, kind); i++) {
            const uint32_t read = kind == STORAGE && !s->values[KINDS] ? 0 : i;
            sum = sum * factors[kind] + value_of(kind, number_of(stage, kind, read));
        }
    }
    return sum;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void choose_counts(struct suite *s)
{
    const VkPhysicalDeviceLimits *limits = &s->t.properties.limits;
    const uint32_t per_stage[KINDS] = {
        limits->maxPerStageDescriptorUniformBuffers, limits->maxPerStageDescriptorStorageBuffers,
        least(limits->maxPerStageDescriptorSamplers, limits->maxPerStageDescriptorSampledImages),
        limits->maxPerStageDescriptorStorageImages};
    const uint32_t per_layout[KINDS] = {
        limits->maxDescriptorSetUniformBuffers, limits->maxDescriptorSetStorageBuffers,
        least(limits->maxDescriptorSetSamplers, limits->maxDescriptorSetSampledImages),
        limits->maxDescriptorSetStorageImages};
    uint32_t total = 0;
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        s->values[kind] = least(least(per_stage[kind], per_layout[kind] / STAGES), MOST);
        s->compute_values[kind] = s->values[kind];
        total += s->values[kind];
        printf("%u of %u descriptors of kind %u in each stage\n", s->values[kind], per_stage[kind],
               kind);
    }
    s->compute_values[STORAGE]--; /* besides the result */
    /* SwiftShader crashes where a shader reads another storage buffer of an array than the first.
     */
    s->values[KINDS] = s->compute_values[KINDS] = s->t.properties.vendorID != 0x1AE0;
    /* The fragment shader's colour counts, too. */
    VKT_EXPECT(&s->t, total < limits->maxPerStageResources, "%u resources", total);
}

static const VkSpecializationMapEntry entries[KINDS + 1] = {
    {0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}, {4, 16, 4}};

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkPhysicalDeviceLimits *limits = &t->properties.limits;
    s->step_B = 4;
    if (s->step_B < limits->minUniformBufferOffsetAlignment)
        s->step_B = (uint32_t)limits->minUniformBufferOffsetAlignment;
    if (s->step_B < limits->minStorageBufferOffsetAlignment)
        s->step_B = (uint32_t)limits->minStorageBufferOffsetAlignment;
    s->numbers =
        vkt_buffer(t, 65 * s->step_B,
                   VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < 64; i++)
        ((uint32_t *)s->numbers.map)[i * s->step_B / 4] = value_of(UNIFORM, i);
    s->result = vkt_buffer(t, 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < MOST; i++) {
        const uint32_t texels[4] = {0, 0, 0, value_of(PICTURE, i)};
        s->images[i] = vkt_image(t, VK_FORMAT_R32_UINT, 2, 2,
                                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                     VK_IMAGE_USAGE_TRANSFER_DST_BIT);
        vkt_image_upload(t, &s->images[i], texels, sizeof(texels), VK_IMAGE_LAYOUT_GENERAL);
    }
    s->sampler = vkt_sampler(t, VK_FILTER_NEAREST);
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s->constants = (VkSpecializationInfo){KINDS + 1, entries, sizeof(s->values), s->values};
    s->compute_constants =
        (VkSpecializationInfo){KINDS + 1, entries, sizeof(s->compute_values), s->compute_values};
}

static bool has_stage(const struct suite *s, enum stage stage)
{
    return !s->plain || stage == VERTEX || stage == FRAGMENT || stage == COMPUTE;
}

static void make_sets(struct suite *s, bool several)
{
    VkDescriptorSetLayoutBinding bindings[4][STAGES * KINDS + 1];
    uint32_t counts[4] = {0};
    for (uint32_t stage = 0; stage < STAGES; stage++) {
        const uint32_t set = several ? set_of[stage] : 0;
        for (uint32_t kind = 0; kind < KINDS && has_stage(s, stage); kind++)
            if (count_of(s, stage, kind))
                bindings[set][counts[set]++] = (VkDescriptorSetLayoutBinding){
                    stage * KINDS + kind, types[kind], count_of(s, stage, kind), stage_bits[stage],
                    NULL};
    }
    s->set_count = several ? 4 : 1;
    bindings[s->set_count - 1][counts[s->set_count - 1]++] = (VkDescriptorSetLayoutBinding){
        STAGES * KINDS, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    for (uint32_t set = 0; set < s->set_count; set++) {
        s->set_layouts[set] = vkt_set_layout(&s->t, bindings[set], counts[set]);
        s->sets[set] = vkt_set(&s->t, s->set_layouts[set], bindings[set], counts[set]);
    }
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
    s->layout = vkt_layout(&s->t, s->set_layouts, s->set_count, &range, 1);
}

static void write_stage(struct suite *s, enum stage stage, VkDescriptorSet set)
{
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        for (uint32_t i = 0; i < count_of(s, stage, kind); i++) {
            const uint32_t number = number_of(stage, kind, i), binding = stage * KINDS + kind;
            if (kind <= STORAGE)
                vkt_write_buffer(&s->t, set, binding, i, types[kind], s->numbers.buffer,
                                 (VkDeviceSize)number * s->step_B, 4);
            else
                vkt_write_image(&s->t, set, binding, i, types[kind], s->images[number].view,
                                VK_IMAGE_LAYOUT_GENERAL,
                                kind == PICTURE ? s->sampler : VK_NULL_HANDLE);
        }
    }
}

static void write_sets(struct suite *s, bool several)
{
    for (uint32_t stage = 0; stage < STAGES; stage++)
        if (has_stage(s, stage))
            write_stage(s, stage, s->sets[several ? set_of[stage] : 0]);
    vkt_write_buffer(&s->t, s->sets[s->set_count - 1], STAGES * KINDS, 0,
                     VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s->result.buffer, 0, 4);
}

/* A set of stages, and the vertices that it takes. */
struct shape {
    const char *name;
    bool tessellated, geometry;
};

static VkPipeline pipeline_of(struct suite *s, const struct shape *shape, const struct code *code)
{
    const bool cells = !shape->tessellated && !shape->geometry;
    struct vkt_pipeline_info info = {
        .vs = cells ? code->vert_cells : code->vert,
        .fs = code->frag,
        .vs_constants = &s->constants,
        .fs_constants = &s->constants,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    if (shape->tessellated) {
        info.tcs = code->tesc;
        info.tes = code->tese;
        info.tcs_constants = info.tes_constants = &s->constants;
        info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info.patch_points = 1;
    }
    if (shape->geometry) {
        info.gs = shape->tessellated ? code->geom_cells : code->geom;
        info.gs_constants = &s->constants;
        if (!shape->tessellated)
            info.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    }
    return vkt_pipeline(&s->t, &info);
}

static void expect_pixels(struct suite *s, const struct shape *shape, const uint32_t *pixels,
                          const char *sets)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t sum = weigh(s, VERTEX, i);
        if (shape->tessellated)
            sum = weigh(s, EVALUATION, weigh(s, CONTROL, sum));
        if (shape->geometry)
            sum = weigh(s, GEOMETRY, sum);
        wrong += pixels[i / 8 * SIDE_PX + i % 8] != weigh(s, FRAGMENT, sum);
    }
    VKT_EXPECT(&s->t, !wrong, "%s, %s: %u of %u cells are wrong", shape->name, sets, wrong, CELLS);
}

static void draw(struct suite *s, const struct shape *shape, const struct code *code,
                 const char *sets)
{
    const VkPipeline pipeline = pipeline_of(s, shape, code);
    const VkPipelineBindPoint graphics = VK_PIPELINE_BIND_POINT_GRAPHICS;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, graphics, pipeline);
    vkCmdBindDescriptorSets(cmd, graphics, s->layout, 0, s->set_count, s->sets, 0, NULL);
    vkCmdDraw(cmd, shape->tessellated || shape->geometry ? CELLS : 6 * CELLS, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    expect_pixels(s, shape, pixels.map, sets);
    char name[64];
    snprintf(name, sizeof(name), "%s/%s", shape->name, sets);
    vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

static VkPipeline compute_pipeline(struct suite *s, struct vkt_code code, VkShaderModule *module)
{
    const VkShaderModuleCreateInfo module_info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code.size_B,
        .pCode = code.words,
    };
    VKT_CALL(vkCreateShaderModule(s->t.device, &module_info, NULL, module));
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = *module,
                  .pName = "main",
                  .pSpecializationInfo = &s->compute_constants},
        .layout = s->layout,
    };
    VkPipeline pipeline;
    VKT_CALL(vkCreateComputePipelines(s->t.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline));
    return pipeline;
}

static void dispatch(struct suite *s, const struct code *code, const char *sets)
{
    VkShaderModule module;
    const VkPipeline pipeline = compute_pipeline(s, code->comp, &module);
    const VkPipelineBindPoint compute = VK_PIPELINE_BIND_POINT_COMPUTE;
    const uint32_t seed = SEED;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBindPipeline(cmd, compute, pipeline);
    vkCmdBindDescriptorSets(cmd, compute, s->layout, 0, s->set_count, s->sets, 0, NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &seed);
    vkCmdDispatch(cmd, 1, 1, 1);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    const uint32_t result = *(const uint32_t *)s->result.map;
    VKT_EXPECT(&s->t, result == weigh(s, COMPUTE, SEED), "compute, %s: %u", sets, result);
    vkDestroyPipeline(s->t.device, pipeline, NULL);
    vkDestroyShaderModule(s->t.device, module, NULL);
}

static void run(struct suite *s, bool several, const struct code *code)
{
    const char *sets = several ? "several-sets" : "one-set";
    make_sets(s, several);
    write_sets(s, several);
    draw(s, &(struct shape){"vertex", false, false}, code, sets);
    if (!s->plain) {
        draw(s, &(struct shape){"geometry", false, true}, code, sets);
        draw(s, &(struct shape){"tessellation", true, false}, code, sets);
        draw(s, &(struct shape){"both", true, true}, code, sets);
    }
    dispatch(s, code, sets);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-descriptors", argc, argv);
    static struct suite s;
    const bool without_features = vkt_flag(&options, "--plain");
    s.plain = without_features || vkt_flag(&options, "--unused");
    options.without_geometry = without_features;
    options.tessellation = !without_features;
    vkt_init(&s.t, &options);
    choose_counts(&s);
    make_resources(&s);
    run(&s, false,
        &(struct code){VKT_CODE(descriptors_vert), VKT_CODE(descriptors_vert_cells),
                       VKT_CODE(descriptors_tesc), VKT_CODE(descriptors_tese),
                       VKT_CODE(descriptors_geom), VKT_CODE(descriptors_geom_cells),
                       VKT_CODE(descriptors_frag), VKT_CODE(descriptors_comp)});
    run(&s, true,
        &(struct code){VKT_CODE(descriptors_several_vert), VKT_CODE(descriptors_several_vert_cells),
                       VKT_CODE(descriptors_several_tesc), VKT_CODE(descriptors_several_tese),
                       VKT_CODE(descriptors_several_geom), VKT_CODE(descriptors_several_geom_cells),
                       VKT_CODE(descriptors_several_frag), VKT_CODE(descriptors_several_comp)});
    return vkt_finish(&s.t);
}
