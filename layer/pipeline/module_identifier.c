/* SPDX-License-Identifier: MIT */
#include "pipeline/module_identifier.h"

#include "base/hash.h"
#include "pipeline/info_view.h"
#include "pipeline/module.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <string.h>

/* -- identifiers of the layer -- */

static const char own_name[8] = "poly_gs";

/* The layer never takes two modules for one, whatever their hashes are; programs may. */
struct own_identifier {
    char name[sizeof(own_name)];
    uint64_t hashes[3];
};

_Static_assert(sizeof(struct own_identifier) <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT,
               "identifiers are shorter");

static void identify(const struct pgs_module *module, VkShaderModuleIdentifierEXT *identifier)
{
    struct own_identifier own;
    memcpy(own.name, own_name, sizeof(own.name));
    for (uint32_t i = 0; i < 3; i++)
        own.hashes[i] = pgs_hash(module->words, module->word_count * sizeof(*module->words),
                                 (i + 1) * UINT64_C(0xbf58476d1ce4e5b9));
    identifier->identifierSize = sizeof(own);
    memset(identifier->identifier, 0, sizeof(identifier->identifier));
    memcpy(identifier->identifier, &own, sizeof(own));
}

/* True if pipelines with the module may not be the driver's alone. It must not find them by an
 * identifier of its own, since the layer then does not see what their shaders do. */
static bool is_ours(const struct pgs_device *dev, const struct pgs_module *module)
{
    return module->placeholder || module->has_draw_index ||
           (module->has_instance && (dev->first_instances || dev->xfb)) ||
           (module->is_invariant && dev->geometry && dev->physical->native_tessellation);
}

VKAPI_ATTR void VKAPI_CALL pgs_GetShaderModuleIdentifierEXT(
    VkDevice device, VkShaderModule shaderModule, VkShaderModuleIdentifierEXT *pIdentifier)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    struct pgs_module *module = dev->active ? pgs_module_acquire(dev, shaderModule) : NULL;
    if (module && is_ours(dev, module))
        identify(module, pIdentifier);
    else
        dev->vk.GetShaderModuleIdentifierEXT(device, shaderModule, pIdentifier);
    pgs_module_release(module);
}

/* The driver gets the words that it would get for a module. Without memory for them it identifies
 * the application's, of which it knows nothing; the command cannot fail. */
VKAPI_ATTR void VKAPI_CALL pgs_GetShaderModuleCreateInfoIdentifierEXT(
    VkDevice device, const VkShaderModuleCreateInfo *pCreateInfo,
    VkShaderModuleIdentifierEXT *pIdentifier)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    struct pgs_module *module =
        dev->active ? pgs_module_new(dev, pCreateInfo->pCode, pCreateInfo->codeSize) : NULL;
    VkShaderModuleCreateInfo info = *pCreateInfo;
    if (module) {
        info.codeSize = module->word_count * sizeof(*module->words);
        info.pCode = module->words;
    }
    if (module && is_ours(dev, module))
        identify(module, pIdentifier);
    else
        dev->vk.GetShaderModuleCreateInfoIdentifierEXT(device, &info, pIdentifier);
    pgs_module_release(module);
}

/* -- pipelines -- */

/* NULL: the stage has a module, or its code in the chain. */
static const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *
identifier_of(const VkPipelineShaderStageCreateInfo *stage)
{
    const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *of = NULL;
    if (!stage->module &&
        !pgs_chain_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO))
        of = pgs_chain_find(
            stage->pNext,
            VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT);
    return of && of->identifierSize ? of : NULL;
}

bool pgs_info_is_identified(const VkGraphicsPipelineCreateInfo *info)
{
    for (uint32_t i = 0, count = pgs_info_stage_count(info); i < count; i++)
        if (identifier_of(&info->pStages[i]))
            return true;
    return false;
}

bool pgs_info_has_own_identifier(const VkGraphicsPipelineCreateInfo *info)
{
    for (uint32_t i = 0, count = pgs_info_stage_count(info); i < count; i++) {
        const VkPipelineShaderStageModuleIdentifierCreateInfoEXT *of =
            identifier_of(&info->pStages[i]);
        if (of && of->identifierSize >= sizeof(own_name) &&
            memcmp(of->pIdentifier, own_name, sizeof(own_name)) == 0)
            return true;
    }
    return false;
}
