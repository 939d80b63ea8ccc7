/* SPDX-License-Identifier: MIT
 *
 * The operands of instructions, by opcode.
 */
#include "spirv/ir/operands.h"

#include <string.h>

const uint8_t pgs_spv_leading_ids[PGS_SPV_ID_OPCODES] = {
    [SpvOpCapability] = 1,
    [SpvOpExtension] = 1,
    [SpvOpMemoryModel] = 1,
    [SpvOpString] = 2,
    [SpvOpExtInstImport] = 2,
    [SpvOpTypeInt] = 2,
    [SpvOpTypeFloat] = 2,
    [SpvOpTypeForwardPointer] = 2,
    [SpvOpName] = 2,
    [SpvOpMemberName] = 2,
    [SpvOpDecorate] = 2,
    [SpvOpMemberDecorate] = 2,
    [SpvOpDecorateString] = 2,
    [SpvOpMemberDecorateString] = 2,
    [SpvOpExecutionMode] = 2,
    [SpvOpSelectionMerge] = 2,
    [SpvOpTypeVector] = 3,
    [SpvOpTypeMatrix] = 3,
    [SpvOpTypeImage] = 3,
    [SpvOpConstant] = 3,
    [SpvOpSpecConstant] = 3,
    [SpvOpConstantSampler] = 3,
    [SpvOpLoopMerge] = 3,
    [SpvOpCompositeExtract] = 4,
    [SpvOpBranchConditional] = 4,
    [SpvOpArrayLength] = 4,
    [SpvOpCompositeInsert] = 5,
    [SpvOpVectorShuffle] = 5,
    [SpvOpSDot] = 5,
    [SpvOpUDot] = 5,
    [SpvOpSUDot] = 5,
    [SpvOpSDotAccSat] = 6,
    [SpvOpUDotAccSat] = 6,
    [SpvOpSUDotAccSat] = 6,
    [SpvOpTypePointer] = PGS_SPV_IDS_MIXED + 1,
    [SpvOpExecutionModeId] = PGS_SPV_IDS_MIXED + 1,
    [SpvOpDecorateId] = PGS_SPV_IDS_MIXED + 1,
    [SpvOpVariable] = PGS_SPV_IDS_MIXED + 1,
    [SpvOpFunction] = PGS_SPV_IDS_MIXED + 1,
    [SpvOpSpecConstantOp] = PGS_SPV_IDS_MIXED + 1,
    [SpvOpExtInst] = PGS_SPV_IDS_MIXED + 1,
    [SpvOpLoad] = PGS_SPV_IDS_MIXED + 4,
    [SpvOpStore] = PGS_SPV_IDS_MIXED + 3,
    [SpvOpCopyMemory] = PGS_SPV_IDS_MIXED + 3,
    [SpvOpSwitch] = PGS_SPV_IDS_MIXED + 1,
    [SpvOpImageWrite] = PGS_SPV_IDS_MIXED + 4,
    [SpvOpImageSampleImplicitLod] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSampleExplicitLod] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSampleProjImplicitLod] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSampleProjExplicitLod] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageFetch] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageRead] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSparseSampleImplicitLod] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSparseSampleExplicitLod] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSparseSampleProjImplicitLod] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSparseSampleProjExplicitLod] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSparseFetch] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSparseRead] = PGS_SPV_IDS_MIXED + 5,
    [SpvOpImageSampleDrefImplicitLod] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSampleDrefExplicitLod] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSampleProjDrefImplicitLod] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSampleProjDrefExplicitLod] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageGather] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageDrefGather] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSparseSampleDrefImplicitLod] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSparseSampleDrefExplicitLod] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSparseSampleProjDrefImplicitLod] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSparseSampleProjDrefExplicitLod] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSparseGather] = PGS_SPV_IDS_MIXED + 6,
    [SpvOpImageSparseDrefGather] = PGS_SPV_IDS_MIXED + 6,
};

/* True if word i is a literal of the memory operands at word `at`. There may be two groups. */
static bool is_memory_literal(const uint32_t *ins, uint32_t at, uint32_t i)
{
    while (at <= i) {
        const uint32_t mask = ins[at], aligned = mask & SpvMemoryAccessAlignedMask ? 1 : 0;
        if (i <= at + aligned)
            return true;
        at += 1 + aligned + (mask & SpvMemoryAccessMakePointerAvailableMask ? 1 : 0) +
              (mask & SpvMemoryAccessMakePointerVisibleMask ? 1 : 0);
    }
    return false;
}

/* Of SPV_KHR_ray_tracing_position_fetch, which older headers do not know. */
enum { OP_RAY_QUERY_GET_VERTEX_POSITIONS = 5340 };

