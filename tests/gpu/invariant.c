/* SPDX-License-Identifier: MIT
 *
 * `invariant` positions: what one pipeline leaves in the depth buffer another one with the same
 * shader meets with EQUAL, though a geometry shader stands behind it. Where the driver has none,
 * the shader then runs as compute, or in a vertex shader of the layer's, and once as it is.
 */
#include "common/vkt.h"

#include "invariant_flow.h"
#include "invariant_frag.h"
#include "invariant_functions.h"
#include "invariant_geom.h"
#include "invariant_matrices.h"
#include "invariant_normalized.h"
#include "invariant_tesc.h"
#include "invariant_tese.h"
#include "invariant_to_patches.h"

#include <math.h>
#include <string.h>

#define SIDE_PX 128u
#define CELLS 24u /* of the sheet, each way */
#define VERTICES (CELLS * CELLS * 6)

struct vertex {
    float place[3], normal[4], weights[4];
    int8_t snorm_normal[4];
    uint16_t unorm_weights[4];
};

struct scene {
    float projection[16], view[16], light[4];
};

struct suite {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer vertices;
    VkPipelineLayout layout;
    VkDescriptorSet set;
};

struct kind {
    const char *name;
    struct vkt_code vs;
    bool normalized, tessellated;
};

static float height(float x, float y)
{
    return 0.3f * sinf(x * 5.3f) * cosf(y * 4.1f);
}

static struct vertex corner(uint32_t x, uint32_t y)
{
    const float u = (float)x / CELLS * 1.7f - 0.83f, v = (float)y / CELLS * 1.7f - 0.87f;
    struct vertex vertex = {.place = {u, v, height(u, v)}};
    for (uint32_t i = 0; i < 4; i++) {
        vertex.snorm_normal[i] = (int8_t)((int)(x * 37 + y * 11 + i * 53) % 255 - 127);
        vertex.unorm_weights[i] = (uint16_t)(x * 2411 + y * 12345 + i * 777);
        vertex.normal[i] = (float)vertex.snorm_normal[i] / 127.0f;
        vertex.weights[i] = (float)vertex.unorm_weights[i] / 65535.0f;
    }
    return vertex;
}

static void make_vertices(struct suite *s)
{
    static const uint32_t steps[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    static struct vertex vertices[VERTICES];
    for (uint32_t i = 0; i < VERTICES; i++) {
        const uint32_t cell = i / 6, *step = steps[i % 6];
        vertices[i] = corner(cell % CELLS + step[0], cell / CELLS + step[1]);
    }
    s->vertices =
        vkt_buffer_from(&s->t, vertices, sizeof(vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
}

static void make_layout(struct suite *s)
{
    static const struct scene scene = {
        .projection = {1.3f, 0, 0, 0, 0, 1.41f, 0, 0, 0, 0, 1.013f, 1, 0, 0, -0.211f, 0},
        .view = {0.97f, 0.11f, 0.23f, 0, -0.17f, 0.93f, 0.31f, 0, -0.19f, -0.34f, 0.91f, 0, 0.05f,
                 0.07f, 1.9f, 1},
        .light = {0.31f, 0.57f, 0.77f, 0},
    };
    const VkShaderStageFlags stages =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stages,
                                                  NULL};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 16, 64};
    const VkDescriptorSetLayout layout = vkt_set_layout(&s->t, &binding, 1);
    const struct vkt_buffer uniform =
        vkt_buffer_from(&s->t, &scene, sizeof(scene), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    s->set = vkt_set(&s->t, layout, &binding, 1);
    vkt_write_buffer(&s->t, s->set, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, uniform.buffer, 0,
                     VK_WHOLE_SIZE);
    s->layout = vkt_layout(&s->t, &layout, 1, &range, 1);
}

/* Leaves `value` where it draws: everywhere, or behind a geometry shader where the depth is already
 * there. */
static VkPipeline make_pipeline(struct suite *s, const struct kind *kind, bool geometry,
                                const uint32_t *value)
{
    static const VkVertexInputBindingDescription binding = {0, sizeof(struct vertex),
                                                            VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attributes[2][3] = {
        {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, place)},
         {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct vertex, normal)},
         {2, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(struct vertex, weights)}},
        {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(struct vertex, place)},
         {1, 0, VK_FORMAT_R8G8B8A8_SNORM, offsetof(struct vertex, snorm_normal)},
         {2, 0, VK_FORMAT_R16G16B16A16_UNORM, offsetof(struct vertex, unorm_weights)}}};
    static const VkSpecializationMapEntry entry = {0, 0, 4};
    const VkSpecializationInfo constants = {1, &entry, 4, value};
    struct vkt_pipeline_info info = {
        .vs = kind->vs,
        .fs = VKT_CODE(invariant_frag),
        .fs_constants = &constants,
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes[kind->normalized],
        .attribute_count = 3,
        .depth_test = true,
        .depth_write = !geometry,
        .depth_compare = geometry ? VK_COMPARE_OP_EQUAL : VK_COMPARE_OP_LESS_OR_EQUAL,
    };
    if (geometry)
        info.gs = VKT_CODE(invariant_geom);
    if (kind->tessellated) {
        info.tcs = VKT_CODE(invariant_tesc);
        info.tes = VKT_CODE(invariant_tese);
        info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
        info.patch_points = 3;
    }
    return vkt_pipeline(&s->t, &info);
}

/* How many pixels of the first pipeline the second one does not meet. */
static void run(struct suite *s, const struct kind *kind)
{
    static const float model[16] = {0.93f, 0.27f,  -0.13f, 0, -0.29f, 0.91f,  0.17f, 0,
                                    0.11f, -0.19f, 0.97f,  0, 0.03f,  -0.02f, 0.13f, 1};
    static const uint32_t values[2] = {1, 2};
    const VkPipeline first = make_pipeline(s, kind, false, &values[0]);
    const VkPipeline second = make_pipeline(s, kind, true, &values[1]);
    const VkDeviceSize zero = 0;
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->vertices.buffer, &zero);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 16, sizeof(model), model);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, first);
    vkCmdDraw(cmd, VERTICES, 1, 0, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, second);
    vkCmdDraw(cmd, VERTICES, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(&s->t, cmd);

    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    uint32_t missing = 0, met = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t value = ((const uint32_t *)pixels.map)[i];
        missing += value == values[0];
        met += value == values[1];
    }
    printf("%s: %u of %u pixels missing\n", kind->name, missing, met + missing);
    VKT_EXPECT(&s->t, missing == 0 && met > SIDE_PX * SIDE_PX / 5,
               "%s: of %u pixels %u are not met", kind->name, met + missing, missing);
    vkt_dump_buffer(&s->t, kind->name, &missing, 4);
}

int main(int argc, char **argv)
{
    static const struct kind kinds[] = {
        {"matrices", {invariant_matrices, sizeof(invariant_matrices)}, false, false},
        {"functions", {invariant_functions, sizeof(invariant_functions)}, false, false},
        {"normalized", {invariant_normalized, sizeof(invariant_normalized)}, true, false},
        {"flow", {invariant_flow, sizeof(invariant_flow)}, false, false},
        {"tessellated", {invariant_to_patches, sizeof(invariant_to_patches)}, false, true},
    };
    struct vkt_options options = vkt_parse("gpu-invariant", argc, argv);
    options.tessellation = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_D32_SFLOAT, SIDE_PX, SIDE_PX);
    make_vertices(&s);
    make_layout(&s);
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++)
        run(&s, &kinds[i]);
    return vkt_finish(&s.t);
}
