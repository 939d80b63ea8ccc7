/* SPDX-License-Identifier: MIT
 *
 * The part of fake_modules.h, which includes it, that stands for the pipeline module.
 */
#ifndef PGS_TEST_FAKE_PIPELINE_DEVICE_H
#define PGS_TEST_FAKE_PIPELINE_DEVICE_H

#include "pipeline/bind_sets.h"
#include "pipeline/find.h"
#include "pipeline/instanced.h"
#include "pipeline/kept_pushes.h"
#include "pipeline/kept_render_pass.h"
#include "pipeline/layout.h"
#include "pipeline/object_pipelines.h"
#include "pipeline/pipeline.h"
#include "pipeline/possible.h"
#include "pipeline/shader_object.h"
#include "pipeline/topologies.h"

bool pgs_pipelines_possible(const struct pgs_device *d)
{
    (void)d;
    return fake_possible;
}

const _Atomic bool *pgs_pipelines_possible_flag(const struct pgs_device *d)
{
    (void)d;
    return &fake_possible;
}

void pgs_pipelines_note_possible(struct pgs_device *d)
{
    (void)d;
    fake_possible = true;
}

static VkPipeline fake_heir;    /* emulated, too; VK_NULL_HANDLE: none */
static bool fake_tessellated;   /* EMULATED */
static uint32_t fake_view_mask; /* likewise: whose draws differ in each view; 0: none */

const struct pgs_emulated_pipeline *pgs_emulated_pipeline_find(const struct pgs_device *d,
                                                               VkPipeline handle)
{
    static struct pgs_variants of_emulated;
    static const struct pgs_emulated_pipeline emulated = {.handle = EMULATED,
                                                          .variants = &of_emulated};
    static struct pgs_emulated_pipeline tessellated = {
        .handle = EMULATED, .variants = &of_emulated, .tessellated = true};
    static const struct pgs_emulated_pipeline by_layer = {
        .handle = BY_LAYER, .variants = &of_emulated, .by_layer = true};
    static const struct pgs_emulated_pipeline counted = {.native_raster = true};
    static struct pgs_variants of_streams = {
        .made = {[PGS_VARIANT_STORED_1] = STREAM_1, [PGS_VARIANT_STORED_2] = STREAM_2}};
    static struct pgs_variants of_silent = {
        .made = {[PGS_VARIANT_STORED_0] = SILENT, [PGS_VARIANT_NOTHING] = SILENCE}};
    static struct pgs_variants of_hidden;
    static const struct pgs_emulated_pipeline streams = {
        .variants = &of_streams, .native_raster = true, .dynamic = PGS_DYNAMIC_STREAM};
    static const struct pgs_emulated_pipeline silent = {
        .variants = &of_silent, .native_raster = true, .dynamic = PGS_DYNAMIC_STREAM};
    static const struct pgs_emulated_pipeline hidden = {.variants = &of_hidden,
                                                        .native_raster = true,
                                                        .dynamic = PGS_DYNAMIC_STREAM,
                                                        .hidden_streams = 0xE};
    (void)d;
    if (tessellated.view_mask != fake_view_mask) /* threads leave it alone */
        tessellated.view_mask = fake_view_mask;
    if (handle && handle == fake_heir)
        handle = EMULATED;
    return handle == EMULATED   ? fake_tessellated ? &tessellated : &emulated
           : handle == BY_LAYER ? &by_layer
           : handle == COUNTED  ? &counted
           : handle == STREAMS  ? &streams
           : handle == SILENT   ? &silent
           : handle == HIDDEN   ? &hidden
                                : NULL;
}

VkPipeline pgs_wide_pipeline_find(const struct pgs_device *d, VkPipeline handle)
{
    return d->lines && (handle == THIN || handle == COUNTED) ? EMULATED : VK_NULL_HANDLE;
}

VkPipeline pgs_restarting_pipeline_find(const struct pgs_device *d, VkPipeline handle)
{
    return d->gaps && (handle == THIN || handle == COUNTED) ? EMULATED : VK_NULL_HANDLE;
}

static VkResult fake_topologies_result;

struct pgs_topologies *pgs_topologies_find(const struct pgs_device *d, VkPipeline pipeline)
{
    static int of_dynamic;
    (void)d;
    return pipeline == DYNAMIC ? (struct pgs_topologies *)&of_dynamic : NULL;
}

bool pgs_topologies_differ(const struct pgs_topologies *all, VkPrimitiveTopology topology)
{
    return all && topology >= VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY &&
           topology < VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
}

VkResult pgs_topologies_get(struct pgs_device *d, struct pgs_topologies *all,
                            VkPrimitiveTopology topology, VkPipeline *pipeline)
{
    (void)d, (void)all, (void)topology;
    *pipeline = fake_topologies_result == VK_SUCCESS ? EMULATED : VK_NULL_HANDLE;
    return fake_topologies_result == VK_INCOMPLETE ? VK_SUCCESS : fake_topologies_result;
}

static VkResult fake_instanced_result;

VkResult pgs_instanced_get(const struct pgs_device *d, VkPipeline handle, VkPipeline *instanced)
{
    const bool made = d->physical->lacks_first_instance && (handle == THIN || handle == COUNTED);
    *instanced = made && fake_instanced_result == VK_SUCCESS ? EMULATED : VK_NULL_HANDLE;
    return made ? fake_instanced_result : VK_SUCCESS;
}

