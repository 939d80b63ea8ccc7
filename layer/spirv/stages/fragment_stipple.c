/* SPDX-License-Identifier: MIT */
#include "spirv/stages/fragment_stipple.h"

#include "spirv/ir/builder.h"

#define HALF 0x3F000000u

uint32_t pgs_spv_stipple_type(struct pgs_spv_module *m)
{
    return pgs_spv_type_vector(m, pgs_spv_type_float(m, 32), 3);
}

uint32_t pgs_spv_declare_stipple(struct pgs_spv_module *m, uint32_t storage_class,
                                 uint32_t location)
{
    const uint32_t variable = pgs_spv_variable(m, storage_class, pgs_spv_stipple_type(m));
    PGS_SPV_DECORATE(m, variable, SpvDecorationLocation, location);
    pgs_spv_decorate(m, variable, SpvDecorationNoPerspective, NULL, 0);
    return variable;
}

static uint32_t element(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t value,
                        uint32_t number)
{
    return PGS_SPV_VALUE(m, list, SpvOpCompositeExtract, pgs_spv_type_float(m, 32), value, number);
}

/* Id of a uint, which was interpolated. */
static uint32_t rounded(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t value)
{
    const uint32_t type = pgs_spv_type_float(m, 32);
    const uint32_t half = pgs_spv_known_constant(m, SpvOpConstant, type, HALF);
    return PGS_SPV_VALUE(m, list, SpvOpConvertFToU, pgs_spv_type_uint(m),
                         PGS_SPV_VALUE(m, list, SpvOpFAdd, type, value, half));
}

/* Id of a uint: what is beside the line belongs to its first pixel. */
static uint32_t counter(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t value)
{
    const uint32_t type = pgs_spv_type_float(m, 32);
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t zero = pgs_spv_known_constant(m, SpvOpConstant, type, 0);
    const uint32_t there = PGS_SPV_VALUE(m, list, SpvOpFOrdGreaterThan, bool_type, value, zero);
    return PGS_SPV_VALUE(m, list, SpvOpConvertFToU, pgs_spv_type_uint(m),
                         PGS_SPV_VALUE(m, list, SpvOpSelect, type, there, value, zero));
}

uint32_t pgs_spv_stipple_has(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t value)
{
    const uint32_t type = pgs_spv_type_uint(m);
    const uint32_t at = counter(m, list, element(m, list, value, 0));
    const uint32_t factor = rounded(m, list, element(m, list, value, 1));
    const uint32_t pattern = rounded(m, list, element(m, list, value, 2));
    const uint32_t repeated = PGS_SPV_VALUE(m, list, SpvOpUDiv, type, at, factor);
    const uint32_t bit =
        PGS_SPV_VALUE(m, list, SpvOpBitwiseAnd, type, repeated, pgs_spv_uint(m, 15));
    const uint32_t shifted = PGS_SPV_VALUE(m, list, SpvOpShiftRightLogical, type, pattern, bit);
    const uint32_t set = PGS_SPV_VALUE(m, list, SpvOpBitwiseAnd, type, shifted, pgs_spv_uint(m, 1));
    return PGS_SPV_VALUE(m, list, SpvOpINotEqual, pgs_spv_type(m, SpvOpTypeBool, NULL, 0), set,
                         pgs_spv_uint(m, 0));
}
