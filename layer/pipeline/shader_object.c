/* SPDX-License-Identifier: MIT
 *
 * vkCreateShadersEXT, vkDestroyShaderEXT, vkGetShaderBinaryDataEXT.
 */
#include "pipeline/shader_object.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/descriptor_buffers.h"
#include "pipeline/device.h"
#include "pipeline/layout.h"
#include "pipeline/module.h"
#include "pipeline/object_pipelines.h"
#include "pipeline/patched.h"
#include "pipeline/possible.h"
#include "pipeline/shader_binary.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

#include <string.h>

const struct pgs_shader_object *pgs_shader_object_find(const struct pgs_device *dev,
                                                       pgs_shader_handle handle)
{
    return handle ? pgs_map_find(&dev->pipelines->shader_objects, (uint64_t)handle) : NULL;
}

void pgs_shader_object_free(struct pgs_device *dev, struct pgs_shader_object *object)
{
    if (!object)
        return;
    pgs_DestroyShaderModule(dev->handle, object->module, NULL);
    pgs_DestroyPipelineLayout(dev->handle, object->layout, NULL);
    pgs_free(object);
}

#ifdef VK_EXT_shader_object

/* -- the layer's copy -- */

/* Rounded up, so that what follows is aligned. */
static size_t aligned(size_t size_B)
{
    return (size_B + 15) & ~(size_t)15;
}

/* One block with the name and the specialization. NULL: out of memory. */
static struct pgs_shader_object *copy_code(const struct pgs_shader_code *code)
{
    const VkSpecializationInfo *constants = code->constants;
    const size_t entries_B =
        constants ? constants->mapEntryCount * sizeof(VkSpecializationMapEntry) : 0;
    const size_t values_B = constants ? constants->dataSize : 0;
    const size_t name_B = strlen(code->name) + 1;
    const size_t own_B = aligned(sizeof(struct pgs_shader_object));
    char *block = pgs_calloc(1, own_B + aligned(entries_B) + aligned(values_B) + name_B);
    if (!block)
        return NULL;
    struct pgs_shader_object *object = (struct pgs_shader_object *)(void *)block;
    char *entries = block + own_B, *values = entries + aligned(entries_B);
    char *name = values + aligned(values_B);
    if (entries_B)
        memcpy(entries, constants->pMapEntries, entries_B);
    if (values_B)
        memcpy(values, constants->pData, values_B);
    memcpy(name, code->name, name_B);
    object->stage = code->stage;
    object->name = name;
    object->specialized = constants != NULL;
    object->constants = (VkSpecializationInfo){
        .mapEntryCount = constants ? constants->mapEntryCount : 0,
        .pMapEntries = (const VkSpecializationMapEntry *)(const void *)entries,
        .dataSize = values_B,
        .pData = values,
    };
    return object;
}

static VkResult make_module(struct pgs_device *dev, const struct pgs_shader_code *code,
                            VkShaderModule *module)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = code->word_count * sizeof(uint32_t),
        .pCode = code->words,
    };
    const VkResult result = pgs_CreateShaderModule(dev->handle, &info, NULL, module);
    if (result != VK_SUCCESS)
        *module = VK_NULL_HANDLE;
    return result;
}

/* Of VK_KHR_maintenance11, which older headers do not know. */
#define INDEPENDENT_SETS ((VkShaderCreateFlagsEXT)0x00040000)

static VkResult make_layout(struct pgs_device *dev, const VkShaderCreateInfoEXT *info,
                            VkPipelineLayout *layout)
{
    const VkPipelineLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .flags =
            info->flags & INDEPENDENT_SETS ? VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT : 0,
        .setLayoutCount = info->setLayoutCount,
        .pSetLayouts = info->pSetLayouts,
        .pushConstantRangeCount = info->pushConstantRangeCount,
        .pPushConstantRanges = info->pPushConstantRanges,
    };
    return pgs_CreatePipelineLayout(dev->handle, &layout_info, NULL, layout);
}

static bool has_buffered_sets(struct pgs_device *dev, const VkShaderCreateInfoEXT *info)
{
    bool any = false;
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        struct pgs_set_layout *layout = pgs_set_layout_acquire(dev, info->pSetLayouts[i]);
        any |= layout && pgs_is_buffered(layout->flags);
        pgs_set_layout_release(dev, layout);
    }
    return any;
}

