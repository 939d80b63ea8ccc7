/* SPDX-License-Identifier: MIT */
#include "spirv/io/join_pushes.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/rewrite.h"

#include <string.h>

#define BLOCKS 2

struct block {
    uint32_t variable, type, count;
    uint32_t *members; /* by member: its number in the joined block */
    bool *is_used;     /* by member: some function reads it */
};

struct join {
    struct pgs_spv_module *m;
    struct block blocks[BLOCKS];
    struct pgs_spv_names types; /* those that are like others */
    struct member {
        uint32_t offset_B, size_B, type, of, index;
    } * members; /* of the joined block */
    uint32_t count;
    uint32_t variable; /* of it */
};

/* -- types -- */

/* Compares what follows `skip` words of the annotations of two ids. With member numbers those of
 * members. */
static bool has_like(const struct pgs_spv_list *list, const uint32_t *ins, uint32_t id,
                     uint32_t member, uint32_t skip)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *other = list->items[i];
        if (other[0] == ins[0] && other[1] == id && (skip < 3 || other[2] == member) &&
            !memcmp(other + skip, ins + skip, (pgs_spv_length(ins) - skip) * 4u))
            return true;
    }
    return false;
}

/* True if all that is said of member l of b is also said of member k of a. */
static bool members_include(const struct pgs_spv_module *m, uint32_t a, uint32_t k, uint32_t b,
                            uint32_t l)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpMemberDecorate && ins[1] == b && ins[2] == l &&
            !has_like(list, ins, a, k, 3))
            return false;
    }
    return true;
}

static bool types_include(const struct pgs_spv_module *m, uint32_t a, uint32_t b)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_ANNOTATIONS];
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i][1] == b && !has_like(list, list->items[i], a, 0, 2))
            return false;
    return true;
}

/* True if the types are equal but for their ids; then a stands for b. */
static bool are_alike(struct join *j, uint32_t a, uint32_t b)
{
    const struct pgs_spv_module *m = j->m;
    const uint32_t *from = pgs_spv_def(m, a), *to = pgs_spv_def(m, b);
    uint32_t a_el, b_el;
    if (a == b)
        return true;
    if (!from || !to || from[0] != to[0] || !types_include(m, a, b) || !types_include(m, b, a))
        return false;
    switch (pgs_spv_op(from)) {
    case SpvOpTypeArray:
        if (!pgs_spv_constant(m, from[3], &a_el) || !pgs_spv_constant(m, to[3], &b_el) ||
            a_el != b_el || !are_alike(j, from[2], to[2]))
            return false;
        break;
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < pgs_spv_length(from); i++)
            if (!are_alike(j, from[i], to[i]))
                return false;
        break;
    default: /* the others are in a module once */
        return false;
    }
    pgs_spv_stand_for(&j->types, b, a);
    return true;
}

/* Bytes of a member, or of a type; 0: unknown. */
static uint32_t size_of(const struct pgs_spv_module *m, uint32_t type, uint32_t of, uint32_t index)
{
    const uint32_t *def = pgs_spv_def(m, type);
    uint32_t value = 0, count = 0, size_B = 0;
    switch (def ? pgs_spv_op(def) : (uint32_t)SpvOpNop) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return def[2] / 8;
    case SpvOpTypePointer:
        return 8;
    case SpvOpTypeVector:
        return def[3] * size_of(m, def[2], 0, 0);
    case SpvOpTypeMatrix:
        pgs_spv_decoration(m, of, (int32_t)index, SpvDecorationMatrixStride, &value);
        count = pgs_spv_decoration(m, of, (int32_t)index, SpvDecorationRowMajor, &size_B)
                    ? pgs_spv_def(m, def[2])[3]
                    : def[3];
        return value * count;
    case SpvOpTypeArray:
        pgs_spv_decoration(m, type, -1, SpvDecorationArrayStride, &value);
        return pgs_spv_constant(m, def[3], &count) ? value * count : 0;
    case SpvOpTypeStruct:
        for (uint32_t i = 2; i < pgs_spv_length(def); i++) {
            pgs_spv_decoration(m, type, (int32_t)i - 2, SpvDecorationOffset, &value);
            count = size_of(m, def[i], type, i - 2);
            size_B = !count ? UINT32_MAX : value + count > size_B ? value + count : size_B;
        }
        return size_B == UINT32_MAX ? 0 : size_B;
    default:
        return 0;
    }
}

