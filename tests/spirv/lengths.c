/* SPDX-License-Identifier: MIT
 *
 * Instructions with a word less than they need, which are no SPIR-V, and with words that nobody
 * knows, which stay as they are.
 */
#include "spirv/ir/module.h"
#include "spirv/ir/operands.h"
#include "spirv/spirv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TYPE_VOID = 1, TYPE_FUNCTION, MAIN, LABEL, RESULT, BOUND };

#define UNKNOWN 0x5A5A5A5Au
#define MOST_W 16u

/* Words that an instruction has at least. */
static const struct {
    uint32_t op, least;
} cases[] = {
    {SpvOpBranch, 2},
    {SpvOpReturnValue, 2},
    {SpvOpSelectionMerge, 3},
    {SpvOpSwitch, 3},
    {SpvOpStore, 3},
    {SpvOpPhi, 3},
    {SpvOpCompositeConstruct, 3},
    {SpvOpLoopMerge, 4},
    {SpvOpBranchConditional, 4},
    {SpvOpBitcast, 4},
    {SpvOpImageWrite, 4},
    {SpvOpLoad, 4},
    {SpvOpFAdd, 5},
    {SpvOpArrayLength, 5},
    {SpvOpVectorExtractDynamic, 5},
    {SpvOpImageSampleImplicitLod, 5},
    {SpvOpSelect, 6},
    {SpvOpImageSampleDrefImplicitLod, 6},
    {SpvOpAtomicIAdd, 7},
    {SpvOpAtomicCompareExchange, 9},
};

static const uint32_t head[] = {SpvMagicNumber,
                                0x10300,
                                0,
                                BOUND,
                                0,
                                2 << 16 | SpvOpCapability,
                                SpvCapabilityShader,
                                10 << 16 | SpvOpExtension,
                                0x5f565053 /* SPV_KHR_physical_storage_buffer */,
                                0x5f52484b,
                                0x73796870,
                                0x6c616369,
                                0x6f74735f,
                                0x65676172,
                                0x6675625f,
                                0x00726566,
                                0,
                                3 << 16 | SpvOpMemoryModel,
                                SpvAddressingModelPhysicalStorageBuffer64,
                                SpvMemoryModelGLSL450,
                                5 << 16 | SpvOpEntryPoint,
                                SpvExecutionModelVertex,
                                MAIN,
                                0x6e69616d /* main */,
                                0,
                                2 << 16 | SpvOpTypeVoid,
                                TYPE_VOID,
                                3 << 16 | SpvOpTypeFunction,
                                TYPE_FUNCTION,
                                TYPE_VOID,
                                5 << 16 | SpvOpFunction,
                                TYPE_VOID,
                                MAIN,
                                SpvFunctionControlMaskNone,
                                TYPE_FUNCTION,
                                2 << 16 | SpvOpLabel,
                                LABEL};

static const uint32_t tail[] = {1 << 16 | SpvOpReturn, 1 << 16 | SpvOpFunctionEnd};

/* A module with such an instruction in its function; what it refers to does not matter. Returns its
 * words. */
static size_t make(uint32_t *words, uint32_t op, uint32_t length)
{
    uint32_t *ins = words + sizeof(head) / 4;
    uint32_t type_word, id_word;
    memcpy(words, head, sizeof(head));
    ins[0] = length << 16 | op;
    for (uint32_t i = 1; i < length; i++)
        ins[i] = UNKNOWN;
    pgs_spv_result_words(op, &type_word, &id_word);
    if (type_word && type_word < length)
        ins[type_word] = TYPE_VOID;
    if (id_word && id_word < length)
        ins[id_word] = RESULT;
    memcpy(ins + length, tail, sizeof(tail));
    return sizeof(head) / 4 + length + sizeof(tail) / 4;
}

static int check_parse(uint32_t op, uint32_t length, enum pgs_spv_result wanted)
{
    uint32_t words[sizeof(head) / 4 + MOST_W + sizeof(tail) / 4];
    struct pgs_spv_module module;
    const size_t count = make(words, op, length);
    const enum pgs_spv_result result = pgs_spv_parse(&module, words, count);
    pgs_spv_finish(&module);
    if (result == wanted)
        return 0;
    fprintf(stderr, "%u words of opcode %u: %d instead of %d\n", length, op, (int)result,
            (int)wanted);
    return 1;
}

/* A cast with words behind its operand keeps them all. */
static int check_long_cast(void)
{
    uint32_t words[sizeof(head) / 4 + MOST_W + sizeof(tail) / 4];
    struct pgs_spv_blob blob;
    const size_t count = make(words, SpvOpBitcast, MOST_W);
    if (pgs_spv_use_ext_addresses(words, count, &blob) != PGS_SPV_OK)
        return fprintf(stderr, "a long cast is not taken\n") > 0;
    const uint32_t *ins = words + sizeof(head) / 4, *end = blob.words + blob.word_count;
    const bool kept = blob.word_count > MOST_W + sizeof(tail) / 4 &&
                      memcmp(end - sizeof(tail) / 4 - MOST_W, ins, 4 * MOST_W) == 0;
    if (!kept)
        fprintf(stderr, "a long cast loses words\n");
    pgs_spv_blob_free(&blob);
    return !kept;
}

int main(void)
{
    int failures = check_long_cast();
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        failures += check_parse(cases[n].op, cases[n].least, PGS_SPV_OK);
        failures += check_parse(cases[n].op, cases[n].least - 1, PGS_SPV_INVALID);
    }
    return failures != 0;
}
