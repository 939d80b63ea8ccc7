/* SPDX-License-Identifier: MIT
 *
 * Vertex shaders in front of control shaders that have names, constants, push constants and
 * descriptors of the same numbers, and both initial values of global variables; patches of more and
 * of fewer vertices than come out; in either memory model and either version of SPIR-V, which may
 * keep the two from being one shader; one that reads no vertex, and one whose invocations end
 * early. Captured are points that say what their patch is made from, of small draws and large ones
 * in turn, in commands that are submitted twice.
 */
#include "gpu/xfb.h"

#include "control_front_tesc_1.h"
#include "control_front_tesc_5.h"
#include "control_front_tesc_early.h"
#include "control_front_tesc_late.h"
#include "control_front_tesc_model.h"
#include "control_front_tesc_unread.h"
#include "control_front_tese_1.h"
#include "control_front_tese_5.h"
#include "control_front_vert.h"
#include "control_front_vert_late.h"
#include "control_front_vert_model.h"

#include <string.h>

enum { POINTS = 3, TABLE = 8, VERTICES = 400, INDICES = 64 };

static const struct shaders {
    const char *name;
    struct vkt_code vs, tcs;
    uint32_t out;
    bool unread;
} all_shaders[] = {
    {"one", VKT_CODE(control_front_vert), VKT_CODE(control_front_tesc_1), 1, false},
    {"five", VKT_CODE(control_front_vert), VKT_CODE(control_front_tesc_5), 5, false},
    {"early", VKT_CODE(control_front_vert), VKT_CODE(control_front_tesc_early), 5, false},
    {"unread", VKT_CODE(control_front_vert), VKT_CODE(control_front_tesc_unread), 5, true},
    {"model", VKT_CODE(control_front_vert_model), VKT_CODE(control_front_tesc_model), 5, false},
    {"model_vertex", VKT_CODE(control_front_vert_model), VKT_CODE(control_front_tesc_5), 5, false},
    {"model_control", VKT_CODE(control_front_vert), VKT_CODE(control_front_tesc_model), 5, false},
    {"late_vertex", VKT_CODE(control_front_vert_late), VKT_CODE(control_front_tesc_5), 5, false},
    {"late_control", VKT_CODE(control_front_vert), VKT_CODE(control_front_tesc_late), 5, false},
    {"late", VKT_CODE(control_front_vert_late), VKT_CODE(control_front_tesc_late), 5, false},
};

static const uint32_t uniforms[4] = {101, 202, 303, 404};
static const uint32_t factors[2] = {13, 17}; /* of the vertex, and the control shader */

/* One draw. */
static const struct scene {
    uint32_t count, instances, first, first_instance;
    int32_t base;
    bool indexed;
    uint32_t pushed[3];
} scenes[] = {
    {7, 1, 0, 0, 0, false, {1, 2, 3}},      {301, 2, 5, 4, 0, false, {4, 5, 6}},
    {INDICES, 2, 0, 1, 9, true, {7, 8, 9}}, {13, 1, 2, 0, 0, false, {1, 2, 3}},
    {20, 3, 3, 2, 30, true, {6, 5, 4}},     {2, 1, 0, 0, 0, false, {1, 1, 1}},
};

struct suite {
    struct vkt t;
    struct vkt_buffer capture, counter, uniform, tables[2], attributes, indices;
    VkPipelineLayout layout;
    VkDescriptorSet sets[2];
    struct vkt_target target;
    VkQueryPool query;
};

/* -- what is expected -- */

static uint32_t vertex_number(struct suite *s, const struct scene *scene, uint32_t vertex,
                              uint32_t instance)
{
    const uint32_t *table = s->tables[0].map, *attributes = s->attributes.map;
    const uint32_t a = 5 * 3 + vertex, b = a * 3 + attributes[vertex];
    return a * factors[0] + b + scene->pushed[0] +
           scene->pushed[2] * (instance + scene->first_instance) + uniforms[3] +
           table[vertex % TABLE];
}