static void take_flags(struct pgs_shader_object *object, const VkShaderCreateInfoEXT *info)
{
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO);
    if (info->flags & VK_SHADER_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT_EXT)
        object->flags |= VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT;
    object->subgroup_size_el = size ? size->requiredSubgroupSize : 0;
    object->shading_rate = info->flags & VK_SHADER_CREATE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_EXT;
    object->independent = info->flags & INDEPENDENT_SETS;
    object->density_map = info->flags & VK_SHADER_CREATE_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT;
}

/* True if the driver can run it without its neighbours being emulated. */
static bool is_native(const struct pgs_device *dev, const struct pgs_shader_object *object,
                      const VkShaderCreateInfoEXT *info)
{
    if (object->stage &
        (VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT))
        return true;
    struct pgs_module *module = pgs_module_acquire(dev, object->module);
    const bool placeholder = !module || module->placeholder;
    pgs_module_release(module);
    if (placeholder)
        return false;
    if (object->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
        return true;
    return object->stage == VK_SHADER_STAGE_VERTEX_BIT &&
           (!info->nextStage || (info->nextStage & VK_SHADER_STAGE_FRAGMENT_BIT));
}

static VkResult make_copy(struct pgs_device *dev, const VkShaderCreateInfoEXT *info,
                          const struct pgs_shader_code *code, struct pgs_shader_object **object)
{
    struct pgs_shader_object *copy = copy_code(code);
    if (!copy)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult result = make_module(dev, code, &copy->module);
    if (result == VK_SUCCESS)
        result = make_layout(dev, info, &copy->layout);
    if (result != VK_SUCCESS) {
        pgs_shader_object_free(dev, copy);
        return result;
    }
    take_flags(copy, info);
    copy->buffered = has_buffered_sets(dev, info);
    copy->native = is_native(dev, copy, info);
    *object = copy;
    return VK_SUCCESS;
}

static VkResult read_binary(struct pgs_device *dev, const VkShaderCreateInfoEXT *info,
                            struct pgs_shader_object **object)
{
    struct pgs_shader_binary binary;
    VkResult result = pgs_shader_binary_read(&binary, info->stage, info->pCode, info->codeSize);
    if (result != VK_SUCCESS)
        return result == VK_NOT_READY ? VK_INCOMPATIBLE_SHADER_BINARY_EXT : result;
    result = make_copy(dev, info, &binary.code, object);
    pgs_shader_binary_finish(&binary);
    return result;
}

static VkResult object_new(struct pgs_device *dev, const VkShaderCreateInfoEXT *info,
                           struct pgs_shader_object **object)
{
    const struct pgs_shader_code code = {
        .stage = info->stage,
        .words = info->pCode,
        .word_count = info->codeSize / sizeof(uint32_t),
        .name = info->pName,
        .constants = info->pSpecializationInfo,
    };
    return info->codeType == VK_SHADER_CODE_TYPE_BINARY_EXT ? read_binary(dev, info, object)
                                                            : make_copy(dev, info, &code, object);
}

/* -- the driver's object -- */

/* What the driver is told of one object. */
struct for_driver {
    VkShaderCreateInfoEXT info;
    struct pgs_module *module; /* a reference, for its words */
    struct pgs_layout *layout; /* likewise, for its ranges */
    struct pgs_spv_blob cleaned;
};

static void for_driver_finish(struct pgs_device *dev, struct for_driver *told)
{
    pgs_spv_blob_free(&told->cleaned);
    pgs_module_release(told->module);
    pgs_layout_release(dev, told->layout);
}

/* Without what the driver refuses. A fragment shader of which it refuses something is its own only
 * behind mesh shaders. */
static VkResult clean(struct pgs_device *dev, const struct pgs_shader_object *object,
                      struct for_driver *told)
{
    const VkPipelineShaderStageCreateInfo stage = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = object->stage,
        .module = object->module,
        .pName = object->name,
        .pSpecializationInfo = object->specialized ? &object->constants : NULL,
    };
    const VkResult result = pgs_patch_words(
        dev, &stage, 0, object->stage == VK_SHADER_STAGE_FRAGMENT_BIT, &told->cleaned);
    told->info.pCode = told->cleaned.words;
    told->info.codeSize = told->cleaned.word_count * sizeof(uint32_t);
    return result;
}

