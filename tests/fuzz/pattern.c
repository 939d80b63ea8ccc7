/* SPDX-License-Identifier: MIT
 *
 * The walk through a geometry shader that finds out what it emits, and the count of the vertices
 * between ends of strips, on any module. Modules are taken for geometry shaders whatever they say,
 * and must say no more than they may. The two find out the same in different ways.
 */
#include "module_input.h"
#include "spirv/analysis/longest_strip.h"
#include "spirv/io/io_vars.h"
#include "target.h"

#include <spirv/unified1/spirv.h>

#define MOST_VERTICES 256u
#define STREAM_MASK 1u /* see has_streams */

/* What is known holds together. */
static void check_pattern(const struct pgs_spv_emit_pattern *pattern, uint32_t kind, uint32_t most)
{
    uint64_t primitives = 0;
    if (!pattern->is_known) {
        if (pattern->vertices || pattern->steps || pattern->longest_el)
            fuzz_die("something of a pattern that is not known");
        return;
    }
    for (uint32_t i = 0; i < PGS_SPV_STREAMS; i++)
        primitives += pattern->primitives[i];
    if (pattern->vertices > most || primitives > pattern->vertices)
        fuzz_die("more than the shader may emit");
    if (pattern->longest_el > pattern->vertices || (kind == 1 && pattern->longest_el))
        fuzz_die("a strip that is longer than all of them");
}

/* No strip is longer than what is said of all paths, of which the pattern is one. */
static void check_longest(const struct pgs_spv_emit_pattern *pattern, uint32_t longest_el,
                          uint32_t most)
{
    if (longest_el > most)
        fuzz_die("a strip that is longer than all that the shader may emit");
    if (pattern->longest_el > longest_el || (pattern->vertices && !longest_el))
        fuzz_die("a strip of a known pattern that is longer than any may be");
}

static void check_one_strip(const struct pgs_spv_emit_pattern *pattern, uint32_t kind)
{
    const uint32_t el = pattern->vertices;
    if (pattern->is_known && pattern->primitives[0] != (el < kind ? 0 : el - kind + 1))
        fuzz_die("a known pattern has several strips where there is but one");
}

/* Which streams there are is checked before, with the rest of the shader: see reflect.c. */
static bool has_streams(const struct module_input *module)
{
    for (size_t at = 5; at < module->count;) {
        const uint32_t op = module->words[at] & 0xFFFF, length = module->words[at] >> 16;
        if (op == SpvOpEmitStreamVertex || op == SpvOpEndStreamPrimitive)
            return true;
        at += length ? length : 1;
    }
    return false;
}

void fuzz_one(const uint8_t *data, size_t size_B)
{
    struct module_input module;
    struct pgs_spv_module m;
    struct pgs_spv_io_vars inputs, outputs;
    struct pgs_spv_emit_pattern pattern = {.is_known = false};
    if (!module_input_read(data, size_B, &module) || has_streams(&module))
        return;
    const struct pgs_spv_shader shader = {.words = module.words,
                                          .word_count = module.count,
                                          .entry_point = module.entry,
                                          .stage = PGS_SPV_GEOMETRY};
    const uint32_t kind = 1 + module.choice % 3, most = 1 + module.choice / 4 % MOST_VERTICES;
    uint32_t longest_el = most;
    bool one_strip = false;
    if (pgs_spv_open_geometry(&m, &shader, &inputs, &outputs) == PGS_SPV_OK) {
        pgs_spv_find_pattern(&m, kind, most, &pattern);
        longest_el = pgs_spv_longest_strip(&m, STREAM_MASK, most, &one_strip);
    }
    pgs_spv_finish(&m);
    check_pattern(&pattern, kind, most);
    check_longest(&pattern, longest_el, most);
    if (one_strip)
        check_one_strip(&pattern, kind);
}
