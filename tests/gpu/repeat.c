/* SPDX-License-Identifier: MIT
 *
 * Draws that differ in little from those before, with a geometry shader whose output depends on its
 * input: the same shape again, other sizes, other buffers and push constants, state in between, two
 * pipelines in turn, native draws among them. All overlap, so their order shows.
 */
#include "common/vkt.h"

#include "repeat_frag.h"
#include "repeat_large.h"
#include "repeat_native_frag.h"
#include "repeat_small.h"
#include "repeat_vert.h"

#define SIDE_PX 64u
#define PLACES 256u
#define DRAWS 60u

struct push {
    uint32_t shift_px[2], tag;
};

/* What changes between two draws. */
enum {
    FIRST = 1 << 0,     /* vertex or index, and instance */
    SIZE = 1 << 1,      /* number of vertices */
    INSTANCES = 1 << 2, /* how many, each third draw */
    PUSH = 1 << 3,
    VERTICES = 1 << 4,  /* offset of the vertex buffer */
    INDEXED = 1 << 5,   /* all draws are, and the index buffer changes each fifth draw */
    SCISSOR = 1 << 6,   /* each fourth draw */
    PIPELINES = 1 << 7, /* two in turn */
    NATIVE = 1 << 8,    /* each sixth draw has no geometry shader */
    LARGE = 1 << 9,     /* each seventh draw, which takes kernels that small ones do not need */
};

static const struct {
    const char *name;
    uint32_t changes;
} pictures[] = {
    {"same", 0},
    {"first", FIRST},
    {"size", FIRST | SIZE},
    {"instances", FIRST | INSTANCES},
    {"large", FIRST | LARGE},
    {"large/indexed", FIRST | LARGE | INDEXED},
    {"push", PUSH},
    {"vertices", VERTICES},
    {"indexed", FIRST | INDEXED},
    {"indexed/size", FIRST | SIZE | INDEXED},
    {"scissor", FIRST | SCISSOR},
    {"pipelines", FIRST | PIPELINES},
    {"native", FIRST | NATIVE},
    {"native/indexed", FIRST | VERTICES | INDEXED | NATIVE},
    {"all", FIRST | SIZE | INSTANCES | PUSH | VERTICES | INDEXED | SCISSOR | PIPELINES | NATIVE},
    {"all/size", FIRST | PUSH | VERTICES | INDEXED | SCISSOR | PIPELINES | NATIVE},
};

struct program {
    struct vkt t;
    struct vkt_target target;
    VkPipelineLayout layout;
    VkPipeline small, large, native;
    VkBuffer vertices, indices;
};

static VkPipeline make_pipeline(struct program *p, struct vkt_code gs, struct vkt_code fs)
{
    const VkVertexInputBindingDescription binding = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_UINT, 0};
    const VkDynamicState scissor = VK_DYNAMIC_STATE_SCISSOR;
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(repeat_vert),
        .gs = gs,
        .fs = fs,
        .layout = p->layout,
        .pass = p->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = &attribute,
        .attribute_count = 1,
        .dynamic = &scissor,
        .dynamic_count = 1,
    };
    return vkt_pipeline(&p->t, &info);
}

