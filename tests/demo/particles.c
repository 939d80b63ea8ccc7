/* SPDX-License-Identifier: MIT
 *
 * Fireworks: a particle system that never leaves the GPU. A geometry shader moves every particle
 * on, lets rockets burst and old sparks die, and what it emits is captured by transform feedback;
 * the next frame draws from there as many as the counter says. Two buffers take turns for 600
 * frames. The picture shows six of them.
 */
#include "common/picture.h"
#include "common/vkt.h"

#include "backdrop_vert.h"
#include "particles_draw_frag.h"
#include "particles_draw_geom.h"
#include "particles_sky_frag.h"
#include "particles_step_geom.h"
#include "particles_vert.h"

#include <string.h>

/* As in the shaders. */
#define WIDTH_PX 640u
#define HEIGHT_PX 1080u

#define SCALE 2u /* the picture is drawn larger, and averaged down */
#define PANELS 6u
#define PANEL_WIDTH_PX (WIDTH_PX / SCALE)
#define PANEL_HEIGHT_PX (HEIGHT_PX / SCALE)
#define FRAMES 600u
#define DRAWN 10u /* one frame of so many; even */
#define CAPACITY 12288u

struct particle {
    int32_t place[3], kind_life, motion[3];
    uint32_t seed;
};

struct show {
    struct vkt t;
    struct vkt_target target, nothing; /* capture needs a pass, if one of a single pixel */
    VkPipelineLayout layout;
    VkPipeline step, draw, sky;
    struct vkt_buffer particles[2], counters; /* two words */
    VkCommandBuffer steps[2];                 /* from one buffer to the other, and back */
    VkCommandBuffer picture;                  /* of buffer 0 */
};

static void make_pipelines(struct show *s)
{
    const VkVertexInputBindingDescription binding = {0, sizeof(struct particle),
                                                     VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attributes[] = {
        {0, 0, VK_FORMAT_R32G32B32A32_SINT, offsetof(struct particle, place)},
        {1, 0, VK_FORMAT_R32G32B32A32_SINT, offsetof(struct particle, motion)},
    };
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(particles_vert),
        .gs = VKT_CODE(particles_step_geom),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = WIDTH_PX,
        .height_px = HEIGHT_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
        .discard = true,
        .bindings = &binding,
        .binding_count = 1,
        .attributes = attributes,
        .attribute_count = VKT_COUNT(attributes),
    };
    s->step = vkt_pipeline(&s->t, &info);
    info.gs = VKT_CODE(particles_draw_geom);
    info.fs = VKT_CODE(particles_draw_frag);
    info.discard = false;
    info.blend = VKT_BLEND_ADD;
    s->draw = vkt_pipeline(&s->t, &info);
    const struct vkt_pipeline_info sky = {
        .vs = VKT_CODE(backdrop_vert),
        .fs = VKT_CODE(particles_sky_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = WIDTH_PX,
        .height_px = HEIGHT_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    s->sky = vkt_pipeline(&s->t, &sky);
}

static void make_launchers(struct show *s)
{
    static const int32_t places[][2] = {{-2700, 900}, {-1600, -2600}, {-500, 2200},
                                        {800, -900},  {1900, 2900},   {2800, -500}};
    struct particle *out = s->particles[0].map;
    for (uint32_t i = 0; i < VKT_COUNT(places); i++)
        out[i] = (struct particle){
            .place = {places[i][0], 0, places[i][1]},
            .kind_life = (int32_t)((i * 17 % 40) << 8), /* kind 0: a launcher */
            .seed = 20 + i * 7919,
        };
    const uint32_t size_B = VKT_COUNT(places) * sizeof(struct particle);
    memcpy(s->counters.map, &size_B, sizeof(size_B));
}

static void bind_side(const struct show *s, VkCommandBuffer cmd, VkPipeline pipeline, uint32_t side)
{
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->particles[side].buffer, &(VkDeviceSize){0});
}

/* As many particles as the counter of a side says. */
static void draw_side(const struct show *s, VkCommandBuffer cmd, uint32_t side)
{
    vkCmdDrawIndirectByteCountEXT(cmd, 1, 0, s->counters.buffer, side * 4, 0,
                                  sizeof(struct particle));
}

static void xfb_barrier(VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                         VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
        .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT,
    };
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                         VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

/* From particles[from] to the other side. Submitted again and again: without a counter the interval
 * begins at the front each time. */
static void record_step(struct show *s, uint32_t from)
{
    const uint32_t to = 1 - from;
    const VkDeviceSize zero = 0, whole = VK_WHOLE_SIZE, counter_B = to * 4;
    VkCommandBuffer cmd = s->steps[from] = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->nothing, false, VK_SUBPASS_CONTENTS_INLINE);
    bind_side(s, cmd, s->step, from);
    vkCmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &s->particles[to].buffer, &zero, &whole);
    vkCmdBeginTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
    draw_side(s, cmd, from);
    vkCmdEndTransformFeedbackEXT(cmd, 0, 1, &s->counters.buffer, &counter_B);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
}

