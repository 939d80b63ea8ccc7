/* SPDX-License-Identifier: MIT
 *
 * Draws of one pipeline that are done in different ways, whose shaders may be compiled when the
 * first of them is recorded: by several threads at once, and after the application has destroyed
 * all that it created the pipeline from.
 */
#include "common/vkt.h"

#include "variants_dynamic_geom.h"
#include "variants_frag.h"
#include "variants_geom.h"
#include "variants_vert.h"

#include <string.h>

#define SIDE_PX 8u
#define POINTS (SIDE_PX * SIDE_PX)
#define THREADS 4u

enum way { DIRECT, INDIRECT, INDEXED, INDEXED_INDIRECT, WAYS };

struct suite {
    struct vkt t;
    struct vkt_target target;
    struct vkt_buffer indices, args, indexed_args;
};

struct worker {
    struct suite *s;
    struct vkt_thread thread;
    VkCommandBuffer commands[WAYS];
    VkPipeline pipeline;
    uint32_t first; /* way, so that each thread begins with another */
    pthread_t id;
};

/* Compatible with that of the target. */
static VkRenderPass pass_new(struct suite *s)
{
    const VkSubpassDependency dependencies[] = {
        {VK_SUBPASS_EXTERNAL, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
         VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
         VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT, 0},
        {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
         VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT, 0},
    };
    const VkAttachmentDescription attachment = {
        .format = VK_FORMAT_R32_UINT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .colorAttachmentCount = 1,
                                          .pColorAttachments = &color};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = VKT_COUNT(dependencies),
        .pDependencies = dependencies,
    };
    VkRenderPass pass;
    VKT_CALL(vkCreateRenderPass(s->t.device, &info, NULL, &pass));
    return pass;
}

/* Its modules, layout and render pass are gone. */
static VkPipeline pipeline_new(struct suite *s, struct vkt_code gs)
{
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    VkPipelineLayout layout;
    VKT_CALL(vkCreatePipelineLayout(s->t.device, &layout_info, NULL, &layout));
    const VkRenderPass pass = pass_new(s);
    const VkPipeline pipeline =
        vkt_pipeline(&s->t, &(struct vkt_pipeline_info){
                                .vs = VKT_CODE(variants_vert),
                                .gs = gs,
                                .fs = VKT_CODE(variants_frag),
                                .layout = layout,
                                .pass = pass,
                                .width_px = SIDE_PX,
                                .height_px = SIDE_PX,
                                .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                            });
    vkDestroyRenderPass(s->t.device, pass, NULL);
    vkDestroyPipelineLayout(s->t.device, layout, NULL);
    return pipeline;
}

static void record(const struct worker *w, VkCommandBuffer cmd, enum way way)
{
    const struct suite *s = w->s;
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, w->pipeline);
    vkCmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT16);
    switch (way) {
    case DIRECT:
        vkCmdDraw(cmd, POINTS, 1, 0, 0);
        break;
    case INDIRECT:
        vkCmdDrawIndirect(cmd, s->args.buffer, 0, 1, sizeof(VkDrawIndirectCommand));
        break;
    case INDEXED:
        vkCmdDrawIndexed(cmd, POINTS, 1, 0, 0, 0);
        break;
    case INDEXED_INDIRECT:
        vkCmdDrawIndexedIndirect(cmd, s->indexed_args.buffer, 0, 1,
                                 sizeof(VkDrawIndexedIndirectCommand));
        break;
    case WAYS:
        break;
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
}

static void *record_all(void *context)
{
    const struct worker *w = context;
    for (uint32_t i = 0; i < WAYS; i++) {
        const uint32_t way = (w->first + i) % WAYS;
        record(w, w->commands[way], (enum way)way);
    }
    return NULL;
}

static void check(struct suite *s, const char *what, enum way way, bool dynamic)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    const uint32_t *texels = pixels.map;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < POINTS; i++)
        wrong += texels[i] != (dynamic && i % 3 == 1 ? 0 : i * 3 + 1);
    VKT_EXPECT(&s->t, !wrong, "%s, way %d: %u pixels are wrong", what, (int)way, wrong);
}

static void dump(struct suite *s, const char *what)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    vkt_dump_buffer(&s->t, what, pixels.map, sizeof(uint32_t) * POINTS);
}

static void draw_in_threads(struct suite *s, const char *what, struct vkt_code gs, bool dynamic)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct worker workers[THREADS];
    const VkPipeline pipeline = pipeline_new(s, gs);
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.s = s, .pipeline = pipeline, .first = i};
        vkt_thread_open(&workers[i].thread, &s->t, &lock);
        for (uint32_t way = 0; way < WAYS; way++)
            workers[i].commands[way] = vkt_thread_commands(&workers[i].thread);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        if (pthread_create(&workers[i].id, NULL, record_all, &workers[i]))
            vkt_die("no thread");
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].id, NULL);
    for (uint32_t i = 0; i < THREADS; i++) {
        for (uint32_t way = 0; way < WAYS; way++) {
            vkt_thread_submit(&workers[i].thread, workers[i].commands[way]);
            check(s, what, (enum way)way, dynamic);
        }
        vkt_thread_close(&workers[i].thread);
    }
    dump(s, what);
    pthread_mutex_destroy(&lock);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-variants", argc, argv);
    static struct suite s;
    uint16_t indices[POINTS];
    const VkDrawIndirectCommand args = {.vertexCount = POINTS, .instanceCount = 1};
    const VkDrawIndexedIndirectCommand indexed_args = {.indexCount = POINTS, .instanceCount = 1};
    vkt_init(&s.t, &options);
    for (uint32_t i = 0; i < POINTS; i++)
        indices[i] = (uint16_t)(POINTS - 1 - i);
    s.indices = vkt_buffer_from(&s.t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    s.args = vkt_buffer_from(&s.t, &args, sizeof(args), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    s.indexed_args = vkt_buffer_from(&s.t, &indexed_args, sizeof(indexed_args),
                                     VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    draw_in_threads(&s, "static", VKT_CODE(variants_geom), false);
    draw_in_threads(&s, "dynamic", VKT_CODE(variants_dynamic_geom), true);
    return vkt_finish(&s.t);
}
