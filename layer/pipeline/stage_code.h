/* SPDX-License-Identifier: MIT
 *
 * One shader stage of a pipeline: SPIR-V, entry point and specialization, in the form that spirv/
 * takes.
 */
#ifndef PGS_PIPELINE_STAGE_CODE_H
#define PGS_PIPELINE_STAGE_CODE_H

#include "spirv/spirv.h"
#include "vulkan/device.h"

/* Owns all that `shader` points to. */
struct pgs_stage_code {
    struct pgs_spv_shader shader;
    struct pgs_module *module; /* a reference */
    void *block;               /* specialization and entry point */
};

/* Errors: out of host memory; VK_ERROR_UNKNOWN if the SPIR-V is unknown (module identifiers) or the
 * stage cannot be emulated. Call pgs_stage_code_finish also after an error. */
VkResult pgs_stage_code_init(struct pgs_stage_code *code, const struct pgs_device *dev,
                             const VkPipelineShaderStageCreateInfo *stage);
void pgs_stage_code_finish(struct pgs_stage_code *code);

/* True if the driver has a placeholder for the stage's module. */
bool pgs_stage_code_has_placeholder(const struct pgs_stage_code *code);
bool pgs_stage_has_placeholder(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage);

/* Converts a result of spirv/ to one of vkCreate*Pipelines. Logs all errors except out of memory;
 * `what` names the stage. */
VkResult pgs_result_from_spv(enum pgs_spv_result result, const char *what);

#endif
