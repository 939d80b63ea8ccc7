/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_graphics_pipeline_library: libraries that several pipelines share, whose shaders have no
 * modules, with independent descriptor sets, linked by several threads while others draw, after
 * everything that they were made of is gone; made by several threads, with caches that do not live
 * long; with all shaders of a program in one, and with vertices in several formats. Each picture
 * must be that of pipelines made at once.
 */
#include "common/vkt.h"

#include "pipeline_libraries_frag.h"
#include "pipeline_libraries_geom.h"
#include "pipeline_libraries_tesc.h"
#include "pipeline_libraries_tese.h"
#include "pipeline_libraries_vert.h"

#include <pthread.h>
#include <string.h>

#define SIDE_PX 128u
#define KINDS 4u     /* plain, geometry, tessellation, both */
#define FRAGMENTS 2u /* fragment shaders */
#define INPUTS 2u    /* lists and strips; patches where tessellated */
#define CELLS (KINDS * FRAGMENTS * INPUTS)
#define THREADS 4u

#define INPUT VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT
#define BEFORE VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT
#define FRAGMENT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT
#define OUTPUT VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT

struct suite {
    struct vkt t;
    struct vkt_buffer places, spaced_places, uniforms; /* the same places twice */
    VkDescriptorSetLayout set_layouts[2];
    VkDescriptorSet sets[2];
    VkPipelineLayout layout; /* of both sets, which are independent */
    struct vkt_target target;
    bool geometry_is_ours; /* the layer emulates it */
};

/* A whole create info; points to itself. */
struct whole {
    VkShaderModuleCreateInfo modules[5];
    VkPipelineShaderStageCreateInfo stages[5];
    const VkSpecializationInfo *constants;
    uint32_t salt;
    VkSpecializationInfo salted;
    VkVertexInputBindingDescription binding;
    VkVertexInputAttributeDescription attribute;
    VkPipelineVertexInputStateCreateInfo input;
    VkPipelineInputAssemblyStateCreateInfo assembly;
    VkPipelineTessellationStateCreateInfo tessellation;
    VkViewport viewport;
    VkRect2D scissor;
    VkPipelineViewportStateCreateInfo viewports;
    VkPipelineRasterizationStateCreateInfo rasterization;
    VkPipelineMultisampleStateCreateInfo multisample;
    VkPipelineDepthStencilStateCreateInfo depth;
    VkPipelineColorBlendAttachmentState attachment;
    VkPipelineColorBlendStateCreateInfo blend;
    VkGraphicsPipelineCreateInfo info;
};

/* The validation layer of Debian 12 reads them when libraries are linked. */
static const uint32_t factors[FRAGMENTS] = {1, 11};
static const VkSpecializationMapEntry entry = {.size = 4};
static const VkSpecializationInfo constants[FRAGMENTS] = {{1, &entry, 4, &factors[0]},
                                                          {1, &entry, 4, &factors[1]}};

/* Of a constant that no shader has, in those in front of the rasterizer: nobody can know them from
 * other pipelines. 0: it is not there. And the cache of libraries. Each thread has its own. */
static _Thread_local uint32_t salt;
static _Thread_local VkPipelineCache library_cache;
static const VkSpecializationMapEntry salt_entry = {.constantID = 77, .size = 4};

static bool has_geometry(uint32_t kind)
{
    return kind & 1;
}

static bool is_tessellated(uint32_t kind)
{
    return kind & 2;
}