/* Fragment shaders that are not native may come behind mesh shaders all the same, but for those
 * that are linked with others. */
static bool driver_runs(const struct pgs_device *dev, const struct pgs_shader_object *object,
                        const VkShaderCreateInfoEXT *info)
{
    return object->native || (dev->mesh_shaders && object->stage == VK_SHADER_STAGE_FRAGMENT_BIT &&
                              !(info->flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT));
}

/* Finish it also after an error. */
static VkResult for_driver_init(struct pgs_device *dev, const VkShaderCreateInfoEXT *info,
                                const struct pgs_shader_object *object, struct for_driver *told)
{
    *told = (struct for_driver){.info = *info};
    if (!driver_runs(dev, object, info)) {
        told->info = (VkShaderCreateInfoEXT){
            .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
            .pName = "main",
        };
        told->info.pCode = pgs_placeholder_code(&told->info.codeSize);
        return VK_SUCCESS;
    }
    told->module = pgs_module_acquire(dev, object->module);
    told->layout = pgs_layout_acquire(dev, object->layout);
    if (!told->module || !told->layout)
        return VK_ERROR_UNKNOWN;
    VkShaderCreateInfoEXT *to = &told->info;
    to->codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT;
    to->codeSize = told->module->word_count * sizeof(uint32_t);
    to->pCode = told->module->words;
    to->pName = object->name;
    to->pSpecializationInfo = object->specialized ? &object->constants : NULL;
    to->pushConstantRangeCount = told->layout->range_count;
    to->pPushConstantRanges = told->layout->ranges;
    if (object->stage == VK_SHADER_STAGE_VERTEX_BIT)
        to->nextStage &= VK_SHADER_STAGE_FRAGMENT_BIT;
    return told->module->placeholder ? clean(dev, object, told) : VK_SUCCESS;
}

/* -- creation -- */

/* One call. */
struct creation {
    struct pgs_device *dev;
    const VkShaderCreateInfoEXT *infos;
    const VkAllocationCallbacks *allocator;
    uint32_t count;
    /* [count] */
    struct pgs_shader_object **objects; /* NULL: taken over, or not made */
    struct for_driver *told;
    VkShaderCreateInfoEXT *group; /* what one call of the driver makes, */
    VkShaderEXT *made;            /* and its objects */
    uint32_t *members;            /* their indices */
};

static bool is_linked(const struct creation *c, uint32_t i)
{
    return c->infos[i].flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT;
}

/* Linked objects are bound together, so none is native if not all are; with a mesh shader all of
 * them are. `count`: those that were made. */
static void settle_linked(struct creation *c, uint32_t count)
{
    bool native = true, mesh = false;
    for (uint32_t i = 0; i < count; i++) {
        native &= !is_linked(c, i) || c->objects[i]->native;
        mesh |= is_linked(c, i) && c->objects[i]->stage == VK_SHADER_STAGE_MESH_BIT_EXT;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (is_linked(c, i))
            c->objects[i]->native = count == c->count && (native || mesh);
        if (!c->objects[i]->native)
            pgs_pipelines_note_possible(c->dev);
    }
}

