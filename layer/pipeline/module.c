/* SPDX-License-Identifier: MIT
 *
 * Shader modules: we keep the SPIR-V of each, since a pipeline may need any of them, and give the
 * driver a placeholder where it could not take the real one.
 */
#include "pipeline/room.h"

#include "base/alloc.h"
#include "base/log.h"
#include "spirv/spirv.h"
#include "vulkan/chain.h"
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

/* Where geometry shaders are ours transform feedback is, too, if there is any. */
struct pgs_spv_lacks pgs_driver_lacks(const struct pgs_device *dev)
{
    return (struct pgs_spv_lacks){.geometry = dev->physical->emulates_geometry,
                                  .feedback = dev->physical->emulates,
                                  .tessellation = dev->physical->emulates_tessellation};
}

/* The application's words, or what keeps their invariant outputs, which the driver gets, too. */
static bool take_words(struct pgs_module *module, const uint32_t *code, size_t size_B)
{
    struct pgs_spv_blob blob;
    if (pgs_spv_keep_invariant(code, size_B / 4, &blob) == PGS_SPV_OK && blob.words) {
        module->words = blob.words;
        module->word_count = blob.word_count;
        return true;
    }
    module->word_count = size_B / 4;
    module->words = pgs_alloc(size_B ? size_B : 1);
    if (module->words)
        memcpy(module->words, code, module->word_count * 4);
    return module->words != NULL;
}

static struct pgs_module *module_new(const struct pgs_device *dev, const uint32_t *code,
                                     size_t size_B)
{
    struct pgs_module *module = pgs_calloc(1, sizeof(*module));
    if (!module)
        return NULL;
    if (!take_words(module, code, size_B)) {
        pgs_free(module);
        return NULL;
    }
    module->placeholder =
        pgs_spv_module_needs_rewrite(module->words, module->word_count, pgs_driver_lacks(dev));
    return module;
}

void pgs_module_free(struct pgs_module *module)
{
    if (!module)
        return;
    pgs_free(module->words);
    pgs_free(module);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateShaderModule(VkDevice device,
                                                      const VkShaderModuleCreateInfo *pCreateInfo,
                                                      const VkAllocationCallbacks *pAllocator,
                                                      VkShaderModule *pShaderModule)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateShaderModule(device, pCreateInfo, pAllocator, pShaderModule);

    struct pgs_module *module = module_new(dev, pCreateInfo->pCode, pCreateInfo->codeSize);
    if (!module)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkShaderModuleCreateInfo info = *pCreateInfo;
    info.codeSize = module->word_count * 4;
    info.pCode = module->words;
    if (module->placeholder) {
        info.codeSize = sizeof(placeholder_words);
        info.pCode = placeholder_words;
    }
    const VkResult result = dev->vk.CreateShaderModule(device, &info, pAllocator, pShaderModule);
    if (result != VK_SUCCESS) {
        pgs_module_free(module);
        return result;
    }
    struct pgs_pipeline_room *room = dev->pipelines;
    if (!pgs_map_insert(&room->modules, (uint64_t)*pShaderModule, module)) {
        dev->vk.DestroyShaderModule(device, *pShaderModule, pAllocator);
        *pShaderModule = VK_NULL_HANDLE;
        pgs_module_free(module);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (module->placeholder)
        atomic_store(&room->possible, true);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyShaderModule(VkDevice device, VkShaderModule shaderModule,
                                                   const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && shaderModule)
        pgs_module_free(pgs_map_remove(&dev->pipelines->modules, (uint64_t)shaderModule));
    dev->vk.DestroyShaderModule(device, shaderModule, pAllocator);
}

VkResult pgs_module_create_driver(const struct pgs_device *dev, const uint32_t *words,
                                  size_t word_count, const VkAllocationCallbacks *allocator,
                                  VkShaderModule *module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = word_count * 4,
        .pCode = words,
    };
    const VkResult result = dev->vk.CreateShaderModule(dev->handle, &info, allocator, module);
    if (result != VK_SUCCESS)
        *module = VK_NULL_HANDLE;
    return result;
}

