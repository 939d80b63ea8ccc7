/* SPDX-License-Identifier: MIT
 *
 * Shader modules. The layer keeps the SPIR-V of each, since a pipeline may need any of them, and
 * gives the driver a placeholder if it would refuse the real module.
 */
#include "pipeline/module.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "pipeline/device.h"
#include "spirv/spirv.h"
#include "vulkan/hooks.h"

#include <stdatomic.h>
#include <string.h>

/* An empty compute shader:
 *     OpCapability Shader
 *     OpMemoryModel Logical GLSL450
 *     OpEntryPoint GLCompute %3 "main"
 *     OpExecutionMode %3 LocalSize 1 1 1
 *     %1 = OpTypeVoid
 *     %2 = OpTypeFunction %1
 *     %3 = OpFunction %1 None %2
 *     %4 = OpLabel
 *     OpReturn
 *     OpFunctionEnd */
/* clang-format off */
static const uint32_t placeholder_words[] = {
    0x07230203, 0x00010000, 0, 5, 0, /* header: version 1.0, bound 5 */
    0x00020011, 1,
    0x0003000e, 0, 1,
    0x0005000f, 5, 3, 0x6e69616d, 0,
    0x00060010, 3, 17, 1, 1, 1,
    0x00020013, 1,
    0x00030021, 2, 1,
    0x00050036, 1, 3, 0, 2,
    0x000200f8, 4,
    0x000100fd,
    0x00010038,
};
/* clang-format on */

const uint32_t *pgs_placeholder_code(size_t *size_B)
{
    *size_B = sizeof(placeholder_words);
    return placeholder_words;
}

/* If geometry shaders are emulated, so is transform feedback, if it is exposed at all. */
struct pgs_spv_lacks pgs_driver_lacks(const struct pgs_device *dev)
{
    return (struct pgs_spv_lacks){.geometry = dev->physical->emulates_geometry,
                                  .xfb = dev->physical->emulates,
                                  .tessellation = dev->physical->emulates_tessellation,
                                  .distances = dev->physical->emulates_clip,
                                  .stores = dev->physical->emulates_stores,
                                  .viewports = dev->physical->one_viewport &&
                                               !dev->physical->emulates_geometry,
                                  .point_size = dev->gaps & PGS_FEATURE_BIT(POINT_SIZE),
                                  .layer_output = dev->layer_output,
                                  .viewport_output = dev->viewport_output};
}

/* Takes the application's words, or the rewritten ones with invariant outputs, which the driver
 * gets, too. */
static bool take_words(struct pgs_module *module, const uint32_t *code, size_t size_B)
{
    struct pgs_spv_blob blob;
    if (pgs_spv_keep_invariant(code, size_B / 4, &blob) == PGS_SPV_OK && blob.words) {
        module->words = blob.words;
        module->is_invariant = true;
        module->word_count = blob.word_count;
        return true;
    }
    module->word_count = size_B / 4;
    module->words = pgs_alloc(size_B ? size_B : 1);
    if (module->words)
        memcpy(module->words, code, module->word_count * 4);
    return module->words != NULL;
}

struct pgs_module *pgs_module_new(const struct pgs_device *dev, const uint32_t *code, size_t size_B)
{
    struct pgs_module *module = pgs_calloc(1, sizeof(*module));
    if (!module)
        return NULL;
    atomic_init(&module->refs, 1);
    if (!take_words(module, code, size_B)) {
        pgs_free(module);
        return NULL;
    }
    const struct pgs_spv_lacks lacks = pgs_driver_lacks(dev);
    module->placeholder = pgs_spv_module_needs_rewrite(module->words, module->word_count, lacks);
    if (lacks.stores)
        module->stores = pgs_spv_module_stores(module->words, module->word_count);
    module->placeholder |= module->stores != PGS_SPV_STORES_NONE;
    module->has_distances =
        lacks.distances &&
        pgs_spv_module_needs_rewrite(module->words, module->word_count,
                                     (struct pgs_spv_lacks){.distances = lacks.distances});
    module->sizes_points =
        dev->points && pgs_spv_module_sizes_points(module->words, module->word_count);
    module->makes_points =
        dev->points && pgs_spv_module_makes_points(module->words, module->word_count);
    module->declares_targets =
        (dev->layer_output || dev->viewport_output) &&
        pgs_spv_module_needs_rewrite(
            module->words, module->word_count,
            (struct pgs_spv_lacks){.layer_output = lacks.layer_output,
                                   .viewport_output = lacks.viewport_output});
    module->replaces_depth = dev->physical->brings_depth_clip &&
                             pgs_spv_module_replaces_depth(module->words, module->word_count);
    module->has_draw_index =
        dev->splits_draws && pgs_spv_module_has_draw_index(module->words, module->word_count);
    module->has_instance = dev->physical->lacks_first_instance &&
                           pgs_spv_module_has_instance(module->words, module->word_count);
    module->has_point_size = lacks.point_size && pgs_spv_module_needs_rewrite(
                                                     module->words, module->word_count,
                                                     (struct pgs_spv_lacks){.point_size = true});
    return module;
}

const struct pgs_module *pgs_stage_module(const struct pgs_device *dev,
                                          const VkPipelineShaderStageCreateInfo *stage)
{
    return stage && stage->module ? pgs_map_find(&dev->pipelines->modules, (uint64_t)stage->module)
                                  : NULL;
}