/* Hands the driver's object out. */
static VkResult publish(struct creation *c, uint32_t i, VkShaderEXT handle, VkShaderEXT *shaders)
{
    c->objects[i]->handle = handle;
    if (!pgs_map_insert(&c->dev->pipelines->shader_objects, (uint64_t)handle, c->objects[i])) {
        c->dev->vk.DestroyShaderEXT(c->dev->handle, handle, c->allocator);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    c->objects[i] = NULL;
    shaders[i] = handle;
    return VK_SUCCESS;
}

/* Makes the object `first`, and if it is linked natively all that are, in one call of the
 * driver. */
static VkResult create_group(struct creation *c, uint32_t first, VkShaderEXT *shaders)
{
    const bool linked = is_linked(c, first) && c->objects[first]->native;
    VkResult result = VK_SUCCESS;
    uint32_t count = 0;
    for (uint32_t i = first; i < c->count && result == VK_SUCCESS; i++) {
        if (i != first && !(linked && is_linked(c, i)))
            continue;
        c->members[count] = i;
        result = for_driver_init(c->dev, &c->infos[i], c->objects[i], &c->told[i]);
        c->group[count] = c->told[i].info;
        c->made[count++] = VK_NULL_HANDLE;
    }
    if (result == VK_SUCCESS)
        result =
            c->dev->vk.CreateShadersEXT(c->dev->handle, count, c->group, c->allocator, c->made);
    for (uint32_t k = 0; k < count; k++) {
        for_driver_finish(c->dev, &c->told[c->members[k]]);
        if (result == VK_SUCCESS)
            result = publish(c, c->members[k], c->made[k], shaders);
        else if (c->made[k])
            c->dev->vk.DestroyShaderEXT(c->dev->handle, c->made[k], c->allocator);
    }
    return result;
}

/* In order, up to the first that fails. */
static VkResult create_all(struct creation *c, VkShaderEXT *shaders)
{
    uint32_t copied = 0;
    VkResult result = VK_SUCCESS, made = VK_SUCCESS;
    while (copied < c->count && result == VK_SUCCESS) {
        result = object_new(c->dev, &c->infos[copied], &c->objects[copied]);
        copied += result == VK_SUCCESS;
    }
    settle_linked(c, copied);
    for (uint32_t i = 0; i < copied && made == VK_SUCCESS; i++)
        if (c->objects[i])
            made = create_group(c, i, shaders);
    return made == VK_SUCCESS ? result : made;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateShadersEXT(VkDevice device, uint32_t createInfoCount,
                                                    const VkShaderCreateInfoEXT *pCreateInfos,
                                                    const VkAllocationCallbacks *pAllocator,
                                                    VkShaderEXT *pShaders)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (!dev->active)
        return dev->vk.CreateShadersEXT(device, createInfoCount, pCreateInfos, pAllocator,
                                        pShaders);
    struct creation c = {
        .dev = dev,
        .infos = pCreateInfos,
        .allocator = pAllocator,
        .count = createInfoCount,
        .objects = pgs_calloc(createInfoCount, sizeof(*c.objects)),
        .told = pgs_calloc(createInfoCount, sizeof(*c.told)),
        .group = pgs_calloc(createInfoCount, sizeof(*c.group)),
        .made = pgs_calloc(createInfoCount, sizeof(*c.made)),
        .members = pgs_calloc(createInfoCount, sizeof(*c.members)),
    };
    for (uint32_t i = 0; i < createInfoCount; i++)
        pShaders[i] = VK_NULL_HANDLE;
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (c.objects && c.told && c.group && c.made && c.members)
        result = create_all(&c, pShaders);
    for (uint32_t i = 0; c.objects && i < createInfoCount; i++)
        pgs_shader_object_free(dev, c.objects[i]);
    pgs_free(c.objects);
    pgs_free(c.told);
    pgs_free(c.group);
    pgs_free(c.made);
    pgs_free(c.members);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyShaderEXT(VkDevice device, VkShaderEXT shader,
                                                const VkAllocationCallbacks *pAllocator)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    if (dev->active && shader) {
        struct pgs_shader_object *object =
            pgs_map_remove(&dev->pipelines->shader_objects, (uint64_t)shader);
        pgs_object_pipelines_forget(dev, object);
        pgs_shader_object_free(dev, object);
    }
    dev->vk.DestroyShaderEXT(device, shader, pAllocator);
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_GetShaderBinaryDataEXT(VkDevice device, VkShaderEXT shader,
                                                          size_t *pDataSize, void *pData)
{
    struct pgs_device *dev = pgs_device_from_handle(device);
    const struct pgs_shader_object *object =
        dev->active ? pgs_shader_object_find(dev, shader) : NULL;
    if (!object)
        return dev->vk.GetShaderBinaryDataEXT(device, shader, pDataSize, pData);
    struct pgs_module *module = pgs_module_acquire(dev, object->module);
    if (!module)
        return VK_ERROR_UNKNOWN;
    const struct pgs_shader_code code = {
        .stage = object->stage,
        .words = module->words,
        .word_count = module->word_count,
        .name = object->name,
        .constants = object->specialized ? &object->constants : NULL,
    };
    const size_t size_B = pgs_shader_binary_size(&code);
    const bool fits = pData && *pDataSize >= size_B;
    if (fits)
        pgs_shader_binary_write(&code, pData);
    if (fits || !pData)
        *pDataSize = size_B;
    else
        *pDataSize = 0;
    pgs_module_release(module);
    return fits || *pDataSize ? VK_SUCCESS : VK_INCOMPLETE;
}
#endif