static void fill_stages(struct whole *w, uint32_t kind, VkGraphicsPipelineLibraryFlagsEXT parts)
{
    const struct {
        VkShaderStageFlagBits stage;
        struct vkt_code code;
        bool wanted;
    } all[5] = {
        {VK_SHADER_STAGE_VERTEX_BIT, VKT_CODE(pipeline_libraries_vert), parts & BEFORE},
        {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VKT_CODE(pipeline_libraries_tesc),
         parts & BEFORE && is_tessellated(kind)},
        {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VKT_CODE(pipeline_libraries_tese),
         parts & BEFORE && is_tessellated(kind)},
        {VK_SHADER_STAGE_GEOMETRY_BIT, VKT_CODE(pipeline_libraries_geom),
         parts & BEFORE && has_geometry(kind)},
        {VK_SHADER_STAGE_FRAGMENT_BIT, VKT_CODE(pipeline_libraries_frag), parts & FRAGMENT},
    };
    uint32_t count = 0;
    w->salt = salt;
    w->salted = (VkSpecializationInfo){1, &salt_entry, 4, &w->salt};
    for (uint32_t i = 0; i < 5; i++) {
        if (!all[i].wanted)
            continue;
        const bool is_fragment = all[i].stage == VK_SHADER_STAGE_FRAGMENT_BIT;
        w->modules[count] = (VkShaderModuleCreateInfo){
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = all[i].code.size_B,
            .pCode = all[i].code.words,
        };
        w->stages[count] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .pNext = &w->modules[count],
            .stage = all[i].stage,
            .pName = "main",
            .pSpecializationInfo = is_fragment ? w->constants
                                   : salt      ? &w->salted
                                               : NULL,
        };
        count++;
    }
    w->info.stageCount = count;
    w->info.pStages = w->stages;
}

