/* SPDX-License-Identifier: MIT
 *
 * The driver's commands behind those that let one thread at a time through.
 */
#ifndef PGS_PIPELINE_SERIAL_COMMANDS_H
#define PGS_PIPELINE_SERIAL_COMMANDS_H

#include <vulkan/vulkan.h>

struct pgs_serial_commands {
    PFN_vkCreateGraphicsPipelines graphics;
    PFN_vkCreateComputePipelines compute;
    PFN_vkCreateRayTracingPipelinesKHR rays;
#ifdef VK_EXT_shader_object
    PFN_vkCreateShadersEXT shaders;
#endif
};

#endif
