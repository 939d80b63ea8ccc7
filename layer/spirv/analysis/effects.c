/* SPDX-License-Identifier: MIT
 *
 * What a shader does besides computing its outputs: side effects, uses of images and
 * subgroups.
 */
#include "spirv/analysis/effects.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

static bool is_own(uint32_t storage_class)
{
    return storage_class == SpvStorageClassFunction || storage_class == SpvStorageClassPrivate ||
           storage_class == SpvStorageClassOutput;
}

/* A load counts if it is atomic: it takes what allows atomics. */
static bool writes(const struct pgs_spv_module *m, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    switch (op) {
    case SpvOpStore:
    case SpvOpCopyMemory:
    case SpvOpCopyMemorySized:
        return !is_own(pgs_spv_storage_class_of(m, ins[1]));
    case SpvOpImageWrite:
    case SpvOpAtomicFlagTestAndSet:
    case SpvOpAtomicFlagClear:
    case SpvOpAtomicFMinEXT:
    case SpvOpAtomicFMaxEXT:
    case SpvOpAtomicFAddEXT:
        return true;
    default:
        return op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor;
    }
}

bool pgs_spv_has_side_effects(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        if (writes(m, functions->items[i]))
            return true;
    }
    return false;
}

bool pgs_spv_must_run_once(const struct pgs_spv_module *m)
{
    return pgs_spv_has_side_effects(m) || pgs_spv_needs_subgroups(m);
}

bool pgs_spv_takes_long(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t op = pgs_spv_op(functions->items[i]);
        if ((op >= SpvOpSampledImage && op <= SpvOpImageQuerySamples) ||
            (op >= SpvOpImageSparseSampleImplicitLod && op <= SpvOpImageSparseRead) ||
            op == SpvOpFragmentMaskFetchAMD || op == SpvOpFragmentFetchAMD ||
            pgs_spv_is_ray_query(op))
            return true;
    }
    return false;
}

/* Of SPV_KHR_quad_control, which older headers do not know. */
enum { CAPABILITY_QUAD_CONTROL = 5087, OP_QUAD_ALL = 5110, OP_QUAD_ANY = 5111 };

/* VK_AMD_shader_ballot has instructions that need no capability. */
static bool imports_ballot(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *imports = &m->sections[PGS_SPV_IMPORTS];
    for (uint32_t i = 0; i < imports->count; i++) {
        if (pgs_spv_string_is(imports->items[i], 2, "SPV_AMD_shader_ballot"))
            return true;
    }
    return false;
}

bool pgs_spv_needs_subgroups(const struct pgs_spv_module *m)
{
    static const uint32_t capabilities[] = {
        SpvCapabilityGroups,
        SpvCapabilityGroupNonUniform,
        SpvCapabilityGroupNonUniformVote,
        SpvCapabilityGroupNonUniformArithmetic,
        SpvCapabilityGroupNonUniformBallot,
        SpvCapabilityGroupNonUniformShuffle,
        SpvCapabilityGroupNonUniformShuffleRelative,
        SpvCapabilityGroupNonUniformClustered,
        SpvCapabilityGroupNonUniformQuad,
        SpvCapabilityGroupNonUniformRotateKHR,
        CAPABILITY_QUAD_CONTROL,
        SpvCapabilityGroupNonUniformPartitionedNV,
        SpvCapabilitySubgroupBallotKHR,
        SpvCapabilitySubgroupVoteKHR,
    };
    for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++) {
        if (pgs_spv_has_capability(m, capabilities[i]))
            return true;
    }
    if (imports_ballot(m))
        return true;
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t op = pgs_spv_op(functions->items[i]);
        if (op == SpvOpGroupNonUniformRotateKHR || op == OP_QUAD_ALL || op == OP_QUAD_ANY ||
            (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap) ||
            (op >= SpvOpSubgroupBallotKHR && op <= SpvOpSubgroupReadInvocationKHR &&
             op != PGS_SPV_OP_FMA))
            return true;
    }
    return false;
}

static bool has_output(const struct pgs_spv_module *m, uint32_t builtin)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        uint32_t value;
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == SpvStorageClassOutput &&
            pgs_spv_decoration(m, ins[2], -1, SpvDecorationBuiltIn, &value) && value == builtin)
            return true;
    }
    return false;
}

bool pgs_spv_decides_coverage(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t op = pgs_spv_op(functions->items[i]);
        if (op == SpvOpKill || op == SpvOpTerminateInvocation ||
            op == SpvOpDemoteToHelperInvocation)
            return true;
    }
    return has_output(m, SpvBuiltInFragDepth) || has_output(m, SpvBuiltInSampleMask) ||
           has_output(m, SpvBuiltInFragStencilRefEXT);
}
