/* SPDX-License-Identifier: MIT
 *
 * Control shaders that take all that is reported, and arrays in every interface whose elements are
 * chosen by numbers that only the shader knows. With --times it prints what each kind costs the
 * processor; one that takes minutes to compile ends at the limit of CTest.
 */
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_barrier_tesc.h"
#include "tessellation_barrier_tese.h"
#include "tessellation_barrier_vert.h"
#include "tessellation_full_patch_tesc.h"
#include "tessellation_full_patch_tese.h"
#include "tessellation_full_tesc.h"
#include "tessellation_full_tese.h"
#include "tessellation_full_vert.h"
#include "tessellation_index_0_geom.h"
#include "tessellation_index_0_tesc.h"
#include "tessellation_index_0_tese.h"
#include "tessellation_index_0_vert.h"
#include "tessellation_index_1_tesc.h"
#include "tessellation_index_1_tese.h"
#include "tessellation_index_1_vert.h"
#include "tessellation_many_tesc.h"
#include "tessellation_many_tese.h"
#include "tessellation_many_vert.h"
#include "tessellation_patch_tesc.h"
#include "tessellation_patch_tese.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PATCHES 3u
#define INSTANCES 2u
#define CORNERS 4u
#define POINTS 32u  /* of a patch that comes in */
#define OUTPUTS 32u /* and goes out, but for tessellation_index.tesc */
#define STAGES VK_SHADER_STAGE_ALL_GRAPHICS

struct point {
    float u, v;
    uint32_t patch, hash;
};

/* What tessellation_limits.tesc was made with: vectors in and out, of the patch; does it wait a
 * second time? */
struct sizes {
    uint32_t in, out, patch;
    bool again;
};

static const struct kind {
    const char *name;
    struct vkt_code vs, tcs, tes, gs;
    struct sizes sizes; /* 0: other shaders */
} kinds[] = {
    {"barrier",
     VKT_CODE(tessellation_barrier_vert),
     VKT_CODE(tessellation_barrier_tesc),
     VKT_CODE(tessellation_barrier_tese),
     {0},
     {20, 20, 0, false}},
    {"many",
     VKT_CODE(tessellation_many_vert),
     VKT_CODE(tessellation_many_tesc),
     VKT_CODE(tessellation_many_tese),
     {0},
     {30, 30, 0, true}},
    {"patch",
     VKT_CODE(tessellation_many_vert),
     VKT_CODE(tessellation_patch_tesc),
     VKT_CODE(tessellation_patch_tese),
     {0},
     {30, 2, 28, true}},
    {"vec2",
     VKT_CODE(tessellation_index_0_vert),
     VKT_CODE(tessellation_index_0_tesc),
     VKT_CODE(tessellation_index_0_tese),
     VKT_CODE(tessellation_index_0_geom),
     {0}},
    {"struct",
     VKT_CODE(tessellation_index_1_vert),
     VKT_CODE(tessellation_index_1_tesc),
     VKT_CODE(tessellation_index_1_tese),
     {0},
     {0}},
};

/* All that is reported. The validation layer counts the levels to what each vertex has, and takes
 * what each vertex has and what the patch has for one: it must not see them. */
static const struct kind full_kinds[] = {
    {"full",
     VKT_CODE(tessellation_full_vert),
     VKT_CODE(tessellation_full_tesc),
     VKT_CODE(tessellation_full_tese),
     {0},
     {31, 32, 0, true}},
    {"opt/full_patch", /* Mesa 22.3 natively mixes up some of it, or crashes */
     VKT_CODE(tessellation_full_vert),
     VKT_CODE(tessellation_full_patch_tesc),
     VKT_CODE(tessellation_full_patch_tese),
     {0},
     {31, 31, 30, true}},
};

/* --- What is expected --- */

static uint32_t mixed(uint32_t hash, const float *numbers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, &numbers[i], sizeof(word));
        hash = (hash ^ word) * 0x9e3779b1u;
        hash ^= hash >> 15;
    }
    return hash;
}

/* What tessellation_limits.vert puts out. */
static void input(uint32_t vertex, uint32_t i, uint32_t instance, float out[4])
{
    const float numbers[4] = {(float)vertex, (float)i, 0.5f * (float)i, 1};
    for (uint32_t c = 0; c < 4; c++)
        out[c] = numbers[c] + 0.25f * (float)instance;
}

/* The hash of a point in tessellation_limits.tese. */
static uint32_t expect(const struct sizes *sizes, uint32_t patch, uint32_t instance,
                       const struct point *at)
{
    static float out[OUTPUTS][32][4], once[32][4];
    float last[OUTPUTS];
    const uint32_t count = sizes->out, corner = (uint32_t)(at->u * 16 + at->v * 8);
    for (uint32_t me = 0; me < OUTPUTS; me++) {
        for (uint32_t i = 0; i < count; i++) {
            input(patch * OUTPUTS + me, i % sizes->in, instance, out[me][i]);
            for (uint32_t c = 0; c < 4; c++)
                out[me][i][c] += (float)me;
        }
        input(patch * OUTPUTS + me, 0, instance, once[me]);
        memcpy(once[me], (float[]){(float)patch, (float)me, once[me][0], 0.125f}, sizeof(*once));
    }
    for (uint32_t me = 0; me < OUTPUTS; me++) {
        uint32_t hash = 1;
        for (uint32_t i = 0; i < (sizes->again ? count : count - 1); i++)
            hash = mixed(hash, out[(me + 5) % OUTPUTS][i], 4);
        if (sizes->patch)
            hash = mixed(mixed(hash, once[7 % sizes->patch], 4), once[2], 4);
        last[me] = (float)(hash & 0xffff);
    }
    uint32_t hash = 2;
    for (uint32_t me = 0; me < OUTPUTS; me++) {
        out[me][count - 1][3] = last[me];
        hash = mixed(hash, out[me][count - 1], 4);
    }
    for (uint32_t i = 0; i < count; i++)
        hash = mixed(hash, out[corner][i], 4);
    for (uint32_t i = 0; i < sizes->patch; i++)
        hash = mixed(hash, once[i], 4);
    return hash;
}

