/* SPDX-License-Identifier: MIT
 *
 * A vertex and a geometry shader that cannot be one module are not made one: modules of the corpus
 * with a word changed.
 *   spirv-unfit merge_private.vert.spvasm.spv plain.geom.spv
 */
#include "spirv/spirv.h"

#include "module_file.h"

enum { VERTEX, GEOMETRY, MODULE_COUNT };

#define VERSION 0u /* in the place of an instruction: the module's */

/* Word `word` of the first such instruction whose word is `from` becomes `to`. */
struct change {
    int module;
    uint32_t op, word, from, to;
};

static const struct {
    struct change changes[2];
    enum pgs_spv_result result;
    const char *why;
} cases[] = {
    {{{VERTEX, VERSION, 1, 0x10300, 0x10300}}, PGS_SPV_OK, "nothing changed"},
    {{{VERTEX, VERSION, 1, 0x10300, 0x10000}}, PGS_SPV_OK, "versions that hardly differ"},
    {{{VERTEX, VERSION, 1, 0x10300, 0x10400}}, PGS_SPV_UNSUPPORTED, "interfaces of another kind"},
    {{{VERTEX, VERSION, 1, 0x10300, 0x10500}, {GEOMETRY, VERSION, 1, 0x10300, 0x10600}},
     PGS_SPV_UNSUPPORTED,
     "branches of another kind"},
    {{{VERTEX, SpvOpMemoryModel, 2, SpvMemoryModelGLSL450, SpvMemoryModelVulkan}},
     PGS_SPV_UNSUPPORTED,
     "two memory models"},
    {{{VERTEX, SpvOpCapability, 1, SpvCapabilityShader, SpvCapabilityGroupNonUniformVote}},
     PGS_SPV_UNSUPPORTED,
     "subgroups"},
    {{{VERTEX, SpvOpExecutionMode, 2, SpvExecutionModeSignedZeroInfNanPreserve,
       SpvExecutionModeDenormPreserve},
      {GEOMETRY, SpvOpExecutionMode, 2, SpvExecutionModeInvocations,
       SpvExecutionModeDenormFlushToZero}},
     PGS_SPV_UNSUPPORTED,
     "denormals that stay and go"},
    {{{VERTEX, SpvOpExecutionMode, 2, SpvExecutionModeSignedZeroInfNanPreserve,
       SpvExecutionModeRoundingModeRTZ},
      {GEOMETRY, SpvOpExecutionMode, 2, SpvExecutionModeInvocations,
       SpvExecutionModeRoundingModeRTE}},
     PGS_SPV_UNSUPPORTED,
     "two ways to round"},
    {{{VERTEX, SpvOpExecutionMode, 2, SpvExecutionModeSignedZeroInfNanPreserve,
       SpvExecutionModeRoundingModeRTZ},
      {GEOMETRY, SpvOpExecutionMode, 2, SpvExecutionModeInvocations,
       SpvExecutionModeDenormPreserve}},
     PGS_SPV_OK,
     "controls of different things"},
};

static uint32_t *find_word(const struct module *module, const struct change *change)
{
    if (change->op == VERSION)
        return module->words[1] == change->from ? &module->words[1] : NULL;
    for (size_t at = 5; at < module->count; at += module->words[at] >> 16) {
        uint32_t *ins = module->words + at;
        if ((ins[0] & 0xFFFF) == change->op && ins[change->word] == change->from)
            return &ins[change->word];
    }
    return NULL;
}

static enum pgs_spv_result fuse(const struct module *modules)
{
    static struct pgs_spv_vertex_options options;
    static struct pgs_spv_geometry_info info;
    const struct pgs_spv_shader vs = shader_of(&modules[VERTEX], PGS_SPV_VERTEX),
                                gs = shader_of(&modules[GEOMETRY], PGS_SPV_GEOMETRY);
    struct pgs_spv_blob blob;
    if (pgs_spv_geometry_info(&gs, &info) != PGS_SPV_OK)
        return PGS_SPV_INVALID;
    options.out = info.in;
    const enum pgs_spv_result result =
        pgs_spv_fused_to_compute(&vs, &options, &gs, &info, NULL, &blob);
    pgs_spv_blob_free(&blob);
    return result;
}

int main(int argc, char **argv)
{
    struct module modules[MODULE_COUNT];
    int failures = 0;
    read_modules(modules, MODULE_COUNT, argc, argv);
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        uint32_t *words[2] = {NULL, NULL};
        for (int i = 0; i < 2 && cases[n].changes[i].to; i++) {
            const struct change *change = &cases[n].changes[i];
            words[i] = find_word(&modules[change->module], change);
            if (!words[i])
                fprintf(stderr, "%s: the module has no such word\n", cases[n].why);
            else
                *words[i] = change->to;
            failures += !words[i];
        }
        const enum pgs_spv_result result = fuse(modules);
        for (int i = 0; i < 2; i++) {
            if (words[i])
                *words[i] = cases[n].changes[i].from;
        }
        failures += compare_result(cases[n].why, result, cases[n].result);
    }
    for (int i = 0; i < MODULE_COUNT; i++)
        free(modules[i].words);
    return failures != 0;
}
