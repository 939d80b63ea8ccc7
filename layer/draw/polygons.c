/* SPDX-License-Identifier: MIT */
#include "draw/polygons.h"

#include "draw/bound_viewports.h"
#include "draw/record.h"

#include <string.h>

static pgs_u32 bits_of(float value)
{
    pgs_u32 bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* Takes what is dynamic from the command buffer. */
static struct pgs_polygon_state polygon_state_of(const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    struct pgs_polygon_state all = pipeline->polygon_state;
    if (pipeline->dynamic & PGS_DYNAMIC_CULL_MODE)
        all.cull_mode = state->polygons.cull_mode;
    if (pipeline->dynamic & PGS_DYNAMIC_FRONT_FACE)
        all.front_face = state->polygons.front_face;
    if (pipeline->dynamic & PGS_DYNAMIC_DEPTH_BIAS_ENABLE)
        all.bias_enable = state->polygons.bias_enable;
    if (pipeline->dynamic & PGS_DYNAMIC_DEPTH_BIAS) {
        all.bias = state->polygons.bias;
        all.bias_clamp = state->polygons.bias_clamp;
        all.bias_slope = state->polygons.bias_slope;
    }
    return all;
}

static struct pgs_polygon_viewport viewport_of(const VkViewport *v, bool negative_one_to_one)
{
    const float depth = v->maxDepth - v->minDepth;
    return (struct pgs_polygon_viewport){
        .x_scale = bits_of(v->width / 2),
        .y_scale = bits_of(v->height / 2),
        .z_scale = bits_of(negative_one_to_one ? depth / 2 : depth),
        .z_shift = bits_of(negative_one_to_one ? (v->minDepth + v->maxDepth) / 2 : v->minDepth),
        .x_shift = bits_of(v->x + v->width / 2),
        .y_shift = bits_of(v->y + v->height / 2),
    };
}

/* Of lines that are not stippled each pixel has a bit. */
static struct pgs_stipple_pattern pattern_of(const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    struct pgs_stipple_pattern pattern = pipeline->stipple.pattern;
    if (pipeline->dynamic & PGS_DYNAMIC_STIPPLE_PATTERN)
        pattern = state->stipple;
    if ((pipeline->dynamic & PGS_DYNAMIC_LINE_STIPPLE) && !state->line_stipple)
        pattern.bits = UINT16_MAX;
    if (pattern.factor < 1 || pattern.factor > 256) /* shaders divide by it */
        pattern.factor = pattern.factor ? 256 : 1;
    return pattern;
}

static pgs_u32 word_of(uint32_t word)
{
    return word == PGS_NO_WORD ? UINT32_MAX : word;
}

static void fill_stipple(struct pgs_polygons *polygons, const struct pgs_graphics_state *state,
                         bool copies, bool goes_on)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    const uint32_t stream = pgs_raster_stream(pipeline, state);
    const struct pgs_spv_layout *layout =
        &pipeline->gs.out[stream < PGS_SPV_STREAMS ? stream : pipeline->stored_stream];
    const struct pgs_stipple_pattern pattern = pattern_of(state);
    if (pipeline->stipple.pixels)
        polygons->flags |= PGS_POLYGONS_PIXELS | (copies ? 0 : PGS_POLYGONS_CENTRES);
    polygons->flags |= goes_on ? PGS_POLYGONS_GOES_ON : 0;
    polygons->stipple_factor = pattern.factor;
    polygons->stipple_pattern = pattern.bits;
    polygons->position_w = word_of(layout->position_w);
    polygons->viewport_w = word_of(layout->viewport_index_w);
}

void pgs_polygons_fill_record(struct pgs_polygons *polygons, const struct pgs_graphics_state *state,
                              bool goes_on)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    const struct pgs_polygon_state of = polygon_state_of(state);
    const struct pgs_viewports viewports = pgs_bound_viewports(state);
    const bool negative = pgs_bound_negative_one_to_one(state);
    const float unit = pipeline->depth_unit;
    const bool copies =
        pipeline->polygons == PGS_SPV_COPIED_LINES || pipeline->polygons == PGS_SPV_COPIED_EDGES;
    float width_px = pgs_line_width(
        pipeline->dynamic & PGS_DYNAMIC_LINE_WIDTH ? state->line_width : pipeline->line_width);
    if (pipeline->stipple.pixels) /* rounded to the nearest integer */
        width_px = (float)(uint32_t)(width_px + 0.5f);
    *polygons = (struct pgs_polygons){
        .flags = (of.cull_mode & VK_CULL_MODE_FRONT_BIT ? PGS_POLYGONS_CULL_FRONT : 0) |
                 (of.cull_mode & VK_CULL_MODE_BACK_BIT ? PGS_POLYGONS_CULL_BACK : 0) |
                 (of.front_face == VK_FRONT_FACE_CLOCKWISE ? PGS_POLYGONS_CLOCKWISE : 0) |
                 (of.bias_enable ? PGS_POLYGONS_BIAS : 0) |
                 (unit == 0 ? PGS_POLYGONS_FLOAT_DEPTH : 0) |
                 (negative ? PGS_POLYGONS_NEGATIVE_Z : 0) |
                 (pipeline->rectangles ? PGS_POLYGONS_RECTANGLES : 0),
        .bias = bits_of(unit == 0 ? of.bias : of.bias * unit),
        .bias_slope = bits_of(of.bias_slope),
        .bias_clamp = bits_of(of.bias_clamp),
        .line_width = bits_of(width_px),
        .line_vertices = copies ? 2 * (uint32_t)width_px : 6,
    };
    if (pipeline->stipple.drawn)
        fill_stipple(polygons, state, copies, goes_on);
    for (uint32_t i = 0; i < PGS_MAX_VIEWPORTS; i++) /* beyond the last one as in viewports.c */
        polygons->viewports[i] =
            viewport_of(&viewports.viewports[i < viewports.viewport_count ? i : 0], negative);
}

VkResult pgs_polygons_upload(const struct pgs_graphics_state *state, bool goes_on,
                             struct pgs_linear *upload, struct pgs_draw_record *record)
{
    struct pgs_polygons filled;
    struct pgs_range range;
    const VkResult result = pgs_linear_alloc(upload, sizeof(filled), PGS_SCRATCH_ALIGN_B, &range);
    if (result != VK_SUCCESS)
        return result;
    pgs_polygons_fill_record(&filled, state, goes_on);
    memcpy(range.mapped, &filled, sizeof(filled));
    record->polygons = range.address;
    return VK_SUCCESS;
}
