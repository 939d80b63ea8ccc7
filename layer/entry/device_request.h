/* SPDX-License-Identifier: MIT
 *
 * What the layer asks the driver for when the application creates a device on which it emulates.
 * Internal to entry/.
 */
#ifndef PGS_ENTRY_DEVICE_REQUEST_H
#define PGS_ENTRY_DEVICE_REQUEST_H

#include "entry/physical_device.h"
#include "entry/shader_objects.h"

struct pgs_device_request {
    VkDeviceCreateInfo info;           /* passed to the driver */
    VkPhysicalDeviceFeatures features; /* pEnabledFeatures points here if the application set it */
    /* Part of the chain if no struct there has the feature. */
    union {
        VkPhysicalDeviceBufferDeviceAddressFeatures khr;
        VkPhysicalDeviceBufferDeviceAddressFeaturesEXT ext;
    } address;
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline;
    VkPhysicalDeviceShaderFloat16Int8Features floats;
    struct pgs_shader_object_features objects; /* likewise */
    const char **extensions;
    void *chain; /* copied nodes */
};

/* Features that the application enables, in whichever struct; NULL: none. */
const VkPhysicalDeviceFeatures *pgs_enabled_features(const VkDeviceCreateInfo *info);

/* What the layer does on a device. */
struct pgs_device_role {
    bool active, geometry, xfb, tessellation, fill, clip, lines, points, stores,
        views; /* as in pgs_device */
    bool splits_draws, counts_draws, first_instances, divisors, keeps_pushes, depth_clip,
        line_modes, layer_output, viewport_output; /* likewise */
    bool viewports, statistics;         /* multiViewport and pipelineStatisticsQuery, which the
                                           driver's device does not enable */
    uint32_t emulated_extensions, gaps; /* likewise */
    uint32_t own_extensions;            /* likewise: of the request */
    uint64_t several_queues;            /* mask of families that draw with several queues */
    bool native_too;                    /* the driver could do itself what the layer emulates */
};

/* Fails as a driver would if the application asks for what is not reported, or uses an emulated
 * feature in a way that only a driver can support. Errors: VK_ERROR_FEATURE_NOT_PRESENT and others
 * of vkCreateDevice, logged. */
VkResult pgs_device_request_judge(const struct pgs_physical_entry *entry,
                                  const VkDeviceCreateInfo *info, struct pgs_device_role *role);

/* Copies what has to change for the role, which gets own_extensions. The application's info stays
 * unchanged and must outlive the request. */
VkResult pgs_device_request_init(struct pgs_device_request *request,
                                 const struct pgs_physical_entry *entry,
                                 const VkDeviceCreateInfo *info, struct pgs_device_role *role);
void pgs_device_request_finish(struct pgs_device_request *request);

#endif
