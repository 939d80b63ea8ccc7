/* SPDX-License-Identifier: MIT
 *
 * Vertex fetch in front of a geometry shader: every format that the driver fetches, at odd offsets
 * and strides, several attributes of one binding, instance rate with divisors 0, 1 and 3, stride 0;
 * then the parameters of the draw (BaseVertex, BaseInstance, DrawIndex). With --dynamic formats,
 * offsets, strides, rates and divisors are dynamic state of three pipelines. With --shown the
 * fragment shader stores what was fetched, so that the geometry shader may run inline, and buffers
 * are bound as far as they are read, to the byte.
 */
#include "common/vkt.h"

#include "fetch_float.h"
#include "fetch_geom.h"
#include "fetch_sint.h"
#include "fetch_uint.h"
#include "parameters_vert.h"
#include "shown_float.h"
#include "shown_frag.h"
#include "shown_geom.h"
#include "shown_sint.h"
#include "shown_uint.h"
#include "value_frag.h"

#include <math.h>
#include <string.h>

#define VERTICES 7u
#define INSTANCES 4u
#define FIRST_VERTEX 1u
#define FIRST_INSTANCE 2u
#define ROWS (VERTICES * INSTANCES * 3)
#define DATA_B 4096u

enum numeric { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, SFLOAT };

/* Runs of the format enumeration that have one size. Left out: 64-bit formats, which need 64-bit
 * inputs in the vertex shader; sRGB ones, which no driver fetches; packed formats of 8 and 16 bits,
 * which lavapipe 22.3 reports and fetches wrongly (R5G5B5A1 as if it were R4G4B4A4), so that there
 * is nothing to compare with. So it is with E5B9G9R9 and Mesa 26, which gets negative numbers of
 * it. That has no NaN, so its bits can be any. */
struct formats {
    VkFormat first;
    uint32_t count, size_B, component_B;
    enum numeric first_numeric;
};

static const struct formats runs[] = {
    {VK_FORMAT_R8_UNORM, 6, 1, 1, UNORM},
    {VK_FORMAT_R8G8_UNORM, 6, 2, 1, UNORM},
    {VK_FORMAT_R8G8B8_UNORM, 6, 3, 1, UNORM},
    {VK_FORMAT_B8G8R8_UNORM, 6, 3, 1, UNORM},
    {VK_FORMAT_R8G8B8A8_UNORM, 6, 4, 1, UNORM},
    {VK_FORMAT_B8G8R8A8_UNORM, 6, 4, 1, UNORM},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, 6, 4, 4, UNORM},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, 6, 4, 4, UNORM},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 6, 4, 4, UNORM},
    {VK_FORMAT_R16_UNORM, 7, 2, 2, UNORM},
    {VK_FORMAT_R16G16_UNORM, 7, 4, 2, UNORM},
    {VK_FORMAT_R16G16B16_UNORM, 7, 6, 2, UNORM},
    {VK_FORMAT_R16G16B16A16_UNORM, 7, 8, 2, UNORM},
    {VK_FORMAT_R32_UINT, 3, 4, 4, UINT},
    {VK_FORMAT_R32G32_UINT, 3, 8, 4, UINT},
    {VK_FORMAT_R32G32B32_UINT, 3, 12, 4, UINT},
    {VK_FORMAT_R32G32B32A32_UINT, 3, 16, 4, UINT},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 1, 4, 4, SFLOAT},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 1, 4, 4, USCALED},
};

/* Pipelines with dynamic vertex input fetch every format of a numeric class. */
enum { FLOATS, SINTS, UINTS, CLASSES };

/* As in fetch.geom. */
struct push {
    uint32_t base, first_instance, vertices;
};

struct suite {
    struct vkt t;
    struct vkt_buffer data[2], log;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    struct vkt_target target;
    bool dynamic, shown;            /* --dynamic, --shown */
    VkShaderStageFlags stage;       /* that stores */
    VkPipeline of_classes[CLASSES]; /* with dynamic vertex input */
    uint32_t tested;
};

