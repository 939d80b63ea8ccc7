/* SPDX-License-Identifier: MIT
 *
 * Fragment shaders that clip and cull, for drivers that do neither by distances, and that stipple
 * lines.
 */
#include "spirv/stages/fragment_clip.h"

#include "spirv/analysis/effects.h"
#include "spirv/io/private_builtin.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/wrap_entry.h"
#include "spirv/stages/fragment_stipple.h"

#include <spirv/unified1/GLSL.std.450.h>

struct clip {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_distances *distances;
    uint32_t stipple_location, sample_count;
    uint32_t stipple; /* variable; 0: none */
    uint32_t varyings[2 * PGS_SPV_MAX_DISTANCES], values[2 * PGS_SPV_MAX_DISTANCES];
    struct pgs_spv_private clip, cull; /* what the shader reads */
    struct pgs_spv_private mask_in, mask_out;
    uint32_t bool_type, float_type, uint_type, zero;
};

/* -- what the shader is like -- */

static bool needs_derivatives(const struct pgs_spv_module *m)
{
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count; i++) {
        const uint32_t op = pgs_spv_op(functions->items[i]);
        if (op >= SpvOpDPdx && op <= SpvOpFwidthCoarse)
            return true;
        switch (op) {
        case SpvOpImageSampleImplicitLod:
        case SpvOpImageSampleDrefImplicitLod:
        case SpvOpImageSampleProjImplicitLod:
        case SpvOpImageSampleProjDrefImplicitLod:
        case SpvOpImageSparseSampleImplicitLod:
        case SpvOpImageSparseSampleDrefImplicitLod:
        case SpvOpImageSparseSampleProjImplicitLod:
        case SpvOpImageSparseSampleProjDrefImplicitLod:
        case SpvOpImageQueryLod:
            return true;
        default:
            break;
        }
    }
    return false;
}

static bool demands_early_tests(const uint32_t *ins, void *context)
{
    (void)context;
    return ins[2] == SpvExecutionModeEarlyFragmentTests;
}

static bool is_distance_capability(const uint32_t *ins, void *context)
{
    (void)context;
    return ins[1] == SpvCapabilityClipDistance || ins[1] == SpvCapabilityCullDistance;
}

/* -- inputs -- */

static void take_inputs(struct clip *c)
{
    struct pgs_spv_module *m = c->m;
    const struct pgs_spv_distances *d = c->distances;
    for (uint32_t i = 0; i < pgs_spv_distance_floats(d); i++) {
        c->varyings[i] = pgs_spv_declare_distance(m, SpvStorageClassInput, d, i);
        c->values[i] = PGS_SPV_VALUE(m, c->list, SpvOpLoad, c->float_type, c->varyings[i]);
    }
    if (c->stipple_location != PGS_SPV_NO_STIPPLE)
        c->stipple = pgs_spv_declare_stipple(m, SpvStorageClassInput, c->stipple_location);
    for (uint32_t i = 0; i < c->clip.count && i < d->clip_count; i++)
        pgs_spv_store_private(m, c->list, &c->clip, i, c->values[i]);
    for (uint32_t i = 0; i < c->cull.count && i < d->cull_count && d->passes_cull; i++)
        pgs_spv_store_private(m, c->list, &c->cull, i,
                              c->values[d->clip_count + d->cull_count + i]);
}

static uint32_t any(const struct clip *c, uint32_t a, uint32_t b)
{
    return a && b ? PGS_SPV_VALUE(c->m, c->list, SpvOpLogicalOr, c->bool_type, a, b) : a ? a : b;
}

static uint32_t both(const struct clip *c, uint32_t a, uint32_t b)
{
    return a && b ? PGS_SPV_VALUE(c->m, c->list, SpvOpLogicalAnd, c->bool_type, a, b) : a ? a : b;
}

static uint32_t is_zero(const struct clip *c, uint32_t value)
{
    return PGS_SPV_VALUE(c->m, c->list, SpvOpFOrdEqual, c->bool_type, value, c->zero);
}

/* Id of a bool: a distance is negative at all vertices. Then the varying is 0 all over the plane of
 * the primitive; else it is 0 along a line at most. 0: it never is. */
