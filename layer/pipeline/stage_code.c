/* SPDX-License-Identifier: MIT */
#include "pipeline/stage_code.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/device.h"
#include "pipeline/module.h"
#include "vulkan/chain.h"

#include <string.h>

bool pgs_stage_has_placeholder(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage)
{
    const struct pgs_module *module =
        stage->module ? pgs_map_find(&dev->pipelines->modules, (uint64_t)stage->module) : NULL;
    return module && module->placeholder;
}

bool pgs_stage_code_has_placeholder(const struct pgs_stage_code *code)
{
    return code->module && code->module->placeholder;
}

/* One block: the entries, the data, the name. */
static VkResult copy_specialization(struct pgs_stage_code *code,
                                    const VkPipelineShaderStageCreateInfo *stage)
{
    const VkSpecializationInfo *specialization = stage->pSpecializationInfo;
    const uint32_t count = specialization ? specialization->mapEntryCount : 0;
    const size_t data_B = count ? specialization->dataSize : 0;
    const size_t name_B = strlen(stage->pName) + 1;
    struct pgs_spv_spec_entry *entries = pgs_alloc(count * sizeof(*entries) + data_B + name_B);
    if (!entries)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const VkSpecializationMapEntry *entry = &specialization->pMapEntries[i];
        entries[i] = (struct pgs_spv_spec_entry){
            .constant_id = entry->constantID,
            .offset_B = entry->offset,
            .size_B = entry->size,
        };
    }
    unsigned char *data = (unsigned char *)(entries + count);
    if (data_B)
        memcpy(data, specialization->pData, data_B);
    memcpy(data + data_B, stage->pName, name_B);
    code->block = entries;
    code->shader.entry_point = (const char *)(data + data_B);
    code->shader.spec_entries = entries;
    code->shader.spec_entry_count = count;
    code->shader.spec_data = data;
    code->shader.spec_data_B = data_B;
    return VK_SUCCESS;
}

static VkResult find_module(struct pgs_stage_code *code, const struct pgs_device *dev,
                            const VkPipelineShaderStageCreateInfo *stage)
{
    const VkShaderModuleCreateInfo *info = NULL;
    if (stage->module)
        code->module = pgs_module_acquire(dev, stage->module);
    else /* VK_EXT_graphics_pipeline_library, VK_KHR_maintenance5 */
        info = pgs_chain_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    if (info) {
        code->module = pgs_module_new(dev, info->pCode, info->codeSize);
        if (!code->module)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (!code->module) {
        pgs_log(PGS_LOG_ERROR, "cannot create a pipeline: the SPIR-V of a shader that must be "
                               "emulated is not known to the layer");
        return VK_ERROR_UNKNOWN;
    }
    code->shader.words = code->module->words;
    code->shader.word_count = code->module->word_count;
    return VK_SUCCESS;
}

static bool find_stage(VkShaderStageFlagBits bit, enum pgs_spv_stage *stage)
{
    switch (bit) {
    case VK_SHADER_STAGE_VERTEX_BIT:
        *stage = PGS_SPV_VERTEX;
        return true;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
        *stage = PGS_SPV_CONTROL;
        return true;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
        *stage = PGS_SPV_EVALUATION;
        return true;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
        *stage = PGS_SPV_GEOMETRY;
        return true;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
        *stage = PGS_SPV_FRAGMENT;
        return true;
    case VK_SHADER_STAGE_COMPUTE_BIT:
        *stage = PGS_SPV_COMPUTE;
        return true;
    default:
        return false;
    }
}

VkResult pgs_stage_code_init(struct pgs_stage_code *code, const struct pgs_device *dev,
                             const VkPipelineShaderStageCreateInfo *stage)
{
    *code = (struct pgs_stage_code){0};
    if (!find_stage(stage->stage, &code->shader.stage)) {
        pgs_log(PGS_LOG_ERROR, "a shader module that must be emulated is used in stage 0x%x",
                (unsigned)stage->stage);
        return VK_ERROR_UNKNOWN;
    }
    const VkResult result = find_module(code, dev, stage);
    return result == VK_SUCCESS ? copy_specialization(code, stage) : result;
}

void pgs_stage_code_finish(struct pgs_stage_code *code)
{
    pgs_module_release(code->module);
    pgs_free(code->block);
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