bool pgs_spv_is_ray_query(uint32_t op)
{
    return (op >= SpvOpTypeRayQueryKHR && op <= SpvOpRayQueryGetIntersectionTypeKHR) ||
           (op >= SpvOpRayQueryGetRayTMinKHR &&
            op <= SpvOpRayQueryGetIntersectionWorldToObjectKHR) ||
           op == OP_RAY_QUERY_GET_VERTEX_POSITIONS;
}

/* Of SPV_VALVE_mixed_float_dot_product, likewise: all operands are ids. */
enum { OP_FIRST_MIXED_DOT = 6916, OP_LAST_MIXED_DOT = 6918 };

bool pgs_spv_knows_operands(uint32_t op)
{
    switch (op) {
    case SpvOpSDot:
    case SpvOpUDot:
    case SpvOpSUDot:
    case SpvOpSDotAccSat:
    case SpvOpUDotAccSat:
    case SpvOpSUDotAccSat:
    case SpvOpReadClockKHR:
    case SpvOpAssumeTrueKHR:
    case SpvOpExpectKHR:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
    case SpvOpFragmentMaskFetchAMD:
    case SpvOpFragmentFetchAMD:
    case SpvOpConvertUToAccelerationStructureKHR:
    case SpvOpTypeAccelerationStructureKHR:
    case SpvOpGroupNonUniformRotateKHR:
        return true;
    default:
        return (op <= SpvOpPtrDiff &&
                !(op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap)) ||
               (op >= SpvOpUCountLeadingZerosINTEL && op <= SpvOpUMul32x16INTEL) ||
               op == PGS_SPV_OP_FMA || (op >= OP_FIRST_MIXED_DOT && op <= OP_LAST_MIXED_DOT) ||
               pgs_spv_is_ray_query(op);
    }
}

/* Word i of OpSpecConstantOp, whose operands follow the opcode of the instruction that it stands
 * for. */
static bool is_operand_id(uint32_t op, uint32_t i)
{
    const uint32_t leading = op < PGS_SPV_ID_OPCODES ? pgs_spv_leading_ids[op] : 0;
    return leading == 0 || leading >= PGS_SPV_IDS_MIXED || i <= leading;
}

bool pgs_spv_is_mixed_id(const uint32_t *ins, uint32_t i)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpTypePointer:
    case SpvOpExecutionModeId:
    case SpvOpDecorateId:
        return i != 2;
    case SpvOpVariable:
    case SpvOpFunction:
        return i != 3;
    case SpvOpSpecConstantOp:
        if (i < 4)
            return i != 3;
        return is_operand_id(ins[3], i);
    case SpvOpExtInst:
        return i != 4;
    case SpvOpLoad:
        return !is_memory_literal(ins, 4, i);
    case SpvOpStore:
    case SpvOpCopyMemory:
        return !is_memory_literal(ins, 3, i);
    case SpvOpSwitch:
        return i < 3 || (i - 3) % 2 == 1;
    default: /* image operands: a mask, and ids */
        return i != pgs_spv_id_words(ins).sure;
    }
}

uint32_t pgs_spv_string_words(const uint32_t *ins, uint32_t at)
{
    const uint32_t length = pgs_spv_length(ins);
    for (uint32_t i = at; i < length; i++) {
        if (!(ins[i] & 0xFFu) || !(ins[i] & 0xFF00u) || !(ins[i] & 0xFF0000u) ||
            !(ins[i] & 0xFF000000u))
            return i + 1 - at;
    }
    return 0;
}

uint32_t pgs_spv_interface_word(const uint32_t *entry)
{
    return 3 + pgs_spv_string_words(entry, 3);
}

bool pgs_spv_is_id_of_any(const uint32_t *ins, uint32_t i)
{
    if (pgs_spv_op(ins) != SpvOpEntryPoint)
        return pgs_spv_is_id(ins, i);
    return i == 2 || i >= pgs_spv_interface_word(ins);
}

bool pgs_spv_is_dropped(uint32_t op)
{
    switch (op) {
    case SpvOpNop:
    case SpvOpLine:
    case SpvOpNoLine:
    case SpvOpSource:
    case SpvOpSourceContinued:
    case SpvOpSourceExtension:
    case SpvOpModuleProcessed:
        return true;
    default:
        return false;
    }
}

/* Characters are packed from the low byte up, independent of the machine's byte order. */
bool pgs_spv_string_is(const uint32_t *ins, uint32_t at, const char *text)
{
    const uint32_t words = pgs_spv_string_words(ins, at);
    const size_t length = strlen(text);
    if (words == 0 || length / 4 + 1 != words)
        return false;
    for (size_t i = 0; i <= length; i++) {
        if ((unsigned char)text[i] != ((ins[at + i / 4] >> (i % 4 * 8)) & 0xFFu))
            return false;
    }
    return true;
}