static void fill_state(struct whole *w, uint32_t kind, uint32_t input)
{
    const VkPrimitiveTopology plain =
        input ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    w->binding = (VkVertexInputBindingDescription){0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
    w->attribute = (VkVertexInputAttributeDescription){0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
    w->input = (VkPipelineVertexInputStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &w->binding,
        .vertexAttributeDescriptionCount = 1,
        .pVertexAttributeDescriptions = &w->attribute,
    };
    w->assembly = (VkPipelineInputAssemblyStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = is_tessellated(kind) ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : plain,
    };
    w->tessellation = (VkPipelineTessellationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 3,
    };
    w->viewport = (VkViewport){0, 0, SIDE_PX, SIDE_PX, 0, 1};
    w->scissor = (VkRect2D){{0, 0}, {SIDE_PX, SIDE_PX}};
    w->viewports = (VkPipelineViewportStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &w->viewport,
        .scissorCount = 1,
        .pScissors = &w->scissor,
    };
    w->rasterization = (VkPipelineRasterizationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .lineWidth = 1,
    };
    w->multisample = (VkPipelineMultisampleStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
    };
    w->depth = (VkPipelineDepthStencilStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    w->attachment = (VkPipelineColorBlendAttachmentState){.colorWriteMask = 0xf};
    w->blend = (VkPipelineColorBlendStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &w->attachment,
    };
}

static void fill_whole(const struct suite *s, uint32_t kind, uint32_t fragment, uint32_t input,
                       VkGraphicsPipelineLibraryFlagsEXT parts, struct whole *w)
{
    w->constants = &constants[fragment];
    fill_state(w, kind, input);
    w->info = (VkGraphicsPipelineCreateInfo){
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pVertexInputState = &w->input,
        .pInputAssemblyState = &w->assembly,
        .pTessellationState = &w->tessellation,
        .pViewportState = &w->viewports,
        .pRasterizationState = &w->rasterization,
        .pMultisampleState = &w->multisample,
        .pDepthStencilState = &w->depth,
        .pColorBlendState = &w->blend,
        .layout = s->layout,
        .renderPass = s->target.pass,
        .basePipelineIndex = -1,
    };
    fill_stages(w, kind, parts);
}

/* -- pipelines -- */

static void make_whole(struct suite *s, VkPipeline pipelines[CELLS])
{
    for (uint32_t k = 0; k < CELLS; k++) {
        struct whole w;
        fill_whole(s, k / (FRAGMENTS * INPUTS), k / INPUTS % FRAGMENTS, k % INPUTS, 15, &w);
        VKT_CALL(vkCreateGraphicsPipelines(s->t.device, VK_NULL_HANDLE, 1, &w.info, NULL,
                                           &pipelines[k]));
    }
}

/* Libraries that all pipelines share. */
struct libraries {
    VkPipeline inputs[2][INPUTS]; /* of patches, too */
    VkPipeline kinds[KINDS], fragments[FRAGMENTS], output;
};

static VkPipeline make_library(const struct suite *s, struct whole *w,
                               VkGraphicsPipelineLibraryFlagsEXT parts, VkPipelineLayout layout)
{
    const VkGraphicsPipelineLibraryCreateInfoEXT part = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, .flags = parts};
    VkPipeline library;
    w->info.pNext = &part;
    w->info.flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR |
                    VK_PIPELINE_CREATE_RETAIN_LINK_TIME_OPTIMIZATION_INFO_BIT_EXT;
    w->info.layout = layout;
    VKT_CALL(vkCreateGraphicsPipelines(s->t.device, library_cache, 1, &w->info, NULL, &library));
    memset(w, 0xee, sizeof(*w)); /* nothing of it is needed any more */
    return library;
}

/* layouts: for what is before the rasterizer, and for fragment shaders. */
static void make_libraries(const struct suite *s, const VkPipelineLayout layouts[2],
                           struct libraries *made)
{
    struct whole w;
    for (uint32_t i = 0; i < 2 * INPUTS; i++) {
        fill_whole(s, i / INPUTS ? 2 : 0, 0, i % INPUTS, INPUT, &w);
        made->inputs[i / INPUTS][i % INPUTS] = make_library(s, &w, INPUT, VK_NULL_HANDLE);
    }
    for (uint32_t i = 0; i < KINDS; i++) {
        fill_whole(s, i, 0, 0, BEFORE, &w);
        made->kinds[i] = make_library(s, &w, BEFORE, layouts[0]);
    }
    for (uint32_t i = 0; i < FRAGMENTS; i++) {
        fill_whole(s, 0, i, 0, FRAGMENT, &w);
        made->fragments[i] = make_library(s, &w, FRAGMENT, layouts[1]);
    }
    fill_whole(s, 0, 0, 0, OUTPUT, &w);
    made->output = make_library(s, &w, OUTPUT, VK_NULL_HANDLE);
}

static void destroy_pipelines(const struct suite *s, const VkPipeline *pipelines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        vkDestroyPipeline(s->t.device, pipelines[i], NULL);
}

static void destroy_libraries(const struct suite *s, const struct libraries *libraries)
{
    destroy_pipelines(s, &libraries->inputs[0][0], 2 * INPUTS);
    destroy_pipelines(s, libraries->kinds, KINDS);
    destroy_pipelines(s, libraries->fragments, FRAGMENTS);
    destroy_pipelines(s, &libraries->output, 1);
}

static VkResult link_some(const struct suite *s, uint32_t count, const VkPipeline *libraries,
                          VkPipelineCache cache, VkPipelineCreateFlags flags, VkPipeline *pipeline)
{
    const VkPipelineLibraryCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR,
        .libraryCount = count,
        .pLibraries = libraries,
    };
    const VkGraphicsPipelineCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .pNext = &info,
        .flags = flags,
        .layout = s->layout,
        .basePipelineIndex = -1,
    };
    return vkCreateGraphicsPipelines(s->t.device, cache, 1, &create, NULL, pipeline);
}

static VkResult link_cell(const struct suite *s, const struct libraries *libraries, uint32_t cell,
                          VkPipelineCache cache, VkPipelineCreateFlags flags, VkPipeline *pipeline)
{
    const uint32_t kind = cell / (FRAGMENTS * INPUTS);
    const VkPipeline linked[4] = {
        libraries->fragments[cell / INPUTS % FRAGMENTS],
        libraries->inputs[is_tessellated(kind)][cell % INPUTS],
        libraries->output,
        libraries->kinds[kind],
    };
    return link_some(s, 4, linked, cache, flags, pipeline);
}

static VkPipelineLayout make_layout(const struct suite *s, const VkDescriptorSetLayout sets[2])
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, 8};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT,
        .setLayoutCount = 2,
        .pSetLayouts = sets,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkPipelineLayout layout;
    VKT_CALL(vkCreatePipelineLayout(s->t.device, &info, NULL, &layout));
    return layout;
}

