/* SPDX-License-Identifier: MIT
 *
 * gl_Layer written by vertex and evaluation shaders in front of a geometry shader that the layer
 * makes, and gl_ViewportIndex, each within and beyond what there is. What comes of numbers beyond
 * is the driver's: natively it draws them somewhere, and so it must through the layer.
 */
#include "gpu/layers.h"

#include "layers_outputs_layer_frag.h"
#include "layers_outputs_layer_vert.h"
#include "layers_outputs_plain_vert.h"
#include "layers_outputs_tesc.h"
#include "layers_outputs_tese.h"
#include "layers_outputs_viewport_frag.h"
#include "layers_outputs_viewport_geom.h"

#include <stdio.h>

struct push {
    int32_t number;
    uint32_t place;
};

enum writer { VERTEX, EVALUATION, VIEWPORT, WRITERS };
static const char *const writer_names[WRITERS] = {"vertex", "evaluation", "viewport"};

static VkPipeline make_pipeline(struct vkt *t, const struct layers_target *target,
                                enum writer writer, VkPipelineLayout layout)
{
    struct vkt_pipeline_info info = {
        .vs = VKT_CODE(layers_outputs_layer_vert),
        .fs = VKT_CODE(layers_outputs_layer_frag),
        .layout = layout,
        .pass = target->pass,
        .width_px = LAYERS_SIDE_PX,
        .height_px = LAYERS_SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    if (writer == EVALUATION) {
        info.vs = VKT_CODE(layers_outputs_plain_vert);
        info.tcs = VKT_CODE(layers_outputs_tesc);
        info.tes = VKT_CODE(layers_outputs_tese);
        info.patch_points = 3;
        info.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    } else if (writer == VIEWPORT) {
        info.vs = VKT_CODE(layers_outputs_plain_vert);
        info.gs = VKT_CODE(layers_outputs_viewport_geom);
        info.fs = VKT_CODE(layers_outputs_viewport_frag);
    }
    return vkt_pipeline(t, &info);
}

/* Of viewports there are as many in the limits as drivers have, but only the first one is set. */
static void run(struct vkt *t, const struct layers_target *target, enum writer writer)
{
    static const int32_t layers[] = {0, 1, 5, -1, 4, INT32_MIN, INT32_MAX, 2};
    static const int32_t viewports[] = {0, -1, INT32_MAX, INT32_MIN};
    const int32_t *numbers = writer == VIEWPORT ? viewports : layers;
    const uint32_t count = writer == VIEWPORT ? VKT_COUNT(viewports) : VKT_COUNT(layers);
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL_GRAPHICS, 0, sizeof(struct push)};
    const VkPipelineLayout layout = vkt_layout(t, NULL, 0, &range, 1);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, 0);
    layers_begin(cmd, target, LAYERS_PASS, VK_SUBPASS_CONTENTS_INLINE, 0);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS,
                      make_pipeline(t, target, writer, layout));
    for (uint32_t i = 0; i < count; i++) {
        const struct push push = {numbers[i], i};
        vkCmdPushConstants(cmd, layout, range.stageFlags, 0, sizeof(push), &push);
        vkCmdDraw(cmd, 3, 1, 0, 0);
    }
    layers_end(cmd, target, LAYERS_PASS, 0);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    char name[64];
    snprintf(name, sizeof(name), "%s/%s", writer_names[writer], layers_kind_names[target->kind]);
    layers_dump(t, target, name);
}

int main(int argc, char **argv)
{
    static const enum layers_kind kinds[] = {LAYERS_ONE, LAYERS_ARRAY};
    struct vkt_options options = vkt_parse("layers_outputs", argc, argv);
    struct vkt t;
    options.layer_outputs = options.tessellation = true;
    vkt_init(&t, &options);
    if (!t.features.output_layer || !t.features.core.multiViewport)
        vkt_skip("no shaderOutputLayer or multiViewport");
    for (uint32_t i = 0; i < VKT_COUNT(kinds); i++) {
        const struct layers_target target = layers_target(&t, kinds[i]);
        for (enum writer writer = 0; writer < WRITERS; writer++)
            run(&t, &target, writer);
    }
    return vkt_finish(&t);
}