static uint32_t is_culled(const struct clip *c)
{
    const struct pgs_spv_distances *d = c->distances;
    uint32_t culled = 0;
    for (uint32_t i = 0; i < d->cull_count; i++) {
        const uint32_t value = c->values[d->clip_count + i];
        const uint32_t dx = PGS_SPV_VALUE(c->m, c->list, SpvOpDPdx, c->float_type, value);
        const uint32_t dy = PGS_SPV_VALUE(c->m, c->list, SpvOpDPdy, c->float_type, value);
        culled =
            any(c, culled, both(c, is_zero(c, value), both(c, is_zero(c, dx), is_zero(c, dy))));
    }
    return culled;
}

/* -- clipping -- */

/* Id of a bool. value: id of the varying's. */
static uint32_t is_gap(const struct clip *c, uint32_t value)
{
    return PGS_SPV_VALUE(c->m, c->list, SpvOpLogicalNot, c->bool_type,
                         pgs_spv_stipple_has(c->m, c->list, value));
}

/* Id of a bool. A distance that is no number clips. */
static uint32_t is_beyond(const struct clip *c)
{
    uint32_t beyond = 0;
    if (c->stipple)
        beyond = is_gap(
            c, PGS_SPV_VALUE(c->m, c->list, SpvOpLoad, pgs_spv_stipple_type(c->m), c->stipple));
    for (uint32_t i = 0; i < c->distances->clip_count; i++)
        beyond = any(
            c, beyond,
            PGS_SPV_VALUE(c->m, c->list, SpvOpFUnordLessThan, c->bool_type, c->values[i], c->zero));
    return beyond;
}

static uint32_t import_glsl(struct pgs_spv_module *m)
{
    struct pgs_spv_list *imports = &m->sections[PGS_SPV_IMPORTS];
    for (uint32_t i = 0; i < imports->count; i++) {
        if (pgs_spv_string_is(imports->items[i], 2, "GLSL.std.450"))
            return imports->items[i][1];
    }
    const uint32_t id = pgs_spv_new_id(m);
    pgs_spv_push(m, imports,
                 pgs_spv_make_string(m, SpvOpExtInstImport, &id, 1, "GLSL.std.450", NULL, 0));
    return id;
}

/* Id of a bool. */
static uint32_t sample_is_inside(const struct clip *c, uint32_t glsl, uint32_t sample)
{
    struct pgs_spv_module *m = c->m;
    uint32_t inside = 0;
    if (c->stipple)
        inside = pgs_spv_stipple_has(
            m, c->list,
            PGS_SPV_VALUE(m, c->list, SpvOpExtInst, pgs_spv_stipple_type(m), glsl,
                          GLSLstd450InterpolateAtSample, c->stipple, pgs_spv_uint(m, sample)));
    for (uint32_t i = 0; i < c->distances->clip_count; i++) {
        const uint32_t distance =
            PGS_SPV_VALUE(m, c->list, SpvOpExtInst, c->float_type, glsl,
                          GLSLstd450InterpolateAtSample, c->varyings[i], pgs_spv_uint(m, sample));
        inside = both(
            c, inside,
            PGS_SPV_VALUE(m, c->list, SpvOpFOrdGreaterThanEqual, c->bool_type, distance, c->zero));
    }
    return inside;
}

/* Id of a uint: the samples that are not clipped. */
static uint32_t samples_inside(const struct clip *c)
{
    struct pgs_spv_module *m = c->m;
    const uint32_t glsl = import_glsl(m), none = pgs_spv_uint(m, 0);
    uint32_t mask = none;
    for (uint32_t s = 0; s < c->sample_count && s < 32; s++) {
        const uint32_t bit =
            PGS_SPV_VALUE(m, c->list, SpvOpSelect, c->uint_type, sample_is_inside(c, glsl, s),
                          pgs_spv_uint(m, UINT32_C(1) << s), none);
        mask = PGS_SPV_VALUE(m, c->list, SpvOpBitwiseOr, c->uint_type, mask, bit);
    }
    pgs_spv_add_capability(m, SpvCapabilityInterpolationFunction);
    return mask;
}