/* -- drawing -- */

static struct vkt_buffer draw(struct suite *s, const VkPipeline pipelines[CELLS])
{
    struct vkt *t = &s->t;
    const VkDeviceSize zero = 0;
    const VkDescriptorSet none = VK_NULL_HANDLE;
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindVertexBuffers(cmd, 0, 1, &s->places.buffer, &zero);
    vkCmdBindVertexBuffers(cmd, 1, 1, &s->spaced_places.buffer, &zero);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &none, 0, NULL);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 2, s->sets, 0,
                            NULL);
    for (uint32_t k = 0; k < CELLS; k++) {
        const float shift[2] = {-1.0f + 0.5f * (float)(k % 4), -1.0f + 0.5f * (float)(k / 4)};
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[k]);
        vkCmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_VERTEX_BIT, 0, 8, shift);
        vkCmdDraw(cmd, 6, 1, 0, 0);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(t, cmd);
    return vkt_image_read(t, &s->target.color, 4);
}

/* Destroys the pipelines. */
static void check(struct suite *s, const char *name, const VkPipeline pipelines[CELLS],
                  const struct vkt_buffer *wanted)
{
    const struct vkt_buffer pixels = draw(s, pipelines);
    if (strcmp(name, "again") != 0)
        vkt_dump_image(&s->t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
    VKT_EXPECT(&s->t, memcmp(pixels.map, wanted->map, SIDE_PX * SIDE_PX * 4) == 0,
               "%s: another picture than that of whole pipelines", name);
    destroy_pipelines(s, pipelines, CELLS);
}

/* -- tests -- */

static void run_shared(struct suite *s, const struct vkt_buffer *wanted)
{
    const VkPipelineLayout layouts[2] = {s->layout, s->layout};
    struct libraries libraries;
    VkPipeline pipelines[CELLS];
    make_libraries(s, layouts, &libraries);
    for (uint32_t k = 0; k < CELLS; k++)
        VKT_CALL(link_cell(s, &libraries, k, VK_NULL_HANDLE,
                           k % 2 ? VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT : 0,
                           &pipelines[k]));
    check(s, "shared", pipelines, wanted);
    destroy_libraries(s, &libraries);
}

/* The layouts of the libraries have one set each and are gone when they are linked, and so are the
 * libraries when their pipelines draw. lavapipe does not survive the last, so the driver's stay. */
static void run_independent(struct suite *s, const struct vkt_buffer *wanted)
{
    VkPipelineLayout layouts[2];
    struct libraries libraries;
    VkPipeline pipelines[CELLS];
    for (uint32_t i = 0; i < 2; i++) {
        VkDescriptorSetLayout sets[2] = {VK_NULL_HANDLE, VK_NULL_HANDLE};
        sets[i] = s->set_layouts[i];
        layouts[i] = make_layout(s, sets);
    }
    make_libraries(s, layouts, &libraries);
    for (uint32_t i = 0; i < 2; i++)
        vkDestroyPipelineLayout(s->t.device, layouts[i], NULL);
    for (uint32_t k = 0; k < CELLS; k++)
        VKT_CALL(link_cell(s, &libraries, k, VK_NULL_HANDLE, 0, &pipelines[k]));
    if (s->geometry_is_ours)
        for (uint32_t k = 1; k < KINDS; k++) {
            vkDestroyPipeline(s->t.device, libraries.kinds[k], NULL);
            libraries.kinds[k] = VK_NULL_HANDLE;
        }
    check(s, "independent", pipelines, wanted);
    destroy_libraries(s, &libraries);
}

/* Of all shaders of a program: made at once, or a library of two, which are gone when it is linked.
 * The driver's stay, as above. */
static VkPipeline join_shaders(const struct suite *s, uint32_t kind, uint32_t fragment,
                               bool at_once)
{
    const VkGraphicsPipelineLibraryFlagsEXT parts[2] = {at_once ? BEFORE | FRAGMENT : BEFORE,
                                                        FRAGMENT};
    VkPipeline two[2], joined;
    struct whole w;
    for (uint32_t i = 0; i < (at_once ? 1u : 2u); i++) {
        fill_whole(s, kind, fragment, 0, parts[i], &w);
        two[i] = make_library(s, &w, parts[i], s->layout);
    }
    if (at_once)
        return two[0];
    VKT_CALL(link_some(s, 2, two, VK_NULL_HANDLE, VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, &joined));
    destroy_pipelines(s, two, 2);
    return joined;
}

/* As zink links them, and their pipelines draw when these libraries are gone, too. */
static void run_joined(struct suite *s, const struct vkt_buffer *wanted)
{
    const VkPipelineLayout layouts[2] = {s->layout, s->layout};
    const uint32_t first = s->geometry_is_ours ? 1 : 0;
    struct libraries libraries;
    VkPipeline pipelines[CELLS], joined[KINDS][FRAGMENTS];
    make_libraries(s, layouts, &libraries);
    for (uint32_t k = 0; k < KINDS; k++)
        for (uint32_t f = 0; f < FRAGMENTS; f++)
            joined[k][f] = join_shaders(s, k, f, !s->geometry_is_ours || k == 0 || (k + f) % 2);
    for (uint32_t k = 0; k < CELLS; k++) {
        const uint32_t kind = k / (FRAGMENTS * INPUTS);
        const VkPipeline linked[3] = {libraries.output,
                                      libraries.inputs[is_tessellated(kind)][k % INPUTS],
                                      joined[kind][k / INPUTS % FRAGMENTS]};
        VKT_CALL(link_some(s, 3, linked, VK_NULL_HANDLE,
                           VK_PIPELINE_CREATE_DISABLE_OPTIMIZATION_BIT, &pipelines[k]));
    }
    if (first)
        destroy_pipelines(s, joined[first], (KINDS - first) * FRAGMENTS);
    check(s, "joined", pipelines, wanted);
    destroy_pipelines(s, joined[0], (first ? first : KINDS) * FRAGMENTS);
    destroy_libraries(s, &libraries);
}

/* Links of one library in front of the rasterizer, with two formats of its vertices in turn. */
static void run_formats(struct suite *s, const struct vkt_buffer *wanted)
{
    const VkPipelineLayout layouts[2] = {s->layout, s->layout};
    struct libraries libraries;
    VkPipeline pipelines[CELLS], spaced[2][INPUTS];
    make_libraries(s, layouts, &libraries);
    for (uint32_t i = 0; i < 2 * INPUTS; i++) {
        struct whole w;
        fill_whole(s, i / INPUTS ? 2 : 0, 0, i % INPUTS, INPUT, &w);
        w.binding = (VkVertexInputBindingDescription){1, 20, VK_VERTEX_INPUT_RATE_VERTEX};
        w.attribute = (VkVertexInputAttributeDescription){0, 1, VK_FORMAT_R32G32B32_SFLOAT, 4};
        spaced[i / INPUTS][i % INPUTS] = make_library(s, &w, INPUT, VK_NULL_HANDLE);
    }
    for (uint32_t k = 0; k < CELLS; k++) {
        struct libraries with = libraries;
        if (k / INPUTS % 2)
            memcpy(with.inputs, spaced, sizeof(spaced));
        VKT_CALL(link_cell(s, &with, k, VK_NULL_HANDLE, 0, &pipelines[k]));
    }
    check(s, "formats", pipelines, wanted);
    destroy_pipelines(s, spaced[0], 2 * INPUTS);
    destroy_libraries(s, &libraries);
}

struct linker {
    pthread_t thread;
    const struct suite *s;
    const struct libraries *libraries;
    VkPipelineCache cache;
    uint32_t first;
    VkPipeline pipelines[CELLS];
    VkResult result;
};

static void *run_linker(void *argument)
{
    struct linker *l = argument;
    for (uint32_t i = 0; i < CELLS && l->result == VK_SUCCESS; i++) {
        const uint32_t cell = (l->first + i) % CELLS;
        l->result = link_cell(l->s, l->libraries, cell, l->cache, 0, &l->pipelines[cell]);
    }
    return NULL;
}

static void run_threads(struct suite *s, const struct vkt_buffer *wanted)
{
    const VkPipelineLayout layouts[2] = {s->layout, s->layout};
    const VkPipelineCacheCreateInfo cache_info = {.sType =
                                                      VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    struct libraries libraries;
    static struct linker linkers[THREADS];
    VkPipeline early[CELLS];
    VkPipelineCache cache;
    VKT_CALL(vkCreatePipelineCache(s->t.device, &cache_info, NULL, &cache));
    make_libraries(s, layouts, &libraries);
    for (uint32_t k = 0; k < CELLS; k++)
        VKT_CALL(link_cell(s, &libraries, k, cache, 0, &early[k]));
    for (uint32_t i = 0; i < THREADS; i++) {
        linkers[i] = (struct linker){
            .s = s, .libraries = &libraries, .cache = cache, .first = i * CELLS / THREADS};
        if (pthread_create(&linkers[i].thread, NULL, run_linker, &linkers[i]) != 0)
            vkt_die("no thread");
    }
    if (s->geometry_is_ours) /* recorded while they link; lavapipe 25 need not survive it */
        check(s, "again", early, wanted);
    else
        destroy_pipelines(s, early, CELLS);
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(linkers[i].thread, NULL);
        VKT_CALL(linkers[i].result);
    }
    vkDestroyPipelineCache(s->t.device, cache, NULL);
    for (uint32_t i = 0; i < THREADS; i++)
        check(s, i ? "again" : "threads", linkers[i].pipelines, wanted);
    destroy_libraries(s, &libraries);
}

/* Of a thread that makes its own libraries. */
struct maker {
    pthread_t thread;
    const struct suite *s;
    uint32_t number, round;
    struct libraries libraries;
    VkPipeline pipelines[CELLS];
};

/* Whatever the layer does behind creation, the cache may go at once, and the libraries that are the
 * layer's when they are linked. The driver's stay, as above. */
static void *run_maker(void *argument)
{
    struct maker *m = argument;
    const VkPipelineLayout layouts[2] = {m->s->layout, m->s->layout};
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    if (m->number % 2) /* others have none */
        VKT_CALL(vkCreatePipelineCache(m->s->t.device, &info, NULL, &library_cache));
    salt = 1 + m->number / 2 + m->round * THREADS; /* two have the same shaders */
    make_libraries(m->s, layouts, &m->libraries);
    vkDestroyPipelineCache(m->s->t.device, library_cache, NULL);
    library_cache = VK_NULL_HANDLE;
    for (uint32_t k = 0; k < CELLS; k++)
        VKT_CALL(link_cell(m->s, &m->libraries, k, VK_NULL_HANDLE, 0, &m->pipelines[k]));
    const uint32_t first = m->s->geometry_is_ours ? 1 : KINDS;
    destroy_pipelines(m->s, &m->libraries.kinds[first < KINDS ? first : 0], KINDS - first);
    for (uint32_t k = first; k < KINDS; k++)
        m->libraries.kinds[k] = VK_NULL_HANDLE;
    return NULL;
}

static void run_makers(struct suite *s, const struct vkt_buffer *wanted)
{
    static struct maker makers[THREADS];
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < THREADS; i++) {
            makers[i] = (struct maker){.s = s, .number = i, .round = round};
            if (pthread_create(&makers[i].thread, NULL, run_maker, &makers[i]) != 0)
                vkt_die("no thread");
        }
        for (uint32_t i = 0; i < THREADS; i++)
            pthread_join(makers[i].thread, NULL);
        for (uint32_t i = 0; i < THREADS; i++) {
            check(s, i + round ? "again" : "makers", makers[i].pipelines, wanted);
            destroy_libraries(s, &makers[i].libraries);
        }
    }
}

