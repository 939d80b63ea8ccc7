/* SPDX-License-Identifier: MIT
 *
 * The inputs of a vertex shader inside another stage: attributes and built-ins from functions.
 */
#include "spirv/stages/vertex_inputs.h"

#include "poly_gs/format.h"
#include "spirv/io/io_access.h"
#include "spirv/io/lower_io.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"
#include "spirv/stages/vertex_options.h"

struct fill {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_attribute_source *source;
    uint32_t fetched[32]; /* by location: the attribute as uvec4, once it is fetched */
};

static uint32_t function(const struct fill *f, enum pgs_spv_vertex_function which)
{
    uint32_t *id = &f->source->functions[which];
    if (!*id)
        *id = pgs_spv_new_id(f->m);
    return *id;
}

static uint32_t fetch_wide(const struct fill *f, const struct pgs_spv_io_var *var)
{
    struct pgs_spv_module *m = f->m;
    uint32_t halves[2] = {0}, parts[4] = {0};
    for (uint32_t i = 0; i < var->count; i++) {
        const uint32_t component = var->component / 2 + i, half = component / 2 & 1;
        if (!halves[half])
            halves[half] = PGS_SPV_VALUE(
                m, f->list, SpvOpFunctionCall, pgs_spv_type_uvec(m, 4),
                function(f, PGS_SPV_VERTEX_FETCH_WIDE), pgs_spv_uint(m, var->location),
                pgs_spv_uint(m, f->source->options->format[var->location]), pgs_spv_uint(m, half));
        const uint32_t at = component % 2 * 2;
        const uint32_t pair = PGS_SPV_VALUE(m, f->list, SpvOpVectorShuffle, pgs_spv_type_uvec(m, 2),
                                            halves[half], halves[half], at, at + 1);
        parts[i] = PGS_SPV_VALUE(m, f->list, SpvOpBitcast, var->scalar, pair);
    }
    return pgs_spv_join(m, f->list, var, parts);
}

/* Converts one component to the type that the shader declares. Fetching returns 32-bit numbers for
 * all formats. */
static uint32_t convert(const struct fill *f, const struct pgs_spv_io_var *var, uint32_t word)
{
    struct pgs_spv_module *m = f->m;
    if (var->width_bits == 32)
        return pgs_spv_from_uint(m, f->list,
                                 &(struct pgs_spv_io_var){.type = var->scalar,
                                                          .is_float = var->is_float,
                                                          .is_signed = var->is_signed},
                                 word);
    if (var->is_float) {
        const uint32_t wide =
            PGS_SPV_VALUE(m, f->list, SpvOpBitcast, pgs_spv_type_float(m, 32), word);
        return PGS_SPV_VALUE(m, f->list, SpvOpFConvert, var->scalar, wide);
    }
    if (var->is_signed) {
        const uint32_t wide = PGS_SPV_VALUE(m, f->list, SpvOpBitcast, pgs_spv_type_int(m), word);
        return PGS_SPV_VALUE(m, f->list, SpvOpSConvert, var->scalar, wide);
    }
    return PGS_SPV_VALUE(m, f->list, SpvOpUConvert, var->scalar, word);
}

/* An attribute that the driver fetches. */
static uint32_t load_attribute(const struct fill *f, const struct pgs_spv_io_var *var)
{
    struct pgs_spv_module *m = f->m;
    const uint32_t variable = pgs_spv_variable(m, SpvStorageClassInput, var->type);
    PGS_SPV_DECORATE(m, variable, SpvDecorationLocation, var->location);
    if (var->component)
        PGS_SPV_DECORATE(m, variable, SpvDecorationComponent, var->component);
    if (var->width_bits == 16)
        pgs_spv_add_capability(m, SpvCapabilityStorageInputOutput16);
    return PGS_SPV_VALUE(m, f->list, SpvOpLoad, var->type, variable);
}

