/* SPDX-License-Identifier: MIT
 *
 * The near and the far plane as clip distances.
 */
#include "spirv/io/depth_planes.h"

#include "spirv/io/private_builtin.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/open.h"
#include "spirv/ir/wrap_entry.h"

#include <string.h>

struct clip {
    struct pgs_spv_module *m;
    const struct pgs_spv_depth_planes *planes;
    struct pgs_spv_place position, distances;
    struct pgs_spv_private own; /* what the shader itself writes */
    uint32_t type;              /* float */
};

static uint32_t pointer_to(const struct clip *c, const struct pgs_spv_place *place, uint32_t type,
                           const uint32_t *element)
{
    struct pgs_spv_module *m = c->m;
    uint32_t words[3] = {place->variable}, count = 1;
    if (place->member >= 0)
        words[count++] = pgs_spv_uint(m, (uint32_t)place->member);
    if (element)
        words[count++] = pgs_spv_uint(m, *element);
    return count == 1
               ? place->variable
               : pgs_spv_value(m, &m->sections[PGS_SPV_FUNCTIONS], SpvOpAccessChain,
                               pgs_spv_type_pointer(m, SpvStorageClassOutput, type), words, count);
}

/* -- the array that the driver gets -- */

/* Moves the last `count` instructions of the list to where that one is. */
static void move_before(struct pgs_spv_list *list, uint32_t count, const uint32_t *ins)
{
    uint32_t *moved[2];
    uint32_t at = 0;
    while (at < list->count && list->items[at] != ins)
        at++;
    if (count > 2 || at + count > list->count)
        return;
    memcpy(moved, &list->items[list->count - count], count * sizeof(*moved));
    memmove(&list->items[at + count], &list->items[at],
            (list->count - count - at) * sizeof(*moved));
    memcpy(&list->items[at], moved, count * sizeof(*moved));
}

/* Makes the member of the block longer, which nothing uses any more. What an array consists of
 * stands in front of it. */
static void lengthen_member(const struct clip *c, uint32_t length)
{
    struct pgs_spv_module *m = c->m;
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    uint32_t *block = pgs_spv_def_op(m, c->distances.type, SpvOpTypeStruct);
    const uint32_t *array = pgs_spv_def_op(m, c->distances.inner, SpvOpTypeArray);
    const uint32_t *old = array ? pgs_spv_def_op(m, array[3], SpvOpConstant) : NULL;
    if (!block || !old) {
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return;
    }
    const uint32_t constant = pgs_spv_new_id(m), type = pgs_spv_new_id(m);
    if (pgs_spv_length(old) == 5) /* of 64 bits */
        PGS_SPV_APPEND(m, globals, SpvOpConstant, old[1], constant, length, 0);
    else
        PGS_SPV_APPEND(m, globals, SpvOpConstant, old[1], constant, length);
    PGS_SPV_APPEND(m, globals, SpvOpTypeArray, type, array[2], constant);
    if (m->result != PGS_SPV_OK)
        return;
    move_before(globals, 2, block);
    block[2 + c->distances.member] = type;
}

static void declare_distances(struct clip *c)
{
    struct pgs_spv_module *m = c->m;
    const uint32_t length = c->planes->first + PGS_SPV_DEPTH_PLANES;
    pgs_spv_add_capability(m, SpvCapabilityClipDistance);
    if (pgs_spv_find_builtin(m, SpvStorageClassOutput, SpvBuiltInClipDistance, &c->distances)) {
        lengthen_member(c, length);
        return;
    }
    const uint32_t words[] = {c->type, pgs_spv_uint(m, length)};
    const uint32_t variable =
        pgs_spv_variable(m, SpvStorageClassOutput, pgs_spv_type(m, SpvOpTypeArray, words, 2));
    PGS_SPV_DECORATE(m, variable, SpvDecorationBuiltIn, SpvBuiltInClipDistance);
    c->distances = (struct pgs_spv_place){.variable = variable, .member = -1};
}

/* -- what it gets -- */

static void write(const struct clip *c, uint32_t element, uint32_t value)
{
    struct pgs_spv_module *m = c->m;
    PGS_SPV_APPEND(m, &m->sections[PGS_SPV_FUNCTIONS], SpvOpStore,
                   pointer_to(c, &c->distances, c->type, &element), value);
}

static void write_all(const struct clip *c)
{
    struct pgs_spv_module *m = c->m;
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    const uint32_t vector = pgs_spv_type_vector(m, c->type, 4), first = c->planes->first;
    const uint32_t zero = pgs_spv_known_constant(m, SpvOpConstant, c->type, 0);
    for (uint32_t i = 0; i < first; i++)
        write(c, i, i < c->own.count ? pgs_spv_load_private(m, list, &c->own, i) : zero);
    const uint32_t position =
        PGS_SPV_VALUE(m, list, SpvOpLoad, vector, pointer_to(c, &c->position, vector, NULL));
    const uint32_t z = PGS_SPV_VALUE(m, list, SpvOpCompositeExtract, c->type, position, 2);
    const uint32_t w = PGS_SPV_VALUE(m, list, SpvOpCompositeExtract, c->type, position, 3);
    write(c, first, c->planes->symmetric ? PGS_SPV_VALUE(m, list, SpvOpFAdd, c->type, z, w) : z);
    write(c, first + 1, PGS_SPV_VALUE(m, list, SpvOpFSub, c->type, w, z));
}

void pgs_spv_clip_depth(struct pgs_spv_module *m, const struct pgs_spv_depth_planes *planes,
                        const char *name)
{
    struct clip c = {.m = m, .planes = planes};
    if (m->result != PGS_SPV_OK)
        return;
    if (!pgs_spv_find_builtin(m, SpvStorageClassOutput, SpvBuiltInPosition, &c.position)) {
        pgs_spv_set_entry(m, m->entry[1], m->entry[2], name);
        return;
    }
    pgs_spv_make_builtin_private(m, SpvStorageClassOutput, SpvBuiltInClipDistance, &c.own);
    c.type = pgs_spv_type_float(m, 32);
    if (m->result == PGS_SPV_OK)
        declare_distances(&c);
    const uint32_t function = pgs_spv_begin_wrapper(m);
    pgs_spv_call_wrapped(m);
    write_all(&c);
    pgs_spv_end_wrapper(m, function, name);
}

enum pgs_spv_result pgs_spv_shader_clip_depth(const struct pgs_spv_shader *shader,
                                              const struct pgs_spv_depth_planes *planes,
                                              struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    if (pgs_spv_open_stage(&m, shader, false) == PGS_SPV_OK)
        pgs_spv_clip_depth(&m, planes, shader->entry_point);
    const enum pgs_spv_result result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
