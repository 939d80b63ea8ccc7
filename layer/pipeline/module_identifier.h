/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_shader_module_identifier. The driver identifies the modules that it has. Those that it
 * would refuse have an identifier of the layer, under which nothing is ever found: a pipeline with
 * one, and any that the layer would have to emulate, is VK_PIPELINE_COMPILE_REQUIRED. Programs then
 * create it with its modules, as they must be prepared to. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_MODULE_IDENTIFIER_H
#define PGS_PIPELINE_MODULE_IDENTIFIER_H

#include "vulkan/device.h"

/* True if a stage of the pipeline has an identifier in place of a module. Thread-safe. */
bool pgs_info_is_identified(const VkGraphicsPipelineCreateInfo *info);

/* True if one of these identifiers is the layer's. Thread-safe. */
bool pgs_info_has_own_identifier(const VkGraphicsPipelineCreateInfo *info);

#endif
