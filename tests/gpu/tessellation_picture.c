/* SPDX-License-Identifier: MIT
 *
 * Pictures of tessellated patches, drawn without a geometry shader: every pixel of a patch once,
 * whatever the levels are; which face shows, for every order and origin, and of which patch it is;
 * clip and cull distances, interpolation, point sizes; and shaders that need push constants,
 * descriptors and specialization constants to get it right.
 */
#include "gpu/tessellation.h"
#include "gpu/xfb.h"

#include "tessellation_picture_frag_0.h"
#include "tessellation_picture_frag_1.h"
#include "tessellation_picture_frag_2.h"
#include "tessellation_picture_frag_3.h"
#include "tessellation_picture_tesc.h"
#include "tessellation_picture_tese.h"
#include "tessellation_picture_vert.h"

#include <string.h>

#define SIDE_PX 64u
#define CELLS 16u
#define CELL_PX 16u
#define SALT 77u
#define ADDED 5u

enum fragment { SHOW, NUMBER, COVER, SHOW_THIN };

struct push {
    float levels[6];
    uint32_t salt;
    float point_size;
};

struct scene {
    const char *name;
    struct tess_mode mode;
    float cut; /* in u */
    int32_t more;
    bool culls;      /* every fourth patch */
    float levels[6]; /* outer and inner */
};
#define NOT_CUT 2.0f

static const struct scene scenes[] = {
    {"quads", {TESS_QUADS, TESS_EQUAL, false, false, false}, NOT_CUT, 1, false, {3, 4, 5, 6, 4, 3}},
    {"odd",
     {TESS_QUADS, TESS_FRACTIONAL_ODD, true, false, false},
     NOT_CUT,
     2,
     false,
     {2.5f, 1, 3.25f, 8, 3, 7.5f}},
    {"even",
     {TESS_TRIANGLES, TESS_FRACTIONAL_EVEN, true, false, false},
     NOT_CUT,
     0,
     false,
     {5, 7.5f, 2, 8, 3.75f, 7}},
    {"lower_left",
     {TESS_TRIANGLES, TESS_EQUAL, true, false, true},
     NOT_CUT,
     0,
     false,
     {9, 4, 2, 8, 8, 7}},
    {"one",
     {TESS_TRIANGLES, TESS_FRACTIONAL_ODD, false, false, true},
     NOT_CUT,
     0,
     false,
     {0.25f, 0.125f, 0.125f, 1, 0.5f, 1}},
    {"fine",
     {TESS_QUADS, TESS_EQUAL, false, false, true},
     NOT_CUT,
     30,
     false,
     {10, 10, 10, 10, 10, 10}},
    {"clipped", {TESS_QUADS, TESS_EQUAL, true, false, false}, 0.53f, 0, false, {3, 4, 5, 6, 4, 3}},
    {"culled",
     {TESS_TRIANGLES, TESS_EQUAL, false, false, false},
     NOT_CUT,
     0,
     true,
     {3, 4, 5, 6, 4, 3}},
    {"isolines",
     {TESS_ISOLINES, TESS_EQUAL, false, false, false},
     NOT_CUT,
     1,
     false,
     {3, 4, 0, 0, 0, 0}},
    {"points", {TESS_QUADS, TESS_EQUAL, false, true, false}, NOT_CUT, 0, false, {2, 2, 2, 2, 4, 2}},
};

struct suite {
    struct vkt t;
    struct vkt_buffer scale, places[2], count;
    struct vkt_image tints;
    VkDescriptorSet sets[2];
    VkPipelineLayout layout;
    struct vkt_target numbers, colors;
    bool dynamic_origin;
};

/* How patch `cell` stretches the levels. */
static float factor(uint32_t cell, uint32_t i)
{
    return (float)(1 + (cell + i) % 4);
}

static uint32_t tint_of(uint32_t cell)
{
    return 40 + 13 * cell;
}

/* --- Pipelines and resources --- */

