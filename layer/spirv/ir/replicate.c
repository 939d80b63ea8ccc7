/* SPDX-License-Identifier: MIT */
#include "spirv/ir/replicate.h"

#include "spirv/ir/builder.h"

/* Older headers do not know them. */
enum {
    CONSTANT_COMPOSITE_REPLICATE = 4461,
    SPEC_CONSTANT_COMPOSITE_REPLICATE = 4462,
    COMPOSITE_CONSTRUCT_REPLICATE = 4463,
    CAPABILITY_REPLICATED_COMPOSITES = 6024,
};

#define MOST_VALUES (UINT16_MAX - 3u)

/* How many values a composite has; 0: not known. */
static uint32_t count_values(const struct pgs_spv_module *m, uint32_t type)
{
    uint32_t count = 0;
    const uint32_t *def = pgs_spv_def(m, type);
    switch (def ? pgs_spv_op(def) : SpvOpNop) {
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        return def[3];
    case SpvOpTypeStruct:
        return pgs_spv_length(def) - 2;
    case SpvOpTypeArray:
        return pgs_spv_constant(m, def[3], &count) ? count : 0;
    default:
        return 0;
    }
}

/* The opcode that takes all values; SpvOpNop: no change. */
static uint32_t expanded_op(uint32_t op)
{
    switch (op) {
    case CONSTANT_COMPOSITE_REPLICATE:
        return SpvOpConstantComposite;
    case SPEC_CONSTANT_COMPOSITE_REPLICATE:
        return SpvOpSpecConstantComposite;
    case COMPOSITE_CONSTRUCT_REPLICATE:
        return SpvOpCompositeConstruct;
    default:
        return SpvOpNop;
    }
}

/* Values that are still open make an open composite. */
static uint32_t fold_op(const struct pgs_spv_module *m, uint32_t op, uint32_t value)
{
    const uint32_t *def = pgs_spv_def(m, value);
    const uint32_t value_op = def ? pgs_spv_op(def) : SpvOpNop;
    if (op != SpvOpSpecConstantComposite ||
        (value_op >= SpvOpSpecConstantTrue && value_op <= SpvOpSpecConstantOp))
        return op;
    return SpvOpConstantComposite;
}

static void expand(struct pgs_spv_module *m, uint32_t **ins)
{
    const uint32_t op = expanded_op(pgs_spv_op(*ins));
    if (op == SpvOpNop)
        return;
    const uint32_t count = pgs_spv_length(*ins) == 4 ? count_values(m, (*ins)[1]) : 0;
    if (!count || count > MOST_VALUES) {
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return;
    }
    uint32_t *all = pgs_spv_alloc(m, 3 + count, sizeof(*all));
    if (!all)
        return;
    all[0] = (3 + count) << 16 | fold_op(m, op, (*ins)[3]);
    all[1] = (*ins)[1];
    all[2] = (*ins)[2];
    for (uint32_t i = 0; i < count; i++)
        all[3 + i] = (*ins)[3];
    m->defs[all[2]] = all;
    *ins = all;
}

static bool drop_capability(const uint32_t *ins, void *context)
{
    (void)context;
    return ins[1] == CAPABILITY_REPLICATED_COMPOSITES;
}

void pgs_spv_expand_replicates(struct pgs_spv_module *m)
{
    if (!pgs_spv_has_capability(m, CAPABILITY_REPLICATED_COMPOSITES))
        return;
    for (enum pgs_spv_section s = PGS_SPV_GLOBALS; s <= PGS_SPV_FUNCTIONS; s++)
        for (uint32_t i = 0; i < m->sections[s].count && m->result == PGS_SPV_OK; i++)
            expand(m, &m->sections[s].items[i]);
    pgs_spv_filter(&m->sections[PGS_SPV_CAPABILITIES], drop_capability, NULL);
}
