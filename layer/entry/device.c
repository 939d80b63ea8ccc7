/* SPDX-License-Identifier: MIT
 *
 * Creates and destroys devices and the contexts that the modules attach to them.
 */
#include "base/alloc.h"
#include "base/log.h"
#include "command/command.h"
#include "draw/query_pool.h"
#include "draw/slices.h"
#include "draw/strip_list.h"
#include "entry/device_request.h"
#include "entry/entry.h"
#include "entry/physical_device.h"
#include "entry/shader_objects.h"
#include "entry/summary.h"
#include "memory/memory.h"
#include "pipeline/pipeline.h"
#include "pipeline/pipeline_device.h"
#include "pipeline/possible.h"
#include "vulkan/chain.h"
#include "vulkan/hooks.h"

static const VkLayerDeviceCreateInfo *find_loader_info(const VkDeviceCreateInfo *info,
                                                       VkLayerFunction function)
{
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext) {
        const VkLayerDeviceCreateInfo *loader = (const VkLayerDeviceCreateInfo *)node;
        if (node->sType == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO &&
            loader->function == function)
            return loader;
    }
    return NULL;
}

/* Destroys the contexts of the modules. */
static void modules_destroy(struct pgs_device *dev)
{
    pgs_command_device_destroy(dev);
    pgs_query_device_destroy(dev);
    pgs_slices_destroy(dev);
    pgs_strip_lists_destroy(dev);
    pgs_pipeline_device_destroy(dev);
    pgs_commons_destroy(dev);
    pgs_heap_destroy(dev);
    pgs_buffer_table_destroy(dev);
}

static VkResult modules_create(struct pgs_device *dev, const VkDeviceCreateInfo *info)
{
    VkResult result = pgs_buffer_table_create(dev);
    if (result == VK_SUCCESS)
        result = pgs_heap_create(dev);
    if (result == VK_SUCCESS)
        result = pgs_commons_create(dev, info);
    if (result == VK_SUCCESS)
        result = pgs_pipeline_device_create(dev);
    /* Indirect draws of the driver's own pipelines may need compute work in any pass. */
    if (result == VK_SUCCESS && (dev->first_instances || dev->counts_draws))
        pgs_pipelines_note_possible(dev);
    if (result == VK_SUCCESS && dev->xfb)
        result = pgs_query_device_create(dev);
    /* Without queues there are no queries (VUID-vkCreateQueryPool-device-queuecount). */
    if (result == VK_SUCCESS && info->queueCreateInfoCount)
        result = pgs_slices_create(dev);
    if (result == VK_SUCCESS)
        result = pgs_strip_lists_create(dev);
    if (result == VK_SUCCESS)
        result = pgs_command_device_create(dev);
    return result;
}

/* Before the layer enables them itself. */
static bool enables_addresses(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceVulkan12Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
    const VkPhysicalDeviceBufferDeviceAddressFeatures *khr = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES);
    const VkPhysicalDeviceBufferDeviceAddressFeaturesEXT *ext = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES_EXT);
    return (core && core->bufferDeviceAddress) || (khr && khr->bufferDeviceAddress) ||
           (ext && ext->bufferDeviceAddress);
}

static bool enables_stipples(const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceLineRasterizationFeaturesEXT *lines = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT);
    bool enables = lines && (lines->stippledRectangularLines || lines->stippledBresenhamLines ||
                             lines->stippledSmoothLines);
#ifdef VK_API_VERSION_1_4
    const VkPhysicalDeviceVulkan14Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES);
    enables |= core && (core->stippledRectangularLines || core->stippledBresenhamLines ||
                        core->stippledSmoothLines);
#endif
    return enables;
}

static void read_state(struct pgs_device *dev, const VkDeviceCreateInfo *info)
{
    const VkPhysicalDeviceFeatures *features = pgs_enabled_features(info);
    const VkPhysicalDeviceRobustness2FeaturesEXT *robustness2 =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT);
    const VkPhysicalDeviceVulkan13Features *core =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    const VkPhysicalDeviceImageRobustnessFeatures *images =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ROBUSTNESS_FEATURES);
    const VkPhysicalDeviceSynchronization2Features *sync2 =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES);
    const VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT *libraries = pgs_chain_find(
        info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT);
    const VkPhysicalDeviceMeshShaderFeaturesEXT *mesh =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT);
    dev->native.geometry = dev->physical->native_geometry && features && features->geometryShader;
    dev->native.tessellation =
        dev->physical->native_tessellation && features && features->tessellationShader;
    dev->draws_indirectly =
        features && (features->multiDrawIndirect || features->drawIndirectFirstInstance);
    dev->int64 = dev->active && dev->physical->features.shaderInt64;
    dev->robust_buffer_access = features && features->robustBufferAccess;
    dev->robust_buffer_access2 = robustness2 && robustness2->robustBufferAccess2;
    dev->robust_image_access =
        (core && core->robustImageAccess) || (images && images->robustImageAccess);
    dev->robust_image_access2 = robustness2 && robustness2->robustImageAccess2;
    dev->null_descriptor = robustness2 && robustness2->nullDescriptor;
    dev->pipeline_libraries = libraries && libraries->graphicsPipelineLibrary;
    dev->mesh_shaders = mesh && mesh->meshShader;
    dev->pointers = enables_addresses(info);
    dev->stipples = enables_stipples(info);
    dev->sync2 = (core && core->synchronization2) || (sync2 && sync2->synchronization2);
}

/* Creates the driver's device, with what an active layer needs. If the driver refuses that and has
 * the features itself, tries again without the layer. *role: what the layer became. */
