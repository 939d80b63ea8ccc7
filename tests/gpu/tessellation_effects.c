/* SPDX-License-Identifier: MIT
 *
 * Patches of one indirect call in front of a geometry shader that writes to a buffer, with far less
 * memory than they take: the shader runs once for each primitive, the first time, too, whether
 * there is a raster draw or not. To be run with a pool of 1 MiB, through the layer.
 */
#include "gpu/tessellation.h"

#include "tessellation_commands_frag.h"
#include "tessellation_commands_pass_tese.h"
#include "tessellation_commands_tesc.h"
#include "tessellation_commands_vert.h"
#include "tessellation_effects_geom.h"

#include <math.h>
#include <string.h>

#define SIDE_PX 64u
#define INSTANCE_W 1000u /* numbers of an instance */
#define LOG_W 4000u
#define TIMES 2u

/* Patches of one vertex. Those of levels that are not positive become nothing. */
static const struct part {
    uint32_t count, instances;
    float level;
} parts[] = {{0, 1, 4},  {6, 2, 4},  {3, 0, 4},   {2, 1, 0},  {2, 3, NAN},
             {2, 1, 64}, {2, 1, -1}, {300, 1, 1}, {8, 3, 16}, {1, 1, 64}};
#define PARTS VKT_COUNT(parts)

struct suite {
    struct vkt t;
    struct vkt_buffer levels, arguments, log;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    struct vkt_target target;
    uint32_t want[LOG_W];
};

static VkPipeline make_pipeline(struct suite *s, bool discard)
{
    static const VkVertexInputBindingDescription binding = {0, 4, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32_SFLOAT, 0};
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_commands_vert),
        .tcs = VKT_CODE(tessellation_commands_tesc),
        .tes = VKT_CODE(tessellation_commands_pass_tese),
        .gs = VKT_CODE(tessellation_effects_geom),
        .fs = discard ? (struct vkt_code){0} : VKT_CODE(tessellation_commands_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = 1,
        .discard = discard,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
    };
    return vkt_pipeline(&s->t, &info);
}

static void make_buffers(struct suite *s)
{
    VkDrawIndirectCommand commands[PARTS];
    s->levels = vkt_buffer(&s->t, INSTANCE_W * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 0);
    s->log = vkt_buffer(&s->t, LOG_W * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    for (uint32_t i = 0, first = 0; i < PARTS; first += parts[i++].count) {
        const struct part *part = &parts[i];
        commands[i] = (VkDrawIndirectCommand){part->count, part->instances, first, 0};
        for (uint32_t k = first; k < first + part->count; k++) {
            ((float *)s->levels.map)[k] = part->level;
            for (uint32_t instance = 0; instance < part->instances && part->level > 0; instance++)
                s->want[1 + k + INSTANCE_W * instance] = 2 * (uint32_t)(part->level * part->level);
        }
    }
    s->arguments =
        vkt_buffer_from(&s->t, commands, sizeof(commands), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
}

static void record(struct suite *s, VkCommandBuffer cmd, VkPipeline pipeline, bool is_once)
{
    const VkDeviceSize zero = 0;
    vkt_begin(cmd, is_once ? VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT : 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0,
                            NULL);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->levels.buffer, &zero);
    vkCmdDrawIndirect(cmd, s->arguments.buffer, 0, PARTS, sizeof(VkDrawIndirectCommand));
    vkCmdEndRenderPass(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
}

static void submit(struct suite *s, VkCommandBuffer cmd)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &cmd,
    };
    VKT_CALL(vkQueueSubmit(s->t.queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(s->t.queue));
}

static void check(struct suite *s, const char *name)
{
    const uint32_t *log = s->log.map;
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = LOG_W; i-- > 0;) {
        wrong += log[i] != s->want[i];
        first = log[i] != s->want[i] ? i : first;
    }
    VKT_EXPECT(&s->t, !wrong, "%s: %u patches are wrong; of number %u there are %u of %u triangles",
               name, wrong, first, log[first], s->want[first]);
}

/* Recorded once for each execution, or executed several times. */
static void run(struct suite *s, bool discard, bool is_once)
{
    const VkPipeline pipeline = make_pipeline(s, discard);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    for (uint32_t time = 0; time < TIMES; time++) {
        char name[48];
        snprintf(name, sizeof(name), "%s/%s/%u", discard ? "discarded" : "drawn",
                 is_once ? "once" : "again", time);
        if (is_once || !time)
            record(s, cmd, pipeline, is_once);
        memset(s->log.map, 0, s->log.size_B);
        submit(s, cmd);
        check(s, name);
    }
    vkFreeCommandBuffers(s->t.device, s->t.pool, 1, &cmd);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_effects", argc, argv);
    options.xfb = options.tessellation = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&s.t, &binding, 1);
    make_buffers(&s);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.set = vkt_set(&s.t, set_layout, &binding, 1);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.log.buffer, 0,
                     VK_WHOLE_SIZE);
    s.layout = vkt_layout(&s.t, &set_layout, 1, NULL, 0);
    for (uint32_t i = 0; i < 4; i++)
        run(&s, i & 1, i < 2);
    return vkt_finish(&s.t);
}