static void init(struct program *p)
{
    struct {
        uint32_t x_px, y_px;
    } places[PLACES];
    uint16_t indices[PLACES];
    for (uint32_t i = 0; i < PLACES; i++) {
        places[i].x_px = i * 37 % 61;
        places[i].y_px = i * 23 % 59;
        indices[i] = (uint16_t)(i * 5 % 67);
    }
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT |
                                           VK_SHADER_STAGE_FRAGMENT_BIT,
                                       0, sizeof(struct push)};
    const struct vkt_code none = {0};
    p->target = vkt_target(&p->t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    p->layout = vkt_layout(&p->t, NULL, 0, &range, 1);
    p->vertices =
        vkt_buffer_from(&p->t, places, sizeof(places), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT).buffer;
    p->indices =
        vkt_buffer_from(&p->t, indices, sizeof(indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT).buffer;
    p->small = make_pipeline(p, VKT_CODE(repeat_small), VKT_CODE(repeat_frag));
    p->large = make_pipeline(p, VKT_CODE(repeat_large), VKT_CODE(repeat_frag));
    p->native = make_pipeline(p, none, VKT_CODE(repeat_native_frag));
}

static VkPipeline pipeline_of(const struct program *p, uint32_t changes, uint32_t draw)
{
    if (changes & NATIVE && draw % 6 == 5)
        return p->native;
    return changes & PIPELINES && draw % 2 ? p->large : p->small;
}

/* What changes before a draw; before the first one everything. */
static void bind(const struct program *p, uint32_t changes, uint32_t draw, VkCommandBuffer cmd)
{
    const VkPipeline pipeline = pipeline_of(p, changes, draw);
    if (draw == 0 || pipeline != pipeline_of(p, changes, draw - 1))
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    if (draw == 0 || changes & VERTICES)
        vkCmdBindVertexBuffers(cmd, 0, 1, &p->vertices, &(VkDeviceSize){draw % 9 * 8});
    if (draw == 0 || (changes & INDEXED && draw % 5 == 0))
        vkCmdBindIndexBuffer(cmd, p->indices, draw % 7 * 2, VK_INDEX_TYPE_UINT16);
    if (draw == 0 || changes & PUSH) {
        const struct push push = {{draw % 11, draw % 4}, draw};
        vkCmdPushConstants(cmd, p->layout,
                           VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT |
                               VK_SHADER_STAGE_FRAGMENT_BIT,
                           0, sizeof(push), &push);
    }
    if (draw == 0 || (changes & SCISSOR && draw % 4 == 0)) {
        const VkRect2D scissor = {{(int32_t)(draw % 3), 0}, {SIDE_PX - draw / 2, SIDE_PX}};
        vkCmdSetScissor(cmd, 0, 1, &scissor);
    }
}

static void draw(uint32_t changes, uint32_t i, VkCommandBuffer cmd)
{
    const uint32_t count = changes & SIZE ? i * i % 14 : 6; /* some draw nothing */
    const uint32_t some = changes & INSTANCES && i % 3 == 0 ? 2 : 1;
    const uint32_t instances = changes & LARGE && i % 7 == 3 ? 500 : some;
    const uint32_t first = changes & FIRST ? i * 2 : 0, first_instance = changes & FIRST ? i : 0;
    if (changes & INDEXED)
        vkCmdDrawIndexed(cmd, count, instances, first, (int32_t)(i % 5), first_instance);
    else
        vkCmdDraw(cmd, count, instances, first, first_instance);
}

static void record_pass(const struct program *p, uint32_t changes, bool load, VkCommandBuffer cmd)
{
    vkt_target_begin(cmd, &p->target, load, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < DRAWS; i++) {
        bind(p, changes, i, cmd);
        draw(changes, i, cmd);
    }
    vkCmdEndRenderPass(cmd);
}

/* Twice in one command buffer: the second pass draws over the first one. */
static void make_picture(struct program *p, const char *name, uint32_t changes)
{
    VkCommandBuffer cmd = vkt_commands(&p->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    record_pass(p, changes, false, cmd);
    record_pass(p, changes | PUSH, true, cmd);
    vkt_submit(&p->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&p->t, &p->target.color, 4);
    vkt_dump_image(&p->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&p->t, drawn > 30, "%s: only %u pixels", name, drawn);
}

int main(int argc, char **argv)
{
    const struct vkt_options options = vkt_parse("gpu-repeat", argc, argv);
    static struct program p;
    vkt_init(&p.t, &options);
    init(&p);
    for (uint32_t i = 0; i < VKT_COUNT(pictures); i++)
        make_picture(&p, pictures[i].name, pictures[i].changes);
    return vkt_finish(&p.t);
}
