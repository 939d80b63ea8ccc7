/* SPDX-License-Identifier: MIT
 *
 * What an entry point captures for transform feedback, as runs of words, and the removal of its
 * declarations.
 */
#include "spirv/io/xfb.h"

#include "spirv/io/io_vars.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/storage_class.h"

#include <string.h>

#define VERTEX_W (PGS_SPV_XFB_DATA_B / 4)

/* The word of the stored vertex for each captured word; PGS_NO_WORD: not written. */
struct sources {
    uint16_t words[PGS_SPV_XFB_BUFFERS][VERTEX_W];
    uint32_t buffers; /* bit b: something is captured to buffer b */
};

/* All outputs of a buffer must agree on its stride and stream. */
static bool note_buffer(struct pgs_spv_xfb *xfb, struct sources *sources,
                        const struct pgs_spv_io_var *var)
{
    const uint32_t b = var->buffer;
    if (!(sources->buffers & (1u << b)))
        xfb->stream[b] = (uint8_t)var->stream;
    sources->buffers |= 1u << b;
    if (!xfb->stride_B[b])
        xfb->stride_B[b] = var->stride_B;
    return xfb->stream[b] == var->stream && (!var->stride_B || xfb->stride_B[b] == var->stride_B);
}

static enum pgs_spv_result place_var(struct sources *sources, const struct pgs_spv_io_var *var,
                                     const struct pgs_spv_layout *layout)
{
    uint16_t words[PGS_SPV_MAX_VAR_WORDS];
    const uint32_t count = pgs_spv_io_var_words(var, layout, words);
    for (uint32_t i = 0; i < count; i++) {
        uint16_t *word = &sources->words[var->buffer][var->offset_B / 4 + i];
        if (*word != PGS_NO_WORD)
            return PGS_SPV_INVALID;
        if (words[i] == PGS_NO_WORD)
            return PGS_SPV_UNSUPPORTED;
        *word = words[i];
    }
    return PGS_SPV_OK;
}

/* A run may not exceed the stride: it would overwrite the next vertex, or lie outside of the
 * buffer. head_w: of the layout; no run goes on from one array of vertices to the other. */
static bool make_copies(struct pgs_spv_xfb *xfb, uint32_t buffer, const uint16_t *words,
                        uint32_t head_w)
{
    const uint32_t stride_B = xfb->stride_B[buffer];
    struct pgs_spv_xfb_copy *copy = NULL;
    if (!stride_B || stride_B % 4 || stride_B > PGS_SPV_XFB_STRIDE_B)
        return false;
    for (uint32_t t = 0; t < VERTEX_W; t++) {
        if (words[t] == PGS_NO_WORD)
            continue;
        if (t * 4 >= stride_B)
            return false;
        if (!copy || t != copy->target_w + copy->count_w ||
            words[t] != copy->source_w + copy->count_w || words[t] == head_w) {
            copy = &xfb->copies[xfb->copy_count++];
            *copy = (struct pgs_spv_xfb_copy){
                .source_w = words[t], .target_w = (uint16_t)t, .buffer = (uint8_t)buffer};
        }
        copy->count_w++;
    }
    return true;
}

void pgs_spv_make_xfb(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs,
                      const struct pgs_spv_layout *layouts, struct pgs_spv_xfb *xfb)
{
    struct sources sources = {.buffers = 0};
    *xfb = (struct pgs_spv_xfb){.enabled = pgs_spv_has_mode(m, SpvExecutionModeXfb)};
    memset(sources.words, 0xFF, sizeof(sources.words));
    for (uint32_t i = 0; i < outputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        if (!var->captured)
            continue;
        const enum pgs_spv_result result = note_buffer(xfb, &sources, var)
                                               ? place_var(&sources, var, &layouts[var->stream])
                                               : PGS_SPV_INVALID;
        if (result != PGS_SPV_OK)
            pgs_spv_fail(m, result);
    }
    for (uint32_t b = 0; b < PGS_SPV_XFB_BUFFERS && m->result == PGS_SPV_OK; b++) {
        if ((sources.buffers & (1u << b)) &&
            !make_copies(xfb, b, sources.words[b], layouts[xfb->stream[b]].head_w))
            pgs_spv_fail(m, PGS_SPV_INVALID);
    }
}

struct drop {
    const struct pgs_spv_module *m;
    uint8_t *holders; /* by id of a struct: HELD_* */
};

enum { HELD_AS_OUTPUT = 1, HELD_IN_BUFFER = 2 };

static bool drop_decoration(const uint32_t *ins, void *context)
{
    const struct drop *d = context;
    const uint32_t op = pgs_spv_op(ins);
    if (op != SpvOpDecorate && op != SpvOpMemberDecorate)
        return false;
    switch (ins[op == SpvOpDecorate ? 2 : 3]) {
    case SpvDecorationStream:
    case SpvDecorationXfbBuffer:
    case SpvDecorationXfbStride:
        return true;
    case SpvDecorationOffset:
        return op == SpvOpDecorate ||
               (ins[1] < d->m->bound && d->holders[ins[1]] == HELD_AS_OUTPUT);
    default:
        return false;
    }
}

static bool drop_mode(const uint32_t *ins, void *context)
{
    (void)context;
    return ins[2] == SpvExecutionModeXfb;
}

void pgs_spv_drop_xfb(struct pgs_spv_module *m)
{
    struct drop d = {.m = m, .holders = pgs_spv_zalloc(m, m->bound, 1)};
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; d.holders && i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        const uint32_t *held =
            pgs_spv_op(ins) == SpvOpTypePointer ? pgs_spv_held_struct(m, ins) : NULL;
        if (held)
            d.holders[held[1]] |= pgs_spv_is_buffer(ins[2])         ? HELD_IN_BUFFER
                                  : ins[2] == SpvStorageClassOutput ? HELD_AS_OUTPUT
                                                                    : 0;
    }
    if (!d.holders)
        return;
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], drop_decoration, &d);
    pgs_spv_filter(&m->sections[PGS_SPV_MODES], drop_mode, NULL);
}