static VkPipeline make_pipeline(struct suite *s, const struct scene *scene, enum fragment fragment,
                                VkCullModeFlags cull, VkFrontFace front)
{
    static const struct vkt_code shaders[] = {
        VKT_CODE(tessellation_picture_frag_0), VKT_CODE(tessellation_picture_frag_1),
        VKT_CODE(tessellation_picture_frag_2), VKT_CODE(tessellation_picture_frag_3)};
    const struct {
        int32_t more;
        uint32_t added;
        float cut;
        uint32_t culled;
    } values = {scene->more, ADDED, scene->cut, scene->culls ? 4 : 100};
    static const VkSpecializationMapEntry entries[4] = {
        {0, 0, 4}, {1, 4, 4}, {2, 8, 4}, {3, 12, 4}};
    const VkSpecializationInfo constants = {4, entries, sizeof(values), &values};
    static const VkDynamicState origin = VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT;
    const VkPipelineRasterizationLineStateCreateInfoEXT line = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT,
        .lineRasterizationMode = VK_LINE_RASTERIZATION_MODE_BRESENHAM_EXT,
    };
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(tessellation_picture_vert),
        .tcs = VKT_CODE(tessellation_picture_tesc),
        .tes = tess_modes(&s->t, VKT_CODE(tessellation_picture_tese), &scene->mode),
        .fs = shaders[fragment],
        .tcs_constants = &constants,
        .tes_constants = &constants,
        .layout = s->layout,
        .pass = fragment == COVER ? s->colors.pass : s->numbers.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        .patch_points = 2,
        .lower_left = scene->mode.lower_left != s->dynamic_origin,
        .dynamic = &origin,
        .dynamic_count = s->dynamic_origin ? 1 : 0,
        .rasterization_next = s->t.features.bresenham_lines ? &line : NULL,
        .cull = cull,
        .front = front,
        .blend = fragment == COVER ? VKT_BLEND_ADD : VKT_BLEND_NONE,
    };
    return vkt_pipeline(&s->t, &info);
}

static void make_sets(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkShaderStageFlags control = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    const VkShaderStageFlags evaluation = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    const VkDescriptorType uniform = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC;
    const VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    const VkDescriptorType image = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
    const VkDescriptorSetLayoutBinding first[3] = {
        {0, uniform, 1, control, NULL},
        {1, image, 1, evaluation, NULL},
        {2, storage, 2, evaluation, NULL},
    };
    const VkDescriptorSetLayoutBinding second = {0, storage, 1, control, NULL};
    const VkDescriptorSetLayout layouts[2] = {vkt_set_layout(t, first, 3),
                                              vkt_set_layout(t, &second, 1)};
    s->sets[0] = vkt_set(t, layouts[0], first, 3);
    s->sets[1] = vkt_set(t, layouts[1], &second, 1);
    vkt_write_buffer(t, s->sets[0], 0, 0, uniform, s->scale.buffer, 0, 64);
    vkt_write_image(t, s->sets[0], 1, 0, image, s->tints.view,
                    VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, vkt_sampler(t, VK_FILTER_NEAREST));
    for (uint32_t i = 0; i < 2; i++)
        vkt_write_buffer(t, s->sets[0], 2, i, storage, s->places[i].buffer, 0, VK_WHOLE_SIZE);
    vkt_write_buffer(t, s->sets[1], 0, 0, storage, s->count.buffer, 0, VK_WHOLE_SIZE);
    const VkPushConstantRange range = {control | evaluation, 0, sizeof(struct push)};
    s->layout = vkt_layout(t, layouts, 2, &range, 1);
}

