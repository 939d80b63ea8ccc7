/* SPDX-License-Identifier: MIT
 *
 * Triangles of about a pixel and far less, alone and in pairs, with corners and edges at, beside
 * and between the middles of pixels, of all shapes, facing both ways: those that cover no sample,
 * or face away, may be left out in front of the rasterizer, and nothing else. Viewports that begin
 * between pixels and within one, that are turned round, large or half outside; of the pipeline and
 * of commands, which change them between draws of one pipeline, and so what is culled, and how
 * triangles face; several samples in a pixel. And long strips of such triangles, several for each
 * point, of which some triangles draw something here and there.
 */
#include "culling_strips.h"

#include "culling_colorless.h"
#include "culling_frag.h"
#include "culling_long.h"
#include "culling_newer.h"
#include "culling_short.h"
#include "culling_vert.h"

#include <math.h>
#include <string.h>

#define SIDE_PX CULLING_SIDE_PX
#define STRIPS 20000u  /* more than geometry shaders list by themselves */
#define LONG_STRIPS 2u /* of a point, where they are long */
#define LONG_EL 66u    /* vertices of the longest ones, more than a point may emit of two of them */
#define PARTS 4u       /* draws of a scene */

struct suite {
    struct vkt t;
    struct culling_strips all;
    uint32_t position_count;
};

struct scene {
    const char *name;
    VkViewport viewport;
    VkCullModeFlags cull;
    VkFrontFace front;
    bool moves;   /* other viewports for the other parts */
    bool changes; /* other faces, likewise */
    bool between; /* while that is set, another pipeline is bound, whose state is its own */
    bool odd;     /* see make_strips */
    bool extreme; /* likewise */
    bool far;     /* the target lies at the end of a large viewport */
    bool fine;    /* four samples in a pixel, of no attachment */
    bool is_long; /* LONG_STRIPS */
    bool newer;   /* the vertex shader's SPIR-V, so that no shader is made of both */
};

static float random_float(struct suite *s)
{
    return (float)culling_random_below(&s->all, 1 << 16) / (float)(1 << 16);
}

/* -- strips -- */

/* A step in pixels, of a triangle of this size: often a multiple of what rasterizers tell apart, or
 * just beside it. */
static float step(struct suite *s, float size_px)
{
    static const float fine[] = {0,           0.5f,        -0.5f,       1,
                                 -1,          1 / 256.0f,  -1 / 256.0f, 1 / 512.0f,
                                 -1 / 512.0f, 1 / 1024.0f, 1 / 64.0f};
    const uint32_t how = culling_random_below(&s->all, 4);
    if (how == 0)
        return fine[culling_random_below(&s->all, VKT_COUNT(fine))];
    return (random_float(s) * 2 - 1) * size_px;
}

/* In clip space, as if the viewport covered the target, unless it lies far. extreme: sometimes so
 * that 1 / w is not normal, which drivers take for 0. */
static void place(struct suite *s, float x_px, float y_px, const struct scene *of, float *position)
{
    const VkViewport whole = {0, 0, SIDE_PX, SIDE_PX, 0, 1};
    const VkViewport *v = of->far ? &of->viewport : &whole;
    static const float weights[] = {1, 1, 1, 0.5f, 4, 0.7f, 0x1.8p126f, 0x1p127f};
    const float w =
        weights[culling_random_below(&s->all, VKT_COUNT(weights) - (of->extreme ? 0 : 2))];
    position[0] = ((x_px - v->x) / (v->width / 2) - 1) * w;
    position[1] = ((y_px - v->y) / (v->height / 2) - 1) * w;
    position[2] = random_float(s) * w;
    position[3] = w;
}

static void add_strip(struct suite *s, uint32_t number, const struct scene *of)
{
    static const float sizes_px[] = {1 / 64.0f, 0.25f, 0.75f, 1, 1.5f, 3};
    struct culling_strip *strip = (struct culling_strip *)s->all.strips.map + number;
    float(*position)[4] = (float(*)[4])s->all.positions.map + s->position_count;
    const float size_px = sizes_px[culling_random_below(&s->all, VKT_COUNT(sizes_px))];
    const uint32_t margin_px = of->odd ? 0 : 4;
    float x_px = (float)(margin_px + culling_random_below(&s->all, SIDE_PX - 2 * margin_px));
    float y_px = (float)(margin_px + culling_random_below(&s->all, SIDE_PX - 2 * margin_px));
    if (number % 3) { /* else at a corner of pixels */
        x_px += number % 2 ? 0.5f : random_float(s);
        y_px += number % 2 ? 0.5f : random_float(s);
    }
    *strip = (struct culling_strip){s->position_count, 3 + culling_random_below(&s->all, 2)};
    for (uint32_t k = 0; k < strip->vertices; k++)
        place(s, x_px + step(s, size_px), y_px + step(s, size_px), of, position[k]);
    if (of->odd && number % 64 == 0)
        position[1][3] = -position[1][3];
    s->position_count += strip->vertices;
}