/* -- the joined block -- */

static bool overlap(const struct member *a, const struct member *b)
{
    return a->offset_B < b->offset_B + b->size_B && b->offset_B < a->offset_B + a->size_B;
}

/* Its number in the joined block. */
static uint32_t place(struct join *j, const struct member *member)
{
    struct pgs_spv_module *m = j->m;
    for (uint32_t i = 0; i < j->count; i++) {
        const struct member *other = &j->members[i];
        if (other->offset_B == member->offset_B && are_alike(j, other->type, member->type) &&
            members_include(m, other->of, other->index, member->of, member->index) &&
            members_include(m, member->of, member->index, other->of, other->index))
            return i;
        if (overlap(other, member))
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    }
    j->members[j->count] = *member;
    return j->count++;
}

static void place_members(struct join *j, const struct block *block)
{
    struct pgs_spv_module *m = j->m;
    const uint32_t *type = pgs_spv_def(m, block->type);
    for (uint32_t i = 0; i < block->count && m->result == PGS_SPV_OK; i++) {
        if (!block->is_used[i])
            continue;
        struct member member = {.type = type[2 + i], .of = block->type, .index = i};
        member.size_B = size_of(m, member.type, block->type, i);
        if (!member.size_B ||
            !pgs_spv_decoration(m, block->type, (int32_t)i, SpvDecorationOffset, &member.offset_B))
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        block->members[i] = place(j, &member);
    }
}

/* Copies what is said of a member. */
static void decorate(const struct join *j, uint32_t type, uint32_t index)
{
    struct pgs_spv_module *m = j->m;
    struct pgs_spv_list *list = &m->sections[PGS_SPV_ANNOTATIONS];
    const struct member *member = &j->members[index];
    for (uint32_t i = 0, count = list->count; i < count; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) != SpvOpMemberDecorate || ins[1] != member->of ||
            ins[2] != member->index)
            continue;
        uint32_t *copy = pgs_spv_alloc(m, pgs_spv_length(ins), 4);
        if (!copy)
            return;
        memcpy(copy, ins, pgs_spv_length(ins) * 4u);
        copy[1] = type;
        copy[2] = index;
        pgs_spv_push(m, list, copy);
    }
}

static void declare(struct join *j)
{
    struct pgs_spv_module *m = j->m;
    uint32_t *words = j->count ? pgs_spv_alloc(m, j->count + 1, 4) : NULL;
    if (!words)
        return;
    const uint32_t type = words[0] = pgs_spv_new_id(m);
    for (uint32_t i = 0; i < j->count; i++)
        words[1 + i] = pgs_spv_final_name(&j->types, j->members[i].type);
    pgs_spv_append(m, &m->sections[PGS_SPV_GLOBALS], SpvOpTypeStruct, words, j->count + 1);
    pgs_spv_decorate(m, type, SpvDecorationBlock, NULL, 0);
    for (uint32_t i = 0; i < j->count; i++)
        decorate(j, type, i);
    j->variable = pgs_spv_variable(m, SpvStorageClassPushConstant, type);
}

/* -- the module -- */

/* False: it is not a chain to a member, whose number is *member. */
static bool is_chain(const struct pgs_spv_module *m, const uint32_t *ins, uint32_t *member)
{
    const uint32_t op = pgs_spv_op(ins);
    return pgs_spv_is_chain(op) && pgs_spv_length(ins) > 4 && pgs_spv_constant(m, ins[4], member);
}

/* What nobody reads may overlap anything. Programs declare one block for all stages, with pointers
 * in it, whose types are not compared. */
static void find_used(const struct join *j, struct block *block)
{
    const struct pgs_spv_module *m = j->m;
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t *ins = functions->items[i];
        uint32_t member;
        if (is_chain(m, ins, &member) && ins[3] == block->variable && member < block->count)
            block->is_used[member] = true;
    }
}