static void record_picture(struct show *s)
{
    VkCommandBuffer cmd = s->picture = vkt_commands(&s->t);
    vkt_begin(cmd, 0);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->sky);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    bind_side(s, cmd, s->draw, 0);
    draw_side(s, cmd, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    VKT_CALL(vkEndCommandBuffer(cmd));
}

/* Averages blocks of SCALE^2 pixels into the panel's place. */
static void put_panel(struct picture *out, const uint8_t *big, uint32_t panel)
{
    for (uint32_t y = 0; y < PANEL_HEIGHT_PX; y++) {
        for (uint32_t x = 0; x < PANEL_WIDTH_PX; x++) {
            uint8_t *to =
                out->rgba + 4 * ((size_t)y * PANELS * PANEL_WIDTH_PX + panel * PANEL_WIDTH_PX + x);
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t sum = SCALE * SCALE / 2;
                for (uint32_t i = 0; i < SCALE * SCALE; i++)
                    sum += big[4 * ((size_t)(y * SCALE + i / SCALE) * WIDTH_PX + x * SCALE +
                                    i % SCALE) +
                               c];
                to[c] = (uint8_t)(x + 1 == PANEL_WIDTH_PX ? 0 : sum / (SCALE * SCALE));
            }
            to[3] = 255;
        }
    }
}

static uint32_t particle_count(const struct show *s)
{
    uint32_t size_B;
    memcpy(&size_B, s->counters.map, sizeof(size_B));
    return size_B / (uint32_t)sizeof(struct particle);
}

/* Frames up to the next one that is drawn, and that one's picture. */
static void run_frames(struct show *s)
{
    VkCommandBuffer list[DRAWN + 1];
    for (uint32_t i = 0; i < DRAWN; i++)
        list[i] = s->steps[i % 2];
    list[DRAWN] = s->picture;
    for (uint32_t i = 0; i <= DRAWN; i++) {
        const VkSubmitInfo info = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .commandBufferCount = 1,
            .pCommandBuffers = &list[i],
        };
        VKT_CALL(vkQueueSubmit(s->t.queue, 1, &info, VK_NULL_HANDLE));
        VKT_CALL(vkQueueWaitIdle(s->t.queue));
    }
}

static void keep_frame(struct show *s, struct picture *out, uint32_t frame)
{
    char name[32];
    const uint32_t count = particle_count(s);
    const struct vkt_buffer big = vkt_image_read(&s->t, &s->target.color, 4);
    put_panel(out, big.map, frame / (FRAMES / PANELS) - 1);
    snprintf(name, sizeof(name), "frame-%u", frame);
    vkt_dump_image(&s->t, name, big.map, WIDTH_PX, HEIGHT_PX, 4);
    snprintf(name, sizeof(name), "particles-%u", frame);
    vkt_dump_buffer(&s->t, name, s->particles[0].map, count * sizeof(struct particle));
    fprintf(stderr, "frame %u: %u particles\n", frame, count);
    VKT_EXPECT(&s->t, count > 1000 && count < CAPACITY, "%u particles in frame %u", count, frame);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("demo-particles", argc, argv);
    if (options.rest_count)
        vkt_die("usage: demo-particles [--out FILE.png] [--dump FILE] [--layers NAME:NAME]");
    options.xfb = true;
    static struct show s;
    vkt_init(&s.t, &options);
    fprintf(stderr, "demo-particles: %s\n", s.t.properties.deviceName);
    if (!s.t.xfb.transformFeedbackDraw)
        vkt_skip("no transformFeedbackDraw");
    s.target = vkt_target(&s.t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, WIDTH_PX, HEIGHT_PX);
    s.nothing = vkt_target(&s.t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, 1, 1);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    make_pipelines(&s);
    for (uint32_t i = 0; i < 2; i++)
        s.particles[i] = vkt_buffer(&s.t, CAPACITY * sizeof(struct particle),
                                    VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT |
                                        VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
                                    0);
    s.counters = vkt_buffer(&s.t, 8,
                            VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                                VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT,
                            0);
    make_launchers(&s);
    record_step(&s, 0);
    record_step(&s, 1);
    record_picture(&s);
    struct picture out;
    if (!picture_init(&out, PANELS * PANEL_WIDTH_PX, PANEL_HEIGHT_PX))
        vkt_die("out of memory");
    for (uint32_t frame = DRAWN; frame <= FRAMES; frame += DRAWN) {
        run_frames(&s);
        if (frame % (FRAMES / PANELS) == 0)
            keep_frame(&s, &out, frame);
    }
    if (options.out_path && !picture_write(&out, options.out_path))
        vkt_die("cannot write %s", options.out_path);
    picture_finish(&out);
    return vkt_finish(&s.t);
}
