/* SPDX-License-Identifier: MIT
 *
 * One shader stage of a pipeline: SPIR-V, entry point and specialization, in the form that spirv/
 * takes, and what is known about it. Equal stages are one object. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_SHADER_H
#define PGS_PIPELINE_SHADER_H

#include "pipeline/shared.h"
#include "spirv/spirv.h"

/* Constant, except for what is found out when it is first wanted. */
struct pgs_shader {
    struct pgs_shared shared;
    struct pgs_spv_shader code;
    struct pgs_module *module;      /* a reference; NULL: the layer made it */
    struct pgs_shader *origin;      /* a reference: what the layer made it from, or NULL */
    struct pgs_spv_blob made_words; /* if the layer made it */
    _Atomic(void *) info, xfb;      /* NULL: not found yet */
    _Atomic(void *) split_info;     /* likewise */
};

/* What a vertex shader without a geometry shader captures (pgs_spv_vertex_xfb). */
struct pgs_vertex_capture {
    struct pgs_spv_layout out;
    struct pgs_spv_xfb xfb;
};

/* Finds the shader of a stage. The caller owns a reference to *shader; NULL on failure. Errors: out
 * of host memory; VK_ERROR_UNKNOWN, logged, if the SPIR-V is unknown (module identifiers) or the
 * stage cannot be emulated. Thread-safe. */
VkResult pgs_shader_get(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                        struct pgs_shader **shader);

/* The pass-through geometry shader for a vertex or evaluation shader, see
 * pgs_spv_pass_through_geometry. As pgs_shader_get, with the errors of pgs_result_from_spv. */
VkResult pgs_shader_get_pass_through(struct pgs_shader *last, uint32_t vertices_per_primitive,
                                     bool primitive_id, struct pgs_shader **shader);

/* Another reference, which is returned. Thread-safe. */
struct pgs_shader *pgs_shader_refer(const struct pgs_shader *shader);

/* shader may be NULL. Thread-safe. */
void pgs_shader_release(struct pgs_shader *shader);

/* What passes take of it, for a trial or for words. shader may be NULL, then it is zero. */
struct pgs_spv_shader pgs_shader_code(const struct pgs_shader *shader, bool is_trial);

/* What is known about a shader of the stage. *info lives as long as the shader; NULL on failure.
 * Errors: those of pgs_result_from_spv. Thread-safe. */
VkResult pgs_shader_vertex_info(struct pgs_shader *shader, const struct pgs_spv_vertex_info **info);
VkResult pgs_shader_vertex_capture(struct pgs_shader *shader,
                                   const struct pgs_vertex_capture **capture);
VkResult pgs_shader_control_info(struct pgs_shader *shader,
                                 const struct pgs_spv_control_info **info);
VkResult pgs_shader_evaluation_info(struct pgs_shader *shader,
                                    const struct pgs_spv_evaluation_info **info);
VkResult pgs_shader_geometry_info(struct pgs_shader *shader,
                                  const struct pgs_spv_geometry_info **info);
VkResult pgs_shader_geometry_split_info(struct pgs_shader *shader,
                                        const struct pgs_spv_geometry_info **info);
VkResult pgs_shader_fragment_info(struct pgs_shader *shader,
                                  const struct pgs_spv_fragment_info **info);

/* True if the driver has a placeholder for the stage's module. */
bool pgs_shader_has_placeholder(const struct pgs_shader *shader);
bool pgs_stage_has_placeholder(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage);

/* True if the layer has the SPIR-V of the stage's module. */
bool pgs_stage_is_known(const struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage);

/* True if an output of the stage's module is invariant. */
bool pgs_stage_is_invariant(const struct pgs_device *dev,
                            const VkPipelineShaderStageCreateInfo *stage);

/* Converts a result of spirv/ to one of vkCreate*Pipelines. Logs all errors except out of memory;
 * `what` names the stage. */
VkResult pgs_result_from_spv(enum pgs_spv_result result, const char *what);

#endif
