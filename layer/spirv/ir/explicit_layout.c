/* SPDX-License-Identifier: MIT
 *
 * Types that say where their parts lie in memory.
 */
#include "spirv/ir/explicit_layout.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

/* What holds a type, by its id. */
enum holder { HELD_PLAIN = 1, HELD_LAID_OUT = 2 };

struct explicit_layout {
    struct pgs_spv_module *m;
    uint8_t *holders;
};

static enum holder holder_of(const struct pgs_spv_module *m, uint32_t storage_class)
{
    switch (storage_class) {
    case SpvStorageClassPrivate:
    case SpvStorageClassFunction:
        return HELD_PLAIN;
    case SpvStorageClassWorkgroup:
        return pgs_spv_has_capability(m, SpvCapabilityWorkgroupMemoryExplicitLayoutKHR)
                   ? HELD_LAID_OUT
                   : HELD_PLAIN;
    default:
        return HELD_LAID_OUT;
    }
}

static void note(const struct explicit_layout *l, uint32_t type, uint8_t holders)
{
    if (type < l->m->bound)
        l->holders[type] |= holders;
}

/* What holds a type holds its parts, which are defined before it. */
static void note_parts(const struct explicit_layout *l)
{
    const struct pgs_spv_list *globals = &l->m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = globals->count; i-- > 0;) {
        const uint32_t *ins = globals->items[i];
        switch (pgs_spv_op(ins)) {
        case SpvOpTypeArray:
        case SpvOpTypeRuntimeArray:
            note(l, ins[2], l->holders[ins[1]]);
            break;
        case SpvOpTypeStruct:
            for (uint32_t k = 2; k < pgs_spv_length(ins); k++)
                note(l, ins[k], l->holders[ins[1]]);
            break;
        default:
            break;
        }
    }
}

static bool drop_layout(const uint32_t *ins, void *context)
{
    const struct explicit_layout *l = context;
    const uint32_t op = pgs_spv_op(ins);
    if ((op != SpvOpDecorate && op != SpvOpMemberDecorate) || ins[1] >= l->m->bound ||
        l->holders[ins[1]] != HELD_PLAIN)
        return false;
    switch (ins[op == SpvOpDecorate ? 2 : 3]) {
    case SpvDecorationArrayStride:
    case SpvDecorationMatrixStride:
    case SpvDecorationOffset:
    case SpvDecorationRowMajor:
    case SpvDecorationColMajor:
        return true;
    default:
        return false;
    }
}

void pgs_spv_drop_unused_layouts(struct pgs_spv_module *m)
{
    struct explicit_layout l = {.m = m, .holders = pgs_spv_zalloc(m, m->bound, 1)};
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    if (!l.holders)
        return;
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpTypePointer)
            note(&l, ins[3], (uint8_t)holder_of(m, ins[2]));
    }
    note_parts(&l);
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], drop_layout, &l);
}