/* The attribute as uvec4, of up to 32 bits for each component. */
static uint32_t fetch_all(const struct fill *f, uint32_t location)
{
    struct pgs_spv_module *m = f->m;
    const struct pgs_spv_vertex_options *options = f->source->options;
    const uint32_t uvec4 = pgs_spv_type_uvec(m, 4);
    const uint32_t format = pgs_spv_uint(m, options->format[location]);
    if (!options->reads_near)
        return PGS_SPV_VALUE(m, f->list, SpvOpFunctionCall, uvec4,
                             function(f, PGS_SPV_VERTEX_FETCH), pgs_spv_uint(m, location), format);
    return PGS_SPV_VALUE(m, f->list, SpvOpFunctionCall, uvec4,
                         function(f, PGS_SPV_VERTEX_FETCH_NEAR),
                         pgs_spv_uint(m, options->near[location]), format,
                         pgs_spv_uint(m, options->near_B[location]));
}

static uint32_t fetch(struct fill *f, const struct pgs_spv_io_var *var)
{
    struct pgs_spv_module *m = f->m;
    if (var->location >= 32) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return 0;
    }
    if (f->source->options->is_native)
        return load_attribute(f, var);
    if (f->source->options->format[var->location] == PGS_FORMAT_ABSENT)
        return pgs_spv_value(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstantNull, var->type, NULL,
                             0);
    if (f->source->locations)
        *f->source->locations |= 1u << var->location;
    if (var->width_bits == 64)
        return fetch_wide(f, var);
    if (var->width_bits == 16)
        pgs_spv_add_capability(m, var->is_float ? SpvCapabilityFloat16 : SpvCapabilityInt16);
    uint32_t *all = &f->fetched[var->location], parts[4];
    if (!*all)
        *all = fetch_all(f, var->location);
    if (var->width_bits == 32 && var->is_float && var->count == 4)
        return PGS_SPV_VALUE(m, f->list, SpvOpBitcast, var->type, *all);
    for (uint32_t i = 0; i < var->count; i++) {
        const uint32_t word = PGS_SPV_VALUE(m, f->list, SpvOpCompositeExtract, pgs_spv_type_uint(m),
                                            *all, (var->component + i) & 3u);
        parts[i] = convert(f, var, word);
    }
    return pgs_spv_join(m, f->list, var, parts);
}

/* Locations of attributes of up to 32 bits whose formats only the draw knows. */
static uint32_t dynamic_locations(const struct fill *f, const struct pgs_spv_io_vars *inputs,
                                  uint32_t location[32])
{
    uint32_t mask = 0, count = 0;
    for (uint32_t i = 0; i < inputs->count; i++) {
        const struct pgs_spv_io_var *var = &inputs->items[i];
        if (var->builtin == PGS_SPV_NO_BUILTIN && var->location < 32 && var->width_bits <= 32 &&
            f->source->options->format[var->location] == PGS_FORMAT_DYNAMIC)
            mask |= 1u << var->location;
    }
    for (uint32_t at = 0; at < 32; at++)
        if (mask >> at & 1)
            location[count++] = at;
    return count;
}

/* The location that belongs to a turn of the loop; most shaders leave no gaps. */
static uint32_t location_of(const struct fill *f, uint32_t turn, const uint32_t location[],
                            uint32_t count)
{
    struct pgs_spv_module *m = f->m;
    const uint32_t uint_type = pgs_spv_type_uint(m), first = pgs_spv_uint(m, location[0]);
    if (location[count - 1] - location[0] == count - 1)
        return location[0] ? PGS_SPV_VALUE(m, f->list, SpvOpIAdd, uint_type, turn, first) : turn;
    uint32_t id = first;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t reached =
            PGS_SPV_VALUE(m, f->list, SpvOpUGreaterThanEqual,
                          pgs_spv_type(m, SpvOpTypeBool, NULL, 0), turn, pgs_spv_uint(m, i));
        id = PGS_SPV_VALUE(m, f->list, SpvOpSelect, uint_type, reached,
                           pgs_spv_uint(m, location[i]), id);
    }
    return id;
}