static void redirect(struct join *j, const struct block *block, uint32_t *ins)
{
    struct pgs_spv_module *m = j->m;
    uint32_t member;
    for (uint32_t i = 1; i < pgs_spv_length(ins); i++) {
        if (!pgs_spv_is_id(ins, i) || ins[i] != block->variable)
            continue;
        if (i != 3 || !is_chain(m, ins, &member) || member >= block->count) {
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            return;
        }
        ins[3] = j->variable;
        ins[4] = pgs_spv_uint(m, block->members[member]);
    }
}

/* True of what is said of blocks that are gone, and of types that others stand for. */
static bool is_of_gone(const uint32_t *ins, void *context)
{
    const struct join *j = context;
    return ins[1] == j->blocks[0].variable || ins[1] == j->blocks[1].variable ||
           pgs_spv_final_name(&j->types, ins[1]) != ins[1];
}

static bool is_gone(const uint32_t *ins, void *context)
{
    const struct join *j = context;
    uint32_t type_word, id_word;
    pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
    const uint32_t id = id_word ? ins[id_word] : 0;
    return id && (id == j->blocks[0].variable || id == j->blocks[1].variable ||
                  pgs_spv_final_name(&j->types, id) != id);
}

static void rename_types(struct join *j)
{
    struct pgs_spv_module *m = j->m;
    pgs_spv_filter(&m->sections[PGS_SPV_NAMES], is_of_gone, j);
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], is_of_gone, j);
    pgs_spv_filter(&m->sections[PGS_SPV_GLOBALS], is_gone, j);
    for (enum pgs_spv_section s = PGS_SPV_GLOBALS; s <= PGS_SPV_FUNCTIONS; s++) {
        for (uint32_t i = 0; i < m->sections[s].count; i++) {
            uint32_t *ins = m->sections[s].items[i];
            for (uint32_t k = 1; k < pgs_spv_length(ins); k++)
                if (pgs_spv_is_id(ins, k))
                    ins[k] = pgs_spv_final_name(&j->types, ins[k]);
        }
    }
}

/* Returns how many there are. */
static uint32_t find_blocks(struct join *j)
{
    struct pgs_spv_module *m = j->m;
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) != SpvOpVariable || ins[3] != SpvStorageClassPushConstant)
            continue;
        if (count < BLOCKS) {
            struct block *block = &j->blocks[count];
            const uint32_t *pointer = pgs_spv_def_op(m, ins[1], SpvOpTypePointer);
            const uint32_t *type = pointer ? pgs_spv_def_op(m, pointer[3], SpvOpTypeStruct) : NULL;
            block->variable = ins[2];
            block->type = type ? type[1] : 0;
            block->count = type ? pgs_spv_length(type) - 2 : 0;
            block->members = pgs_spv_zalloc(m, block->count + 1, sizeof(*block->members));
            block->is_used = pgs_spv_zalloc(m, block->count + 1, sizeof(*block->is_used));
        }
        count++;
    }
    return count;
}

void pgs_spv_join_push_constants(struct pgs_spv_module *m)
{
    struct join j = {.m = m};
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t blocks = find_blocks(&j);
    if (m->result != PGS_SPV_OK || blocks < BLOCKS)
        return;
    if (blocks > BLOCKS || !j.blocks[0].type || !j.blocks[1].type || !pgs_spv_can_rename(m))
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    j.types = pgs_spv_no_names(m);
    j.members = pgs_spv_zalloc(m, j.blocks[0].count + j.blocks[1].count + 1, sizeof(*j.members));
    for (uint32_t i = 0; i < BLOCKS && m->result == PGS_SPV_OK; i++) {
        find_used(&j, &j.blocks[i]);
        place_members(&j, &j.blocks[i]);
    }
    if (m->result == PGS_SPV_OK)
        declare(&j);
    for (uint32_t i = 0; i < functions->count && m->result == PGS_SPV_OK; i++)
        for (uint32_t k = 0; k < BLOCKS; k++)
            redirect(&j, &j.blocks[k], functions->items[i]);
    if (m->result == PGS_SPV_OK)
        rename_types(&j);
}