static uint32_t hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Bytes that mean something in the format: no NaN, no denormal 32-bit float, which drivers treat as
 * they like. */
static void fill_data(uint8_t *data, const struct formats *run, enum numeric numeric, uint32_t seed)
{
    static const uint16_t halves[] = {0x3c00, 0xc000, 0x3555, 0x7bff,
                                      0x0400, 0x0000, 0xb266, 0x5640};
    for (uint32_t i = 0; i < DATA_B; i += 4) {
        uint32_t word = hash(i + seed);
        if (numeric == SFLOAT && run->first == VK_FORMAT_B10G11R11_UFLOAT_PACK32) {
            word &= ~(1u << 10 | 1u << 21 | 1u << 31);
        } else if (numeric == SFLOAT && run->component_B == 2) {
            word = halves[word & 7] | (uint32_t)halves[word >> 8 & 7] << 16;
        } else if (numeric == SFLOAT) {
            const float value = ((float)(word & 0xffff) - 30000.0f) * 0.37f;
            memcpy(&word, &value, 4);
        }
        memcpy(data + i, &word, 4);
    }
}

/* Conversions of normalized formats may differ in the last bit: compare them as fixed point. And
 * lavapipe does not clamp the -2 of a two-bit SNORM component to -1. */
static void quantize(uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float value;
        memcpy(&value, &words[i], 4);
        value = value < -1.0f ? -1.0f : value;
        words[i] = (uint32_t)(int32_t)lrintf(value * 1048576.0f);
    }
}

static void set_input(VkCommandBuffer cmd, const struct vkt_pipeline_info *info,
                      const uint32_t divisors[2])
{
    VkVertexInputBindingDescription2EXT bindings[2];
    VkVertexInputAttributeDescription2EXT attributes[3];
    for (uint32_t i = 0; i < info->binding_count; i++)
        bindings[i] = (VkVertexInputBindingDescription2EXT){
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
            .binding = info->bindings[i].binding,
            .stride = info->bindings[i].stride,
            .inputRate = info->bindings[i].inputRate,
            .divisor = divisors[i],
        };
    for (uint32_t i = 0; i < info->attribute_count; i++)
        attributes[i] = (VkVertexInputAttributeDescription2EXT){
            .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
            .location = info->attributes[i].location,
            .binding = info->attributes[i].binding,
            .format = info->attributes[i].format,
            .offset = info->attributes[i].offset,
        };
    vkCmdSetVertexInputEXT(cmd, info->binding_count, bindings, info->attribute_count, attributes);
}

/* input: the vertex input to be set; NULL: the pipeline has its own. sizes_B: of what is bound;
 * NULL: all. */
