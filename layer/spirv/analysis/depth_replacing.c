/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/depth_replacing.h"

#include "spirv/ir/instruction.h"

bool pgs_spv_module_replaces_depth(const uint32_t *words, size_t word_count)
{
    if (!words || word_count < 5 || words[0] != SpvMagicNumber)
        return false;
    for (size_t at = 5; at < word_count && !pgs_spv_ends_annotations(words + at);) {
        const size_t length = pgs_spv_length(words + at);
        if (length == 0 || length > word_count - at)
            return false;
        if (pgs_spv_op(words + at) == SpvOpExecutionMode && length > 2 &&
            words[at + 2] == SpvExecutionModeDepthReplacing)
            return true;
        at += length;
    }
    return false;
}
