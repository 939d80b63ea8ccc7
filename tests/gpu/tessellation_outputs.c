/* SPDX-License-Identifier: MIT
 *
 * Outputs of control shaders as GLSL cannot declare them: with initializers and never stored, and
 * arrays that are shorter than the output patch. What the evaluation shader sees of them is
 * captured.
 */
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_outputs_initial_tesc.h"
#include "tessellation_outputs_short_tesc.h"
#include "tessellation_outputs_tese.h"
#include "tessellation_outputs_vert.h"

#include <math.h>
#include <string.h>

enum { PATCHES = 3, POINTS = 7 /* of a triangle with all levels at two */ };

struct seen {
    float weight, numbers, u;
};

struct suite {
    struct vkt t;
    struct vkt_buffer capture, counter;
    VkPipelineLayout layout;
    struct vkt_target target;
};

static VkPipeline make_pipeline(struct suite *s, struct vkt_code control)
{
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_outputs_vert),
        .tcs = control,
        .tes = VKT_CODE(tessellation_outputs_tese),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = s->target.color.width_px,
        .height_px = s->target.color.height_px,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = 1,
        .discard = true,
    };
    return vkt_pipeline(&s->t, &info);
}

static void run(struct suite *s, const char *name, struct vkt_code control)
{
    const struct xfb_range range = {s->capture.buffer, 0, s->capture.size_B};
    const struct xfb_range counter = {s->counter.buffer, 0, 0};
    const VkPipeline pipeline = make_pipeline(s, control);
    memset(s->capture.map, XFB_FILL, s->capture.size_B);
    memset(s->counter.map, XFB_FILL, s->counter.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, PATCHES, 1, 0, 0);
    xfb_end(cmd, 0, 1, &counter);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(&s->t, cmd);

    const struct seen *seen = s->capture.map;
    const uint32_t count = xfb_word(&s->counter, 0) / (uint32_t)sizeof(*seen);
    float sum = 0;
    VKT_EXPECT(&s->t, count == PATCHES * POINTS, "%s: %u points", name, count);
    for (uint32_t i = 0; i < count && i < PATCHES * POINTS; i++) {
        VKT_EXPECT(&s->t, seen[i].weight == 0.125f && seen[i].numbers == 4321,
                   "%s: point %u has %f and %f", name, i, (double)seen[i].weight,
                   (double)seen[i].numbers);
        sum += seen[i].u;
    }
    VKT_EXPECT(&s->t, fabsf(sum - PATCHES * POINTS / 3.0f) < 1e-3f, "%s: coordinates add up to %f",
               name, (double)sum);
    xfb_expect_rest(&s->t, name, &s->capture, count * sizeof(*seen));
    xfb_dump(&s->t, &count, sizeof(count), "%s", name);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_outputs", argc, argv);
    options.xfb = options.tessellation = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    s.capture = xfb_buffer(&s.t, 4096);
    s.counter = xfb_buffer(&s.t, 4);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, 8, 8);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    run(&s, "initial", VKT_CODE(tessellation_outputs_initial_tesc));
    run(&s, "short", VKT_CODE(tessellation_outputs_short_tesc));
    return vkt_finish(&s.t);
}