/* Expects the points of one patch. vertices: of it. */
static void expect_patch(struct suite *s, const char *name, const struct shaders *of,
                         const struct scene *scene, const uint32_t *vertices, uint32_t in,
                         uint32_t instance, uint32_t patch, uint32_t *at)
{
    const uint32_t *table = s->tables[1].map, *seen = s->capture.map;
    uint32_t sum = in, each = 0;
    for (uint32_t i = in; i-- > 0 && !of->unread;)
        sum = sum * 7 + vertex_number(s, scene, vertices[i], instance);
    for (uint32_t i = 0; i < of->out; i++)
        each = each * 3 + sum + i;
    const uint32_t all = (11 * 5 + sum) * factors[1] + scene->pushed[1] * scene->pushed[2] +
                         uniforms[1] + table[uniforms[0] % TABLE];
    for (uint32_t i = 0; i < POINTS; i++, ++*at)
        VKT_EXPECT(&s->t, seen[2 * *at] == all && seen[2 * *at + 1] == each,
                   "%s: point %u of patch %u is %u %u, wanted %u %u", name, *at, patch,
                   seen[2 * *at], seen[2 * *at + 1], all, each);
}

/* The patches of a draw, in the order of their vertices. */
static void expect_scene(struct suite *s, const char *name, const struct shaders *of,
                         const struct scene *scene, uint32_t in, uint32_t *at, uint32_t *patches)
{
    const uint16_t *indices = s->indices.map;
    for (uint32_t instance = 0; instance < scene->instances; instance++) {
        uint32_t vertices[32], count = 0, patch = 0;
        for (uint32_t i = scene->first; i < scene->first + scene->count; i++) {
            if (scene->indexed && indices[i] == UINT16_MAX) {
                count = 0;
                continue;
            }
            vertices[count++] = scene->indexed ? indices[i] + (uint32_t)scene->base : i;
            if (count < in)
                continue;
            expect_patch(s, name, of, scene, vertices, in, instance, patch++, at);
            count = 0;
        }
        *patches += patch;
    }
}

/* -- drawing -- */

static VkPipeline make_pipeline(struct suite *s, const struct shaders *of, uint32_t in)
{
    static const VkSpecializationMapEntry entry = {0, 0, 4};
    static const VkSpecializationInfo constants[2] = {{1, &entry, 4, &factors[0]},
                                                      {1, &entry, 4, &factors[1]}};
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_UINT, 0};
    const struct vkt_pipeline_info info = {
        .vs = of->vs,
        .tcs = of->tcs,
        .tes = of->out == 1 ? VKT_CODE(control_front_tese_1) : VKT_CODE(control_front_tese_5),
        .vs_constants = &constants[0],
        .tcs_constants = &constants[1],
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = s->target.color.width_px,
        .height_px = s->target.color.height_px,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = in,
        .restart = s->t.features.patch_restart,
        .discard = true,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&s->t, &info);
}

static void draw(struct suite *s, VkCommandBuffer cmd, const struct scene *scene)
{
    const VkShaderStageFlags both =
        VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    vkCmdPushConstants(cmd, s->layout, both, 0, 12, scene->pushed);
    if (scene->indexed)
        vkCmdDrawIndexed(cmd, scene->count, scene->instances, scene->first, scene->base,
                         scene->first_instance);
    else
        vkCmdDraw(cmd, scene->count, scene->instances, scene->first, scene->first_instance);
}

static void record(struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
    static const VkDeviceSize zero;
    const struct xfb_range range = {s->capture.buffer, 0, s->capture.size_B};
    const struct xfb_range counter = {s->counter.buffer, 0, 0};
    vkCmdResetQueryPool(cmd, s->query, 0, 1);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 2, s->sets, 0,
                            NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->attributes.buffer, &zero);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    xfb_bind(cmd, 0, 1, &range);
    vkCmdBeginQuery(cmd, s->query, 0, 0);
    xfb_begin(cmd, 0, 0, NULL);
    for (uint32_t i = 0; i < VKT_COUNT(scenes); i++)
        draw(s, cmd, &scenes[i]);
    xfb_end(cmd, 0, 1, &counter);
    vkCmdEndQuery(cmd, s->query, 0);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
}