/* Objects by their handles: those of a vertex and a fragment shader, which the driver has, and of
 * a geometry shader. */
#define VERTEX_OBJECT ((pgs_shader_handle)0x5101)
#define FRAGMENT_OBJECT ((pgs_shader_handle)0x5102)
#define GEOMETRY_OBJECT ((pgs_shader_handle)0x5103)

const struct pgs_shader_object *pgs_shader_object_find(const struct pgs_device *d,
                                                       pgs_shader_handle handle)
{
    static struct pgs_shader_object objects[3];
    objects[0] = (struct pgs_shader_object){
        .handle = VERTEX_OBJECT, .stage = VK_SHADER_STAGE_VERTEX_BIT, .native = true};
    objects[1] = (struct pgs_shader_object){
        .handle = FRAGMENT_OBJECT, .stage = VK_SHADER_STAGE_FRAGMENT_BIT, .native = true};
    objects[2] = (struct pgs_shader_object){.handle = GEOMETRY_OBJECT,
                                            .stage = VK_SHADER_STAGE_GEOMETRY_BIT};
    (void)d;
    for (int i = 0; i < 3; i++)
        if (objects[i].handle == handle)
            return &objects[i];
    return NULL;
}

/* What stands in for objects; see test_command_objects.c. */
static VkResult fake_stand_in_result;
static struct pgs_object_key fake_stand_in_key;
static unsigned fake_stand_ins;

VkResult pgs_object_pipeline_get(struct pgs_device *d, const struct pgs_object_key *key,
                                 VkPipeline *pipeline)
{
    (void)d;
    fake_stand_ins++;
    fake_stand_in_key = *key;
    *pipeline = fake_stand_in_result == VK_SUCCESS ? key->stages[3] ? EMULATED : COUNTED
                                                   : (VkPipeline)VK_NULL_HANDLE;
    return fake_stand_in_result;
}

/* No layout is known, and so none is kept. */
struct pgs_layout *pgs_layout_acquire(const struct pgs_device *d, VkPipelineLayout handle)
{
    (void)d, (void)handle;
    return NULL;
}

void pgs_layout_release(struct pgs_device *d, struct pgs_layout *layout)
{
    (void)d, (void)layout;
}

VkPipelineLayout pgs_layout_handle(const struct pgs_layout *layout)
{
    (void)layout;
    return VK_NULL_HANDLE;
}

/* Its bindings are not known, and only a layout itself is like it. */
const struct pgs_set_layout *pgs_layout_set(const struct pgs_device *d, VkPipelineLayout layout,
                                            uint32_t index)
{
    (void)d, (void)layout, (void)index;
    return NULL;
}

bool pgs_layouts_share_set(const struct pgs_device *d, VkPipelineLayout a, VkPipelineLayout b,
                           uint32_t index)
{
    (void)d, (void)index;
    return a == b;
}

uint32_t pgs_layout_dynamic_count(const struct pgs_device *d, VkPipelineLayout layout, uint32_t set)
{
    (void)d, (void)layout;
    return set; /* set 0 takes none, set 1 one, ... */
}

VkShaderStageFlags pgs_layout_push_stages(const struct pgs_device *d, VkPipelineLayout layout,
                                          VkShaderStageFlags stages)
{
    (void)d, (void)layout;
    return stages & ~(VkShaderStageFlags)VK_SHADER_STAGE_GEOMETRY_BIT;
}

/* Where the driver has no push descriptors: each push gets another set. */
static uint64_t fake_kept_sets;

VkResult pgs_kept_pushes_add(struct pgs_kept_pushes *kept, struct pgs_device *d,
                             VkPipelineBindPoint point, VkPipelineLayout layout,
                             const struct pgs_pushed_set *pushed, VkDescriptorSet *set)
{
    (void)kept, (void)d, (void)point, (void)layout, (void)pushed;
    *set = (VkDescriptorSet)(0x6000 + ++fake_kept_sets);
    return VK_SUCCESS;
}

void pgs_kept_pushes_reset(struct pgs_kept_pushes *kept, struct pgs_device *d)
{
    (void)kept, (void)d;
}

void pgs_kept_pushes_finish(struct pgs_kept_pushes *kept, struct pgs_device *d)
{
    (void)kept, (void)d;
}

/* Nobody keeps a render pass. */
VkResult pgs_kept_render_pass_note(struct pgs_device *d, const VkRenderPassCreateInfo *info,
                                   const VkAllocationCallbacks *allocator, VkRenderPass handle)
{
    (void)d, (void)info, (void)allocator, (void)handle;
    return VK_SUCCESS;
}

VkResult pgs_kept_render_pass_note2(struct pgs_device *d, const VkRenderPassCreateInfo2 *info,
                                    const VkAllocationCallbacks *allocator, VkRenderPass handle)
{
    (void)d, (void)info, (void)allocator, (void)handle;
    return VK_SUCCESS;
}

void pgs_kept_render_pass_destroy(struct pgs_device *d, VkRenderPass handle,
                                  const VkAllocationCallbacks *allocator)
{
    d->vk.DestroyRenderPass(d->handle, handle, allocator);
}

#endif
