/* SPDX-License-Identifier: MIT
 *
 * The layout of a stage's I/O variables in a stored vertex.
 */
#include "spirv/io/io_layout.h"

#include "spirv/io/io_vars.h"

#include <string.h>

static uint32_t builtin_words(const struct pgs_spv_layout *layout, const struct pgs_spv_io_var *var,
                              uint32_t *limit)
{
    *limit = 1;
    switch (var->builtin) {
    case SpvBuiltInPosition:
        *limit = 4;
        return layout->position_w;
    case SpvBuiltInPointSize:
        return layout->point_size_w;
    case SpvBuiltInClipDistance:
        *limit = layout->clip_distance_count;
        return layout->clip_distance_w;
    case SpvBuiltInCullDistance:
        *limit = layout->cull_distance_count;
        return layout->cull_distance_w;
    case SpvBuiltInPrimitiveId:
        return layout->primitive_id_w;
    case SpvBuiltInLayer:
        return layout->layer_w;
    case SpvBuiltInViewportIndex:
        return layout->viewport_index_w;
    case SpvBuiltInPrimitiveShadingRateKHR:
        return layout->shading_rate_w;
    default:
        *limit = 0;
        return PGS_NO_WORD;
    }
}

uint32_t pgs_spv_io_var_words(const struct pgs_spv_io_var *var, const struct pgs_spv_layout *layout,
                              uint16_t words[PGS_SPV_MAX_VAR_WORDS])
{
    const uint32_t count = var->count * (var->width_bits == 64 ? 2 : 1);
    for (uint32_t i = 0; i < count; i++) {
        words[i] = PGS_NO_WORD;
        if (var->builtin == PGS_SPV_NO_BUILTIN) {
            const uint32_t c = var->component + i, location = var->location + c / 4;
            if (location < PGS_MAX_LOCATIONS)
                words[i] = layout->location_w[location][c % 4];
            continue;
        }
        uint32_t limit;
        const uint32_t base = builtin_words(layout, var, &limit);
        if (base != PGS_NO_WORD && var->element + i < limit)
            words[i] = (uint16_t)(base + var->element + i);
    }
    return count;
}

static void note_words(uint32_t first_w, uint32_t count, uint32_t *mask)
{
    for (uint32_t i = 0; i < count && first_w != PGS_NO_WORD; i++)
        if ((first_w + i) / 4 < PGS_SPV_MAX_FETCHED_QUADS)
            *mask |= UINT32_C(1) << (first_w + i) / 4;
}

uint32_t pgs_spv_quad_mask(const struct pgs_spv_layout *layout)
{
    uint32_t mask = 0;
    note_words(layout->position_w, 4, &mask);
    note_words(layout->point_size_w, 1, &mask);
    note_words(layout->clip_distance_w, layout->clip_distance_count, &mask);
    note_words(layout->cull_distance_w, layout->cull_distance_count, &mask);
    note_words(layout->primitive_id_w, 1, &mask);
    note_words(layout->layer_w, 1, &mask);
    note_words(layout->viewport_index_w, 1, &mask);
    note_words(layout->shading_rate_w, 1, &mask);
    for (uint32_t i = 0; i < 4 * PGS_MAX_LOCATIONS; i++)
        note_words(layout->location_w[i / 4][i % 4], 1, &mask);
    return mask;
}

/* Assigns a word to a one-word built-in. */
static uint16_t place_one(bool wanted, uint32_t *next)
{
    return wanted ? (uint16_t)(*next)++ : PGS_NO_WORD;
}

struct wanted {
    uint8_t components[PGS_MAX_LOCATIONS];
    bool position, point_size, primitive_id, layer, viewport_index, shading_rate;
    uint32_t clip, cull;
    bool wide;
    uint32_t head_w; /* as in the layout */
};