/* A new variable for the sample mask. */
static uint32_t declare_mask(struct pgs_spv_module *m, uint32_t storage_class)
{
    const uint32_t words[] = {pgs_spv_type_int(m), pgs_spv_uint(m, 1)};
    const uint32_t variable =
        pgs_spv_variable(m, storage_class, pgs_spv_type(m, SpvOpTypeArray, words, 2));
    PGS_SPV_DECORATE(m, variable, SpvDecorationBuiltIn, SpvBuiltInSampleMask);
    if (storage_class == SpvStorageClassInput)
        pgs_spv_decorate(m, variable, SpvDecorationFlat, NULL, 0);
    return variable;
}

static uint32_t mask_pointer(const struct clip *c, uint32_t storage_class)
{
    struct pgs_spv_module *m = c->m;
    const uint32_t variable = declare_mask(m, storage_class);
    const uint32_t type = pgs_spv_type_pointer(m, storage_class, pgs_spv_type_int(m));
    return PGS_SPV_VALUE(m, c->list, SpvOpAccessChain, type, variable, pgs_spv_uint(m, 0));
}

/* Id of a uint: the samples of the fragment that are not clipped. */
static uint32_t covered_samples(const struct clip *c, uint32_t inside)
{
    struct pgs_spv_module *m = c->m;
    const uint32_t int_type = pgs_spv_type_int(m);
    const uint32_t pointer = mask_pointer(c, SpvStorageClassInput);
    const uint32_t all = PGS_SPV_VALUE(m, c->list, SpvOpLoad, int_type, pointer);
    const uint32_t covered =
        PGS_SPV_VALUE(m, c->list, SpvOpBitwiseAnd, c->uint_type,
                      PGS_SPV_VALUE(m, c->list, SpvOpBitcast, c->uint_type, all), inside);
    if (c->mask_in.variable) {
        const bool is_uint = c->mask_in.element == c->uint_type;
        pgs_spv_store_private(
            m, c->list, &c->mask_in, 0,
            is_uint ? covered
                    : PGS_SPV_VALUE(m, c->list, SpvOpBitcast, c->mask_in.element, covered));
    }
    return covered;
}

/* Writes the mask, with what the shader has written. */
static void write_mask(const struct clip *c, uint32_t inside)
{
    struct pgs_spv_module *m = c->m;
    uint32_t mask = inside;
    if (c->mask_out.variable) {
        uint32_t own = pgs_spv_load_private(m, c->list, &c->mask_out, 0);
        if (c->mask_out.element != c->uint_type)
            own = PGS_SPV_VALUE(m, c->list, SpvOpBitcast, c->uint_type, own);
        mask = PGS_SPV_VALUE(m, c->list, SpvOpBitwiseAnd, c->uint_type, own, inside);
    }
    const uint32_t value = PGS_SPV_VALUE(m, c->list, SpvOpBitcast, pgs_spv_type_int(m), mask);
    PGS_SPV_APPEND(m, c->list, SpvOpStore, mask_pointer(c, SpvStorageClassOutput), value);
}

static void end_if(const struct clip *c, uint32_t condition)
{
    struct pgs_spv_module *m = c->m;
    const uint32_t end = pgs_spv_new_id(m), rest = pgs_spv_new_id(m);
    if (!condition)
        return;
    PGS_SPV_APPEND(m, c->list, SpvOpSelectionMerge, rest, SpvSelectionControlMaskNone);
    PGS_SPV_APPEND(m, c->list, SpvOpBranchConditional, condition, end, rest);
    PGS_SPV_APPEND(m, c->list, SpvOpLabel, end);
    pgs_spv_append(m, c->list, SpvOpKill, NULL, 0);
    PGS_SPV_APPEND(m, c->list, SpvOpLabel, rest);
}

/* With several samples it is each of them that is there or not. */
static bool decides_by_sample(const struct clip *c)
{
    return c->sample_count > 1 &&
           (c->distances->clip_count || c->stipple_location != PGS_SPV_NO_STIPPLE);
}

