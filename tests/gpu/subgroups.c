/* SPDX-License-Identifier: MIT
 *
 * Subgroup operations in geometry and tessellation shaders. Which invocations share a subgroup is
 * the implementation's choice, so the shaders ask what must hold in any: what is in a ballot, that
 * sums and votes agree with it, that a branch leaves its own invocations. Each answer is a bit. For
 * drivers that have no such operations in these stages the right answers are in the shaders.
 */
#include "common/vkt.h"

#include "subgroups_ballot_geom.h"
#include "subgroups_geom.h"
#include "subgroups_plain_geom.h"
#include "subgroups_plain_tesc.h"
#include "subgroups_plain_tese.h"
#include "subgroups_plain_vert.h"
#include "subgroups_tesc.h"
#include "subgroups_tese.h"
#include "value_frag.h"

#include <stdlib.h>
#include <string.h>

#define SIDE_PX 32u
#define POINTS (SIDE_PX * SIDE_PX)
#define ANSWERS 0xffu

#define TESSELLATION                                                                               \
    (VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)

static struct suite {
    struct vkt t;
    VkPipelineLayout layout;
    struct vkt_target target;
} s;

static void draw(const char *name, const struct vkt_pipeline_info *stages, uint32_t want)
{
    struct vkt_pipeline_info info = *stages;
    info.vs = VKT_CODE(subgroups_plain_vert);
    info.fs = VKT_CODE(value_frag);
    info.layout = s.layout;
    info.pass = s.target.pass;
    info.width_px = info.height_px = SIDE_PX;
    info.topology =
        info.tcs.words ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    info.patch_points = 1;
    const VkPipeline pipeline = vkt_pipeline(&s.t, &info);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdDraw(cmd, POINTS - 3, 1, 0, 0); /* the last subgroup is not full */
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    const uint32_t *texels = pixels.map;
    uint32_t wrong = 0, last = want;
    for (uint32_t i = 0; i < POINTS; i++) {
        if (texels[i] == (i < POINTS - 3 ? want : 0))
            continue;
        wrong++;
        last = texels[i];
    }
    VKT_EXPECT(&s.t, !wrong, "%s: %u of %u points are wrong, such as 0x%x", name, wrong, POINTS,
               last);
    vkt_dump_image(&s.t, name, texels, SIDE_PX, SIDE_PX, 4);
}

/* True if this is the driver of a phone (tests/profiles) that has these stages itself: what it
 * reports of them is its own affair. */
static bool has_own(const char *const phones[])
{
    const char *profile = getenv("PGS_TEST_PROFILE");
    for (size_t i = 0; profile && phones[i]; i++) {
        if (strncmp(profile, phones[i], strlen(phones[i])) == 0)
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("subgroups", argc, argv);
    const bool old = vkt_flag(&options, "--extensions");
    static const char *const own_geometry[] = {"bxm",    "pixel10", "mali38",
                                               "mali54", "valhall", NULL},
                             *const own_tessellation[] = {"apple", NULL};
    const struct vkt_extension extensions[] = {
        {VK_EXT_SHADER_SUBGROUP_BALLOT_EXTENSION_NAME, NULL, 0},
        {VK_EXT_SHADER_SUBGROUP_VOTE_EXTENSION_NAME, NULL, 0},
        {NULL, NULL, 0}};
    options.tessellation = true;
    options.extensions = old ? extensions : NULL;
    vkt_init(&s.t, &options);
    VkPhysicalDeviceSubgroupProperties subgroups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &subgroups};
    vkGetPhysicalDeviceProperties2(s.t.physical, &properties);
    const VkSubgroupFeatureFlags needed =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
        VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT;
    const bool geometry = subgroups.supportedStages & VK_SHADER_STAGE_GEOMETRY_BIT,
               tessellation = (subgroups.supportedStages & TESSELLATION) == TESSELLATION;
    if (vkt_has_layer(&options, "poly_gs"))
        VKT_EXPECT(&s.t,
                   (geometry || has_own(own_geometry)) &&
                       (tessellation || has_own(own_geometry) || has_own(own_tessellation)),
                   "the stages are 0x%x", subgroups.supportedStages);
    s.layout = vkt_layout(&s.t, NULL, 0, NULL, 0);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    if (old) { /* in every stage, whatever the properties say */
        draw("ballot", &(struct vkt_pipeline_info){.gs = VKT_CODE(subgroups_ballot_geom)}, 7);
        return vkt_finish(&s.t);
    }
    if ((subgroups.supportedOperations & needed) != needed)
        vkt_skip("the driver lacks subgroup operations");
    draw("geometry",
         &(struct vkt_pipeline_info){.gs = geometry ? VKT_CODE(subgroups_geom)
                                                    : VKT_CODE(subgroups_plain_geom)},
         ANSWERS);
    draw("tessellation",
         &(struct vkt_pipeline_info){
             .tcs = tessellation ? VKT_CODE(subgroups_tesc) : VKT_CODE(subgroups_plain_tesc),
             .tes = tessellation ? VKT_CODE(subgroups_tese) : VKT_CODE(subgroups_plain_tese)},
         ANSWERS << 8 | ANSWERS);
    return vkt_finish(&s.t);
}