/* Either it is there, or it needs to be compiled. */
static void run_required(struct suite *s, const struct vkt_buffer *wanted)
{
    const VkPipelineLayout layouts[2] = {s->layout, s->layout};
    struct libraries libraries;
    VkPipeline pipelines[CELLS];
    make_libraries(s, layouts, &libraries);
    for (uint32_t k = 0; k < CELLS; k++) {
        pipelines[k] = VK_NULL_HANDLE;
        const VkResult result =
            link_cell(s, &libraries, k, VK_NULL_HANDLE,
                      VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT, &pipelines[k]);
        VKT_EXPECT(&s->t, result == VK_SUCCESS || result == VK_PIPELINE_COMPILE_REQUIRED,
                   "cell %u: result %d", k, (int)result);
        VKT_EXPECT(&s->t, !pipelines[k] == (result != VK_SUCCESS), "cell %u: a handle", k);
        if (result != VK_SUCCESS)
            VKT_CALL(link_cell(s, &libraries, k, VK_NULL_HANDLE, 0, &pipelines[k]));
    }
    check(s, "opt/required", pipelines, wanted);
    destroy_libraries(s, &libraries);
}

static void make_objects(struct suite *s)
{
    struct vkt *t = &s->t;
    const VkShaderStageFlags before = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    const VkDescriptorSetLayoutBinding bindings[3] = {
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, before, NULL},
        {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, before, NULL},
        {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, NULL},
    };
    const float places[6][2] = {{0.1f, 0.1f}, {0.9f, 0.1f}, {0.1f, 0.9f},
                                {0.9f, 0.9f}, {0.2f, 0.9f}, {0.9f, 0.3f}};
    const struct {
        float vector[2];
        uint32_t tint;
    } place = {{0.4f, 0.4f}, 7}, copy = {{0.06f, 0.04f}, 90};
    float spaced[6][5] = {{0}};
    for (uint32_t i = 0; i < 6; i++)
        memcpy(&spaced[i][1], places[i], sizeof(places[i]));
    s->places = vkt_buffer_from(t, places, sizeof(places), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->spaced_places =
        vkt_buffer_from(t, spaced, sizeof(spaced), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    s->uniforms = vkt_buffer(t, 3 * 256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, 0);
    memcpy(s->uniforms.map, &place, sizeof(place));
    memcpy((uint8_t *)s->uniforms.map + 256, &copy, sizeof(copy));
    ((uint32_t *)s->uniforms.map)[2 * 256 / 4] = 100000;
    s->set_layouts[0] = vkt_set_layout(t, bindings, 2);
    s->set_layouts[1] = vkt_set_layout(t, &bindings[2], 1);
    s->sets[0] = vkt_set(t, s->set_layouts[0], bindings, 2);
    s->sets[1] = vkt_set(t, s->set_layouts[1], &bindings[2], 1);
    for (uint32_t i = 0; i < 3; i++)
        vkt_write_buffer(t, s->sets[i / 2], i % 2, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
                         s->uniforms.buffer, i * 256, 256);
    s->layout = make_layout(s, s->set_layouts);
    s->target = vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
}

int main(int argc, char **argv)
{
    static struct suite s;
    struct vkt_options options = vkt_parse("pipeline_libraries", argc, argv);
    VkPipeline pipelines[CELLS];
    options.pipeline_libraries = true;
    options.tessellation = true;
    vkt_init(&s.t, &options);
    s.geometry_is_ours = vkt_flag(&options, "--ours");
    make_objects(&s);
    make_whole(&s, pipelines);
    const struct vkt_buffer wanted = draw(&s, pipelines);
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++)
        drawn += ((const uint32_t *)wanted.map)[i] > 100000;
    VKT_EXPECT(&s.t, drawn > 2000, "only %u pixels", drawn);
    vkt_dump_image(&s.t, "whole", wanted.map, SIDE_PX, SIDE_PX, 4);
    destroy_pipelines(&s, pipelines, CELLS);
    run_shared(&s, &wanted);
    run_independent(&s, &wanted);
    run_joined(&s, &wanted);
    run_formats(&s, &wanted);
    run_threads(&s, &wanted);
    run_makers(&s, &wanted);
    if (s.t.features.cache_control)
        run_required(&s, &wanted);
    vkDestroyPipelineLayout(s.t.device, s.layout, NULL);
    return vkt_finish(&s.t);
}
