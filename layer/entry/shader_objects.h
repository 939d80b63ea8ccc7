/* SPDX-License-Identifier: MIT
 *
 * When VK_EXT_shader_object is reported, and what its devices need: where the layer emulates, a
 * pipeline stands in for shader objects, so whatever they leave to commands has to be dynamic in
 * it. Internal to entry/.
 */
#ifndef PGS_ENTRY_SHADER_OBJECTS_H
#define PGS_ENTRY_SHADER_OBJECTS_H

#include "entry/physical_entry.h"

#include <stdbool.h>

/* True if the driver has the extension and all dynamic state that pipelines need for it. Call it
 * when it is decided what is emulated. `list`: the driver's extensions. */
bool pgs_shader_objects_fit(const struct pgs_physical_entry *entry,
                            const VkExtensionProperties *list, uint32_t count);

/* True if the application enables shaderObject. */
bool pgs_shader_objects_asked(const VkDeviceCreateInfo *info);

/* Writes the dynamic states to dev: none if the application does not enable shaderObject. */
void pgs_shader_objects_list_states(struct pgs_device *dev, const VkDeviceCreateInfo *info);

/* Features that the device needs besides, where the application does not enable them itself. */
struct pgs_shader_object_features {
    VkPhysicalDeviceExtendedDynamicState2FeaturesEXT states2;
    VkPhysicalDeviceExtendedDynamicState3FeaturesEXT states3;
    VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT input;
};

/* For the application's `info`: enables them in the structures of *chain, which must be copies, and
 * puts those of *own, which is zeroed, in front that the chain does not have. */
void pgs_shader_objects_enable(const struct pgs_physical_entry *entry,
                               const VkDeviceCreateInfo *info, const void **chain,
                               struct pgs_shader_object_features *own);

/* Extensions that go with these features. */
extern const char *const pgs_shader_object_extensions[];
extern const uint32_t pgs_shader_object_extension_count;

#endif
