/* SPDX-License-Identifier: MIT */
#include "demo/demo.h"

#include "common/picture.h"

#include "backdrop_frag.h"
#include "backdrop_vert.h"

#include <math.h>
#include <string.h>

struct vec3 vec3_add(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

struct vec3 vec3_sub(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

struct vec3 vec3_scale(struct vec3 a, float s)
{
    return (struct vec3){a.x * s, a.y * s, a.z * s};
}

struct vec3 vec3_cross(struct vec3 a, struct vec3 b)
{
    return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

float vec3_dot(struct vec3 a, struct vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct vec3 vec3_normalize(struct vec3 a)
{
    return vec3_scale(a, 1.0f / sqrtf(vec3_dot(a, a)));
}

static void put(float out[4], struct vec3 v)
{
    out[0] = demo_snap(v.x);
    out[1] = demo_snap(v.y);
    out[2] = demo_snap(v.z);
    out[3] = 0.0f;
}

static struct demo_camera camera(struct vec3 eye, struct vec3 look_at)
{
    const struct vec3 forward = vec3_normalize(vec3_sub(look_at, eye));
    const struct vec3 right = vec3_normalize(vec3_cross(forward, (struct vec3){0, 1, 0}));
    const struct vec3 up = vec3_cross(right, forward);
    const float near = 0.5f, far = 60.0f;
    const float focal = 1.0f / tanf(0.5f * 0.7f);
    const float aspect = (float)DEMO_WIDTH_PX / (float)DEMO_HEIGHT_PX;
    const float a = far / (far - near);

    struct demo_camera c;
    const struct vec3 rows[4] = {
        vec3_scale(right, focal / aspect),
        vec3_scale(up, -focal),
        vec3_scale(forward, a),
        forward,
    };
    const float shift[4] = {0, 0, -near * a, 0};
    for (int i = 0; i < 4; i++) {
        c.view_projection[0 + i] = demo_snap(rows[i].x);
        c.view_projection[4 + i] = demo_snap(rows[i].y);
        c.view_projection[8 + i] = demo_snap(rows[i].z);
        c.view_projection[12 + i] = demo_snap(shift[i] - vec3_dot(rows[i], eye));
    }
    put(c.eye, eye);
    put(c.right, right);
    put(c.up, up);
    put(c.forward, forward);
    put(c.light,
        vec3_normalize(vec3_add(vec3_scale(right, 0.55f),
                                vec3_add(vec3_scale(up, 0.75f), vec3_scale(forward, -0.65f)))));
    return c;
}

static void make_set(struct demo *d, const struct demo_camera *c, const uint8_t *texture,
                     uint32_t texture_px)
{
    struct vkt *t = &d->t;
    const VkShaderStageFlags tessellation =
        d->tessellated
            ? VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT
            : 0;
    const VkShaderStageFlags all = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT |
                                   VK_SHADER_STAGE_FRAGMENT_BIT | tessellation;
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, all, NULL},
        {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1,
         VK_SHADER_STAGE_FRAGMENT_BIT | tessellation, NULL},
    };
    const VkPushConstantRange range = {VK_SHADER_STAGE_GEOMETRY_BIT, 0, 16};
    d->set_layout = vkt_set_layout(t, bindings, 2);
    d->set = vkt_set(t, d->set_layout, bindings, 2);
    d->layout = vkt_layout(t, &d->set_layout, 1, &range, 1);

    const struct vkt_buffer uniform =
        vkt_buffer_from(t, c, sizeof(*c), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    const struct vkt_image image =
        vkt_image(t, VK_FORMAT_R8G8B8A8_UNORM, texture_px, texture_px,
                  VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    const VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    vkt_image_upload(t, &image, texture, (VkDeviceSize)texture_px * texture_px * 4, layout);
    vkt_write_buffer(t, d->set, 0, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, uniform.buffer, 0,
                     VK_WHOLE_SIZE);
    vkt_write_image(t, d->set, 1, 0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, image.view, layout,
                    vkt_sampler(t, VK_FILTER_LINEAR));
}

void demo_init(struct demo *d, const char *name, int argc, char **argv, struct vec3 eye,
               struct vec3 look_at, const uint8_t *texture, uint32_t texture_px)
{
    struct vkt_options options = vkt_parse(name, argc, argv);
    options.tessellation = d->tessellated;
    if (options.rest_count)
        vkt_die("usage: %s [--out FILE.png] [--dump FILE] [--layers NAME:NAME]", name);
    vkt_init(&d->t, &options);
    fprintf(stderr, "%s: %s\n", name, d->t.properties.deviceName);
    d->target = vkt_target(&d->t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_D32_SFLOAT,
                           DEMO_WIDTH_PX * DEMO_SCALE, DEMO_HEIGHT_PX * DEMO_SCALE);
    const struct demo_camera c = camera(eye, look_at);
    make_set(d, &c, texture, texture_px);

    struct vkt_pipeline_info backdrop = demo_pipeline(d);
    backdrop.vs = VKT_CODE(backdrop_vert);
    backdrop.fs = VKT_CODE(backdrop_frag);
    backdrop.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    backdrop.depth_test = backdrop.depth_write = false;
    d->backdrop = vkt_pipeline(&d->t, &backdrop);
}

struct vkt_pipeline_info demo_pipeline(const struct demo *d)
{
    return (struct vkt_pipeline_info){
        .layout = d->layout,
        .pass = d->target.pass,
        .width_px = DEMO_WIDTH_PX * DEMO_SCALE,
        .height_px = DEMO_HEIGHT_PX * DEMO_SCALE,
        .depth_test = true,
        .depth_write = true,
    };
}

void demo_begin(struct demo *d)
{
    d->cmd = vkt_commands(&d->t);
    vkt_begin(d->cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(d->cmd, &d->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindDescriptorSets(d->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, d->layout, 0, 1, &d->set, 0,
                            NULL);
    vkCmdBindPipeline(d->cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, d->backdrop);
    vkCmdDraw(d->cmd, 3, 1, 0, 0);
}

/* Averages blocks of DEMO_SCALE^2 pixels. */
static void reduce(struct picture *out, const uint8_t *big)
{
    for (uint32_t y = 0; y < DEMO_HEIGHT_PX; y++) {
        for (uint32_t x = 0; x < DEMO_WIDTH_PX; x++) {
            uint8_t *texel = out->rgba + 4 * ((size_t)y * DEMO_WIDTH_PX + x);
            for (uint32_t c = 0; c < 3; c++) {
                uint32_t sum = DEMO_SCALE * DEMO_SCALE / 2;
                for (uint32_t j = 0; j < DEMO_SCALE; j++)
                    for (uint32_t i = 0; i < DEMO_SCALE; i++)
                        sum += big[4 * ((size_t)(y * DEMO_SCALE + j) * DEMO_WIDTH_PX * DEMO_SCALE +
                                        x * DEMO_SCALE + i) +
                                   c];
                texel[c] = (uint8_t)(sum / (DEMO_SCALE * DEMO_SCALE));
            }
            texel[3] = 255;
        }
    }
}

int demo_end(struct demo *d)
{
    struct vkt *t = &d->t;
    vkCmdEndRenderPass(d->cmd);
    vkt_submit(t, d->cmd);
    const struct vkt_buffer big = vkt_image_read(t, &d->target.color, 4);
    vkt_dump_image(t, "frame", big.map, DEMO_WIDTH_PX * DEMO_SCALE, DEMO_HEIGHT_PX * DEMO_SCALE, 4);
    struct picture out;
    if (!picture_init(&out, DEMO_WIDTH_PX, DEMO_HEIGHT_PX))
        vkt_die("out of memory");
    reduce(&out, big.map);
    if (t->options.out_path && !picture_write(&out, t->options.out_path))
        vkt_die("cannot write %s", t->options.out_path);
    picture_finish(&out);
    return vkt_finish(t);
}
