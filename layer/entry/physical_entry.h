/* SPDX-License-Identifier: MIT
 *
 * What the layer knows of a physical device.
 */
#ifndef PGS_ENTRY_PHYSICAL_ENTRY_H
#define PGS_ENTRY_PHYSICAL_ENTRY_H

#include "vulkan/device.h"

/* The shared part first, then what only the creation of devices needs to know. */
struct pgs_physical_entry {
    struct pgs_physical_device shared;
    struct pgs_physical_entry *next; /* of the same instance */
    bool has_khr_address;            /* VK_KHR_buffer_device_address */
    bool has_viewport_index_layer;   /* VK_EXT_shader_viewport_index_layer */
    bool has_storage_buffer_class;   /* VK_KHR_storage_buffer_storage_class */
    bool has_provoking_vertex;       /* VK_EXT_provoking_vertex */
    bool has_dynamic_state2;         /* VK_EXT_extended_dynamic_state2 */
    bool has_dynamic_state3;         /* VK_EXT_extended_dynamic_state3 */
    bool has_list_restart;           /* VK_EXT_primitive_topology_list_restart */
    bool has_device_scope;           /* vulkanMemoryModelDeviceScope */
    uint32_t native_extensions;      /* of those that we emulate: enum pgs_emulated */
};

#endif