/* A walk of small steps. Most strips are not that long. */
static void add_long_strip(struct suite *s, uint32_t number, const struct scene *of)
{
    static const float sizes_px[] = {1 / 64.0f, 0.25f, 0.5f, 0.75f};
    struct culling_strip *strip = (struct culling_strip *)s->all.strips.map + number;
    float(*position)[4] = (float(*)[4])s->all.positions.map + s->position_count;
    const float size_px = sizes_px[culling_random_below(&s->all, VKT_COUNT(sizes_px))];
    const uint32_t margin_px = of->odd ? 0 : 4;
    const float least_px = (float)margin_px, most_px = (float)(SIDE_PX - margin_px);
    const uint32_t longest_el = number % 16 ? 14 : LONG_EL;
    float x_px = least_px + random_float(s) * (most_px - least_px);
    float y_px = least_px + random_float(s) * (most_px - least_px);
    *strip =
        (struct culling_strip){s->position_count, 1 + culling_random_below(&s->all, longest_el)};
    for (uint32_t k = 0; k < strip->vertices; k++) {
        x_px = fminf(fmaxf(x_px + step(s, size_px), least_px), most_px);
        y_px = fminf(fmaxf(y_px + step(s, size_px), least_px), most_px);
        place(s, x_px, y_px, of, position[k]);
    }
    if (of->odd && number % 64 == 0)
        position[strip->vertices / 2][3] = -position[strip->vertices / 2][3];
    s->position_count += strip->vertices;
}

/* odd: some reach beyond the clip volume. lavapipe tells how all that it draws together with such
 * strips faces before it rounds places, and so what is thinner than that may face differently. */
static void make_strips(struct suite *s, const struct scene *of)
{
    s->position_count = s->all.random = 0;
    for (uint32_t i = 0; of->is_long && i < STRIPS * LONG_STRIPS; i++)
        add_long_strip(s, i, of);
    for (uint32_t i = 0; !of->is_long && i < STRIPS; i++)
        add_strip(s, i, of);
}

/* -- scenes -- */

static VkPipeline make_pipeline(struct suite *s, const struct scene *of)
{
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_CULL_MODE,
                                     VK_DYNAMIC_STATE_FRONT_FACE};
    const VkRect2D scissor = {{0, 0}, {SIDE_PX, SIDE_PX}};
    const VkPipelineViewportStateCreateInfo viewport = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = of->moves ? NULL : &of->viewport,
        .scissorCount = 1,
        .pScissors = &scissor,
    };
    const struct vkt_pipeline_info info = {
        .vs = of->newer ? VKT_CODE(culling_newer) : VKT_CODE(culling_vert),
        .gs = of->is_long ? VKT_CODE(culling_long) : VKT_CODE(culling_short),
        .fs = of->fine ? VKT_CODE(culling_colorless) : VKT_CODE(culling_frag),
        .layout = s->all.layout,
        .pass = of->fine ? VK_NULL_HANDLE : s->all.target.pass,
        .samples = of->fine ? 4 : 1,
        .no_colors = of->fine,
        .viewports = &viewport,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .cull = of->changes ? VK_CULL_MODE_FRONT_AND_BACK : of->cull,
        .front = of->front,
        .dynamic = of->moves ? states : states + 1,
        .dynamic_count = (of->moves ? 1 : 0) + (of->changes ? 2 : 0),
    };
    return vkt_pipeline(&s->t, &info);
}

static void set_state(VkCommandBuffer cmd, const struct scene *of, uint32_t part)
{
    static const VkCullModeFlags culls[PARTS] = {VK_CULL_MODE_BACK_BIT, VK_CULL_MODE_FRONT_BIT,
                                                 VK_CULL_MODE_NONE, VK_CULL_MODE_BACK_BIT};
    const float shift_px = (float)(part % 2);
    const VkViewport *v = &of->viewport;
    const VkViewport viewport = {
        v->x + shift_px, v->y - shift_px, v->width - 3 * shift_px, v->height / (part == 3 ? -2 : 1),
        v->minDepth,     v->maxDepth};
    if (of->moves)
        vkCmdSetViewport(cmd, 0, 1, &viewport);
    if (of->changes) {
        vkCmdSetCullMode(cmd, culls[part]);
        vkCmdSetFrontFace(cmd,
                          part == 3 ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
    }
}

/* first: the part whose state the first draw has. pipelines: the second is that between. */
static void draw(struct suite *s, const struct scene *of, const VkPipeline pipelines[2],
                 uint32_t first, VkCommandBuffer cmd)
{
    const struct culling_push push = {of->is_long ? LONG_STRIPS : 1, 1};
    culling_bind(&s->all, cmd, &push);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
    for (uint32_t part = 0; part < PARTS; part++) {
        if (of->between) {
            vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[1]);
            vkCmdDraw(cmd, STRIPS, 1, 0, 0);
        }
        set_state(cmd, of, (first + part) % PARTS);
        if (of->between)
            vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
        for (uint32_t i = 0; i < (of->between ? 2 : 1); i++)
            vkCmdDraw(cmd, STRIPS, 1, 0, 0);
    }
}

