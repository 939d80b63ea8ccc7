/* SPDX-License-Identifier: MIT
 *
 * All that the SPIR-V of a compute variant depends on. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_COMPUTE_INPUTS_H
#define PGS_PIPELINE_COMPUTE_INPUTS_H

#include "pipeline/source.h"

/* Equal bytes, equal shader: a translation reads nothing else, and what a variant does not read is
 * zero, padding included. Pointers are to shaders, which are equal only if they are the same, and
 * to what is known about these. */
struct pgs_compute_inputs {
    enum pgs_variant variant;
    const struct pgs_shader *vs, *tcs, *tes, *gs;
    struct pgs_spv_vertex_options vertex;
    const struct pgs_spv_control_info *control;
    struct pgs_spv_patch patch;
    uint32_t patch_vertices;              /* of the control shader's input; 0: not known */
    bool triangles;                       /* the tessellated domain */
    struct pgs_spv_layout evaluation_out; /* what the evaluation shader stores */
    const struct pgs_spv_geometry_info *geometry;
    struct pgs_spv_assembly assembly;
};

/* How the vertex shader fetches attributes and what it stores. Fills a zeroed *options. */
void pgs_vertex_options(const struct pgs_pipeline_source *source,
                        struct pgs_spv_vertex_options *options);

/* What the pipeline fixes of the records of its draws. Fills a zeroed *assembly. */
void pgs_take_assembly(const struct pgs_emulated_pipeline *pipeline,
                       struct pgs_spv_assembly *assembly);

/* Fills *inputs for a compute variant. */
void pgs_compute_inputs_init(const struct pgs_pipeline_source *source, enum pgs_variant variant,
                             struct pgs_compute_inputs *inputs);

/* Makes of them those of a shader that also draws with any other vertex input and input assembly
 * that fit its stages: it reads them of its records. Only locations without an attribute stay. */
void pgs_compute_inputs_generalize(struct pgs_compute_inputs *inputs);

/* Makes the shader, or with is_trial only says whether it can be made. Pure. */
enum pgs_spv_result pgs_compute_translate(const struct pgs_compute_inputs *inputs, bool is_trial,
                                          struct pgs_spv_blob *blob);

#endif