static VkResult create_below(const struct pgs_physical_entry *entry, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkLayerDeviceCreateInfo *link,
                             VkDevice *handle, struct pgs_device_role *role)
{
    const VkPhysicalDevice physical = entry->shared.handle;
    VkLayerDeviceLink *next = link->u.pLayerInfo;
    const PFN_vkCreateDevice create = (PFN_vkCreateDevice)next->pfnNextGetInstanceProcAddr(
        entry->shared.instance->handle, "vkCreateDevice");
    if (!create)
        return VK_ERROR_INITIALIZATION_FAILED;
    if (role->active) {
        struct pgs_device_request request;
        link->u.pLayerInfo = next->pNext; /* before the request, which may copy the node */
        VkResult result = pgs_device_request_init(&request, entry, info, role);
        if (result == VK_SUCCESS) {
            result = create(physical, &request.info, allocator, handle);
            pgs_device_request_finish(&request);
        }
        if (result == VK_SUCCESS || !role->native_too || pgs_is_shortage(result))
            return result;
        pgs_log(
            PGS_LOG_WARN,
            "%s: the driver refuses the device that emulation needs (VkResult %d): the layer is "
            "inactive, and the driver's own features are used",
            entry->shared.properties.deviceName, (int)result);
        *role = (struct pgs_device_role){0};
    }
    link->u.pLayerInfo = next->pNext;
    return create(physical, info, allocator, handle);
}

/* Takes the command by the name that belongs to what the device enables. Layers below may answer to
 * all names, though the driver does not have them; others may not have those of the core. */
static void load_address(struct pgs_device *dev, PFN_vkGetDeviceProcAddr gdpa)
{
    const enum pgs_address address = dev->physical->address;
    const PFN_vkGetBufferDeviceAddress named =
        (PFN_vkGetBufferDeviceAddress)(address == PGS_ADDRESS_EXT
                                           ? gdpa(dev->handle, "vkGetBufferDeviceAddressEXT")
                                       : address == PGS_ADDRESS_KHR
                                           ? gdpa(dev->handle, "vkGetBufferDeviceAddressKHR")
                                           : NULL);
    if (named)
        dev->vk.GetBufferDeviceAddress = named;
}

VKAPI_ATTR VkResult VKAPI_CALL pgs_CreateDevice(VkPhysicalDevice physicalDevice,
                                                const VkDeviceCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator,
                                                VkDevice *pDevice)
{
    struct pgs_physical_entry *entry = pgs_physical_entry(physicalDevice);
    VkLayerDeviceCreateInfo *link =
        (VkLayerDeviceCreateInfo *)find_loader_info(pCreateInfo, VK_LAYER_LINK_INFO);
    const VkLayerDeviceCreateInfo *callback =
        find_loader_info(pCreateInfo, VK_LOADER_DATA_CALLBACK);
    if (!link || !link->u.pLayerInfo)
        return VK_ERROR_INITIALIZATION_FAILED;
    const VkLayerDeviceLink *next = link->u.pLayerInfo;
    struct pgs_device_role role;
    VkResult result = pgs_device_request_judge(entry, pCreateInfo, &role);
    if (result != VK_SUCCESS)
        return result;
    struct pgs_device *dev = pgs_calloc(1, sizeof(*dev));
    if (!dev)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    result = create_below(entry, pCreateInfo, pAllocator, link, pDevice, &role);
    if (result != VK_SUCCESS)
        goto fail_create;
    dev->handle = *pDevice;
    dev->physical = &entry->shared;
    dev->active = role.active;
    dev->geometry = role.geometry;
    dev->tessellation = role.tessellation;
    dev->fill = role.fill;
    dev->clip = role.clip;
    dev->lines = role.lines;
    dev->points = role.points;
    dev->stores = role.stores;
    dev->splits_draws = role.splits_draws;
    dev->counts_draws = role.counts_draws;
    dev->first_instances = role.first_instances;
    dev->divisors = role.divisors;
    dev->keeps_pushes = role.keeps_pushes;
    dev->depth_clip = role.depth_clip;
    dev->line_modes = role.line_modes;
    dev->layer_output = role.layer_output;
    dev->viewport_output = role.viewport_output;
    dev->xfb = role.xfb;
    dev->gaps = role.gaps;
    dev->emulated_extensions = role.emulated_extensions;
    dev->own_extensions = role.own_extensions;
    dev->set_loader_data = callback ? callback->u.pfnSetDeviceLoaderData : NULL;
    pgs_device_dispatch_load(&dev->vk, dev->handle, next->pfnNextGetDeviceProcAddr);
    load_address(dev, next->pfnNextGetDeviceProcAddr);
    read_state(dev, pCreateInfo);
    if (role.active)
        pgs_shader_objects_list_states(dev, pCreateInfo);
    if (role.active) {
        result = modules_create(dev, pCreateInfo);
        if (result == VK_SUCCESS && role.several_queues && entry->shared.has_timeline_semaphores)
            result = pgs_command_device_order(dev, pCreateInfo, role.several_queues);
        if (result != VK_SUCCESS)
            goto fail_modules;
    }
    result = pgs_registry_add_device(dev);
    if (result != VK_SUCCESS)
        goto fail_modules;
    if (role.active)
        pgs_summary_log_device(dev);
    return VK_SUCCESS;

fail_modules:
    modules_destroy(dev);
    dev->vk.DestroyDevice(dev->handle, pAllocator);
fail_create:
    pgs_free(dev);
    return result;
}

VKAPI_ATTR void VKAPI_CALL pgs_DestroyDevice(VkDevice device,
                                             const VkAllocationCallbacks *pAllocator)
{
    if (!device)
        return;
    struct pgs_device *dev = pgs_device_from_handle(device);
    modules_destroy(dev);
    pgs_registry_remove_device(dev); /* before another device can get the handle */
    dev->vk.DestroyDevice(device, pAllocator);
    pgs_free(dev);
}