static void want(struct wanted *wanted, const struct pgs_spv_io_var *var)
{
    const uint32_t words = var->count * (var->width_bits == 64 ? 2 : 1);
    switch (var->builtin) {
    case PGS_SPV_NO_BUILTIN:
        for (uint32_t i = 0; i < words; i++) {
            const uint32_t c = var->component + i;
            wanted->components[var->location + c / 4] |= (uint8_t)(1u << (c % 4));
        }
        break;
    case SpvBuiltInPosition:
        wanted->position = true;
        break;
    case SpvBuiltInPointSize:
        wanted->point_size = true;
        break;
    case SpvBuiltInClipDistance:
        wanted->clip = var->element >= wanted->clip ? var->element + 1 : wanted->clip;
        break;
    case SpvBuiltInCullDistance:
        wanted->cull = var->element >= wanted->cull ? var->element + 1 : wanted->cull;
        break;
    case SpvBuiltInPrimitiveId:
        wanted->primitive_id = true;
        break;
    case SpvBuiltInLayer:
        wanted->layer = true;
        break;
    case SpvBuiltInViewportIndex:
        wanted->viewport_index = true;
        break;
    case SpvBuiltInPrimitiveShadingRateKHR:
        wanted->shading_rate = true;
        break;
    default:
        break;
    }
}

static bool is_single(const struct wanted *wanted, uint32_t location)
{
    const uint32_t mask = wanted->components[location];
    return !wanted->wide && (mask & (mask - 1)) == 0;
}

/* True if both are the same member of two elements of an array. */
static bool are_elements(const struct pgs_spv_io_var *a, const struct pgs_spv_io_var *b)
{
    if (a->variable != b->variable || a->depth != b->depth || a->elements != b->elements)
        return false;
    for (uint32_t i = 0; i < a->depth; i++) {
        if (a->path[i] != b->path[i] && !(a->elements >> i & 1))
            return false;
    }
    return true;
}

/* If another variable shares some locations of an array, all locations of the array get quads. */
static bool has_uneven_arrays(const struct wanted *wanted, const struct pgs_spv_io_vars *vars)
{
    uint32_t first = 0; /* first location of the variable */
    for (uint32_t i = 0; i < vars->count; i++) {
        const struct pgs_spv_io_var *var = &vars->items[i];
        if (var->variable != vars->items[first].variable)
            first = i;
        for (uint32_t k = first; k < i && var->builtin == PGS_SPV_NO_BUILTIN; k++) {
            const struct pgs_spv_io_var *other = &vars->items[k];
            if (are_elements(var, other) &&
                is_single(wanted, var->location) != is_single(wanted, other->location))
                return true;
        }
    }
    return false;
}

/* What is in the head has the same words in all layouts that have a head of this size. */
#define HEAD_POINT_SIZE_W 4
#define HEAD_LAYER_W 5
#define HEAD_VIEWPORT_W 6
#define SMALL_HEAD_W 4
#define LARGE_HEAD_W 8

static void place_head(const struct wanted *wanted, struct pgs_spv_layout *layout)
{
    layout->point_size_w = wanted->point_size ? HEAD_POINT_SIZE_W : PGS_NO_WORD;
    layout->layer_w = wanted->layer ? HEAD_LAYER_W : PGS_NO_WORD;
    layout->viewport_index_w = wanted->viewport_index ? HEAD_VIEWPORT_W : PGS_NO_WORD;
}

/* Quads come first, single words follow. */
static void place(const struct wanted *wanted, struct pgs_spv_layout *layout)
{
    memset(layout, 0xFF, sizeof(*layout));
    uint32_t next = wanted->head_w;
    if (wanted->position) {
        layout->position_w = 0;
        next = next ? next : 4;
    }
    for (uint32_t l = 0; l < PGS_MAX_LOCATIONS; l++) {
        const uint32_t mask = wanted->components[l];
        if (!mask || is_single(wanted, l))
            continue;
        for (uint32_t c = 0; c < 4; c++) {
            if (mask & (1u << c))
                layout->location_w[l][c] = (uint16_t)(next + c);
        }
        next += 4;
    }
    for (uint32_t l = 0; l < PGS_MAX_LOCATIONS; l++) {
        const uint32_t mask = wanted->components[l];
        for (uint32_t c = 0; c < 4 && is_single(wanted, l); c++) {
            if (mask & (1u << c))
                layout->location_w[l][c] = (uint16_t)next++;
        }
    }
    const bool whole = !wanted->head_w;
    layout->point_size_w = place_one(whole && wanted->point_size, &next);
    layout->primitive_id_w = place_one(wanted->primitive_id, &next);
    layout->layer_w = place_one(whole && wanted->layer, &next);
    layout->viewport_index_w = place_one(whole && wanted->viewport_index, &next);
    if (!whole)
        place_head(wanted, layout);
    layout->shading_rate_w = place_one(wanted->shading_rate, &next);
    layout->clip_distance_count = (uint8_t)wanted->clip;
    layout->cull_distance_count = (uint8_t)wanted->cull;
    layout->clip_distance_w = wanted->clip ? (uint16_t)next : PGS_NO_WORD;
    next += wanted->clip;
    layout->cull_distance_w = wanted->cull ? (uint16_t)next : PGS_NO_WORD;
    next += wanted->cull;
    layout->wide = wanted->wide;
    layout->head_w = (uint16_t)wanted->head_w;
    layout->stride_w = (uint16_t)((next + 3) & ~3u);
}

