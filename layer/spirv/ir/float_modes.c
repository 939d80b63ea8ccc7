/* SPDX-License-Identifier: MIT */
#include "spirv/ir/float_modes.h"

#include "spirv/ir/builder.h"

#define WIDTHS 3
static const uint32_t widths_bits[WIDTHS] = {16, 32, 64};

bool pgs_spv_is_float_mode(uint32_t mode)
{
    switch (mode) {
    case SpvExecutionModeDenormPreserve:
    case SpvExecutionModeDenormFlushToZero:
    case SpvExecutionModeSignedZeroInfNanPreserve:
    case SpvExecutionModeRoundingModeRTE:
    case SpvExecutionModeRoundingModeRTZ:
    case PGS_SPV_MODE_FAST_MATH_DEFAULT:
        return true;
    default:
        return false;
    }
}

/* -- fast math -- */

/* True if the instruction is a default for floats of the width. */
static bool is_default(const struct pgs_spv_module *m, const uint32_t *mode, uint32_t width_bits,
                       uint32_t *mask)
{
    if (pgs_spv_length(mode) < 4)
        return false;
    if (mode[2] == SpvExecutionModeSignedZeroInfNanPreserve && mode[3] == width_bits) {
        *mask = PGS_SPV_FAST_MATH_REORDERING; /* SPV_KHR_float_controls2 */
        return true;
    }
    const uint32_t *type = mode[2] == PGS_SPV_MODE_FAST_MATH_DEFAULT
                               ? pgs_spv_def_op(m, mode[3], SpvOpTypeFloat)
                               : NULL;
    if (!type || type[2] != width_bits)
        return false;
    if (pgs_spv_length(mode) < 5 || !pgs_spv_constant(m, mode[4], mask))
        *mask = 0; /* specialization constants; exact is always right */
    return true;
}

bool pgs_spv_fast_math_default(const struct pgs_spv_module *m, uint32_t width_bits, uint32_t *mask)
{
    const struct pgs_spv_list *modes = &m->sections[PGS_SPV_MODES];
    bool found = false;
    *mask = UINT32_MAX;
    for (uint32_t i = 0; i < modes->count; i++) {
        uint32_t one;
        if (!is_default(m, modes->items[i], width_bits, &one))
            continue;
        found = true;
        *mask &= one;
    }
    return found;
}

static bool drop_default(const uint32_t *ins, void *context)
{
    (void)context;
    return ins[2] == PGS_SPV_MODE_FAST_MATH_DEFAULT ||
           ins[2] == SpvExecutionModeSignedZeroInfNanPreserve;
}

/* The modules say it differently, or one of them says it in the new way, which allows for no other.
 */
static void merge_defaults(struct pgs_spv_module *m, const struct pgs_spv_module *from)
{
    uint32_t masks[WIDTHS];
    bool has[WIDTHS];
    for (int i = 0; i < WIDTHS; i++) {
        uint32_t own, others;
        const bool has_own = pgs_spv_fast_math_default(m, widths_bits[i], &own);
        const bool has_others = pgs_spv_fast_math_default(from, widths_bits[i], &others);
        has[i] = has_own || has_others;
        masks[i] = own & others;
    }
    struct pgs_spv_list *modes = &m->sections[PGS_SPV_MODES];
    pgs_spv_filter(modes, drop_default, NULL);
    for (int i = 0; i < WIDTHS; i++)
        if (has[i])
            PGS_SPV_APPEND(m, modes, SpvOpExecutionModeId, m->entry[2],
                           PGS_SPV_MODE_FAST_MATH_DEFAULT, pgs_spv_type_float(m, widths_bits[i]),
                           pgs_spv_uint(m, masks[i]));
}

/* -- all of them -- */

static uint32_t opposite_mode(uint32_t mode)
{
    switch (mode) {
    case SpvExecutionModeDenormPreserve:
        return SpvExecutionModeDenormFlushToZero;
    case SpvExecutionModeDenormFlushToZero:
        return SpvExecutionModeDenormPreserve;
    case SpvExecutionModeRoundingModeRTE:
        return SpvExecutionModeRoundingModeRTZ;
    case SpvExecutionModeRoundingModeRTZ:
        return SpvExecutionModeRoundingModeRTE;
    default:
        return UINT32_MAX;
    }
}

/* Compares any width, as some drivers want the same mode for all of them. */
bool pgs_spv_float_modes_contradict(const struct pgs_spv_module *m,
                                    const struct pgs_spv_module *from)
{
    const struct pgs_spv_list *modes = &from->sections[PGS_SPV_MODES];
    for (uint32_t i = 0; i < modes->count; i++) {
        if (pgs_spv_has_mode(m, opposite_mode(modes->items[i][2])))
            return true;
    }
    return false;
}

void pgs_spv_merge_float_modes(struct pgs_spv_module *m, const struct pgs_spv_module *from)
{
    struct pgs_spv_list *own = &m->sections[PGS_SPV_MODES];
    const struct pgs_spv_list *modes = &from->sections[PGS_SPV_MODES];
    const bool fast = pgs_spv_has_mode(m, PGS_SPV_MODE_FAST_MATH_DEFAULT) ||
                      pgs_spv_has_mode(from, PGS_SPV_MODE_FAST_MATH_DEFAULT);
    if (fast)
        merge_defaults(m, from);
    for (uint32_t i = 0; i < modes->count; i++) {
        const uint32_t *mode = modes->items[i];
        bool found = !pgs_spv_is_float_mode(mode[2]) || pgs_spv_length(mode) < 4 ||
                     (fast && drop_default(mode, NULL));
        for (uint32_t k = 0; k < own->count && !found; k++)
            found = own->items[k][2] == mode[2] && pgs_spv_length(own->items[k]) > 3 &&
                    own->items[k][3] == mode[3];
        if (!found)
            PGS_SPV_APPEND(m, own, SpvOpExecutionMode, m->entry[2], mode[2], mode[3]);
    }
}