static void make_resources(struct suite *s)
{
    struct vkt *t = &s->t;
    /* The factors are at a dynamic offset, and each buffer has the places of every second cell. */
    s->scale = vkt_buffer(t, 512, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < 16; i++)
        ((float *)s->scale.map)[64 + i] = factor(i / 4, i % 4);
    for (uint32_t k = 0; k < 2; k++) {
        s->places[k] = vkt_buffer(t, CELLS * 8, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
        for (uint32_t i = k; i < CELLS; i += 2) {
            ((float *)s->places[k].map)[2 * i] = (float)(i % 4) / 4;
            ((float *)s->places[k].map)[2 * i + 1] = (float)(i / 4) / 4;
        }
    }
    s->count = vkt_buffer(t, CELLS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    uint8_t texels[CELLS];
    for (uint32_t i = 0; i < CELLS; i++)
        texels[i] = (uint8_t)tint_of(i);
    s->tints = vkt_image(t, VK_FORMAT_R8_UNORM, 4, 4,
                         VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    vkt_image_upload(t, &s->tints, texels, sizeof(texels),
                     VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
}

/* --- Drawing --- */

static void draw(struct suite *s, const struct scene *scene, const struct vkt_target *target,
                 VkPipeline pipeline)
{
    const uint32_t offset_B = 256;
    struct push push = {.salt = SALT, .point_size = scene->mode.points ? 3 : 1};
    memcpy(push.levels, scene->levels, sizeof(push.levels));
    memset(s->count.map, 0, s->count.size_B);
    VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 2, s->sets, 1,
                            &offset_B);
    vkCmdPushConstants(cmd, s->layout,
                       VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                           VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                       0, sizeof(push), &push);
    if (s->dynamic_origin)
        vkCmdSetTessellationDomainOriginEXT(cmd, scene->mode.lower_left
                                                     ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                                                     : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
    vkCmdDraw(cmd, 2 * CELLS, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
}

/* --- Checks --- */

/* All invocations of the control shader of each patch, once. */
static void check_count(struct suite *s, const char *name)
{
    for (uint32_t i = 0; i < CELLS; i++)
        VKT_EXPECT(&s->t, ((const uint32_t *)s->count.map)[i] == 3 + 256 * 3,
                   "%s: the control shader of patch %u counted %x", name, i,
                   ((const uint32_t *)s->count.map)[i]);
}

static bool is_covered(const struct scene *scene, uint32_t cell, uint32_t x_px, uint32_t y_px)
{
    if (scene->culls && cell % 4 == 3)
        return false;
    if (scene->mode.domain == TESS_TRIANGLES)
        return x_px + y_px < CELL_PX - 1;
    return scene->cut > 1 || x_px < CELL_PX / 2;
}

/* Every pixel of every patch has its color, and there is no other. */
static void check_filled(struct suite *s, const struct scene *scene,
                         const struct vkt_target *target, const char *name,
                         uint32_t (*color)(const struct scene *scene, uint32_t cell))
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &target->color, 4);
    uint32_t wrong = 0, first = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t x_px = i % SIDE_PX, y_px = i / SIDE_PX;
        const uint32_t cell = y_px / CELL_PX * 4 + x_px / CELL_PX;
        const bool covered = is_covered(scene, cell, x_px % CELL_PX, y_px % CELL_PX);
        const uint32_t want = covered ? color(scene, cell) : 0;
        if (((const uint32_t *)pixels.map)[i] != want && wrong++ == 0)
            first = i;
    }
    VKT_EXPECT(&s->t, wrong == 0, "%s: %u pixels are wrong, first %u,%u: %u", name, wrong,
               first % SIDE_PX, first / SIDE_PX, ((const uint32_t *)pixels.map)[first]);
    vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

static uint32_t color_seen(const struct scene *scene, uint32_t cell)
{
    const bool front = scene->mode.ccw != scene->mode.lower_left; /* counter-clockwise */
    return tint_of(cell) + ADDED * 1000 + 100000 + (front ? 1000000 : 2000000);
}

static uint32_t color_number(const struct scene *scene, uint32_t cell)
{
    (void)scene;
    return 1 + cell;
}

static uint32_t color_once(const struct scene *scene, uint32_t cell)
{
    (void)scene;
    (void)cell;
    return 0x01010101;
}

/* Lines and points: what there is has its color. */
static void check_drawn(struct suite *s, const struct scene *scene, const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->numbers.color, 4);
    uint32_t wrong = 0, drawn[CELLS] = {0};
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        const uint32_t value = ((const uint32_t *)pixels.map)[i];
        if (value == 0)
            continue;
        /* Points are large: one at the edge of its cell goes into the next. */
        uint32_t cell = i / SIDE_PX / CELL_PX * 4 + i % SIDE_PX / CELL_PX;
        if (scene->mode.points)
            cell = (value % 1000 - tint_of(0)) / 13;
        const uint32_t want = tint_of(cell) + ADDED * 1000 + 100000 + 1000000;
        if (cell < CELLS && value == want)
            drawn[cell]++;
        else
            wrong++;
    }
    VKT_EXPECT(&s->t, wrong == 0, "%s: %u pixels are wrong", name, wrong);
    for (uint32_t i = 0; i < CELLS; i++)
        VKT_EXPECT(&s->t, drawn[i] >= CELL_PX, "%s: only %u pixels of patch %u", name, drawn[i], i);
    vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

/* --- Cases --- */

static void run_filled(struct suite *s, const struct scene *scene)
{
    char name[64];
    const char *prefix = s->dynamic_origin ? "opt/dynamic/" : "";
    const VkFrontFace ccw = VK_FRONT_FACE_COUNTER_CLOCKWISE;
    snprintf(name, sizeof(name), "%s%s/seen", prefix, scene->name);
    draw(s, scene, &s->numbers, make_pipeline(s, scene, SHOW, VK_CULL_MODE_NONE, ccw));
    check_filled(s, scene, &s->numbers, name, color_seen);
    check_count(s, name);

    snprintf(name, sizeof(name), "%s%s/number", prefix, scene->name);
    draw(s, scene, &s->numbers, make_pipeline(s, scene, NUMBER, VK_CULL_MODE_NONE, ccw));
    check_filled(s, scene, &s->numbers, name, color_number);

    snprintf(name, sizeof(name), "%s%s/once", prefix, scene->name);
    const bool front = scene->mode.ccw != scene->mode.lower_left;
    draw(s, scene, &s->colors,
         make_pipeline(s, scene, COVER, front ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_FRONT_BIT,
                       ccw));
    check_filled(s, scene, &s->colors, name, color_once);

    snprintf(name, sizeof(name), "%s%s/culled", prefix, scene->name);
    draw(s, scene, &s->colors,
         make_pipeline(s, scene, COVER, front ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT,
                       ccw));
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->colors.color, 4);
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(&s->t, drawn == 0, "%s: %u pixels", name, drawn);
}

static void run(struct suite *s, const struct scene *scene)
{
    char name[64];
    const char *prefix = s->dynamic_origin ? "opt/dynamic/" : "";
    const bool filled = tess_corners(&scene->mode) == 3;
    if (filled) {
        run_filled(s, scene);
    } else {
        snprintf(name, sizeof(name), "%s%s/seen", prefix, scene->name);
        draw(s, scene, &s->numbers,
             make_pipeline(s, scene, SHOW_THIN, VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE));
        check_drawn(s, scene, name);
        check_count(s, name);
    }
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-tessellation_picture", argc, argv);
    options.tessellation = true;
    static struct suite s;
    vkt_init(&s.t, &options);
    if (!s.t.features.core.vertexPipelineStoresAndAtomics)
        vkt_skip("no vertexPipelineStoresAndAtomics");
    s.numbers = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.colors = vkt_target(&s.t, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    make_resources(&s);
    make_sets(&s);
    for (uint32_t i = 0; i < VKT_COUNT(scenes); i++)
        run(&s, &scenes[i]);
    s.dynamic_origin = s.t.features.dynamic_domain_origin;
    for (uint32_t i = 0; s.dynamic_origin && i < VKT_COUNT(scenes); i++)
        run(&s, &scenes[i]);
    return vkt_finish(&s.t);
}
