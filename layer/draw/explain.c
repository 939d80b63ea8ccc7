/* SPDX-License-Identifier: MIT */
#include "draw/explain.h"

#include <stdio.h>

static const char *raster_name(enum pgs_raster_path raster)
{
    switch (raster) {
    case PGS_RASTER_NONE:
        return "none";
    case PGS_RASTER_NATIVE:
        return "native";
    case PGS_RASTER_INSTANCED:
        return "instanced";
    case PGS_RASTER_SIFTED:
        return "sifted";
    case PGS_RASTER_PICKED:
        return "picked";
    case PGS_RASTER_STORED:
        return "stored";
    case PGS_RASTER_TES_STORED:
        return "tes_stored";
    case PGS_RASTER_INLINE_GS:
        return "inline_gs";
    case PGS_RASTER_INLINE_TES:
        return "inline_tes";
    case PGS_RASTER_INLINE_TES_GS:
        return "inline_tes_gs";
    case PGS_RASTER_STORED_OR_INLINE:
        return "stored_or_inline";
    case PGS_RASTER_TES_STORED_OR_INLINE:
        return "tes_stored_or_inline";
    case PGS_RASTER_POLYGONS:
        return "polygons";
    }
    return "?";
}

static const char *xfb_name(enum pgs_xfb_path xfb)
{
    switch (xfb) {
    case PGS_XFB_NONE:
        return "none";
    case PGS_XFB_COPY:
        return "copy";
    case PGS_XFB_COPY_OR_CHUNKS:
        return "copy_or_chunks";
    case PGS_XFB_VS:
        return "vs";
    case PGS_XFB_GS:
        return "gs";
    case PGS_XFB_GS_NO_MEMORY:
        return "gs_no_memory";
    }
    return "?";
}

static const char *count_name(enum pgs_count_path count)
{
    switch (count) {
    case PGS_COUNT_NONE:
        return "none";
    case PGS_COUNT_INPUT:
        return "input";
    case PGS_COUNT_TESSELLATOR:
        return "tessellator";
    case PGS_COUNT_STATIC:
        return "static";
    case PGS_COUNT_EMITS:
        return "emits";
    }
    return "?";
}

static const char *sizing_name(enum pgs_sizing sizing)
{
    switch (sizing) {
    case PGS_SIZE_CPU:
        return "cpu";
    case PGS_SIZE_SETUP:
        return "setup";
    case PGS_SIZE_GPU:
        return "gpu";
    }
    return "?";
}

static const char *reason(enum pgs_why why)
{
    switch (why) {
    case PGS_WHY_CHEAPEST:
        return "nothing is cheaper";
    case PGS_WHY_NO_PIPELINE:
        return "not inline: the pipeline has no inline variant";
    case PGS_WHY_SETTING:
        return "not inline: plan=compute or stored";
    case PGS_WHY_FITS:
        return "not inline: the worst case fits in memory";
    case PGS_WHY_DYNAMIC:
        return "not inline: what the shader emits is not static";
    case PGS_WHY_RESTART:
        return "not inline: indices restart primitives";
    case PGS_WHY_SIZE:
        return "not inline: only the GPU knows how many primitives there are";
    case PGS_WHY_LONG:
        return "not inline: too many vertices or instructions, or too large for a CPU";
    case PGS_WHY_QUERY:
        return "not inline: a query of the driver would count clipped primitives";
    case PGS_WHY_EMITS:
        return "not inline: emits are counted";
    case PGS_WHY_STIPPLE:
        return "not inline: stippled line strips";
    case PGS_WHY_TOO_MANY:
        return "not inline: more than 2^32 vertices";
    case PGS_WHY_COMPILING:
        return "not inline yet: a thread compiles that";
    }
    return "?";
}

