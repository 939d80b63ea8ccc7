/* SPDX-License-Identifier: MIT */
#include "run_instanced.h"

#include "poly_gs/planes.h"
#include "spirv/analysis/picked.h"
#include "spirv/io/io_vars.h"

#include <stdio.h>

enum pgs_spv_result print_one_vertex(const struct pgs_spv_shader *shader)
{
    struct pgs_spv_geometry_info info;
    const enum pgs_spv_result result = pgs_spv_geometry_info(shader, &info);
    const struct pgs_spv_one_vertex *one = &info.one_vertex;
    if (result != PGS_SPV_OK)
        return result;
    if (one->strips)
        printf("%u of %u%s\n", one->each, one->strips, one->layers_differ ? " in layers" : "");
    else
        printf("no\n");
    return result;
}

/* Of a shader of which the info is known. */
static bool picks(const struct pgs_spv_shader *shader, const struct pgs_spv_geometry_info *info)
{
    const struct pgs_spv_emit_facts facts = pgs_spv_emit_facts_of(info);
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    struct pgs_spv_picked found;
    const bool is_found = info->may_pick &&
                          pgs_spv_open_geometry(&m, shader, &inputs, &outputs) == PGS_SPV_OK &&
                          pgs_spv_find_picked(&m, &facts, &inputs, &outputs, &found);
    if (info->may_pick)
        pgs_spv_finish(&m);
    return is_found;
}

enum pgs_spv_result print_picks(const struct pgs_spv_shader *shader)
{
    struct pgs_spv_geometry_info info;
    const enum pgs_spv_result result = pgs_spv_geometry_info(shader, &info);
    if (result == PGS_SPV_OK)
        printf("%s\n", picks(shader, &info) ? "yes" : info.one_vertex.strips ? "one vertex" : "no");
    return result;
}

enum pgs_spv_result run_instanced(bool sifts, const struct pgs_spv_shader *vs,
                                  const struct pgs_spv_vertex_options *options,
                                  const struct pgs_spv_shader *gs,
                                  const struct pgs_spv_geometry_info *info,
                                  const struct pgs_spv_raster_options *raster,
                                  struct pgs_spv_blob *out)
{
    const struct pgs_spv_assembly lists = {.topology = 3,
                                           .flags = PGS_DRAW_INDEXED | PGS_DRAW_PLANES_SIDES};
    struct pgs_spv_geometry_info known = *info;
    known.may_pick = picks(gs, info);
    if (known.may_pick && sifts)
        return pgs_spv_geometry_to_pick(vs, options, gs, &known, NULL, out);
    if (!known.may_pick && !known.one_vertex.strips)
        known.one_vertex = (struct pgs_spv_one_vertex){.strips = 6, .each = 2};
    return sifts ? pgs_spv_geometry_to_sift(vs, options, gs, &known, &lists, out)
                 : pgs_spv_instanced_to_raster(vs, gs, &known, raster, out);
}
