/* SPDX-License-Identifier: MIT
 *
 * What must not be captured is refused, and what no vertex has: modules of the corpus with one
 * literal changed.
 *   spirv-refuse capture.vert.spv capture_wide.vert.spv streams.geom.spv builtins.geom.spv
 */
#include "module_file.h"

enum { CAPTURE, WIDE, STREAMS, BUILTINS, MODULE_COUNT };

/* The `from` of decoration number `skip` that has it becomes `to`. */
static const struct {
    int module;
    SpvDecoration decoration;
    uint32_t from, skip, to;
    enum pgs_spv_result result;
    const char *why;
} cases[] = {
    {CAPTURE, SpvDecorationOffset, 64, 0, 64, PGS_SPV_OK, "nothing changed"},
    {CAPTURE, SpvDecorationOffset, 64, 0, 28, PGS_SPV_OK, "right behind another"},
    {CAPTURE, SpvDecorationOffset, 64, 0, 24, PGS_SPV_INVALID, "the matrix begins in a pair"},
    {CAPTURE, SpvDecorationOffset, 100, 0, 96, PGS_SPV_INVALID, "in the last column"},
    {CAPTURE, SpvDecorationOffset, 100, 0, 192, PGS_SPV_OK, "the end of the stride"},
    {CAPTURE, SpvDecorationOffset, 100, 0, 196, PGS_SPV_INVALID, "half beyond the stride"},
    {CAPTURE, SpvDecorationOffset, 100, 0, 200, PGS_SPV_INVALID, "beyond the stride"},
    {CAPTURE, SpvDecorationOffset, 100, 0, 102, PGS_SPV_INVALID, "in the middle of a word"},
    {CAPTURE, SpvDecorationOffset, 100, 0, 512, PGS_SPV_INVALID, "beyond the data of a buffer"},
    {CAPTURE, SpvDecorationOffset, 100, 0, 0xFFFFFFFC, PGS_SPV_INVALID, "wraps"},
    {CAPTURE, SpvDecorationXfbStride, 200, 0, 2048, PGS_SPV_INVALID, "two strides of a buffer"},
    {CAPTURE, SpvDecorationXfbStride, 32, 0, 2048, PGS_SPV_OK, "the largest stride"},
    {CAPTURE, SpvDecorationXfbStride, 32, 0, 2052, PGS_SPV_INVALID, "beyond the largest stride"},
    {CAPTURE, SpvDecorationXfbStride, 32, 0, 28, PGS_SPV_OK, "the tightest stride"},
    {CAPTURE, SpvDecorationXfbStride, 32, 0, 24, PGS_SPV_INVALID, "too small a stride"},
    {CAPTURE, SpvDecorationXfbStride, 32, 0, 30, PGS_SPV_INVALID, "no words"},
    {CAPTURE, SpvDecorationXfbStride, 32, 0, 0, PGS_SPV_INVALID, "no stride"},
    {CAPTURE, SpvDecorationXfbBuffer, 1, 0, 4, PGS_SPV_INVALID, "beyond the last buffer"},
    {CAPTURE, SpvDecorationXfbBuffer, 1, 0, 3, PGS_SPV_INVALID, "the array ends beyond the last"},
    {CAPTURE, SpvDecorationXfbBuffer, 1, 0, 0xFFFFFFFF, PGS_SPV_INVALID, "no buffer"},
    {WIDE, SpvDecorationOffset, 136, 0, 136, PGS_SPV_OK, "nothing changed"},
    {WIDE, SpvDecorationOffset, 136, 0, 140, PGS_SPV_INVALID, "64 bits at a multiple of 4"},
    {WIDE, SpvDecorationOffset, 64, 0, 68, PGS_SPV_INVALID, "a struct with 64 bits in it"},
    {WIDE, SpvDecorationOffset, 8, 0, 0, PGS_SPV_OK, "the begin of the vertex"},
    {STREAMS, SpvDecorationStream, 3, 0, 3, PGS_SPV_OK, "nothing changed"},
    {STREAMS, SpvDecorationStream, 3, 0, 4, PGS_SPV_INVALID, "beyond the last stream"},
    {STREAMS, SpvDecorationXfbBuffer, 3, 0, 1, PGS_SPV_INVALID, "two streams in one buffer"},
    {BUILTINS, SpvDecorationBuiltIn, SpvBuiltInPosition, 1, SpvBuiltInPosition, PGS_SPV_OK,
     "nothing changed"},
    {BUILTINS, SpvDecorationBuiltIn, SpvBuiltInPosition, 1, SpvBuiltInTessLevelInner,
     PGS_SPV_UNSUPPORTED, "a level is read from a vertex"},
    {WIDE, SpvDecorationBuiltIn, SpvBuiltInPosition, 0, SpvBuiltInTessLevelOuter,
     PGS_SPV_UNSUPPORTED, "a level is written to a vertex"},
};

/* The literal of a case, NULL when the module has none. */
static uint32_t *find_literal(const struct module *module, size_t n)
{
    uint32_t skip = cases[n].skip;
    for (size_t at = 5; at < module->count; at += module->words[at] >> 16) {
        uint32_t *ins = module->words + at;
        const uint32_t op = ins[0] & 0xFFFF;
        const uint32_t word = op == SpvOpDecorate ? 2 : op == SpvOpMemberDecorate ? 3 : 0;
        if (word && ins[word] == (uint32_t)cases[n].decoration && ins[word + 1] == cases[n].from &&
            skip-- == 0)
            return &ins[word + 1];
    }
    return NULL;
}

static enum pgs_spv_result reflect(const struct module *module, int which)
{
    static struct pgs_spv_geometry_info info;
    struct pgs_spv_layout out;
    struct pgs_spv_xfb xfb;
    const bool is_geometry = which == STREAMS || which == BUILTINS;
    const struct pgs_spv_shader shader =
        shader_of(module, is_geometry ? PGS_SPV_GEOMETRY : PGS_SPV_VERTEX);
    if (is_geometry)
        return pgs_spv_geometry_info(&shader, &info);
    return pgs_spv_vertex_xfb(&shader, &out, &xfb);
}

int main(int argc, char **argv)
{
    struct module modules[MODULE_COUNT];
    int failures = 0;
    read_modules(modules, MODULE_COUNT, argc, argv);
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        const struct module *module = &modules[cases[n].module];
        uint32_t *literal = find_literal(module, n);
        if (!literal) {
            fprintf(stderr, "%s: the module has no such decoration\n", cases[n].why);
            failures++;
            continue;
        }
        *literal = cases[n].to;
        const enum pgs_spv_result result = reflect(module, cases[n].module);
        *literal = cases[n].from;
        failures += compare_result(cases[n].why, result, cases[n].result);
    }
    for (int i = 0; i < MODULE_COUNT; i++)
        free(modules[i].words);
    return failures != 0;
}