static void begin(struct suite *s, const struct scene *of, VkCommandBuffer cmd)
{
    const VkRenderingInfo rendering = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
        .renderArea = {{0, 0}, {SIDE_PX, SIDE_PX}},
        .layerCount = 1,
    };
    if (of->fine)
        vkCmdBeginRendering(cmd, &rendering);
    else
        vkt_target_begin(cmd, &s->all.target, false, VK_SUBPASS_CONTENTS_INLINE);
}

static void run(struct suite *s, const struct scene *of)
{
    struct scene other = *of;
    other.moves = other.changes = false;
    const VkPipeline pipelines[] = {make_pipeline(s, of),
                                    of->between ? make_pipeline(s, &other) : VK_NULL_HANDLE};
    make_strips(s, of);
    culling_clear_sums(&s->all);
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    for (uint32_t i = 0; i < 2;
         i++) { /* the first recording is discarded: what draws tell is not */
        vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        begin(s, of, cmd);
        draw(s, of, pipelines, i, cmd);
        if (of->fine)
            vkCmdEndRendering(cmd);
        else
            vkCmdEndRenderPass(cmd);
        if (i == 0) {
            VKT_CALL(vkEndCommandBuffer(cmd));
            VKT_CALL(vkResetCommandBuffer(cmd, 0));
        }
    }
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    culling_expect_sums(&s->t, &s->all, of->name, SIDE_PX * SIDE_PX / 8);
}

static void run_all(struct suite *s)
{
    const VkViewport whole = {0, 0, SIDE_PX, SIDE_PX, 0, 1};
    const VkViewport turned = {0, SIDE_PX, SIDE_PX, -(float)SIDE_PX, 0, 1};
    const VkViewport beside = {-21, 13, 51, 33, 0.25f, 0.5f};
    const VkViewport within = {2.25f, 4, 60, 56.5f, 0, 1};
    const VkViewport large = {-4000, -8000, 8000, 16000, 0, 1};
    const VkCullModeFlags front = VK_CULL_MODE_FRONT_BIT, back = VK_CULL_MODE_BACK_BIT;
    const VkFrontFace clockwise = VK_FRONT_FACE_CLOCKWISE;
    const struct scene scenes[] = {
        {.name = "whole", .viewport = whole},
        {.name = "whole-back", .viewport = whole, .cull = back},
        {.name = "whole-front", .viewport = whole, .cull = front},
        {.name = "whole-clockwise", .viewport = whole, .cull = back, .front = clockwise},
        {.name = "turned", .viewport = turned},
        {.name = "turned-back", .viewport = turned, .cull = back},
        {.name = "turned-clockwise", .viewport = turned, .cull = front, .front = clockwise},
        {.name = "beside", .viewport = beside, .cull = back},
        {.name = "odd", .viewport = whole, .odd = true},
        {.name = "extreme", .viewport = whole, .extreme = true},
        {.name = "within", .viewport = within},
        {.name = "within-front", .viewport = within, .cull = front},
        {.name = "large", .viewport = large, .cull = back},
        {.name = "far", .viewport = {-16320, -16320, 16384, 16384, 0, 1}, .far = true},
        {.name = "far-back", .viewport = {0, 64, 16384, -16384, 0, 1}, .far = true, .cull = back},
        {.name = "moves", .viewport = whole, .cull = front, .moves = true},
        {.name = "opt/fine", .viewport = whole, .cull = back, .fine = true},
        {.name = "changes", .viewport = whole, .changes = true},
        {.name = "changes-moves", .viewport = turned, .changes = true, .moves = true},
        {.name = "between",
         .viewport = beside,
         .cull = back,
         .changes = true,
         .moves = true,
         .between = true},
        {.name = "long", .viewport = whole, .is_long = true},
        {.name = "long-back", .viewport = whole, .cull = back, .is_long = true},
        {.name = "long-turned", .viewport = turned, .is_long = true},
        {.name = "long-front", .viewport = within, .cull = front, .is_long = true},
        {.name = "long-odd", .viewport = whole, .odd = true, .is_long = true},
        {.name = "long-extreme", .viewport = whole, .extreme = true, .is_long = true},
        {.name = "long-large", .viewport = large, .cull = back, .is_long = true},
        {.name = "long-changes",
         .viewport = beside,
         .changes = true,
         .moves = true,
         .is_long = true},
        {.name = "opt/long-newer", .viewport = whole, .is_long = true, .newer = true},
    };
    const bool has_fine =
        s->t.features.dynamic_rendering &&
        (s->t.properties.limits.framebufferNoAttachmentsSampleCounts & VK_SAMPLE_COUNT_4_BIT);
    const bool has_newer = s->t.properties.apiVersion >= VK_API_VERSION_1_2;
    for (uint32_t i = 0; i < VKT_COUNT(scenes); i++)
        if ((has_fine || !scenes[i].fine) && (has_newer || !scenes[i].newer))
            run(s, &scenes[i]);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-coverage", argc, argv);
    static struct suite s;
    vkt_init(&s.t, &options);
    culling_init(&s.t, &s.all, LONG_STRIPS * STRIPS, LONG_STRIPS * STRIPS * 12);
    run_all(&s);
    return vkt_finish(&s.t);
}
