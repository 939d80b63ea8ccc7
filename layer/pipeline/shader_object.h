/* SPDX-License-Identifier: MIT
 *
 * Shader objects (VK_EXT_shader_object). Their handles are the driver's. An object that only a
 * pipeline can stand in for, since its stage is emulated, is an empty compute shader there.
 */
#ifndef PGS_PIPELINE_SHADER_OBJECT_H
#define PGS_PIPELINE_SHADER_OBJECT_H

#include "pipeline/object_types.h"
#include "vulkan/device.h"

/* NULL: unknown. The pointer lives until vkDestroyShaderEXT. Thread-safe. */
const struct pgs_shader_object *pgs_shader_object_find(const struct pgs_device *dev,
                                                       pgs_shader_handle handle);

/* For objects that the application did not destroy: all but the driver's one. */
void pgs_shader_object_free(struct pgs_device *dev, struct pgs_shader_object *object);

#endif
