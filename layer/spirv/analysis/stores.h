/* SPDX-License-Identifier: MIT
 *
 * Stores in front of the rasterizer, for drivers without vertexPipelineStoresAndAtomics.
 */
#ifndef PGS_SPIRV_ANALYSIS_STORES_H
#define PGS_SPIRV_ANALYSIS_STORES_H

#include "spirv/ir/module.h"

enum pgs_spv_stores {
    PGS_SPV_STORES_NONE,     /* or they are of fragment and compute shaders alone */
    PGS_SPV_STORES_DECLARED, /* buffers or images that could be written, which the driver refuses */
    PGS_SPV_STORES_DONE,     /* stores or atomics, if only of some entry points */
};

/* What a module has of what only the feature allows, where it has an entry point of a vertex,
 * tessellation or geometry shader (VUID-RuntimeSpirv-NonWritable-06341). Other entry points of the
 * module count, too: it is not looked at who calls what. NONE for words that are no SPIR-V. */
enum pgs_spv_stores pgs_spv_module_stores(const uint32_t *words, size_t word_count);

/* Declares that nothing is written to buffers and images, of which nothing may be. */
void pgs_spv_forbid_stores(struct pgs_spv_module *m);

/* The same, words to words. The shader must have no side effects. */
enum pgs_spv_result pgs_spv_shader_forbid_stores(const struct pgs_spv_shader *shader,
                                                 struct pgs_spv_blob *out);

#endif