static void write_main(struct clip *c, bool ends_last, const char *name)
{
    struct pgs_spv_module *m = c->m;
    const uint32_t function = pgs_spv_begin_wrapper(m);
    const bool by_sample = decides_by_sample(c);
    uint32_t inside = 0;
    take_inputs(c);
    uint32_t gone = is_culled(c);
    if (by_sample) {
        inside = samples_inside(c);
        const uint32_t none = PGS_SPV_VALUE(m, c->list, SpvOpIEqual, c->bool_type,
                                            covered_samples(c, inside), pgs_spv_uint(m, 0));
        gone = any(c, gone, none);
    } else {
        gone = any(c, gone, is_beyond(c));
    }
    if (!ends_last)
        end_if(c, gone);
    pgs_spv_call_wrapped(m);
    if (ends_last)
        end_if(c, gone);
    if (by_sample)
        write_mask(c, inside);
    pgs_spv_end_wrapper(m, function, name);
}

static void take_distances(struct clip *c)
{
    struct pgs_spv_module *m = c->m;
    pgs_spv_make_builtin_private(m, SpvStorageClassInput, SpvBuiltInClipDistance, &c->clip);
    pgs_spv_make_builtin_private(m, SpvStorageClassInput, SpvBuiltInCullDistance, &c->cull);
    pgs_spv_filter(&m->sections[PGS_SPV_CAPABILITIES], is_distance_capability, NULL);
}

void pgs_spv_clip_fragments(struct pgs_spv_module *m, const struct pgs_spv_cuts *cuts,
                            const char *name)
{
    static const struct pgs_spv_distances none;
    struct clip c = {.m = m,
                     .list = &m->sections[PGS_SPV_FUNCTIONS],
                     .distances = cuts->distances ? cuts->distances : &none,
                     .stipple_location = cuts->stipple_location,
                     .sample_count = cuts->sample_count};
    const bool once = pgs_spv_must_run_once(m);
    const bool ends_last = needs_derivatives(m) && !once;
    if (m->result != PGS_SPV_OK)
        return;
    if (!once && !pgs_spv_decides_coverage(m))
        pgs_spv_filter(&m->sections[PGS_SPV_MODES], demands_early_tests, NULL);
    if (cuts->distances)
        take_distances(&c);
    if (decides_by_sample(&c)) {
        pgs_spv_make_builtin_private(m, SpvStorageClassInput, SpvBuiltInSampleMask, &c.mask_in);
        pgs_spv_make_builtin_private(m, SpvStorageClassOutput, SpvBuiltInSampleMask, &c.mask_out);
    }
    c.bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    c.float_type = pgs_spv_type_float(m, 32);
    c.uint_type = pgs_spv_type_uint(m);
    c.zero = pgs_spv_known_constant(m, SpvOpConstant, c.float_type, 0);
    write_main(&c, ends_last, name);
}

struct pgs_spv_shader pgs_spv_empty_fragment(void)
{
    /* OpCapability Shader
     * OpMemoryModel Logical GLSL450
     * OpEntryPoint Fragment %3 "main"
     * OpExecutionMode %3 OriginUpperLeft
     * %1 = OpTypeVoid
     * %2 = OpTypeFunction %1
     * %3 = OpFunction %1 None %2
     * %4 = OpLabel
     * OpReturn
     * OpFunctionEnd */
    /* clang-format off */
    static const uint32_t words[] = {
        0x07230203, 0x00010000, 0, 5, 0, /* header: version 1.0, bound 5 */
        0x00020011, 1,
        0x0003000e, 0, 1,
        0x0005000f, 4, 3, 0x6e69616d, 0,
        0x00030010, 3, 7,
        0x00020013, 1,
        0x00030021, 2, 1,
        0x00050036, 1, 3, 0, 2,
        0x000200f8, 4,
        0x000100fd,
        0x00010038,
    };
    /* clang-format on */
    return (struct pgs_spv_shader){.words = words,
                                   .word_count = sizeof(words) / sizeof(words[0]),
                                   .entry_point = "main",
                                   .stage = PGS_SPV_FRAGMENT};
}