static void run(struct suite *s, const struct shaders *of, uint32_t in)
{
    char name[64];
    snprintf(name, sizeof(name), "%s/%u", of->name, in);
    const VkPipeline pipeline = make_pipeline(s, of, in);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    record(s, cmd, pipeline);
    VKT_CALL(vkEndCommandBuffer(cmd));
    for (uint32_t time = 0; time < 2; time++) {
        const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                     .commandBufferCount = 1,
                                     .pCommandBuffers = &cmd};
        uint32_t at = 0, patches = 0;
        uint64_t counted = 0;
        memset(s->capture.map, XFB_FILL, s->capture.size_B);
        VKT_CALL(vkQueueSubmit(s->t.queue, 1, &submit, VK_NULL_HANDLE));
        VKT_CALL(vkQueueWaitIdle(s->t.queue));
        for (uint32_t i = 0; i < VKT_COUNT(scenes); i++)
            expect_scene(s, name, of, &scenes[i], in, &at, &patches);
        VKT_EXPECT(&s->t, xfb_word(&s->counter, 0) == at * 8, "%s: %u bytes, wanted %u", name,
                   xfb_word(&s->counter, 0), at * 8);
        VKT_CALL(vkGetQueryPoolResults(s->t.device, s->query, 0, 1, sizeof(counted), &counted,
                                       sizeof(counted), VK_QUERY_RESULT_64_BIT));
        VKT_EXPECT(&s->t, counted == patches, "%s: %u patches, wanted %u", name, (uint32_t)counted,
                   patches);
        xfb_expect_rest(&s->t, name, &s->capture, at * 8);
        if (time == 1)
            xfb_dump(&s->t, s->capture.map, at * 8, "opt/%s%s", name,
                     s->t.features.patch_restart ? "/restart" : "");
    }
}

static void make_sets(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkShaderStageFlags vertex = VK_SHADER_STAGE_VERTEX_BIT;
    const VkShaderStageFlags control = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    const VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkDescriptorSetLayoutBinding first[2] = {{0, uniform, 1, vertex | control, NULL},
                                                   {1, storage, 1, vertex, NULL}};
    const VkDescriptorSetLayoutBinding second = {1, storage, 1, control, NULL};
    const VkDescriptorSetLayout layouts[2] = {vkt_set_layout(t, first, 2),
                                              vkt_set_layout(t, &second, 1)};
    s->sets[0] = vkt_set(t, layouts[0], first, 2);
    s->sets[1] = vkt_set(t, layouts[1], &second, 1);
    vkt_write_buffer(t, s->sets[0], 0, 0, uniform, s->uniform.buffer, 0, 16);
    vkt_write_buffer(t, s->sets[0], 1, 0, storage, s->tables[0].buffer, 0, VK_WHOLE_SIZE);
    vkt_write_buffer(t, s->sets[1], 1, 0, storage, s->tables[1].buffer, 0, VK_WHOLE_SIZE);
    const VkPushConstantRange range = {vertex | control, 0, 12};
    s->layout = vkt_layout(t, layouts, 2, &range, 1);
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkQueryPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
        .queryCount = 1,
        .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_TESSELLATION_CONTROL_SHADER_PATCHES_BIT};
    s->capture = xfb_buffer(t, 1 << 17);
    s->counter = xfb_buffer(t, 4);
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, 8, 8);
    s->uniform = vkt_buffer_from(t, uniforms, sizeof(uniforms), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    for (uint32_t k = 0; k < 2; k++) {
        s->tables[k] = vkt_buffer(t, TABLE * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
        for (uint32_t i = 0; i < TABLE; i++)
            ((uint32_t *)s->tables[k].map)[i] = (i + 1) * (k ? 1000003 : 7919);
    }
    s->attributes = vkt_buffer(t, VERTICES * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < VERTICES; i++)
        ((uint32_t *)s->attributes.map)[i] = i * 2654435761u >> 7;
    s->indices = vkt_buffer(t, INDICES * 2, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < INDICES; i++)
        ((uint16_t *)s->indices.map)[i] =
            (uint16_t)(t->features.patch_restart && (i % 11 == 6 || i == 40) ? UINT16_MAX
                                                                             : i * 37 % 200);
    VKT_CALL(vkCreateQueryPool(t->device, &pool, NULL, &s->query));
    vkt_defer(t, vkt_destroy_query_pool, (uint64_t)s->query);
}

int main(int argc, char **argv)
{
    static const uint32_t sizes[] = {1, 3, 5, 8, 32};
    struct vkt_options options = vkt_parse("gpu-control_front", argc, argv);
    options.xfb = options.tessellation = options.memory_model = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    make_resources(&s);
    make_sets(&s);
    for (uint32_t i = 0; i < VKT_COUNT(all_shaders); i++)
        for (uint32_t k = 0; k < VKT_COUNT(sizes); k++)
            run(&s, &all_shaders[i], sizes[k]);
    return vkt_finish(&s.t);
}
