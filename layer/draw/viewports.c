/* SPDX-License-Identifier: MIT */
#include "draw/viewports.h"

#include "base/log.h"
#include "draw/bound_viewports.h"
#include "poly_gs/polygon.h"
#include "poly_gs/viewport.h"

#include <string.h>

/* -- parts of the framebuffer -- */

static bool is_empty(const struct pgs_viewport_rect *r)
{
    return r->x0 >= r->x1 || r->y0 >= r->y1;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static struct pgs_viewport_rect intersection(const struct pgs_viewport_rect *a,
                                             const struct pgs_viewport_rect *b)
{
    return (struct pgs_viewport_rect){most(a->x0, b->x0), most(a->y0, b->y0), least(a->x1, b->x1),
                                      least(a->y1, b->y1), a->mask | b->mask};
}

struct rects {
    struct pgs_viewport_rect *items; /* [PGS_MAX_VIEWPORT_PARTS] */
    uint32_t count;
};

static void append(struct rects *list, struct pgs_viewport_rect rect)
{
    if (!is_empty(&rect) && list->count < PGS_MAX_VIEWPORT_PARTS)
        list->items[list->count++] = rect;
}

/* Appends what is left of the rectangle without `inner`, which lies in it. */
static void append_rest(struct rects *list, const struct pgs_viewport_rect *r,
                        const struct pgs_viewport_rect *inner)
{
    append(list, (struct pgs_viewport_rect){r->x0, r->y0, r->x1, inner->y0, r->mask});
    append(list, (struct pgs_viewport_rect){r->x0, inner->y1, r->x1, r->y1, r->mask});
    append(list, (struct pgs_viewport_rect){r->x0, inner->y0, inner->x0, inner->y1, r->mask});
    append(list, (struct pgs_viewport_rect){inner->x1, inner->y0, r->x1, inner->y1, r->mask});
}

/* Divides the part along the first of the new rectangles that it overlaps, and that one, too. */
static void divide_part(struct rects *parts, uint32_t part, struct rects *fresh)
{
    for (uint32_t i = 0; i < fresh->count; i++) {
        const struct pgs_viewport_rect old = parts->items[part], new = fresh->items[i];
        const struct pgs_viewport_rect both = intersection(&old, &new);
        if (is_empty(&both))
            continue;
        parts->items[part] = both;
        append_rest(parts, &old, &both);
        fresh->items[i] = fresh->items[--fresh->count];
        append_rest(fresh, &new, &both);
        return;
    }
}

uint32_t pgs_viewport_divide(const struct pgs_viewport_rect *rects, uint32_t count,
                             struct pgs_viewport_rect *items)
{
    struct pgs_viewport_rect fresh_items[PGS_MAX_VIEWPORT_PARTS];
    struct rects parts = {.items = items};
    for (uint32_t i = 0; i < count; i++) {
        struct rects fresh = {.items = fresh_items};
        struct pgs_viewport_rect rect = rects[i];
        rect.mask = 1u << i;
        append(&fresh, rect);
        for (uint32_t part = 0; part < parts.count; part++) /* including those that it appends */
            divide_part(&parts, part, &fresh);
        for (uint32_t k = 0; k < fresh.count; k++)
            append(&parts, fresh.items[k]);
    }
    return parts.count;
}

/* -- the viewports of a draw -- */

static float lower(float a, float b)
{
    return a < b ? a : b;
}

static float higher(float a, float b)
{
    return a > b ? a : b;
}

#define FAR_PX (1u << 24) /* more than any framebuffer has */

/* The last pixel border that is not above the coordinate. */
static int32_t border_below(float coordinate)
{
    const float limit = FAR_PX;
    const float inside = lower(higher(coordinate, -limit), limit);
    const int32_t whole = (int32_t)inside;
    return (float)whole > inside ? whole - 1 : whole;
}

/* The first pixel border that is not below it. */
static int32_t border_above(float coordinate)
{
    return -border_below(-coordinate);
}

/* Pixels around a viewport that primitives within it may cover. */
static float margin_of(const struct pgs_device *dev, const struct pgs_graphics_state *state)
{
    const struct pgs_emulated_pipeline *pipeline = state->pipeline;
    const struct pgs_spv_geometry_info *gs = &pipeline->gs;
    const uint32_t stream = pgs_raster_stream(pipeline, state);
    const bool sized = stream < PGS_SPV_STREAMS && gs->out[stream].point_size_w != PGS_NO_WORD;
    const float driver_px = dev->physical->properties.limits.pointSizeRange[1];
    const float point_px = pgs_spv_is_large(pipeline->polygons) ? PGS_MAX_POINT_SIZE_PX + 1
                           : sized                              ? driver_px
                                                                : 1;
    const float width_px =
        pipeline->dynamic & PGS_DYNAMIC_LINE_WIDTH ? state->line_width : pipeline->line_width;
    const float line_px =
        pgs_spv_is_wide(pipeline->polygons) ? pgs_line_width(width_px) + 1 : width_px;
    float px = 1; /* of a primitive across */
    if (gs->output_kind == 1 || (gs->output_kind > 2 && !pipeline->fills))
        px = higher(px, point_px);
    if (gs->output_kind == 2 || (gs->output_kind > 2 && !pipeline->fills))
        px = higher(px, line_px);
    return (px - 1) / 2;
}

/* Where the primitives of a viewport can be seen: in pixels whose samples may lie in it. With one
 * sample, that is the centre. */
static struct pgs_viewport_rect seen(const VkViewport *v, const VkRect2D *s, float margin_px,
                                     bool multisampled)
{
    const float centre = multisampled ? 0 : 0.5f;
    const float left = v->x - margin_px, right = v->x + v->width + margin_px;
    const float top = v->y + lower(v->height, 0) - margin_px;
    const float bottom = v->y + higher(v->height, 0) + margin_px;
    const struct pgs_viewport_rect viewport = {
        .x0 = most(multisampled ? border_below(left) : border_above(left - 0.5f), 0),
        .y0 = most(multisampled ? border_below(top) : border_above(top - 0.5f), 0),
        .x1 = border_above(right - centre),
        .y1 = border_above(bottom - centre),
    };
    const int64_t beside = (int64_t)s->offset.x + s->extent.width,
                  below = (int64_t)s->offset.y + s->extent.height;
    const struct pgs_viewport_rect scissor = {
        .x0 = s->offset.x,
        .y0 = s->offset.y,
        .x1 = beside < INT32_MAX ? (int32_t)beside : INT32_MAX,
        .y1 = below < INT32_MAX ? (int32_t)below : INT32_MAX,
    };
    return intersection(&viewport, &scissor);
}

/* -- the driver's viewport of a part -- */

static bool same_depths(const VkViewport *a, const VkViewport *b)
{
    return a->minDepth == b->minDepth && a->maxDepth == b->maxDepth;
}

/* A viewport that contains the pixels, with a margin for centres of points, and adds nothing to
 * what moves do: its centre is (0, 0), and the halves of its sides are powers of two. So a position
 * is rounded as in its own viewport, where w is 1. If the driver has no such viewport, the largest
 * one that begins at (0, 0); no framebuffer is larger. */
static void surround(const VkPhysicalDeviceLimits *limits, const struct pgs_viewport_rect *r,
                     float margin_px, VkViewport *v)
{
    const float extent = (float)most(r->x1, r->y1) + margin_px;
    uint32_t half_px = 64;
    while ((float)half_px < extent && half_px < FAR_PX) /* lines may be of any width */
        half_px *= 2;
    const bool possible = 2 * half_px <= limits->maxViewportDimensions[0] &&
                          2 * half_px <= limits->maxViewportDimensions[1] &&
                          -(float)half_px >= limits->viewportBoundsRange[0] &&
                          (float)half_px <= limits->viewportBoundsRange[1];
    const float half = (float)half_px;
    v->x = v->y = possible ? -half : 0;
    v->width = possible ? 2 * half : (float)limits->maxViewportDimensions[0];
    v->height = possible ? 2 * half : (float)limits->maxViewportDimensions[1];
}

static bool reversed_depths(const VkViewport *a, const VkViewport *b)
{
    return a->minDepth == b->maxDepth && a->maxDepth == b->minDepth;
}

/* Makes its depths include those of the other one. */
static void extend_depths(VkViewport *v, const VkViewport *other)
{
    const float low =
        lower(lower(v->minDepth, v->maxDepth), lower(other->minDepth, other->maxDepth));
    v->maxDepth =
        higher(higher(v->minDepth, v->maxDepth), higher(other->minDepth, other->maxDepth));
    v->minDepth = low;
    pgs_log_once(PGS_LOG_WARN,
                 "a geometry shader chooses among viewports that overlap and have "
                 "other depth ranges, on a driver that takes no gl_ViewportIndex from "
                 "a vertex shader: where they overlap, primitives beyond their near "
                 "or far plane may be seen");
}

/* *moves: the viewports of the part differ, or are not the driver's in any case. */
static VkViewport driver_viewport(const VkPhysicalDeviceLimits *limits,
                                  const struct pgs_viewports *all,
                                  const struct pgs_viewport_rect *part, float margin_px,
                                  bool *moves)
{
    const VkViewport *first = NULL;
    VkViewport chosen = {0};
    for (uint32_t i = 0; i < all->viewport_count; i++) {
        const VkViewport *v = &all->viewports[i];
        if (!(part->mask >> i & 1))
            continue;
        if (!first)
            chosen = *(first = v);
        *moves |= memcmp(first, v, sizeof(*v)) != 0;
        if (!same_depths(&chosen, v) && !reversed_depths(&chosen, v))
            extend_depths(&chosen, v);
    }
    if (*moves)
        surround(limits, part, margin_px, &chosen);
    return chosen;
}

static uint32_t bits(double value)
{
    const float rounded = (float)value;
    uint32_t word;
    memcpy(&word, &rounded, sizeof(word));
    return word;
}

/* Scale and shift of one coordinate, from a range to another one, given by begin and size. */
static void move_range(double begin, double size, double to_begin, double to_size, bool centred,
                       pgs_u32 *scale, pgs_u32 *shift)
{
    const double distance = begin - to_begin;
    const double centres = 2 * distance + size - to_size; /* clip space reaches from -w to w */
    *scale = bits(to_size != 0 ? size / to_size : 0);
    *shift = bits(to_size != 0 ? (centred ? centres : distance) / to_size : 0);
}

static struct pgs_viewport_move move_to(const VkViewport *v, const VkViewport *to, bool centred)
{
    struct pgs_viewport_move move = {0};
    move_range(v->x, v->width, to->x, to->width, true, &move.x_scale, &move.x_shift);
    move_range(v->y, v->height, to->y, to->height, true, &move.y_scale, &move.y_shift);
    move_range(v->minDepth, (double)v->maxDepth - v->minDepth, to->minDepth,
               (double)to->maxDepth - to->minDepth, centred, &move.z_scale, &move.z_shift);
    if (same_depths(v, to)) { /* also if there is no range */
        move.z_scale = bits(1);
        move.z_shift = bits(0);
    }
    return move;
}

/* -- all -- */

/* Indices beyond the last viewport count as 0. */
static uint32_t with_unknown(uint32_t mask, uint32_t viewport_count)
{
    return mask & 1 ? mask | ~((1u << viewport_count) - 1) : mask;
}

struct part_source {
    const VkPhysicalDeviceLimits *limits;
    const struct pgs_emulated_pipeline *pipeline;
    struct pgs_viewports all;
    float margin_px;
    bool negative_one_to_one;
    struct pgs_viewport_rect rects[PGS_MAX_VIEWPORT_PARTS];
    uint32_t count;
};

static bool is_whole(float value)
{
    return value == (float)border_below(value);
}

/* Pixels on a border that lies within them are part of both viewports. */
static void warn_of_borders(const struct part_source *source)
{
    for (uint32_t i = 0; i < source->count; i++) {
        const uint32_t mask = source->rects[i].mask;
        for (uint32_t k = 0; (mask & (mask - 1)) && k < source->all.viewport_count; k++) {
            const VkViewport *v = &source->all.viewports[k];
            if ((mask >> k & 1) && !(is_whole(v->x) && is_whole(v->y) &&
                                     is_whole(v->x + v->width) && is_whole(v->y + v->height)))
                pgs_log_once(PGS_LOG_WARN,
                             "a geometry shader chooses among viewports whose borders lie within "
                             "pixels of several samples, on a driver that takes no "
                             "gl_ViewportIndex from a vertex shader: where two share a pixel, "
                             "primitives get all of its samples");
        }
    }
}

/* Shaders that widen divide by the sides. Drivers on CPUs draw nothing there either. */
static bool is_flat(const VkViewport *v)
{
    return v->width == 0 || v->height == 0;
}

static void find_parts(const struct pgs_device *dev, const struct pgs_graphics_state *state,
                       struct part_source *source)
{
    struct pgs_viewport_rect areas[PGS_MAX_VIEWPORTS];
    source->margin_px = margin_of(dev, state);
    source->negative_one_to_one = pgs_bound_negative_one_to_one(state);
    source->limits = &dev->physical->properties.limits;
    source->pipeline = state->pipeline;
    source->all = pgs_bound_viewports(state);
    for (uint32_t i = 0; i < source->all.viewport_count; i++)
        areas[i] = is_flat(&source->all.viewports[i]) && pgs_spv_is_wide(state->pipeline->polygons)
                       ? (struct pgs_viewport_rect){0}
                       : seen(&source->all.viewports[i], &source->all.scissors[i],
                              source->margin_px, state->pipeline->multisampled);
    source->count = pgs_viewport_divide(areas, source->all.viewport_count, source->rects);
    if (state->pipeline->multisampled)
        warn_of_borders(source);
}

/* Fills in the part and its select; `moves` has room for PGS_MAX_VIEWPORTS. True: they are used. */
static bool fill_part(const struct part_source *source, uint32_t part,
                      struct pgs_viewport_part *filled, struct pgs_viewport_select *select,
                      struct pgs_viewport_move *moves)
{
    const struct pgs_emulated_pipeline *pipeline = source->pipeline;
    const struct pgs_viewport_rect *rect = &source->rects[part];
    const uint32_t count = source->all.viewport_count;
    bool moved = pgs_spv_is_wide(pipeline->polygons); /* they reach beyond their viewport */
    filled->viewport =
        driver_viewport(source->limits, &source->all, rect, source->margin_px, &moved);
    filled->scissor = (VkRect2D){
        {rect->x0, rect->y0}, {(uint32_t)(rect->x1 - rect->x0), (uint32_t)(rect->y1 - rect->y0)}};
    *select = (struct pgs_viewport_select){.mask = with_unknown(rect->mask, count)};
    if (!moved)
        return false;
    const bool points = (pipeline->gs.output_kind == 1 && !pgs_spv_is_large(pipeline->polygons)) ||
                        pipeline->polygons == PGS_SPV_POLYGONS_POINTS;
    select->flags = PGS_VIEWPORT_MOVE | (points ? PGS_VIEWPORT_CLIP_POINTS : 0);
    for (uint32_t i = 0; i < PGS_MAX_VIEWPORTS; i++)
        moves[i] = move_to(&source->all.viewports[i < count ? i : 0], &filled->viewport,
                           source->negative_one_to_one);
    return true;
}

static uint32_t driver_count(const struct pgs_device *dev, uint32_t count)
{
    return count && dev->physical->one_viewport ? 1 : count;
}

static void note_before(const struct pgs_device *dev, const struct pgs_graphics_state *state,
                        struct pgs_viewport_parts *parts)
{
    const uint32_t dynamic = state->pipeline->dynamic;
    const struct pgs_viewports *before = &state->viewports;
    parts->before = *before;
    parts->with_viewport_count = dynamic & PGS_DYNAMIC_VIEWPORT_COUNT;
    parts->with_scissor_count = dynamic & PGS_DYNAMIC_SCISSOR_COUNT;
    if (dynamic & PGS_DYNAMIC_VIEWPORT)
        parts->viewport_count = parts->with_viewport_count
                                    ? driver_count(dev, before->viewport_count)
                                    : state->viewport_mask & 1;
    if (dynamic & PGS_DYNAMIC_SCISSOR)
        parts->scissor_count = parts->with_scissor_count ? driver_count(dev, before->scissor_count)
                                                         : state->scissor_mask & 1;
}

const struct pgs_viewport_parts *pgs_viewport_parts_new(struct pgs_device *dev,
                                                        struct pgs_batch_memory *memory,
                                                        const struct pgs_graphics_state *state)
{
    struct part_source source;
    struct pgs_range range = {0};
    find_parts(dev, state, &source);
    const VkDeviceSize selects_B = source.count * sizeof(struct pgs_viewport_select);
    const VkDeviceSize moves_B = PGS_MAX_VIEWPORTS * sizeof(struct pgs_viewport_move);
    struct pgs_viewport_parts *parts =
        pgs_arena_alloc(&memory->arena, sizeof(*parts) + source.count * sizeof(parts->parts[0]),
                        _Alignof(struct pgs_viewport_parts));
    if (!parts ||
        (source.count && pgs_linear_alloc(memory->upload, selects_B + source.count * moves_B, 16,
                                          &range) != VK_SUCCESS))
        return NULL;
    *parts = (struct pgs_viewport_parts){
        .selects = range.buffer, .selects_B = range.offset_B, .count = source.count};
    note_before(dev, state, parts);
    for (uint32_t i = 0; i < source.count; i++) {
        struct pgs_viewport_select select;
        struct pgs_viewport_move moves[PGS_MAX_VIEWPORTS];
        if (fill_part(&source, i, &parts->parts[i], &select, moves)) {
            select.moves = range.address + selects_B + i * moves_B;
            memcpy((char *)range.mapped + selects_B + i * moves_B, moves, sizeof(moves));
        }
        memcpy((char *)range.mapped + i * sizeof(select), &select, sizeof(select));
    }
    return parts;
}

static void set_viewports(const struct pgs_viewport_parts *parts, uint32_t count,
                          const VkViewport *viewports, const struct pgs_device_dispatch *vk,
                          VkCommandBuffer cb)
{
    if (count && parts->with_viewport_count)
        vk->CmdSetViewportWithCount(cb, count, viewports);
    else if (count)
        vk->CmdSetViewport(cb, 0, 1, viewports);
}

static void set_scissors(const struct pgs_viewport_parts *parts, uint32_t count,
                         const VkRect2D *scissors, const struct pgs_device_dispatch *vk,
                         VkCommandBuffer cb)
{
    if (count && parts->with_scissor_count)
        vk->CmdSetScissorWithCount(cb, count, scissors);
    else if (count)
        vk->CmdSetScissor(cb, 0, 1, scissors);
}

void pgs_viewport_part_begin(const struct pgs_viewport_parts *parts, uint32_t part,
                             const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    const VkDeviceSize select_B = parts->selects_B + part * sizeof(struct pgs_viewport_select);
    set_viewports(parts, 1, &parts->parts[part].viewport, vk, cb);
    set_scissors(parts, 1, &parts->parts[part].scissor, vk, cb);
    vk->CmdBindVertexBuffers(cb, 2, 1, &parts->selects, &select_B);
}

void pgs_viewport_parts_end(const struct pgs_viewport_parts *parts,
                            const struct pgs_device_dispatch *vk, VkCommandBuffer cb)
{
    if (!parts->count)
        return;
    set_viewports(parts, parts->viewport_count, parts->before.viewports, vk, cb);
    set_scissors(parts, parts->scissor_count, parts->before.scissors, vk, cb);
}
