/* SPDX-License-Identifier: MIT
 *
 * Memory that the workgroup of a control shader shares: the patch, and outputs in Workgroup memory.
 */
#include "spirv/stages/control_shared.h"

#include "spirv/io/io_memory.h"
#include "spirv/io/lower_io.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

#include <string.h>

#define MAX_SIZE_B 0x10000000u

struct size {
    uint32_t size_B, align_B;
};

static uint32_t align_up(uint32_t size_B, uint32_t align_B)
{
    return (size_B + align_B - 1) / align_B * align_B;
}

static uint32_t times(uint32_t count, struct size part)
{
    const uint64_t product = (uint64_t)count * align_up(part.size_B, part.align_B);
    return product > MAX_SIZE_B ? MAX_SIZE_B : (uint32_t)product;
}

/* Size of an element type. */
static struct size size_of_part(const struct size *sizes, uint32_t type)
{
    return (struct size){sizes[type].size_B, sizes[type].align_B ? sizes[type].align_B : 1};
}

static struct size size_of_struct(const uint32_t *type, const struct size *sizes)
{
    struct size all = {0, 1};
    for (uint32_t i = 2; i < pgs_spv_length(type); i++) {
        const struct size member = size_of_part(sizes, type[i]);
        const uint32_t end_B = align_up(all.size_B, member.align_B) + member.size_B;
        all.size_B = end_B > MAX_SIZE_B ? MAX_SIZE_B : end_B;
        all.align_B = member.align_B > all.align_B ? member.align_B : all.align_B;
    }
    all.size_B = align_up(all.size_B, all.align_B);
    return all;
}

/* Size in std430 layout; no driver uses more. sizes: of earlier types, by id. */
static struct size size_of(const struct pgs_spv_module *m, const uint32_t *type,
                           const struct size *sizes)
{
    uint32_t count = 0;
    struct size part;
    switch (pgs_spv_op(type)) {
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        return type[2] == 64   ? (struct size){8, 8}
               : type[2] == 16 ? (struct size){2, 2}
                               : (struct size){4, 4};
    case SpvOpTypeVector:
        part = size_of_part(sizes, type[2]);
        return (struct size){times(type[3], part),
                             type[3] == 2 ? 2 * part.align_B : 4 * part.align_B};
    case SpvOpTypeArray:
    case SpvOpTypeMatrix:
        part = size_of_part(sizes, type[2]);
        if (pgs_spv_op(type) == SpvOpTypeMatrix)
            count = type[3];
        else
            pgs_spv_constant(m, type[3], &count);
        return (struct size){times(count, part), part.align_B};
    case SpvOpTypeStruct:
        return size_of_struct(type, sizes);
    default:
        return (struct size){0, 1};
    }
}

uint32_t pgs_spv_size_of_outputs_B(struct pgs_spv_module *m, const uint8_t *uses)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    struct size *sizes = pgs_spv_zalloc(m, m->bound, sizeof(*sizes));
    uint32_t all_B = 0;
    for (uint32_t i = 0; sizes && i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) >= SpvOpTypeVoid && pgs_spv_op(ins) <= SpvOpTypeStruct)
            sizes[ins[1]] = size_of(m, ins, sizes);
        const uint32_t *pointer = pgs_spv_op(ins) == SpvOpVariable &&
                                          ins[3] == SpvStorageClassOutput &&
                                          !(uses[ins[2]] & PGS_SPV_ADDRESSED)
                                      ? pgs_spv_def_op(m, ins[1], SpvOpTypePointer)
                                      : NULL;
        if (!pointer)
            continue;
        all_B = align_up(all_B, 16) + sizes[pointer[3]].size_B;
        all_B = all_B > MAX_SIZE_B ? MAX_SIZE_B : all_B;
    }
    return all_B;
}

/* Workgroup variables cannot have initializers. */
static void take_initializers(struct pgs_spv_module *m, struct pgs_spv_initializers *taken)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    taken->variables = pgs_spv_zalloc(m, globals->count + 1u, 4);
    taken->values = pgs_spv_zalloc(m, globals->count + 1u, 4);
    for (uint32_t i = 0; m->result == PGS_SPV_OK && i < globals->count; i++) {
        uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) != SpvOpVariable || ins[3] != SpvStorageClassOutput ||
            pgs_spv_length(ins) < 5)
            continue;
        taken->variables[taken->count] = ins[2];
        taken->values[taken->count++] = ins[4];
        ins[0] = (4u << 16) | SpvOpVariable;
    }
}

bool pgs_spv_has_vulkan_model(const struct pgs_spv_module *m)
{
    return m->sections[PGS_SPV_MEMORY_MODEL].items[0][2] == SpvMemoryModelVulkan;
}

/* Memory that holds outputs. */
#define OUTPUT_MEMORY (SpvMemorySemanticsWorkgroupMemoryMask | SpvMemorySemanticsUniformMemoryMask)

/* Replaces output semantics by those of the memory that holds outputs. With execution: a barrier of
 * the whole workgroup always makes outputs visible. */
