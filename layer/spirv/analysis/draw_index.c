/* SPDX-License-Identifier: MIT */
#include "spirv/analysis/draw_index.h"

#include "spirv/ir/instruction.h"

static bool has_builtin(const uint32_t *words, size_t word_count, bool (*is_wanted)(uint32_t))
{
    if (!words || word_count < 5 || words[0] != SpvMagicNumber)
        return false;
    for (size_t at = 5; at < word_count && !pgs_spv_ends_annotations(words + at);) {
        const size_t length = pgs_spv_length(words + at);
        if (length == 0 || length > word_count - at)
            return false;
        if (pgs_spv_op(words + at) == SpvOpDecorate && length > 3 &&
            words[at + 2] == SpvDecorationBuiltIn && is_wanted(words[at + 3]))
            return true;
        at += length;
    }
    return false;
}

static bool is_draw_index(uint32_t builtin)
{
    return builtin == SpvBuiltInDrawIndex;
}

bool pgs_spv_module_has_draw_index(const uint32_t *words, size_t word_count)
{
    return has_builtin(words, word_count, is_draw_index);
}

static bool is_instance(uint32_t builtin)
{
    return builtin == SpvBuiltInInstanceIndex || builtin == SpvBuiltInBaseInstance;
}

bool pgs_spv_module_has_instance(const uint32_t *words, size_t word_count)
{
    return has_builtin(words, word_count, is_instance);
}
