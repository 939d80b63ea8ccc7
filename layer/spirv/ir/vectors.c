/* SPDX-License-Identifier: MIT
 *
 * Vectors that are made of components of others.
 */
#include "spirv/ir/vectors.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/fold.h"

static bool is_zero(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *def = pgs_spv_def_op(m, id, SpvOpConstant);
    return def ? pgs_spv_length(def) == 4 && def[3] == 0
               : pgs_spv_def_op(m, id, SpvOpConstantNull) != NULL;
}

void pgs_spv_see_through_shuffle(const struct pgs_spv_module *m, uint32_t *ins)
{
    const uint32_t *shuffle = pgs_spv_op(ins) == SpvOpCompositeExtract && pgs_spv_length(ins) == 5
                                  ? pgs_spv_def_op(m, ins[3], SpvOpVectorShuffle)
                                  : NULL;
    if (!shuffle || ins[4] >= pgs_spv_length(shuffle) - 5)
        return;
    const uint32_t component = shuffle[5 + ins[4]];
    for (uint32_t i = 3, first = 0; i < 5; i++) {
        const uint32_t *type = pgs_spv_def_op(m, pgs_spv_type_of(m, shuffle[i]), SpvOpTypeVector);
        if (!type)
            return;
        if (component - first < type[3]) {
            ins[3] = shuffle[i];
            ins[4] = component - first;
            return;
        }
        first += type[3];
    }
}

/* Where the components of a vector come from. */
struct sources {
    uint32_t vector; /* all that are not 0 */
    uint32_t count;  /* of its components */
    uint32_t component[4];
    bool has_zero, in_order;
};

static bool find_sources(const struct pgs_spv_module *m, const uint32_t *ins, const uint32_t *type,
                         struct sources *s)
{
    *s = (struct sources){.in_order = true};
    for (uint32_t i = 0; i < type[3]; i++) {
        const uint32_t *extract = pgs_spv_def_op(m, ins[3 + i], SpvOpCompositeExtract);
        s->component[i] = UINT32_MAX;
        if (!extract && is_zero(m, ins[3 + i])) {
            s->has_zero = true;
            continue;
        }
        if (!extract || pgs_spv_length(extract) != 5 || (s->vector && extract[3] != s->vector))
            return false;
        s->vector = extract[3];
        s->component[i] = extract[4];
        s->in_order = s->in_order && extract[4] == i;
    }
    const uint32_t *from = pgs_spv_def_op(m, pgs_spv_type_of(m, s->vector), SpvOpTypeVector);
    if (!from || from[2] != type[2])
        return false;
    s->count = from[3];
    return true;
}

uint32_t pgs_spv_shorten_construct(struct pgs_spv_module *m, uint32_t **ins)
{
    const uint32_t *construct = *ins;
    const uint32_t *type = pgs_spv_op(construct) == SpvOpCompositeConstruct
                               ? pgs_spv_def_op(m, construct[1], SpvOpTypeVector)
                               : NULL;
    struct sources s;
    if (!type || type[3] > 4 || pgs_spv_length(construct) != 3 + type[3] ||
        !find_sources(m, construct, type, &s))
        return 0;
    if (s.in_order && !s.has_zero && s.count == type[3] &&
        pgs_spv_type_of(m, s.vector) == construct[1])
        return s.vector;
    const uint32_t other = s.has_zero ? pgs_spv_null(m, pgs_spv_type_of(m, s.vector)) : s.vector;
    uint32_t words[8] = {construct[1], construct[2], s.vector, other};
    for (uint32_t i = 0; i < type[3]; i++)
        words[4 + i] = s.component[i] == UINT32_MAX ? s.count : s.component[i];
    uint32_t *shuffle = pgs_spv_make(m, SpvOpVectorShuffle, words, 4 + type[3]);
    if (shuffle)
        *ins = shuffle;
    return 0;
}

/* Whether all components are of the first vector, or of either if both are one, whose `count`
 * components they then count from; those that are undefined besides. */
static bool has_one_source(const uint32_t *shuffle, uint32_t count)
{
    for (uint32_t i = 5; i < pgs_spv_length(shuffle); i++) {
        if (shuffle[i] != UINT32_MAX && shuffle[i] >= count && shuffle[3] != shuffle[4])
            return false;
    }
    return true;
}

/* The shuffle that a vector of `count` components is, which a broken module may have wrong; NULL:
 * it is none. */
static const uint32_t *shuffle_of(const struct pgs_spv_module *m, uint32_t vector, uint32_t count)
{
    const uint32_t *shuffle = pgs_spv_def_op(m, vector, SpvOpVectorShuffle);
    return shuffle && count && pgs_spv_length(shuffle) - 5 == count ? shuffle : NULL;
}

/* Whether a shuffle takes all `count` components of its first vector as they are. */
static bool is_idle(const uint32_t *shuffle, uint32_t count)
{
    bool idle = pgs_spv_length(shuffle) == 5 + count;
    for (uint32_t i = 0; idle && i < count; i++)
        idle = shuffle[5 + i] == i;
    return idle;
}

uint32_t pgs_spv_shorten_shuffle(const struct pgs_spv_module *m, uint32_t *ins)
{
    const uint32_t *type = pgs_spv_op(ins) == SpvOpVectorShuffle
                               ? pgs_spv_def_op(m, pgs_spv_type_of(m, ins[3]), SpvOpTypeVector)
                               : NULL;
    if (!type || !has_one_source(ins, type[3]))
        return 0;
    const uint32_t *inner = shuffle_of(m, ins[3], type[3]);
    if (inner) {
        for (uint32_t i = 5; i < pgs_spv_length(ins); i++)
            if (ins[i] != UINT32_MAX)
                ins[i] = inner[5 + ins[i] % type[3]];
        ins[3] = inner[3];
        ins[4] = inner[4];
        type = pgs_spv_def_op(m, pgs_spv_type_of(m, ins[3]), SpvOpTypeVector);
    }
    return type && is_idle(ins, type[3]) ? ins[3] : 0;
}
