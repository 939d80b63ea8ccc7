/* SPDX-License-Identifier: MIT
 *
 * Along all paths through the blocks of a function, counts the vertices of the open strip: those
 * that a path has emitted since the function began, if no strip has ended on it, and those since a
 * strip ended last. Where paths meet the larger numbers stay. What a function does to the strip
 * that its caller has open is found once.
 */
#include "spirv/analysis/longest_strip.h"

#include "spirv/io/io_limits.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/module.h"

#define DEPTH 32 /* of calls */
/* Times that the blocks of a function are walked through. A number that still grows after the first
 * few will be as large as it can be. */
#define PASSES 32
#define PASSES_TO_GROW 4

#define NONE (-1) /* no such path */

struct open_strip {
    int32_t since_begin, since_end;
};

struct effect {
    struct open_strip exit, longest; /* where the function returns, and anywhere in it */
    bool is_found, is_open;
};

struct search {
    struct pgs_spv_module *m;
    const struct pgs_spv_list *code;
    int32_t most;              /* vertices that count */
    uint32_t stream_mask;      /* the stream that it emits to */
    uint32_t *place;           /* by id of a function: index of its OpFunction + 1 */
    uint32_t *owner;           /* by id of a label: the function that has it */
    struct open_strip *blocks; /* by id of a label: where it begins */
    struct effect *functions;  /* by id of a function */
    bool is_lost;
};

/* A walk through the blocks of one function. */
struct walk {
    struct search *s;
    uint32_t function;
    struct effect *effect;
    struct open_strip now;
    bool grows;      /* a number has, at the begin of a block */
    bool to_the_end; /* what grows does not stop */
};

static bool is_reached(const struct open_strip *strip)
{
    return strip->since_begin != NONE || strip->since_end != NONE;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static int32_t sum(const struct search *s, int32_t a, int32_t b)
{
    if (a == NONE || b == NONE)
        return NONE;
    return a + b < s->most ? a + b : s->most;
}

static void add(const struct search *s, struct open_strip *strip, int32_t vertices)
{
    strip->since_begin = sum(s, strip->since_begin, vertices);
    strip->since_end = sum(s, strip->since_end, vertices);
}

static void join(struct open_strip *to, const struct open_strip *from)
{
    to->since_begin = larger(to->since_begin, from->since_begin);
    to->since_end = larger(to->since_end, from->since_end);
}

/* What is open behind a function that found `strip`. */
static struct open_strip behind(const struct search *s, const struct open_strip *strip,
                                const struct open_strip *effect)
{
    struct open_strip result = *strip;
    add(s, &result, effect->since_begin);
    if (is_reached(strip))
        result.since_end = larger(result.since_end, effect->since_end);
    return result;
}

static void grow(struct walk *w, int32_t *number, int32_t to)
{
    if (to <= *number)
        return;
    *number = w->to_the_end ? w->s->most : to;
    w->grows = true;
}

static void enter(struct walk *w, uint32_t label)
{
    if (!pgs_spv_def_op(w->s->m, label, SpvOpLabel))
        return;
    w->s->is_lost |= w->s->owner[label] != w->function; /* the module is broken */
    struct open_strip *block = &w->s->blocks[label];
    grow(w, &block->since_begin, w->now.since_begin);
    grow(w, &block->since_end, w->now.since_end);
}

/* A literal of a switch that is a label, too, leads to a block more. */
static void branch(struct walk *w, const uint32_t *ins)
{
    const uint32_t first = pgs_spv_op(ins) == SpvOpBranch ? 1 : 2;
    for (uint32_t i = first; i < pgs_spv_length(ins); i++)
        enter(w, ins[i]);
    w->now = (struct open_strip){NONE, NONE};
}

static const struct effect *effect_of(struct search *s, uint32_t function, uint32_t depth);

static void call(struct walk *w, uint32_t function, uint32_t depth)
{
    if (!is_reached(&w->now))
        return;
    const struct effect *effect = effect_of(w->s, function, depth + 1);
    if (!effect)
        return;
    const struct open_strip longest = behind(w->s, &w->now, &effect->longest);
    join(&w->effect->longest, &longest);
    w->now = behind(w->s, &w->now, &effect->exit);
    w->s->is_lost |= !is_reached(&effect->exit); /* it has an endless loop */
}

/* Strips of streams that nothing is emitted to have no end that matters. */
static bool ends_strip(const struct search *s, const uint32_t *ins)
{
    uint32_t stream = 0;
    if (pgs_spv_op(ins) == SpvOpEndStreamPrimitive && !pgs_spv_constant(s->m, ins[1], &stream))
        return false;
    return stream < PGS_SPV_STREAMS && s->stream_mask >> stream & 1;
}

static void step(struct walk *w, const uint32_t *ins, uint32_t depth)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpLabel:
        enter(w, ins[1]); /* only the first block is come to without a branch */
        w->now = w->s->blocks[ins[1]];
        break;
    case SpvOpEmitVertex:
    case SpvOpEmitStreamVertex:
        add(w->s, &w->now, 1);
        join(&w->effect->longest, &w->now);
        break;
    case SpvOpEndPrimitive:
    case SpvOpEndStreamPrimitive:
        if (!ends_strip(w->s, ins))
            break;
        w->now = (struct open_strip){NONE, is_reached(&w->now) ? 0 : NONE};
        break;
    case SpvOpFunctionCall:
        call(w, ins[3], depth);
        break;
    case SpvOpBranch:
    case SpvOpBranchConditional:
    case SpvOpSwitch:
        branch(w, ins);
        break;
    case SpvOpReturn:
    case SpvOpReturnValue:
        join(&w->effect->exit, &w->now);
        w->now = (struct open_strip){NONE, NONE};
        break;
    case SpvOpUnreachable:
    case SpvOpKill:
        w->now = (struct open_strip){NONE, NONE};
        break;
    default:
        break;
    }
}

