/* SPDX-License-Identifier: MIT
 *
 * Clip and cull distances as varyings.
 */
#include "spirv/io/distances.h"

#include "spirv/io/private_builtin.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/open.h"
#include "spirv/ir/wrap_entry.h"

#define FLOAT_ONE 0x3F800000u

uint32_t pgs_spv_declare_distance(struct pgs_spv_module *m, uint32_t storage_class,
                                  const struct pgs_spv_distances *distances, uint32_t index)
{
    const uint32_t variable = pgs_spv_variable(m, storage_class, pgs_spv_type_float(m, 32));
    PGS_SPV_DECORATE(m, variable, SpvDecorationLocation, distances->locations[index / 4]);
    PGS_SPV_DECORATE(m, variable, SpvDecorationComponent, index % 4);
    return variable;
}

struct pass {
    struct pgs_spv_module *m;
    const struct pgs_spv_distances *distances;
    struct pgs_spv_private clip, cull;
    uint32_t type, zero, one; /* float */
};

static void write(const struct pass *p, uint32_t index, uint32_t value)
{
    struct pgs_spv_module *m = p->m;
    const uint32_t variable =
        pgs_spv_declare_distance(m, SpvStorageClassOutput, p->distances, index);
    PGS_SPV_APPEND(m, &m->sections[PGS_SPV_FUNCTIONS], SpvOpStore, variable, value);
}

static uint32_t load(const struct pass *p, const struct pgs_spv_private *array, uint32_t element,
                     uint32_t otherwise)
{
    return element < array->count
               ? pgs_spv_load_private(p->m, &p->m->sections[PGS_SPV_FUNCTIONS], array, element)
               : otherwise;
}

static void write_all(const struct pass *p)
{
    struct pgs_spv_module *m = p->m;
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const struct pgs_spv_distances *d = p->distances;
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    for (uint32_t i = 0; i < d->clip_count; i++)
        write(p, i, load(p, &p->clip, i, p->zero));
    for (uint32_t i = 0; i < d->cull_count; i++) {
        const uint32_t distance = load(p, &p->cull, i, p->zero);
        const uint32_t beyond =
            PGS_SPV_VALUE(m, list, SpvOpFOrdLessThan, bool_type, distance, p->zero);
        write(p, d->clip_count + i,
              PGS_SPV_VALUE(m, list, SpvOpSelect, p->type, beyond, p->zero, p->one));
        if (d->passes_cull)
            write(p, (uint32_t)d->clip_count + d->cull_count + i, distance);
    }
}

static bool is_distance_capability(const uint32_t *ins, void *context)
{
    (void)context;
    return ins[1] == SpvCapabilityClipDistance || ins[1] == SpvCapabilityCullDistance;
}

void pgs_spv_pass_distances(struct pgs_spv_module *m, const struct pgs_spv_distances *distances,
                            const char *name)
{
    struct pass p = {.m = m, .distances = distances};
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    pgs_spv_make_builtin_private(m, SpvStorageClassOutput, SpvBuiltInClipDistance, &p.clip);
    pgs_spv_make_builtin_private(m, SpvStorageClassOutput, SpvBuiltInCullDistance, &p.cull);
    pgs_spv_filter(&m->sections[PGS_SPV_CAPABILITIES], is_distance_capability, NULL);
    p.type = pgs_spv_type_float(m, 32);
    p.zero = PGS_SPV_VALUE(m, globals, SpvOpConstant, p.type, 0);
    p.one = PGS_SPV_VALUE(m, globals, SpvOpConstant, p.type, FLOAT_ONE);
    const uint32_t function = pgs_spv_begin_wrapper(m);
    pgs_spv_call_wrapped(m);
    write_all(&p);
    pgs_spv_end_wrapper(m, function, name);
}

enum pgs_spv_result pgs_spv_shader_pass_distances(const struct pgs_spv_shader *shader,
                                                  const struct pgs_spv_distances *distances,
                                                  struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_stage(&m, shader, false) == PGS_SPV_OK)
        pgs_spv_pass_distances(&m, distances, shader->entry_point);
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
