/* SPDX-License-Identifier: MIT */
#include "pipeline/indexed_strips.h"

/* Vertices of each strip if all are equally long and have a primitive, else 0. Of a strip with a
 * primitive `indices` counts the vertices and one more, so each has `kind` of them more than
 * primitives. */
static uint32_t equal_strip_el(const struct pgs_spv_geometry_info *gs, uint32_t stream)
{
    const struct pgs_spv_emit_pattern *pattern = &gs->pattern;
    const uint32_t indices = pattern->indices[stream];
    const uint32_t strips = (indices - pattern->primitives[stream]) / gs->output_kind;
    const bool equal =
        pattern->vertices == indices - strips && pattern->vertices == strips * pattern->longest_el;
    return equal ? pattern->longest_el : 0;
}

uint32_t pgs_indexed_el(const struct pgs_pipeline_source *source)
{
    const struct pgs_emulated_pipeline *p = source->pipeline;
    const struct pgs_spv_geometry_info *gs = &p->gs;
    /* The list says which vertex of a triangle provokes. */
    const uint32_t unknown = PGS_DYNAMIC_STREAM | PGS_DYNAMIC_PROVOKING;
    if (p->tessellated || p->dynamic & unknown || !gs->pattern.is_known || gs->output_kind < 2 ||
        gs->stream_mask != UINT32_C(1) << p->raster_stream)
        return 0;
    const uint32_t strip_el = equal_strip_el(gs, p->raster_stream);
    return strip_el > gs->output_kind ? strip_el : 0;
}
