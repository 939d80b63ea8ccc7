/* SPDX-License-Identifier: MIT
 *
 * What the driver is asked for when the application asks for a device on which the layer emulates.
 */
#ifndef PGS_ENTRY_DEVICE_REQUEST_H
#define PGS_ENTRY_DEVICE_REQUEST_H

#include "entry/physical_device.h"

struct pgs_device_request {
    VkDeviceCreateInfo info;           /* to be passed down */
    VkPhysicalDeviceFeatures features; /* pointed to when pEnabledFeatures was */
    /* In the chain when nothing there could hold it. */
    VkPhysicalDeviceBufferDeviceAddressFeatures address;
    const char **extensions;
    void *chain; /* copied nodes */
};

/* The features that the application enables, in whichever struct; NULL when it gave none. */
const VkPhysicalDeviceFeatures *pgs_enabled_features(const VkDeviceCreateInfo *info);

/* What the layer is on a device. */
struct pgs_device_role {
    bool active, geometry, feedback, tessellation; /* as those of pgs_device */
    uint32_t emulated_extensions;
    bool native_too; /* the driver could do what we emulate */
};

/* Fails as a driver would when the application asks for what is not reported, and when it asks for
 * what we emulate in a way that only a native one can serve. */
VkResult pgs_device_request_judge(const struct pgs_physical_entry *entry,
                                  const VkDeviceCreateInfo *info, struct pgs_device_role *role);

/* The application's info stays untouched, and must live as long as the request. */
VkResult pgs_device_request_init(struct pgs_device_request *request,
                                 const struct pgs_physical_entry *entry,
                                 const VkDeviceCreateInfo *info);
void pgs_device_request_finish(struct pgs_device_request *request);

#endif