/* --- Drawing --- */

static int by_place(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return x->v != y->v ? (x->v > y->v) - (x->v < y->v) : (x->u > y->u) - (x->u < y->u);
}

static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static VkPipeline make_pipeline(struct vkt *t, const struct kind *kind, VkPipelineLayout layout,
                                const struct vkt_target *target)
{
    const struct vkt_pipeline_info info = {
        .vs = kind->vs,
        .tcs = kind->tcs,
        .tes = kind->tes,
        .gs = kind->gs,
        .layout = layout,
        .pass = target->pass,
        .width_px = target->color.width_px,
        .height_px = target->color.height_px,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = POINTS,
        .discard = true,
    };
    return vkt_pipeline(t, &info);
}

static void run(struct vkt *t, const struct kind *kind, VkPipelineLayout layout,
                const struct vkt_target *target)
{
    const int32_t zero = 0;
    struct point points[INSTANCES * PATCHES * CORNERS];
    const struct vkt_buffer capture = xfb_buffer(t, sizeof(points));
    const struct xfb_range range = {capture.buffer, 0, capture.size_B};
    const double begin_s = processor_s();
    const VkPipeline pipeline = make_pipeline(t, kind, layout, target);
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(cmd, layout, STAGES, 0, sizeof(zero), &zero);
    xfb_bind(cmd, 0, 1, &range);
    xfb_begin(cmd, 0, 0, NULL);
    vkCmdDraw(cmd, PATCHES * POINTS, INSTANCES, 0, 0);
    xfb_end(cmd, 0, 0, NULL);
    vkCmdEndRenderPass(cmd);
    xfb_barrier(cmd);
    vkt_submit(t, cmd);
    const double took_s = processor_s() - begin_s;
    if (vkt_flag(&t->options, "--times"))
        fprintf(stderr, "%-20s %6.2f s\n", kind->name, took_s);

    memcpy(points, capture.map, sizeof(points));
    for (uint32_t i = 0; i < INSTANCES * PATCHES; i++) {
        struct point *patch = points + i * CORNERS;
        qsort(patch, CORNERS, sizeof(*patch), by_place);
        for (uint32_t k = 0; k < CORNERS; k++) {
            const struct point *at = &patch[k];
            VKT_EXPECT(
                t, at->u == (float)(k % 2) && at->v == (float)(k / 2) && at->patch == i % PATCHES,
                "%s: point %u of patch %u is %g, %g of patch %u", kind->name, k, i, (double)at->u,
                (double)at->v, at->patch);
            VKT_EXPECT(t,
                       !kind->sizes.in ||
                           at->hash == expect(&kind->sizes, i % PATCHES, i / PATCHES, at),
                       "%s: point %u of patch %u has another hash", kind->name, k, i);
        }
    }
    xfb_dump(t, points, sizeof(points), "%s", kind->name);
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_limits", argc, argv);
    options.xfb = options.tessellation = true;
    if (vkt_has_layer(&options, "poly_gs"))
        setenv("MESA_SHADER_CACHE_DISABLE", "true", 1); /* what is measured is compiled */
    struct vkt t;
    vkt_init(&t, &options);
    const VkPhysicalDeviceLimits *limits = &t.properties.limits;
    VKT_EXPECT(&t,
               limits->maxTessellationControlTotalOutputComponents >= 4096 &&
                   limits->maxTessellationControlPerVertexOutputComponents >= 128 &&
                   limits->maxTessellationControlPerPatchOutputComponents >= 120,
               "control shaders put out %u components, %u of a vertex, %u of a patch",
               limits->maxTessellationControlTotalOutputComponents,
               limits->maxTessellationControlPerVertexOutputComponents,
               limits->maxTessellationControlPerPatchOutputComponents);
    const struct vkt_target target = vkt_target(&t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, 8, 8);
    const VkPushConstantRange zero = {STAGES, 0, 4};
    const VkPipelineLayout layout = vkt_layout(&t, NULL, 0, &zero, 1);
    const bool full = vkt_flag(&options, "--full"), ours = vkt_has_layer(&options, "poly_gs");
    const struct kind *run_kinds = full ? full_kinds : kinds;
    for (uint32_t i = 0; i < (full ? VKT_COUNT(full_kinds) : VKT_COUNT(kinds)); i++)
        if (ours || strncmp(run_kinds[i].name, "opt/", 4) != 0)
            run(&t, &run_kinds[i], layout, &target);
    return vkt_finish(&t);
}
