/* SPDX-License-Identifier: MIT
 *
 * Adjacent words that are loaded and stored in pairs.
 */
#include "spirv/ir/pair_words.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/needed_components.h"

#define WORD_B 4u
#define PAIR_B 8u

/* An access of several words. */
struct access {
    uint32_t *ins;
    bool loads;
    uint32_t pointer, alignment_B;
    uint32_t type, scalar; /* of the value: a vector, and its components */
    uint32_t count;        /* of components */
    uint32_t needed;       /* mask of those of a load that something reads */
};

struct pairing {
    struct pgs_spv_module *m;
    struct pgs_spv_list *out;
    uint32_t ulong;
};

static bool is_word(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def(m, type);
    return def && (pgs_spv_op(def) == SpvOpTypeInt || pgs_spv_op(def) == SpvOpTypeFloat) &&
           def[2] == 32;
}

static bool is_address(const struct pgs_spv_module *m, uint32_t pointer)
{
    const uint32_t *type = pgs_spv_def_op(m, pgs_spv_type_of(m, pointer), SpvOpTypePointer);
    return type && type[2] == SpvStorageClassPhysicalStorageBuffer;
}

/* False: the instruction is left alone. */
static bool find_access(const struct pgs_spv_module *m, uint32_t *ins, struct access *a)
{
    const bool loads = pgs_spv_op(ins) == SpvOpLoad;
    const uint32_t operands = loads ? 4 : 3;
    if ((!loads && pgs_spv_op(ins) != SpvOpStore) || pgs_spv_length(ins) != operands + 2 ||
        ins[operands] != SpvMemoryAccessAlignedMask)
        return false;
    *a = (struct access){.ins = ins,
                         .loads = loads,
                         .pointer = ins[loads ? 3 : 1],
                         .alignment_B = ins[operands + 1],
                         .type = loads ? ins[1] : pgs_spv_type_of(m, ins[2])};
    const uint32_t *vector = pgs_spv_def_op(m, a->type, SpvOpTypeVector);
    if (!vector || !is_word(m, vector[2]) || !is_address(m, a->pointer))
        return false;
    a->scalar = vector[2];
    a->count = vector[3];
    return a->count == 2 || a->count == 4 || (a->count == 3 && loads);
}

/* A pointer to another type, offset_B behind the one of the access. The casts go through an
 * integer, as VK_EXT_buffer_device_address wants it. */
static uint32_t point_to(const struct pairing *p, const struct access *a, uint32_t type,
                         uint32_t offset_B)
{
    struct pgs_spv_module *m = p->m;
    uint32_t address = PGS_SPV_VALUE(m, p->out, SpvOpConvertPtrToU, p->ulong, a->pointer);
    if (offset_B)
        address = PGS_SPV_VALUE(
            m, p->out, SpvOpIAdd, p->ulong, address,
            PGS_SPV_VALUE(m, p->out, SpvOpUConvert, p->ulong, pgs_spv_uint(m, offset_B)));
    return PGS_SPV_VALUE(m, p->out, SpvOpConvertUToPtr,
                         pgs_spv_type_pointer(m, SpvStorageClassPhysicalStorageBuffer, type),
                         address);
}

static uint32_t load(const struct pairing *p, uint32_t pointer, uint32_t type, uint32_t alignment_B)
{
    return PGS_SPV_VALUE(p->m, p->out, SpvOpLoad, type, pointer, SpvMemoryAccessAlignedMask,
                         alignment_B);
}

/* Loads what is needed of the words from `first` on, one or two. Returns how many parts of the
 * value that makes; what is not needed is 0. */
static uint32_t load_part(const struct pairing *p, const struct access *a, uint32_t first,
                          uint32_t parts[2])
{
    struct pgs_spv_module *m = p->m;
    const uint32_t count = a->count - first < 2 ? 1 : 2;
    if (count == 2 && (a->needed >> first & 3) == 3) {
        const uint32_t pair = point_to(p, a, p->ulong, first * WORD_B);
        parts[0] = PGS_SPV_VALUE(m, p->out, SpvOpBitcast, pgs_spv_type_vector(m, a->scalar, 2),
                                 load(p, pair, p->ulong, PAIR_B));
        return 1;
    }
    for (uint32_t i = 0; i < count; i++)
        parts[i] = a->needed >> (first + i) & 1
                       ? load(p, point_to(p, a, a->scalar, (first + i) * WORD_B), a->scalar, WORD_B)
                       : pgs_spv_known_constant(m, SpvOpConstant, a->scalar, 0);
    return count;
}

/* Some are not needed, or there are three. */
static void load_parts(const struct pairing *p, const struct access *a)
{
    uint32_t words[2 + 4] = {a->type, a->ins[2]}, count = 2;
    for (uint32_t first = 0; first < a->count; first += 2)
        count += load_part(p, a, first, words + count);
    pgs_spv_append(p->m, p->out, SpvOpCompositeConstruct, words, count);
}

static void write_pairs(const struct pairing *p, const struct access *a)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t alignment_B = a->alignment_B < PAIR_B ? PAIR_B : a->alignment_B;
    const uint32_t all = (UINT32_C(1) << a->count) - 1;
    if (a->loads && (a->count == 3 || (a->needed & all) != all)) {
        load_parts(p, a);
        return;
    }
    const uint32_t type = pgs_spv_type_vector(m, p->ulong, a->count / 2);
    const uint32_t pointer = point_to(p, a, type, 0);
    if (a->loads)
        PGS_SPV_APPEND(m, p->out, SpvOpBitcast, a->type, a->ins[2],
                       load(p, pointer, type, alignment_B));
    else
        PGS_SPV_APPEND(m, p->out, SpvOpStore, pointer,
                       PGS_SPV_VALUE(m, p->out, SpvOpBitcast, type, a->ins[2]),
                       SpvMemoryAccessAlignedMask, alignment_B);
}

/* True if the module says that others look at some memory: a cast forgets which that is. */
static bool is_watched(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        const uint32_t word = pgs_spv_op(ins) == SpvOpDecorate         ? 2
                              : pgs_spv_op(ins) == SpvOpMemberDecorate ? 3
                                                                       : 0;
        if (word && (ins[word] == SpvDecorationVolatile || ins[word] == SpvDecorationCoherent))
            return true;
    }
    return false;
}

void pgs_spv_pair_words(struct pgs_spv_module *m)
{
    struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS], out = {0};
    struct pairing p = {.m = m, .out = &out};
    if (m->result != PGS_SPV_OK || is_watched(m))
        return;
    const uint32_t bound = m->bound;
    const uint8_t *needed = pgs_spv_needed_components(m);
    for (uint32_t i = 0; i < functions->count && m->result == PGS_SPV_OK; i++) {
        struct access a;
        if (!find_access(m, functions->items[i], &a)) {
            pgs_spv_push(m, &out, functions->items[i]);
            continue;
        }
        if (!p.ulong) {
            p.ulong = pgs_spv_type(m, SpvOpTypeInt, (const uint32_t[]){64, 0}, 2);
            pgs_spv_add_capability(m, SpvCapabilityInt64);
        }
        a.needed = a.loads && a.ins[2] < bound ? needed[a.ins[2]] : UINT32_MAX;
        write_pairs(&p, &a);
    }
    if (m->result == PGS_SPV_OK)
        *functions = out;
}
