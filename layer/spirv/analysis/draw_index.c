/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/draw_index.h"

#include "spirv/ir/instruction.h"

bool pgs_spv_module_has_draw_index(const uint32_t *words, size_t word_count)
{
    if (!words || word_count < 5 || words[0] != SpvMagicNumber)
        return false;
    for (size_t at = 5; at < word_count && !pgs_spv_ends_annotations(words + at);) {
        const size_t length = pgs_spv_length(words + at);
        if (length == 0 || length > word_count - at)
            return false;
        if (pgs_spv_op(words + at) == SpvOpDecorate && length > 3 &&
            words[at + 2] == SpvDecorationBuiltIn && words[at + 3] == SpvBuiltInDrawIndex)
            return true;
        at += length;
    }
    return false;
}
