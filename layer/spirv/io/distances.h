/* SPDX-License-Identifier: MIT
 *
 * Clip and cull distances as varyings, for drivers that have neither.
 */
#ifndef PGS_SPIRV_IO_DISTANCES_H
#define PGS_SPIRV_IO_DISTANCES_H

#include "spirv/ir/module.h"

#define PGS_SPV_MAX_DISTANCES 8 /* of both kinds together */
#define PGS_SPV_DISTANCE_LOCATIONS 4

/* What the last shader in front of the rasterizer tells the fragment shader: first the clip
 * distances; then for each cull distance 0 if it is negative, else 1; then the cull distances, if
 * the fragment shader reads them. Four of these floats are in each location. */
struct pgs_spv_distances {
    uint8_t clip_count, cull_count;
    bool passes_cull; /* the cull distances themselves, too */
    uint8_t locations[PGS_SPV_DISTANCE_LOCATIONS];
};

static inline uint32_t pgs_spv_distance_floats(const struct pgs_spv_distances *distances)
{
    return distances->clip_count + distances->cull_count * (distances->passes_cull ? 2u : 1u);
}

/* Declares the varying of float `index` as an input or output. Returns its id. */
uint32_t pgs_spv_declare_distance(struct pgs_spv_module *m, uint32_t storage_class,
                                  const struct pgs_spv_distances *distances, uint32_t index);

/* Lets the module's vertex or evaluation shader write the varyings, and no distances. Those that it
 * does not have clip and cull nothing. The new entry point has that name. */
void pgs_spv_pass_distances(struct pgs_spv_module *m, const struct pgs_spv_distances *distances,
                            const char *name);

/* The same, words to words. */
enum pgs_spv_result pgs_spv_shader_pass_distances(const struct pgs_spv_shader *shader,
                                                  const struct pgs_spv_distances *distances,
                                                  struct pgs_spv_blob *out);

#endif