/* Walks from the first block to the end of the function. */
static void walk_once(struct walk *w, uint32_t begin, uint32_t depth)
{
    const struct pgs_spv_list *code = w->s->code;
    w->now = (struct open_strip){0, NONE};
    for (uint32_t i = begin; i < code->count && pgs_spv_op(code->items[i]) != SpvOpFunctionEnd; i++)
        step(w, code->items[i], depth);
}

static void find_effect(struct search *s, uint32_t function, uint32_t depth)
{
    struct effect *effect = &s->functions[function];
    struct walk w = {
        .s = s, .function = function, .effect = effect, .now = {NONE, NONE}, .grows = true};
    effect->exit = effect->longest = (struct open_strip){NONE, NONE};
    for (uint32_t pass = 0; pass < PASSES && w.grows && !s->is_lost; pass++) {
        w.grows = false;
        w.to_the_end = pass >= PASSES_TO_GROW;
        walk_once(&w, s->place[function], depth);
    }
    s->is_lost |= w.grows;
}

/* NULL: it cannot be found. */
static const struct effect *effect_of(struct search *s, uint32_t function, uint32_t depth)
{
    struct effect *effect =
        pgs_spv_def_op(s->m, function, SpvOpFunction) ? &s->functions[function] : NULL;
    if (!effect || !s->place[function] || effect->is_open || depth >= DEPTH) {
        s->is_lost = true;
        return NULL;
    }
    if (!effect->is_found) {
        effect->is_open = true;
        find_effect(s, function, depth);
        effect->is_open = false;
        effect->is_found = true;
    }
    return effect;
}

static bool begin(struct search *s)
{
    struct pgs_spv_module *m = s->m;
    s->place = pgs_spv_zalloc(m, m->bound, sizeof(*s->place));
    s->owner = pgs_spv_zalloc(m, m->bound, sizeof(*s->owner));
    s->blocks = pgs_spv_zalloc(m, m->bound, sizeof(*s->blocks));
    s->functions = pgs_spv_zalloc(m, m->bound, sizeof(*s->functions));
    if (m->result != PGS_SPV_OK)
        return false;
    for (uint32_t i = 0; i < m->bound; i++)
        s->blocks[i] = (struct open_strip){NONE, NONE};
    for (uint32_t i = 0, function = 0; i < s->code->count; i++) {
        const uint32_t *ins = s->code->items[i];
        if (pgs_spv_op(ins) == SpvOpFunction)
            s->place[function = ins[2]] = i + 1;
        else if (pgs_spv_op(ins) == SpvOpLabel)
            s->owner[ins[1]] = function;
    }
    return true;
}

uint32_t pgs_spv_longest_strip(struct pgs_spv_module *m, uint32_t stream_mask,
                               uint32_t max_vertices, bool *one_strip)
{
    struct search s = {.m = m,
                       .stream_mask = stream_mask,
                       .code = &m->sections[PGS_SPV_FUNCTIONS],
                       .most = (int32_t)max_vertices};
    *one_strip = false;
    if (m->result != PGS_SPV_OK || !begin(&s))
        return max_vertices;
    const struct effect *effect = effect_of(&s, m->entry[2], 0);
    if (s.is_lost || !effect)
        return max_vertices;
    *one_strip = effect->longest.since_end <= 0;
    const int32_t longest = larger(effect->longest.since_begin, effect->longest.since_end);
    return longest == NONE ? 0 : (uint32_t)longest;
}