bool pgs_stage_has_placeholder(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage)
{
    const struct pgs_module *module =
        stage->module ? pgs_map_find(&dev->pipelines->modules, (uint64_t)stage->module) : NULL;
    return module && module->placeholder;
}

static VkResult copy_specialization(struct pgs_stage_code *code,
                                    const VkSpecializationInfo *specialization)
{
    if (!specialization || !specialization->mapEntryCount)
        return VK_SUCCESS;
    const uint32_t count = specialization->mapEntryCount;
    code->spec_entries = pgs_calloc(count, sizeof(*code->spec_entries));
    if (!code->spec_entries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const VkSpecializationMapEntry *entry = &specialization->pMapEntries[i];
        code->spec_entries[i] = (struct pgs_spv_spec_entry){
            .constant_id = entry->constantID,
            .offset_B = entry->offset,
            .size_B = entry->size,
        };
    }
    code->shader.spec_entries = code->spec_entries;
    code->shader.spec_entry_count = count;
    code->shader.spec_data = specialization->pData;
    code->shader.spec_data_B = specialization->dataSize;
    return VK_SUCCESS;
}

VkResult pgs_stage_code_init(struct pgs_stage_code *code, const struct pgs_device *dev,
                             const VkPipelineShaderStageCreateInfo *stage)
{
    *code = (struct pgs_stage_code){.shader = {.entry_point = stage->pName}};
    switch (stage->stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
        code->shader.stage = PGS_SPV_VERTEX;
        break;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
        code->shader.stage = PGS_SPV_CONTROL;
        break;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
        code->shader.stage = PGS_SPV_EVALUATION;
        break;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
        code->shader.stage = PGS_SPV_GEOMETRY;
        break;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
        code->shader.stage = PGS_SPV_FRAGMENT;
        break;
    case VK_SHADER_STAGE_COMPUTE_BIT:
        code->shader.stage = PGS_SPV_COMPUTE;
        break;
    default:
        pgs_log(PGS_LOG_ERROR, "a shader module that must be emulated is used in stage 0x%x",
                (unsigned)stage->stage);
        return VK_ERROR_UNKNOWN;
    }
    if (stage->module) {
        const struct pgs_module *module =
            pgs_map_find(&dev->pipelines->modules, (uint64_t)stage->module);
        if (module) {
            code->shader.words = module->words;
            code->shader.word_count = module->word_count;
            code->placeholder = module->placeholder;
        }
    } else { /* VK_EXT_graphics_pipeline_library, VK_KHR_maintenance5 */
        const VkShaderModuleCreateInfo *info =
            pgs_chain_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
        if (info) {
            code->shader.words = info->pCode;
            code->shader.word_count = info->codeSize / 4;
        }
    }
    if (!code->shader.words) {
        pgs_log(PGS_LOG_ERROR,
                "the SPIR-V of a shader stage of a pipeline with a geometry shader is unknown");
        return VK_ERROR_UNKNOWN;
    }
    return copy_specialization(code, stage->pSpecializationInfo);
}

void pgs_stage_code_finish(struct pgs_stage_code *code)
{
    pgs_free(code->spec_entries);
    *code = (struct pgs_stage_code){0};
}

VkResult pgs_result_from_spv(enum pgs_spv_result result, const char *what)
{
    switch (result) {
    case PGS_SPV_OK:
        return VK_SUCCESS;
    case PGS_SPV_OUT_OF_MEMORY:
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    case PGS_SPV_INVALID:
        pgs_log(PGS_LOG_ERROR, "%s shader: its SPIR-V is not valid", what);
        return VK_ERROR_INVALID_SHADER_NV;
    case PGS_SPV_UNSUPPORTED:
        pgs_log(PGS_LOG_ERROR, "%s shader: uses what the layer cannot emulate", what);
        return VK_ERROR_UNKNOWN;
    }
    return VK_ERROR_UNKNOWN;
}
