/* SPDX-License-Identifier: MIT
 *
 * Moves push constants to memory at an address.
 */
#include "spirv/io/push_constants.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#include <string.h>

struct push {
    struct pgs_spv_module *m;
    uint8_t *is_pointer; /* by id: a pointer type that was PushConstant */
    uint8_t *scalar_B;   /* by type id: bytes of the smallest scalar in it */
    uint32_t variable;
};

bool pgs_spv_has_push_constants(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        if (pgs_spv_op(globals->items[i]) == SpvOpVariable &&
            globals->items[i][3] == SpvStorageClassPushConstant)
            return true;
    }
    return false;
}

/* Size of the smallest scalar in a type: the alignment that its address is sure to have. Types
 * follow their element types, so one pass in order suffices. */
static uint8_t own_scalar_B(const struct push *push, const uint32_t *type)
{
    switch (pgs_spv_op(type)) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return type[2] == 64 ? 8 : type[2] == 32 ? 4 : type[2] == 16 ? 2 : 1;
    case SpvOpTypePointer:
        return 8;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        return push->scalar_B[type[2]];
    case SpvOpTypeStruct: {
        uint8_t least = 8;
        for (uint32_t i = 2; i < pgs_spv_length(type); i++) {
            const uint8_t size_B =
                push->scalar_B[type[i]] ? push->scalar_B[type[i]] : 8; /* 0: forward pointer */
            least = size_B < least ? size_B : least;
        }
        return least;
    }
    default:
        return 1;
    }
}

/* The id of the pointed-to type if the instruction returns a pointer to push constants, else 0. */
static uint32_t pointee(const struct push *push, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(push->m, id);
    uint32_t type_word, id_word;
    if (!def)
        return 0;
    pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    if (!type_word || !push->is_pointer[def[type_word]])
        return 0;
    const uint32_t *type = pgs_spv_def_op(push->m, def[type_word], SpvOpTypePointer);
    return type ? type[3] : 0;
}

/* A copy of the instruction with an Aligned memory operand; `mask_word` is where its memory
 * operands are or would be. */
static uint32_t *with_alignment(struct pgs_spv_module *m, uint32_t *ins, uint32_t mask_word,
                                uint32_t align_B)
{
    const uint32_t length = pgs_spv_length(ins);
    const bool has_mask = length > mask_word;
    if (has_mask && (ins[mask_word] & SpvMemoryAccessAlignedMask))
        return ins;
    uint32_t *words = pgs_spv_zalloc(m, length + 2, 4);
    if (!words)
        return NULL;
    memcpy(words, ins + 1, (mask_word - 1) * 4);
    words[mask_word - 1] = (has_mask ? ins[mask_word] : 0) | SpvMemoryAccessAlignedMask;
    words[mask_word] = align_B;
    if (has_mask)
        memcpy(words + mask_word + 1, ins + mask_word + 1, (length - mask_word - 1) * 4);
    return pgs_spv_make(m, pgs_spv_op(ins), words, has_mask ? length : length + 1);
}

static uint32_t *align_access(const struct push *push, uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    if (op != SpvOpLoad && op != SpvOpCopyMemory)
        return ins;
    const uint32_t type = pointee(push, op == SpvOpLoad ? ins[3] : ins[2]);
    if (!type)
        return ins;
    return with_alignment(push->m, ins, op == SpvOpLoad ? 4 : 3, push->scalar_B[type]);
}

static bool uses_variable(const struct push *push, const uint32_t *ins)
{
    for (uint32_t i = 1; i < pgs_spv_length(ins); i++) {
        if (pgs_spv_is_id(ins, i) && ins[i] == push->variable)
            return true;
    }
    return false;
}

/* Rewrites one function, items [first, end): the address is fetched after its local variables and
 * replaces the variable. */
static void rewrite_function(const struct push *push, struct pgs_spv_list *to,
                             uint32_t *const *items, uint32_t count, uint32_t push_address,
                             uint32_t pointer_type)
{
    struct pgs_spv_module *m = push->m;
    uint32_t pointer = 0;
    bool used = false, in_head = true;
    for (uint32_t i = 0; i < count; i++)
        used = used || uses_variable(push, items[i]);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *ins = items[i];
        const uint32_t op = pgs_spv_op(ins);
        const bool head = op == SpvOpFunction || op == SpvOpFunctionParameter || op == SpvOpLabel ||
                          op == SpvOpVariable;
        if (used && in_head && !head) {
            in_head = false;
            const uint32_t address =
                PGS_SPV_VALUE(m, to, SpvOpFunctionCall, pgs_spv_type_uvec(m, 2), push_address);
            pointer = PGS_SPV_VALUE(m, to, SpvOpBitcast, pointer_type, address);
        }
        for (uint32_t k = 1; used && pointer && k < pgs_spv_length(ins); k++) {
            if (pgs_spv_is_id(ins, k) && ins[k] == push->variable)
                ins[k] = pointer;
        }
        pgs_spv_push(m, to, align_access(push, ins));
    }
}

static bool is_push_variable(const uint32_t *ins, void *context)
{
    (void)context;
    return pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassPushConstant;
}

/* Changes the class of the pointer types. Returns the entry point's variable, or 0. */
static uint32_t change_class(struct push *push)
{
    struct pgs_spv_module *m = push->m;
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        uint32_t *ins = globals->items[i];
        if (is_push_variable(ins, NULL)) {
            if (push->variable)
                pgs_spv_fail(m, PGS_SPV_INVALID);
            push->variable = ins[2];
        }
        if (pgs_spv_op(ins) == SpvOpTypePointer && ins[2] == SpvStorageClassPushConstant) {
            ins[2] = SpvStorageClassPhysicalStorageBuffer;
            push->is_pointer[ins[1]] = 1;
        }
        if (pgs_spv_op(ins) >= SpvOpTypeVoid && pgs_spv_op(ins) <= SpvOpTypePointer)
            push->scalar_B[ins[1]] = own_scalar_B(push, ins);
    }
    return push->variable;
}

void pgs_spv_push_constants_to_memory(struct pgs_spv_module *m, uint32_t push_address)
{
    struct push push = {.m = m};
    /* New ids lie beyond the current bound: two for each function. */
    const size_t ids = (size_t)m->bound + m->sections[PGS_SPV_FUNCTIONS].count * 2u + 64;
    push.is_pointer = pgs_spv_zalloc(m, ids, 1);
    push.scalar_B = pgs_spv_zalloc(m, ids, 1);
    if (m->result != PGS_SPV_OK || !change_class(&push))
        return;
    const uint32_t pointer_type = m->defs[push.variable][1];
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS], rewritten = {0};
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK;) {
        uint32_t end = i + 1;
        while (end < list->count && pgs_spv_op(list->items[end]) != SpvOpFunction)
            end++;
        rewrite_function(&push, &rewritten, list->items + i, end - i, push_address, pointer_type);
        i = end;
    }
    *list = rewritten;
    pgs_spv_filter(&m->sections[PGS_SPV_GLOBALS], is_push_variable, NULL);
}
