/* SPDX-License-Identifier: MIT
 *
 * One shader stage of a pipeline: its SPIR-V, entry point and specialization, as spirv/ wants them.
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

/* Errors: out of host memory; VK_ERROR_UNKNOWN when the SPIR-V is not known (module identifiers)
 * or the stage is none that can be emulated. pgs_stage_code_finish is due even then. */
VkResult pgs_stage_code_init(struct pgs_stage_code *code, const struct pgs_device *dev,
                             const VkPipelineShaderStageCreateInfo *stage);
void pgs_stage_code_finish(struct pgs_stage_code *code);

/* The driver has a dummy in place of the stage's module. */
bool pgs_stage_code_has_placeholder(const struct pgs_stage_code *code);
bool pgs_stage_has_placeholder(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage);

/* The result of spirv/ as one of vkCreate*Pipelines. Logs all but a shortage of memory; `what`
 * names the stage. */
VkResult pgs_result_from_spv(enum pgs_spv_result result, const char *what);

#endif