struct pgs_module *pgs_module_acquire(const struct pgs_device *dev, VkShaderModule handle)
{
    struct pgs_module *module = pgs_map_find(&dev->pipelines->modules, (uint64_t)handle);
    return module ? pgs_module_refer(module) : NULL;
}

struct pgs_module *pgs_module_refer(struct pgs_module *module)
{
    atomic_fetch_add_explicit(&module->refs, 1, memory_order_relaxed);
    return module;
}

void pgs_module_release(struct pgs_module *module)
{
    if (!module || atomic_fetch_sub_explicit(&module->refs, 1, memory_order_acq_rel) != 1)
        return;
    pgs_free(module->words);
    pgs_free(module);
}

uint64_t pgs_module_hash(struct pgs_module *module)
{
    uint64_t hash = atomic_load_explicit(&module->hash, memory_order_relaxed);
    if (hash)
        return hash;
    hash = pgs_hash(module->words, module->word_count * sizeof(*module->words), 0);
    hash += hash == 0;
    atomic_store_explicit(&module->hash, hash, memory_order_relaxed);
    return hash;
}

/* A module that only has distances is one for the driver, unless its tessellation is; so is one
 * that declares what could be written. */
static bool may_be_emulated(const struct pgs_device *dev, const struct pgs_module *module)
{
    struct pgs_spv_lacks lacks = pgs_driver_lacks(dev);
    if (module->stores == PGS_SPV_STORES_DONE ||
        (module->has_distances && dev->physical->native_tessellation))
        return true;
    lacks.distances = false;
    return pgs_spv_module_needs_rewrite(module->words, module->word_count, lacks);
}

/* Makes the driver's object, whose handle stands for the module. Takes the reference over, also on
 * failure. */
static VkResult make_handle(struct pgs_device *dev, struct pgs_module *module,
                            VkShaderModuleCreateInfo info, const VkAllocationCallbacks *allocator,
                            VkShaderModule *handle)
{
    info.codeSize = module->word_count * 4;
    info.pCode = module->words;
    if (module->placeholder) {
        info.codeSize = sizeof(placeholder_words);
        info.pCode = placeholder_words;
    }
    const VkResult result = dev->vk.CreateShaderModule(dev->handle, &info, allocator, handle);
    if (result != VK_SUCCESS) {
        pgs_module_release(module);
        return result;
    }
    struct pgs_pipeline_device *objects = dev->pipelines;
    if (!pgs_map_insert(&objects->modules, (uint64_t)*handle, module)) {
        dev->vk.DestroyShaderModule(dev->handle, *handle, allocator);
        *handle = VK_NULL_HANDLE;
        pgs_module_release(module);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if ((module->placeholder && may_be_emulated(dev, module)) || module->has_draw_index)
        atomic_store(&objects->possible, true);
    return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateShaderModule(VkDevice device,
                                                      const VkShaderModuleCreateInfo *pCreateInfo,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkShaderModule *pShaderModule)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateShaderModule(device, pCreateInfo, pAllocator, pShaderModule);

    struct pgs_module *module = pgs_module_new(dev, pCreateInfo->pCode, pCreateInfo->codeSize);
    if (!module)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    return make_handle(dev, module, *pCreateInfo, pAllocator, pShaderModule);
}

VkResult pgs_module_open(struct pgs_device *dev, struct pgs_module *module, VkShaderModule *handle)
{
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    const VkResult result = make_handle(dev, pgs_module_refer(module), info, NULL, handle);
    if (result != VK_SUCCESS)
        *handle = VK_NULL_HANDLE;
    return result;
}

VkResult pgs_module_clone(struct pgs_device *dev, VkShaderModule handle, VkShaderModule *clone)
{
    struct pgs_module *module = pgs_module_acquire(dev, handle);
    *clone = VK_NULL_HANDLE;
    const VkResult result = module ? pgs_module_open(dev, module, clone) : VK_ERROR_UNKNOWN;
    pgs_module_release(module);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyShaderModule(VkDevice device, VkShaderModule shaderModule,
                                                   const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && shaderModule)
        pgs_module_release(pgs_map_remove(&dev->pipelines->modules, (uint64_t)shaderModule));
    dev->vk.DestroyShaderModule(device, shaderModule, pAllocator);
}

static VkResult create_driver(const struct pgs_device *dev, const uint32_t *words,
                              size_t word_count, VkShaderModule *module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = word_count * 4,
        .pCode = words,
    };
    const VkResult result = dev->vk.CreateShaderModule(dev->handle, &info, NULL, module);
    if (result != VK_SUCCESS)
        *module = VK_NULL_HANDLE;
    return result;
}

VkResult pgs_module_create_driver(const struct pgs_device *dev, const uint32_t *words,
                                  size_t word_count, VkShaderModule *module)
{
    if (dev->physical->address != PGS_ADDRESS_EXT)
        return create_driver(dev, words, word_count, module);
    struct pgs_spv_blob blob = {0};
    const enum pgs_spv_result changed = pgs_spv_use_ext_addresses(words, word_count, &blob);
    *module = VK_NULL_HANDLE;
    if (changed != PGS_SPV_OK) /* generated words can be read */
        return changed == PGS_SPV_OUT_OF_MEMORY ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_UNKNOWN;
    const VkResult result = create_driver(dev, blob.words, blob.word_count, module);
    pgs_spv_blob_free(&blob);
    return result;
}
