/* SPDX-License-Identifier: MIT */
#include "spirv/ir/sparse_ids.h"

#include "base/alloc.h"
#include "spirv/ir/operands.h"

#include <stdlib.h>

/* What is in proportion. An id takes two words and more to define; optimizers leave gaps. */
#define IDS_PER_WORD 4u
#define ALWAYS_FEW 4096u

/* Words before the instructions. */
#define HEADER_W 5u

/* Members of decoration groups are pairs of an id and a literal. */
static bool knows(uint32_t op)
{
    return op != SpvOpGroupMemberDecorate && (pgs_spv_is_dropped(op) || pgs_spv_knows_operands(op));
}

/* The cases of a switch may be literals of 64 bits. */
static enum pgs_spv_result check(const uint32_t *words, size_t word_count)
{
    bool has_switch = false, has_int64 = false, known = true;
    for (size_t at = HEADER_W; at < word_count; at += pgs_spv_length(words + at)) {
        const uint32_t *ins = words + at;
        const uint32_t op = pgs_spv_op(ins), length = pgs_spv_length(ins);
        if (length == 0 || length > word_count - at || length < pgs_spv_min_length(op) ||
            (op == SpvOpEntryPoint && pgs_spv_string_words(ins, 3) == 0))
            return PGS_SPV_INVALID;
        has_switch |= op == SpvOpSwitch;
        has_int64 |= op == SpvOpCapability && ins[1] == SpvCapabilityInt64;
        known &= knows(op);
    }
    return known && !(has_switch && has_int64) ? PGS_SPV_OK : PGS_SPV_UNSUPPORTED;
}

struct numbering {
    uint32_t *used; /* ids, in their order once all are known */
    size_t count;
};

static void note(struct numbering *n, uint32_t *id)
{
    n->used[n->count++] = *id;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* By place, from 1. */
static void replace(struct numbering *n, uint32_t *id)
{
    const uint32_t *found = bsearch(id, n->used, n->count, sizeof(*n->used), compare);
    *id = (uint32_t)(found - n->used) + 1;
}

static void visit(uint32_t *words, size_t word_count, struct numbering *n,
                  void (*call)(struct numbering *n, uint32_t *id))
{
    for (size_t at = HEADER_W; at < word_count; at += pgs_spv_length(words + at)) {
        uint32_t *ins = words + at;
        for (uint32_t w = 1; w < pgs_spv_length(ins) && !pgs_spv_is_dropped(pgs_spv_op(ins)); w++)
            if (pgs_spv_is_id_of_any(ins, w))
                call(n, ins + w);
    }
}

static void sort(struct numbering *n)
{
    size_t kept = 0;
    qsort(n->used, n->count, sizeof(*n->used), compare);
    for (size_t i = 0; i < n->count; i++)
        if (kept == 0 || n->used[i] != n->used[kept - 1])
            n->used[kept++] = n->used[i];
    n->count = kept;
}

enum pgs_spv_result pgs_spv_number_sparse_ids(uint32_t *words, size_t word_count, uint32_t *bound)
{
    if (*bound <= IDS_PER_WORD * word_count + ALWAYS_FEW)
        return PGS_SPV_OK;
    const enum pgs_spv_result result = check(words, word_count);
    if (result != PGS_SPV_OK)
        return result;
    struct numbering n = {.used = pgs_calloc(word_count, sizeof(*n.used))};
    if (!n.used)
        return PGS_SPV_OUT_OF_MEMORY;
    visit(words, word_count, &n, note);
    sort(&n);
    const bool fits = n.count == 0 || (n.used[0] > 0 && n.used[n.count - 1] < *bound);
    if (fits)
        visit(words, word_count, &n, replace);
    *bound = (uint32_t)n.count + 1;
    pgs_free(n.used);
    return fits ? PGS_SPV_OK : PGS_SPV_INVALID;
}