static uint32_t shared_semantics(struct pgs_spv_module *m, uint32_t id, bool execution)
{
    static const uint32_t order = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask |
                                  SpvMemorySemanticsAcquireReleaseMask |
                                  SpvMemorySemanticsSequentiallyConsistentMask;
    uint32_t value = 0;
    if (!pgs_spv_constant(m, id, &value)) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return 0;
    }
    if (value & SpvMemorySemanticsOutputMemoryMask)
        value = (value & ~(uint32_t)SpvMemorySemanticsOutputMemoryMask) | OUTPUT_MEMORY;
    if (execution) {
        value = (value & ~order) | SpvMemorySemanticsAcquireReleaseMask | OUTPUT_MEMORY;
        if (pgs_spv_has_vulkan_model(m))
            value |= SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask;
    }
    return pgs_spv_uint(m, value);
}

static void fix_barriers(struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = functions->items[i];
        uint32_t execution = 0, memory = 0;
        if (pgs_spv_op(ins) == SpvOpMemoryBarrier)
            ins[2] = shared_semantics(m, ins[2], false);
        if (pgs_spv_op(ins) != SpvOpControlBarrier)
            continue;
        if (!pgs_spv_constant(m, ins[1], &execution) || !pgs_spv_constant(m, ins[2], &memory))
            pgs_spv_fail(m, PGS_SPV_INVALID);
        const bool whole = execution == SpvScopeWorkgroup;
        ins[3] = shared_semantics(m, ins[3], whole);
        if (whole && (memory == SpvScopeInvocation || memory == SpvScopeSubgroup))
            ins[2] = pgs_spv_uint(m, SpvScopeWorkgroup);
    }
}

/* True if the pointer leads to a coherent struct of the libraries. */
static bool is_coherent(const struct pgs_spv_module *m, uint32_t pointer)
{
    const uint32_t *chain = pgs_spv_def_op(m, pointer, SpvOpAccessChain);
    const uint32_t *base = chain ? pgs_spv_def(m, chain[3]) : NULL;
    uint32_t type_word = 0, id_word;
    if (base)
        pgs_spv_result_words(pgs_spv_op(base), &type_word, &id_word);
    const uint32_t *type = type_word ? pgs_spv_def_op(m, base[type_word], SpvOpTypePointer) : NULL;
    return type && type[2] == SpvStorageClassPhysicalStorageBuffer &&
           pgs_spv_decoration(m, type[3], 0, SpvDecorationCoherent, NULL);
}

static bool is_shared(const struct pgs_spv_module *m, uint32_t pointer)
{
    return pgs_spv_storage_class_of(m, pointer) == SpvStorageClassWorkgroup ||
           is_coherent(m, pointer);
}

/* The Vulkan memory model has no Coherent; each access says it. */
static bool drop_coherent(const uint32_t *ins, void *context)
{
    (void)context;
    return pgs_spv_op(ins) == SpvOpMemberDecorate && ins[3] == SpvDecorationCoherent;
}

/* Makes a load or store of shared memory visible to others after a barrier. mask_word: where the
 * memory operands are or would be. */
static uint32_t *make_public(struct pgs_spv_module *m, uint32_t *ins, uint32_t mask_word)
{
    const uint32_t length = pgs_spv_length(ins);
    if (length > mask_word) {
        ins[mask_word] |= SpvMemoryAccessNonPrivatePointerMask;
        return ins;
    }
    uint32_t words[4];
    memcpy(words, ins + 1, (mask_word - 1) * 4);
    words[mask_word - 1] = SpvMemoryAccessNonPrivatePointerMask;
    return pgs_spv_make(m, pgs_spv_op(ins), words, mask_word);
}

/* Library barriers are written for the GLSL memory model. */
static void make_visible(struct pgs_spv_module *m, uint32_t *ins)
{
    uint32_t value = 0;
    if (pgs_spv_constant(m, ins[3], &value) && (value & SpvMemorySemanticsWorkgroupMemoryMask))
        ins[3] = pgs_spv_uint(m, value | SpvMemorySemanticsMakeAvailableMask |
                                     SpvMemorySemanticsMakeVisibleMask);
}

void pgs_spv_publish_shared(struct pgs_spv_module *m)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS], rewritten = {0};
    if (m->result != PGS_SPV_OK || !pgs_spv_has_vulkan_model(m))
        return;
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        if (op == SpvOpLoad && is_shared(m, ins[3])) {
            ins = make_public(m, ins, 4);
        } else if (op == SpvOpStore && is_shared(m, ins[1])) {
            ins = make_public(m, ins, 3);
        } else if (op == SpvOpCopyMemory && (is_shared(m, ins[1]) || is_shared(m, ins[2]))) {
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED); /* our libraries never do that */
        } else if (op == SpvOpControlBarrier) {
            make_visible(m, ins);
        }
        pgs_spv_push(m, &rewritten, ins);
    }
    *list = rewritten;
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], drop_coherent, NULL);
}

void pgs_spv_share_outputs(struct pgs_spv_module *m, struct pgs_spv_initializers *taken)
{
    take_initializers(m, taken);
    fix_barriers(m);
    pgs_spv_lower_io(m, SpvStorageClassWorkgroup);
}

void pgs_spv_shared_barrier(struct pgs_spv_module *m, struct pgs_spv_list *list)
{
    uint32_t semantics = SpvMemorySemanticsAcquireReleaseMask | OUTPUT_MEMORY;
    if (pgs_spv_has_vulkan_model(m))
        semantics |= SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask;
    const uint32_t scope = pgs_spv_uint(m, SpvScopeWorkgroup);
    PGS_SPV_APPEND(m, list, SpvOpControlBarrier, scope, scope, pgs_spv_uint(m, semantics));
}