bool pgs_spv_make_layout(const struct pgs_spv_io_vars *vars, struct pgs_spv_layout *layout)
{
    struct wanted wanted = {0};
    for (uint32_t i = 0; i < vars->count; i++)
        want(&wanted, &vars->items[i]);
    if (wanted.clip > 16 || wanted.cull > 16)
        return false;
    wanted.wide = has_uneven_arrays(&wanted, vars);
    place(&wanted, layout);
    return true;
}

static void want_all(struct wanted *wanted, const struct pgs_spv_layout *layout)
{
    for (uint32_t l = 0; l < PGS_MAX_LOCATIONS; l++) {
        for (uint32_t c = 0; c < 4; c++) {
            if (layout->location_w[l][c] != PGS_NO_WORD)
                wanted->components[l] |= (uint8_t)(1u << c);
        }
    }
    wanted->position |= layout->position_w != PGS_NO_WORD;
    wanted->point_size |= layout->point_size_w != PGS_NO_WORD;
    wanted->primitive_id |= layout->primitive_id_w != PGS_NO_WORD;
    wanted->layer |= layout->layer_w != PGS_NO_WORD;
    wanted->viewport_index |= layout->viewport_index_w != PGS_NO_WORD;
    wanted->shading_rate |= layout->shading_rate_w != PGS_NO_WORD;
    wanted->wide |= layout->wide;
    if (layout->clip_distance_count > wanted->clip)
        wanted->clip = layout->clip_distance_count;
    if (layout->cull_distance_count > wanted->cull)
        wanted->cull = layout->cull_distance_count;
}

void pgs_spv_merge_layouts(const struct pgs_spv_layout *a, const struct pgs_spv_layout *b,
                           struct pgs_spv_layout *layout)
{
    struct wanted wanted = {0}, of[2];
    memset(of, 0, sizeof(of));
    want_all(&of[0], a);
    want_all(&of[1], b);
    want_all(&wanted, a);
    want_all(&wanted, b);
    /* Arrays stay evenly spaced, unless some of their locations get a quad for the other layout. */
    for (uint32_t l = 0; l < PGS_MAX_LOCATIONS; l++) {
        for (uint32_t i = 0; i < 2; i++)
            wanted.wide |= of[i].components[l] && is_single(&of[i], l) && !is_single(&wanted, l);
    }
    place(&wanted, layout);
}

static bool wants_rest(const struct wanted *wanted)
{
    bool rest = wanted->primitive_id || wanted->shading_rate || wanted->clip || wanted->cull;
    for (uint32_t l = 0; l < PGS_MAX_LOCATIONS; l++)
        rest |= wanted->components[l] != 0;
    return rest;
}

bool pgs_spv_split_layouts(struct pgs_spv_layout *layouts, uint32_t count)
{
    bool position = false, rest = false, large = false;
    for (uint32_t i = 0; i < count; i++) {
        struct wanted wanted = {0};
        want_all(&wanted, &layouts[i]);
        position |= wanted.position;
        rest |= wants_rest(&wanted);
        large |= wanted.point_size || wanted.layer || wanted.viewport_index;
    }
    if (!position || !rest)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct wanted wanted = {.head_w = large ? LARGE_HEAD_W : SMALL_HEAD_W};
        want_all(&wanted, &layouts[i]);
        place(&wanted, &layouts[i]);
    }
    return true;
}