/* Of a geometry shader of one vertex, or that picks vertices; "": of another one. */
static const char *why_uninstanced(enum pgs_uninstanced why)
{
    switch (why) {
    case PGS_UNINSTANCED_NO:
    case PGS_UNINSTANCED_VERTICES:
        break;
    case PGS_UNINSTANCED_SETTING:
        return "plan is not auto";
    case PGS_UNINSTANCED_TESSELLATED:
        return "tessellation";
    case PGS_UNINSTANCED_EFFECTS:
        return "the shaders write memory";
    case PGS_UNINSTANCED_LIBRARIES:
        return "the driver links the pipeline from libraries";
    case PGS_UNINSTANCED_PUSHES:
        return "vertex shaders do not get all push constants";
    case PGS_UNINSTANCED_PRIMITIVES:
        return "the driver orders the vertices of these primitives otherwise";
    case PGS_UNINSTANCED_STIPPLE:
        return "stippled line strips";
    case PGS_UNINSTANCED_DIVISORS:
        return "the driver lacks these divisors";
    case PGS_UNINSTANCED_DRAW_INDEX:
        return "the vertex shader reads the number of the draw";
    case PGS_UNINSTANCED_INSTANCES:
        return "several strips, and attributes of instances";
    case PGS_UNINSTANCED_ORDER:
        return "several strips that may go to one layer";
    case PGS_UNINSTANCED_VIEWS:
        return "several views";
    case PGS_UNINSTANCED_LAYERS:
        return "the driver takes no layer or viewport from a vertex shader";
    case PGS_UNINSTANCED_POLYGONS:
        return "polygons are drawn as lines or points";
    case PGS_UNINSTANCED_PRIMITIVE_ID:
        return "the fragment shader reads gl_PrimitiveID";
    case PGS_UNINSTANCED_STAGES:
        return "one stage cannot have the descriptors of both shaders";
    case PGS_UNINSTANCED_SHADERS:
        return "the shaders cannot be joined";
    case PGS_UNINSTANCED_LONG:
        return "the vertex shader loops, reads images or is long";
    case PGS_UNINSTANCED_COUNTED:
        return "captures or queries count the draw";
    case PGS_UNINSTANCED_CONDITION:
        return "a condition or a byte count";
    case PGS_UNINSTANCED_ARGUMENTS:
        return "arguments in a buffer, of several strips or several draws";
    case PGS_UNINSTANCED_TOO_MANY:
        return "more than 2^32 instances, or than 2^30 indices";
    case PGS_UNINSTANCED_SEVERAL:
        return "several instances";
    case PGS_UNINSTANCED_RESTART:
        return "indices restart primitives";
    case PGS_UNINSTANCED_FETCH:
        return "kernels cannot read its inputs, or it never pays";
    case PGS_UNINSTANCED_FEW:
        return "too few primitives";
    case PGS_UNINSTANCED_MEMORY:
        return "too little memory";
    case PGS_UNINSTANCED_COMPILING:
        return "a thread finds out, or compiles that";
    }
    return "";
}

/* Of small draws nobody asks whether the geometry shader picks vertices. */
static const char *why_unpicked(enum pgs_uninstanced why)
{
    return why == PGS_UNINSTANCED_FEW       ? ""
           : why == PGS_UNINSTANCED_SHADERS ? "it does not pick vertices, or cannot be joined"
                                            : why_uninstanced(why);
}

static bool draws_geometry(enum pgs_raster_path raster)
{
    return raster == PGS_RASTER_STORED || raster == PGS_RASTER_INLINE_GS ||
           raster == PGS_RASTER_STORED_OR_INLINE || raster == PGS_RASTER_POLYGONS;
}

static const char *place_name(const struct pgs_draw_plan *plan)
{
    return plan->in_order        ? " in order"
           : plan->spread        ? " spread"
           : plan->gathered      ? " gathered"
           : plan->fuses_control ? " fused"
                                 : "";
}

void pgs_plan_explain(const struct pgs_draw_plan *plan, char text[PGS_EXPLAIN_MAX_B])
{
    char amount[64] = "";
    if (plan->sizing == PGS_SIZE_GPU)
        snprintf(amount, sizeof(amount), "draws<=%u", plan->subdraw_count);
    else if (pgs_gs_invocations_unknown(plan))
        snprintf(amount, sizeof(amount), "patches=%u", plan->patches);
    else if (plan->xfb == PGS_XFB_VS)
        snprintf(amount, sizeof(amount), "captured=%u", plan->xfb_invocations);
    else
        snprintf(amount, sizeof(amount), "gs_invocations=%u subdraws=%u", plan->gs_invocations,
                 plan->subdraw_count);
    const bool stores = draws_geometry(plan->raster);
    const char *unpicked = stores ? why_unpicked(plan->unpicked) : "";
    const char *uninstanced = stores && !*unpicked ? why_uninstanced(plan->uninstanced) : "";
    snprintf(text, PGS_EXPLAIN_MAX_B, "raster=%s%s%s%s%s xfb=%s count=%s size=%s %s (%s%s%s%s)",
             raster_name(plan->raster), plan->culls ? " culled" : "",
             plan->expand == PGS_EXPAND_CUT ? " cut"
             : plan->finds_uncovered        ? " uncovered"
                                            : "",
             plan->self_listed ? " self-listed" : "", place_name(plan), xfb_name(plan->xfb),
             count_name(plan->count), sizing_name(plan->sizing), amount, reason(plan->why),
             *unpicked      ? "; not picked: "
             : *uninstanced ? "; not instanced: "
                            : "",
             uninstanced, unpicked);
}
