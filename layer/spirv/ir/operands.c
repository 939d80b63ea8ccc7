/* SPDX-License-Identifier: MIT
 *
 * The operands of instructions, by opcode.
 */
#define SPV_ENABLE_UTILITY_CODE
#include "spirv/ir/operands.h"

#include "spirv/ir/instruction.h"

#include <string.h>

extern inline void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

void pgs_spv_result_words(uint32_t op, uint32_t *type_word, uint32_t *id_word)
{
    bool has_result = false, has_type = false;
    SpvHasResultAndType((SpvOp)op, &has_result, &has_type);
    *type_word = has_type ? 1 : 0;
    *id_word = has_result ? 1 + *type_word : 0;
}

uint32_t pgs_spv_min_length(uint32_t op)
{
    switch (op) {
    case SpvOpTypeImage:
        return 9;
    case SpvOpFunction:
    case SpvOpExtInst:
    case SpvOpVectorShuffle:
    case SpvOpCompositeInsert:
        return 5;
    case SpvOpTypeInt:
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeArray:
    case SpvOpTypePointer:
    case SpvOpConstant:
    case SpvOpSpecConstant:
    case SpvOpSpecConstantOp:
    case SpvOpVariable:
    case SpvOpFunctionCall:
    case SpvOpEntryPoint:
    case SpvOpMemberDecorate:
    case SpvOpMemberDecorateString:
    case SpvOpMemberName:
    case SpvOpLoad:
    case SpvOpCopyMemorySized:
    case SpvOpAccessChain:
    case SpvOpInBoundsAccessChain:
    case SpvOpCompositeExtract:
    case SpvOpControlBarrier:
        return 4;
    case SpvOpTypeFloat:
    case SpvOpTypeSampledImage:
    case SpvOpTypeRuntimeArray:
    case SpvOpTypeFunction:
    case SpvOpTypeForwardPointer:
    case SpvOpExtInstImport:
    case SpvOpMemoryModel:
    case SpvOpExecutionMode:
    case SpvOpExecutionModeId:
    case SpvOpDecorate:
    case SpvOpDecorateId:
    case SpvOpDecorateString:
    case SpvOpName:
    case SpvOpString:
    case SpvOpStore:
    case SpvOpCopyMemory:
    case SpvOpMemoryBarrier:
        return 3;
    case SpvOpCapability:
    case SpvOpExtension:
    case SpvOpGroupDecorate:
    case SpvOpGroupMemberDecorate:
    case SpvOpEmitStreamVertex:
    case SpvOpEndStreamPrimitive:
        return 2;
    default: {
        uint32_t type_word, id_word;
        pgs_spv_result_words(op, &type_word, &id_word);
        return (id_word ? id_word : type_word) + 1;
    }
    }
}

/* Number of id words after the first, if all later ones are literals; UINT32_MAX: other forms.
 */
static uint32_t leading_ids(uint32_t op)
{
    switch (op) {
    case SpvOpCapability:
    case SpvOpExtension:
    case SpvOpMemoryModel:
        return 0;
    case SpvOpString:
    case SpvOpExtInstImport:
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
    case SpvOpTypeForwardPointer:
    case SpvOpName:
    case SpvOpMemberName:
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
    case SpvOpDecorateString:
    case SpvOpMemberDecorateString:
    case SpvOpExecutionMode:
    case SpvOpSelectionMerge:
        return 1;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
    case SpvOpTypeImage:
    case SpvOpConstant:
    case SpvOpSpecConstant:
    case SpvOpConstantSampler:
    case SpvOpLoopMerge:
        return 2;
    case SpvOpCompositeExtract:
    case SpvOpBranchConditional:
    case SpvOpArrayLength:
        return 3;
    case SpvOpCompositeInsert:
    case SpvOpVectorShuffle:
    case SpvOpSDot:
    case SpvOpUDot:
    case SpvOpSUDot:
        return 4;
    case SpvOpSDotAccSat:
    case SpvOpUDotAccSat:
    case SpvOpSUDotAccSat:
        return 5;
    default:
        return UINT32_MAX;
    }
}

/* The word with the mask of image operands, which ids follow; 0 if there is none. */
static uint32_t image_operands(uint32_t op)
{
    switch (op) {
    case SpvOpImageWrite:
        return 4;
    case SpvOpImageSampleImplicitLod:
    case SpvOpImageSampleExplicitLod:
    case SpvOpImageSampleProjImplicitLod:
    case SpvOpImageSampleProjExplicitLod:
    case SpvOpImageFetch:
    case SpvOpImageRead:
    case SpvOpImageSparseSampleImplicitLod:
    case SpvOpImageSparseSampleExplicitLod:
    case SpvOpImageSparseSampleProjImplicitLod:
    case SpvOpImageSparseSampleProjExplicitLod:
    case SpvOpImageSparseFetch:
    case SpvOpImageSparseRead:
        return 5;
    case SpvOpImageSampleDrefImplicitLod:
    case SpvOpImageSampleDrefExplicitLod:
    case SpvOpImageSampleProjDrefImplicitLod:
    case SpvOpImageSampleProjDrefExplicitLod:
    case SpvOpImageGather:
    case SpvOpImageDrefGather:
    case SpvOpImageSparseSampleDrefImplicitLod:
    case SpvOpImageSparseSampleDrefExplicitLod:
    case SpvOpImageSparseSampleProjDrefImplicitLod:
    case SpvOpImageSparseSampleProjDrefExplicitLod:
    case SpvOpImageSparseGather:
    case SpvOpImageSparseDrefGather:
        return 6;
    default:
        return 0;
    }
}

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
        return true;
    default:
        return op <= SpvOpPtrDiff &&
               !(op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap);
    }
}

bool pgs_spv_is_id(const uint32_t *ins, uint32_t i)
{
    const uint32_t op = pgs_spv_op(ins);
    const uint32_t leading = leading_ids(op);
    if (leading != UINT32_MAX)
        return i <= leading;
    switch (op) {
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
        return i <= leading_ids(ins[3]) + 1 || leading_ids(ins[3]) == UINT32_MAX;
    case SpvOpExtInst:
        return i != 4;
    case SpvOpLoad:
        return !is_memory_literal(ins, 4, i);
    case SpvOpStore:
    case SpvOpCopyMemory:
        return !is_memory_literal(ins, 3, i);
    case SpvOpSwitch:
        return i < 3 || (i - 3) % 2 == 1;
    default:
        return i != image_operands(op);
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

bool pgs_spv_is_float_mode(uint32_t mode)
{
    switch (mode) {
    case SpvExecutionModeDenormPreserve:
    case SpvExecutionModeDenormFlushToZero:
    case SpvExecutionModeSignedZeroInfNanPreserve:
    case SpvExecutionModeRoundingModeRTE:
    case SpvExecutionModeRoundingModeRTZ:
        return true;
    default:
        return false;
    }
}