static void draw(struct suite *s, VkPipeline pipeline, const VkDeviceSize offsets_B[2],
                 const VkDeviceSize sizes_B[2], const struct vkt_pipeline_info *input,
                 uint32_t divisor, bool indexed_twice)
{
    const VkBuffer buffers[2] = {s->data[0].buffer, s->data[1].buffer};
    const struct push push = {0, FIRST_INSTANCE, VERTICES};
    memset(s->log.map, 0xcd, s->log.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    if (sizes_B)
        vkCmdBindVertexBuffers2(cmd, 0, 2, buffers, offsets_B, sizes_B, NULL);
    else
        vkCmdBindVertexBuffers(cmd, 0, 2, buffers, offsets_B);
    if (input)
        set_input(cmd, input, (const uint32_t[2]){1, divisor});
    vkCmdPushConstants(cmd, s->layout, s->stage, 0, sizeof(push), &push);
    vkCmdDraw(cmd, VERTICES, INSTANCES, FIRST_VERTEX, FIRST_INSTANCE);
    if (indexed_twice) {
        const struct push next = {ROWS, FIRST_INSTANCE, VERTICES};
        vkCmdPushConstants(cmd, s->layout, s->stage, 0, sizeof(next), &next);
        vkCmdBindIndexBuffer(cmd, s->data[0].buffer, 0, VK_INDEX_TYPE_UINT16);
        vkCmdDrawIndexed(cmd, VERTICES, INSTANCES, 2, -3, FIRST_INSTANCE);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
}

static struct vkt_pipeline_info common_info(const struct suite *s)
{
    return (struct vkt_pipeline_info){
        .gs = s->shown ? VKT_CODE(shown_geom) : VKT_CODE(fetch_geom),
        .fs = s->shown ? VKT_CODE(shown_frag) : VKT_CODE(value_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = 4,
        .height_px = 4,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
}

static uint32_t class_of(enum numeric numeric)
{
    return numeric == UINT ? UINTS : numeric == SINT ? SINTS : FLOATS;
}

static struct vkt_code code_of(const struct suite *s, uint32_t class)
{
    if (s->shown)
        return class == UINTS   ? VKT_CODE(shown_uint)
               : class == SINTS ? VKT_CODE(shown_sint)
                                : VKT_CODE(shown_float);
    return class == UINTS   ? VKT_CODE(fetch_uint)
           : class == SINTS ? VKT_CODE(fetch_sint)
                            : VKT_CODE(fetch_float);
}

static void make_dynamic_pipelines(struct suite *s)
{
    static const VkDynamicState state = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
    for (uint32_t class = 0; class < CLASSES; class ++) {
        struct vkt_pipeline_info info = common_info(s);
        info.vs = code_of(s, class);
        info.dynamic = &state;
        info.dynamic_count = 1;
        s->of_classes[class] = vkt_pipeline(&s->t, &info);
    }
}

static void test_format(struct suite *s, const struct formats *run, uint32_t number)
{
    const VkFormat format = (VkFormat)(run->first + number);
    const enum numeric numeric = (enum numeric)((uint32_t)run->first_numeric + number);
    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(s->t.physical, format, &properties);
    if (!(properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) ||
        (format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 && vkt_driver_is(&s->t, "Mesa 26.")))
        return;
    for (uint32_t i = 0; i < 2; i++)
        fill_data(s->data[i].map, run, numeric, i * 7919 + (uint32_t)format);

    /* The odder the better, as far as the component size allows. */
    const uint32_t unit_B = run->component_B;
    const uint32_t variant = (uint32_t)format % 4;
    s->tested++;
    static const uint32_t divisors[4] = {1, 3, 0, 2};
    uint32_t divisor = divisors[variant];
    if (!s->t.features.divisor || (divisor == 0 && !s->t.features.divisor_zero))
        divisor = 1;
    const VkVertexInputBindingDescription bindings[2] = {
        {0, variant == 3 ? 0 : 3 * run->size_B + variant * unit_B, VK_VERTEX_INPUT_RATE_VERTEX},
        {1, run->size_B + unit_B * variant, VK_VERTEX_INPUT_RATE_INSTANCE},
    };
    const VkVertexInputAttributeDescription attributes[3] = {
        {0, 0, format, unit_B * variant},
        {1, 1, format, unit_B},
        {5, 0, format, run->size_B + unit_B * (variant + 1)},
    };
    const VkVertexInputBindingDivisorDescriptionEXT divisor_description = {1, divisor};
    const VkPipelineVertexInputDivisorStateCreateInfoEXT divisor_state = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
        .vertexBindingDivisorCount = 1,
        .pVertexBindingDivisors = &divisor_description,
    };
    struct vkt_pipeline_info info = common_info(s);
    info.vs = code_of(s, class_of(numeric));
    info.bindings = bindings;
    info.binding_count = 2;
    info.attributes = attributes;
    info.attribute_count = VKT_COUNT(attributes);
    info.vertex_input_next = divisor != 1 ? &divisor_state : NULL;
    const VkDeviceSize offsets_B[2] = {unit_B * 5, unit_B * variant};
    const VkDeviceSize last_instance = FIRST_INSTANCE + (divisor ? (INSTANCES - 1) / divisor : 0);
    const VkDeviceSize sizes_B[2] = {
        (VkDeviceSize)bindings[0].stride * (FIRST_VERTEX + VERTICES - 1) + attributes[2].offset +
            run->size_B,
        bindings[1].stride * last_instance + attributes[1].offset + run->size_B,
    };
    draw(s, s->dynamic ? s->of_classes[class_of(numeric)] : vkt_pipeline(&s->t, &info), offsets_B,
         s->shown ? sizes_B : NULL, s->dynamic ? &info : NULL, divisor, false);

    if (numeric == UNORM || numeric == SNORM)
        quantize(s->log.map, ROWS * 4);
    char name[64];
    snprintf(name, sizeof(name), "opt/format-%u-divisor-%u", (unsigned)format, divisor);
    vkt_dump_buffer(&s->t, name, s->log.map, ROWS * 16);
}

static void test_parameters(struct suite *s)
{
    struct vkt_pipeline_info info = common_info(s);
    info.vs = VKT_CODE(parameters_vert);
    uint16_t *indices = s->data[0].map;
    for (uint32_t i = 0; i < 16; i++)
        indices[i] = (uint16_t)(3 + i * 5 % 11);
    const VkDeviceSize offsets_B[2] = {0, 0};
    draw(s, vkt_pipeline(&s->t, &info), offsets_B, NULL, NULL, 1, true);
    const uint32_t *log = s->log.map;
    for (uint32_t i = 0; i < VERTICES * INSTANCES; i++) {
        const uint32_t instance = FIRST_INSTANCE + i / VERTICES;
        const uint32_t *direct = log + 12 * i, *indexed = direct + 4 * ROWS;
        VKT_EXPECT(&s->t,
                   direct[0] == FIRST_VERTEX + i % VERTICES && direct[1] == instance &&
                       direct[2] == FIRST_VERTEX && direct[3] == FIRST_INSTANCE && direct[4] == 0,
                   "direct %u: vertex %u instance %u base %u %u draw %u", i, direct[0], direct[1],
                   direct[2], direct[3], direct[4]);
        VKT_EXPECT(&s->t,
                   indexed[0] == indices[2 + i % VERTICES] - 3u && indexed[1] == instance &&
                       indexed[2] == (uint32_t)-3 && indexed[3] == FIRST_INSTANCE &&
                       indexed[4] == 0,
                   "indexed %u: vertex %u instance %u base %d %u draw %u", i, indexed[0],
                   indexed[1], (int)indexed[2], indexed[3], indexed[4]);
    }
    vkt_dump_buffer(&s->t, "opt/parameters", s->log.map, 2 * ROWS * 16);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-fetch", argc, argv);
    static struct suite s;
    options.dynamic_input = s.dynamic = vkt_flag(&options, "--dynamic");
    s.shown = vkt_flag(&options, "--shown");
    s.stage = s.shown ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_GEOMETRY_BIT;
    vkt_init(&s.t, &options);
    if (s.shown ? !s.t.features.core.fragmentStoresAndAtomics
                : !s.t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no stores");
    for (uint32_t i = 0; i < 2; i++)
        s.data[i] = vkt_buffer(
            &s.t, DATA_B, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    s.log = vkt_buffer(&s.t, 2 * ROWS * 16,
                       VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, 4, 4);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, s.stage,
                                                  NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&s.t, &binding, 1);
    s.set = vkt_set(&s.t, set_layout, &binding, 1);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.log.buffer, 0,
                     VK_WHOLE_SIZE);
    const VkPushConstantRange range = {s.stage, 0, sizeof(struct push)};
    s.layout = vkt_layout(&s.t, &set_layout, 1, &range, 1);
    if (s.dynamic)
        make_dynamic_pipelines(&s);
    for (uint32_t i = 0; i < VKT_COUNT(runs); i++)
        for (uint32_t k = 0; k < runs[i].count; k++)
            test_format(&s, &runs[i], k);
    VKT_EXPECT(&s.t, s.tested >= 30, "only %u formats", s.tested);
    if (s.t.features.draw_parameters && !s.shown)
        test_parameters(&s);
    return vkt_finish(&s.t);
}
