/* SPDX-License-Identifier: MIT
 *
 * Which instructions may be computed where nothing needs their results.
 */
#include "spirv/ir/cheap.h"

#include "spirv/ir/builder.h"

/* Memory of an invocation, at a place that is there. */
static bool is_load_of_own(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t *def = pgs_spv_length(ins) == 4 ? pgs_spv_def(m, ins[3]) : NULL;
    uint32_t index;
    if (def && pgs_spv_is_chain(pgs_spv_op(def))) {
        for (uint32_t i = 4; i < pgs_spv_length(def); i++)
            if (!pgs_spv_constant(m, def[i], &index))
                return false;
        def = pgs_spv_def(m, def[3]);
    }
    return def && pgs_spv_op(def) == SpvOpVariable &&
           (def[3] == SpvStorageClassPrivate || def[3] == SpvStorageClassFunction ||
            def[3] == SpvStorageClassInput || def[3] == SpvStorageClassPushConstant);
}

bool pgs_spv_is_cheap(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    switch (op) {
    case SpvOpLoad:
        return is_load_of_own(m, ins);
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpVectorShuffle:
    case SpvOpCompositeConstruct:
    case SpvOpCompositeExtract:
    case SpvOpUConvert:
    case SpvOpSConvert:
    case SpvOpBitcast:
    case SpvOpConvertUToPtr:
    case SpvOpIAdd:
    case SpvOpISub:
    case SpvOpIMul:
        return true;
    default: /* logic, comparisons of integers, bits */
        return (op >= SpvOpLogicalEqual && op <= SpvOpSLessThanEqual) ||
               (op >= SpvOpShiftRightLogical && op <= SpvOpBitCount);
    }
}