/* if (turn == which) variable = value, without a branch. */
static void store_at(const struct fill *f, uint32_t turn, uint32_t which, uint32_t variable,
                     uint32_t value)
{
    struct pgs_spv_module *m = f->m;
    const uint32_t uvec4 = pgs_spv_type_uvec(m, 4);
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    const uint32_t now =
        PGS_SPV_VALUE(m, f->list, SpvOpIEqual, bool_type, turn, pgs_spv_uint(m, which));
    const uint32_t all = PGS_SPV_VALUE(m, f->list, SpvOpCompositeConstruct,
                                       pgs_spv_type_vector(m, bool_type, 4), now, now, now, now);
    const uint32_t old = PGS_SPV_VALUE(m, f->list, SpvOpLoad, uvec4, variable);
    PGS_SPV_APPEND(m, f->list, SpvOpStore, variable,
                   PGS_SPV_VALUE(m, f->list, SpvOpSelect, uvec4, all, value, old));
}

/* Fetches the attributes whose formats only the draw knows in a loop: the decoder of all formats is
 * large, and drivers inline each call. An array that the loop indexes would lie in memory, so each
 * attribute has a variable. */
static void fetch_dynamic(struct fill *f, const struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = f->m;
    const uint32_t uvec4 = pgs_spv_type_uvec(m, 4);
    uint32_t location[32], variable[32];
    const uint32_t count = dynamic_locations(f, inputs, location);
    if (count < 2)
        return;
    struct pgs_spv_loop loop;
    pgs_spv_begin_loop(m, f->list, pgs_spv_uint(m, count), SpvLoopControlDontUnrollMask, &loop);
    const uint32_t value = PGS_SPV_VALUE(
        m, f->list, SpvOpFunctionCall, uvec4, function(f, PGS_SPV_VERTEX_FETCH),
        location_of(f, loop.counter, location, count), pgs_spv_uint(m, PGS_FORMAT_DYNAMIC));
    for (uint32_t i = 0; i < count; i++) {
        variable[i] = pgs_spv_variable(m, SpvStorageClassPrivate, uvec4);
        store_at(f, loop.counter, i, variable[i], value);
    }
    pgs_spv_end_loop(m, f->list, &loop);
    for (uint32_t i = 0; i < count; i++)
        f->fetched[location[i]] = PGS_SPV_VALUE(m, f->list, SpvOpLoad, uvec4, variable[i]);
}

static uint32_t builtin_value(const struct fill *f, const struct pgs_spv_io_var *var)
{
    static const struct {
        uint32_t builtin;
        enum pgs_spv_vertex_function function;
    } known[] = {
        {SpvBuiltInVertexIndex, PGS_SPV_VERTEX_INDEX},
        {SpvBuiltInInstanceIndex, PGS_SPV_VERTEX_INSTANCE_INDEX},
        {SpvBuiltInBaseVertex, PGS_SPV_VERTEX_BASE_VERTEX},
        {SpvBuiltInBaseInstance, PGS_SPV_VERTEX_BASE_INSTANCE},
        {SpvBuiltInDrawIndex, PGS_SPV_VERTEX_DRAW_INDEX},
        {SpvBuiltInViewIndex, PGS_SPV_VERTEX_VIEW_INDEX},
    };
    struct pgs_spv_module *m = f->m;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].builtin != var->builtin)
            continue;
        if (var->is_float || var->count != 1 || var->width_bits != 32)
            break;
        const uint32_t value = PGS_SPV_VALUE(m, f->list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                                             function(f, known[i].function));
        return pgs_spv_from_uint(m, f->list, var, value);
    }
    const uint32_t value = f->source->native_builtins ? pgs_spv_native_builtin(m, f->list, var) : 0;
    if (!value)
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
    return value;
}

void pgs_spv_fill_attributes(const struct pgs_spv_attribute_source *source,
                             const struct pgs_spv_io_vars *inputs)
{
    struct pgs_spv_module *m = source->m;
    struct fill f = {.m = m, .list = source->list, .source = source};
    if (!source->options->is_native)
        fetch_dynamic(&f, inputs);
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &inputs->items[i];
        const uint32_t value =
            var->builtin == PGS_SPV_NO_BUILTIN ? fetch(&f, var) : builtin_value(&f, var);
        PGS_SPV_APPEND(m, f.list, SpvOpStore,
                       pgs_spv_io_var_pointer(m, f.list, var, SpvStorageClassPrivate, 0), value);
    }
}
