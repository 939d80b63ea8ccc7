/* SPDX-License-Identifier: MIT
 *
 * What a program gets for the name of a command: the hook, the next layer's function, or NULL.
 */
#include "entry/proc_addr.h"
#include "entry/ignored_state.h"
#include "entry/own_extensions.h"
#include "vulkan/device.h"
#include "vulkan/hooks.h"

#include <string.h>

static const struct pgs_hook *find_any(const char *name)
{
    const struct pgs_hook *hook = pgs_hook_find_instance(name);
    if (!hook)
        hook = pgs_hook_find_physical_device(name);
    return hook ? hook : pgs_hook_find_device(name);
}

/* Commands of the layer for any instance, whatever the next layer returns. */
static PFN_vkVoidFunction find_global(const char *name)
{
    static const char *const names[] = {
        "vkCreateInstance",
        "vkCreateDevice",
        "vkGetInstanceProcAddr",
        "vkGetDeviceProcAddr",
        "vkEnumerateInstanceExtensionProperties",
        "vkEnumerateInstanceLayerProperties",
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0)
            return find_any(name)->fn;
    }
    if (strcmp(name, "vk_layerGetPhysicalDeviceProcAddr") == 0)
        return (PFN_vkVoidFunction)pgs_layer_GetPhysicalDeviceProcAddr;
    return NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL pgs_GetInstanceProcAddr(VkInstance instance,
                                                                 const char *pName)
{
    const PFN_vkVoidFunction global = find_global(pName);
    if (global || !instance)
        return global;
    const struct pgs_instance *inst = pgs_instance_from_handle(instance);
    /* Those of extensions of the instance that the layer alone enables, too: the loader takes them
     * for enabled then, and calls them for those of Vulkan 1.1, whatever it finds here. */
    const PFN_vkVoidFunction next = inst->vk.GetInstanceProcAddr(instance, pName);
    const struct pgs_hook *hook = find_any(pName);
    const bool ours = hook && hook->emulated && inst->settings.xfb;
    if (!next && !ours) /* not enabled: a layer must not make it look enabled */
        return NULL;
    return hook ? hook->fn : next;
}

/* Commands of a feature that the layer brings, of which the driver may not know the name. */
static bool is_brought(const struct pgs_device *dev, const char *name)
{
    if (dev->counts_draws && (strcmp(name, "vkCmdDrawIndirectCountKHR") == 0 ||
                              strcmp(name, "vkCmdDrawIndexedIndirectCountKHR") == 0))
        return true;
    if (dev->line_modes && (strcmp(name, "vkCmdSetLineStippleEXT") == 0 ||
                            strcmp(name, "vkCmdSetLineStippleKHR") == 0))
        return true;
    return dev->keeps_pushes && (strcmp(name, "vkCmdPushDescriptorSetKHR") == 0 ||
                                 strcmp(name, "vkCmdPushDescriptorSetWithTemplateKHR") == 0);
}

/* On inactive devices. Data of caches have the UUID that the layer reports. */
static bool stays_hooked(const struct pgs_device *dev, const struct pgs_hook *hook)
{
    return hook->lifetime ||
           (dev->physical->emulates && (hook->fn == (PFN_vkVoidFunction)pgs_CreatePipelineCache ||
                                        hook->fn == (PFN_vkVoidFunction)pgs_GetPipelineCacheData));
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL pgs_GetDeviceProcAddr(VkDevice device, const char *pName)
{
    const struct pgs_device *dev = pgs_device_from_handle(device);
    if (pgs_own_extensions_bring(dev->own_extensions, pName))
        return NULL;
    const PFN_vkVoidFunction next = dev->vk.GetDeviceProcAddr(device, pName);
    const struct pgs_hook *hook = pgs_hook_find_device(pName);
    if (dev->active && hook && hook->emulated)
        return dev->emulated_extensions & hook->emulated ? hook->fn
                                                         : pgs_find_ignored_state(dev, pName);
    if (!next) /* headers may be older than a name */
        return hook && is_brought(dev, pName) ? hook->fn : NULL;
    if (!dev->active)
        return hook && stays_hooked(dev, hook) ? hook->fn : next;
    /* Commands of hidden versions and extensions may not be called. In a render pass, a command
     * that the queue does not know would overtake the queue. */
    if (!pgs_is_visible_command(pName))
        return pgs_find_ignored_state(dev, pName);
    return hook ? hook->fn : next;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL pgs_layer_GetPhysicalDeviceProcAddr(VkInstance instance,
                                                                             const char *name)
{
    const struct pgs_instance *inst = pgs_instance_from_handle(instance);
    const struct pgs_hook *hook = pgs_hook_find_physical_device(name);
    if (!hook && find_any(name))
        return NULL; /* a hook of another kind */
    const PFN_vkVoidFunction next = inst->next_gpdpa ? inst->next_gpdpa(instance, name) : NULL;
    if (!hook)
        return next;
    /* The loader asks for commands that it does not know, so the next layer may return NULL for
     * those that it does. */
    if (next || inst->vk.GetInstanceProcAddr(instance, name))
        return hook->fn;
    return NULL;
}
