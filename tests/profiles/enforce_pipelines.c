/* SPDX-License-Identifier: MIT */
#include "device_internal.h"
#include "module.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A copy of the words of a module. */
struct module {
    size_t count;
    uint32_t words[];
};

static const char *missing_feature(const struct profile_device *d, const uint32_t *words,
                                   size_t count)
{
    for (unsigned i = 0; i < module_capability_count; i++)
        if (profile_lists(d->profile->without_features, module_capabilities[i].feature) &&
            module_declares(words, count, module_capabilities[i].capability))
            return module_capabilities[i].feature;
    if (!d->features.vertexPipelineStoresAndAtomics && module_stores_before_raster(words, count))
        return "vertexPipelineStoresAndAtomics";
    return NULL;
}

static VkResult check_words(const struct profile_device *d, const uint32_t *words, size_t count)
{
    if (count > 1 && words[1] > d->spirv_version)
        return profile_exceeded(d, "SPIR-V %u.%u, of %u.%u", words[1] >> 16, words[1] >> 8 & 0xff,
                                d->spirv_version >> 16, d->spirv_version >> 8 & 0xff);
    const char *missing = missing_feature(d, words, count);
    return missing ? profile_exceeded(d, "a shader needs %s", missing) : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL profile_CreateShaderModule(VkDevice device,
                                                          const VkShaderModuleCreateInfo *info,
                                                          const VkAllocationCallbacks *allocator,
                                                          VkShaderModule *module)
{
    struct profile_device *d = profile_device_of(device);
    VkResult result = check_words(d, info->pCode, info->codeSize / 4);
    if (result == VK_SUCCESS)
        result = d->vk.CreateShaderModule(device, info, allocator, module);
    if (result != VK_SUCCESS)
        return result;
    struct module *copy = malloc(sizeof(*copy) + info->codeSize);
    if (copy) {
        copy->count = info->codeSize / 4;
        memcpy(copy->words, info->pCode, info->codeSize);
    }
    objects_add(&d->objects, HANDLE(*module), copy);
    return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL profile_DestroyShaderModule(VkDevice device, VkShaderModule module,
                                                       const VkAllocationCallbacks *allocator)
{
    struct profile_device *d = profile_device_of(device);
    objects_remove(&d->objects, HANDLE(module));
    d->vk.DestroyShaderModule(device, module, allocator);
}

/* Words of a stage without a module. */
static const VkShaderModuleCreateInfo *inline_code(const VkPipelineShaderStageCreateInfo *stage)
{
    const VkBaseInStructure *node = stage->pNext;
    while (node && node->sType != VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO)
        node = node->pNext;
    return stage->module ? NULL : (const VkShaderModuleCreateInfo *)node;
}

/* words, count: of the stage; NULL where neither it nor this layer knows them. */
static VkResult check_stage(struct profile_device *d, const VkPipelineShaderStageCreateInfo *stage,
                            const uint32_t **words, size_t *count)
{
    const VkShaderModuleCreateInfo *code = inline_code(stage);
    const struct module *module =
        stage->module ? objects_find(&d->objects, HANDLE(stage->module)) : NULL;
    *words = code ? code->pCode : module ? module->words : NULL;
    *count = code ? code->codeSize / 4 : module ? module->count : 0;
    return code ? check_words(d, *words, *count) : VK_SUCCESS; /* modules were looked at before */
}

static VkResult check_compute(struct profile_device *d, const VkComputePipelineCreateInfo *info)
{
    const uint32_t *words;
    size_t count;
    const VkResult result = check_stage(d, &info->stage, &words, &count);
    if (result != VK_SUCCESS || !words)
        return result;
    const struct module_workgroup group =
        module_workgroup(words, count, info->stage.pName, info->stage.pSpecializationInfo);
    const VkPhysicalDeviceLimits *l = &d->limits;
    for (uint32_t i = 0; i < 3; i++)
        if (group.size[i] > l->maxComputeWorkGroupSize[i])
            return profile_exceeded(d, "a workgroup of %u invocations in direction %u, of %u",
                                    group.size[i], i, l->maxComputeWorkGroupSize[i]);
    const uint64_t all = (uint64_t)group.size[0] * group.size[1] * group.size[2];
    if (all > l->maxComputeWorkGroupInvocations)
        return profile_exceeded(d, "a workgroup of %llu invocations, of %u",
                                (unsigned long long)all, l->maxComputeWorkGroupInvocations);
    if (group.shared_B > l->maxComputeSharedMemorySize)
        return profile_exceeded(d, "%llu B of shared memory, of %u",
                                (unsigned long long)group.shared_B, l->maxComputeSharedMemorySize);
    return VK_SUCCESS;
}

/* As the compilers of GPUs do. */
static void take_long(void)
{
    const char *say = getenv("PGS_TEST_PROFILE_COMPUTE_MS");
    const long ms = say ? strtol(say, NULL, 10) : 0;
    const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    if (ms > 0)
        nanosleep(&time, NULL);
}

VKAPI_ATTR VkResult VKAPI_CALL
profile_CreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                               const VkComputePipelineCreateInfo *infos,
                               const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    struct profile_device *d = profile_device_of(device);
    for (uint32_t i = 0; i < count; i++) {
        const VkResult result = check_compute(d, &infos[i]);
        if (result == VK_SUCCESS)
            continue;
        for (uint32_t k = 0; k < count; k++)
            pipelines[k] = VK_NULL_HANDLE;
        return result;
    }
    take_long();
    return d->vk.CreateComputePipelines(device, cache, count, infos, allocator, pipelines);
}

static VkResult check_input(const struct profile_device *d,
                            const VkPipelineVertexInputStateCreateInfo *input)
{
    const VkPhysicalDeviceLimits *l = &d->limits;
    if (input->vertexAttributeDescriptionCount > l->maxVertexInputAttributes ||
        input->vertexBindingDescriptionCount > l->maxVertexInputBindings)
        return profile_exceeded(d, "%u vertex attributes of %u bindings, of %u and %u",
                                input->vertexAttributeDescriptionCount,
                                input->vertexBindingDescriptionCount, l->maxVertexInputAttributes,
                                l->maxVertexInputBindings);
    for (uint32_t i = 0; i < input->vertexAttributeDescriptionCount; i++) {
        const VkVertexInputAttributeDescription *of = &input->pVertexAttributeDescriptions[i];
        if (of->location >= l->maxVertexInputAttributes ||
            of->offset > l->maxVertexInputAttributeOffset)
            return profile_exceeded(d, "the vertex attribute %u at byte %u, of %u and %u",
                                    of->location, of->offset, l->maxVertexInputAttributes,
                                    l->maxVertexInputAttributeOffset);
    }
    for (uint32_t i = 0; i < input->vertexBindingDescriptionCount; i++) {
        const VkVertexInputBindingDescription *of = &input->pVertexBindingDescriptions[i];
        if (of->binding >= l->maxVertexInputBindings || of->stride > l->maxVertexInputBindingStride)
            return profile_exceeded(d, "the vertex binding %u with a stride of %u, of %u and %u",
                                    of->binding, of->stride, l->maxVertexInputBindings,
                                    l->maxVertexInputBindingStride);
    }
    return VK_SUCCESS;
}

static VkResult check_states(const struct profile_device *d,
                             const VkGraphicsPipelineCreateInfo *info)
{
    const VkPipelineRasterizationStateCreateInfo *raster = info->pRasterizationState;
    if (raster && raster->sType == VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO &&
        raster->polygonMode != VK_POLYGON_MODE_FILL && !d->features.fillModeNonSolid)
        return profile_exceeded(d, "polygon mode %d without fillModeNonSolid",
                                (int)raster->polygonMode);
    return VK_SUCCESS;
}

static VkResult check_precision(const struct profile_device *d, const struct module_entry *front,
                                const struct module_entry *fragment)
{
    const int64_t location =
        d->profile->links_precision ? module_mixed_precision(front, fragment) : -1;
    return location < 0
               ? VK_SUCCESS
               : profile_exceeded(d, "location %d is mediump in one of two stages", (int)location);
}

static VkResult check_graphics(struct profile_device *d, const VkGraphicsPipelineCreateInfo *info)
{
    VkResult result = check_states(d, info);
    struct module_entry front = {0}, fragment = {0}; /* the last stage before, and behind */
    bool has_vertices = false;
    for (uint32_t i = 0; i < info->stageCount && result == VK_SUCCESS; i++) {
        const uint32_t *words;
        size_t count;
        const VkShaderStageFlagBits stage = info->pStages[i].stage;
        has_vertices |= stage == VK_SHADER_STAGE_VERTEX_BIT;
        if (stage == VK_SHADER_STAGE_GEOMETRY_BIT && !d->features.geometryShader)
            return profile_exceeded(d, "a geometry shader without geometryShader");
        if ((stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT ||
             stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT) &&
            !d->features.tessellationShader)
            return profile_exceeded(d, "a tessellation shader without tessellationShader");
        result = check_stage(d, &info->pStages[i], &words, &count);
        const struct module_entry entry = {words, count, stage, info->pStages[i].pName};
        if (stage == VK_SHADER_STAGE_FRAGMENT_BIT)
            fragment = entry;
        else if (stage <= VK_SHADER_STAGE_GEOMETRY_BIT && stage > front.stage &&
                 stage != VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)
            front = entry;
    }
    if (result == VK_SUCCESS)
        result = check_precision(d, &front, &fragment);
    for (uint32_t i = 0; info->pDynamicState && i < info->pDynamicState->dynamicStateCount; i++)
        if (info->pDynamicState->pDynamicStates[i] == VK_DYNAMIC_STATE_VERTEX_INPUT_EXT)
            has_vertices = false;
    if (result == VK_SUCCESS && has_vertices && info->pVertexInputState)
        result = check_input(d, info->pVertexInputState);
    return result;
}

static void count_stages(struct profile_device *d, const VkGraphicsPipelineCreateInfo *info)
{
    VkShaderStageFlags stages = 0;
    for (uint32_t i = 0; i < info->stageCount; i++)
        stages |= info->pStages[i].stage;
    atomic_fetch_add(&d->pipelines, 1);
    if (stages & VK_SHADER_STAGE_GEOMETRY_BIT)
        atomic_fetch_add(&d->with_geometry, 1);
    if (stages & VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)
        atomic_fetch_add(&d->with_tessellation, 1);
}

VKAPI_ATTR VkResult VKAPI_CALL
profile_CreateGraphicsPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                const VkGraphicsPipelineCreateInfo *infos,
                                const VkAllocationCallbacks *allocator, VkPipeline *pipelines)
{
    struct profile_device *d = profile_device_of(device);
    for (uint32_t i = 0; i < count; i++) {
        const VkResult result = check_graphics(d, &infos[i]);
        if (result == VK_SUCCESS)
            continue;
        for (uint32_t k = 0; k < count; k++)
            pipelines[k] = VK_NULL_HANDLE;
        return result;
    }
    for (uint32_t i = 0; i < count; i++)
        count_stages(d, &infos[i]);
    return d->vk.CreateGraphicsPipelines(device, cache, count, infos, allocator, pipelines);
}
