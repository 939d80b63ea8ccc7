/* SPDX-License-Identifier: MIT
 *
 * Per-vertex inputs that a control shader loads leaf by leaf, mostly those of its own vertex: each
 * load goes to memory, instead of an array of all vertices that is filled before.
 */
#include "spirv/patch.h"

enum { ARRAY, DIRECT }; /* what becomes of a variable */

struct direct {
    struct pgs_spv_module *m;
    const struct pgs_spv_leaves *inputs;
    uint32_t bound;      /* ids that the application's functions know */
    uint8_t *variables;  /* by id */
    uint32_t *first;     /* by id of a variable: its first leaf */
    uint32_t *leaf_of;   /* by id of a pointer: the leaf that it leads to, from 1 */
    uint32_t **chain_of; /* by id of a pointer: the access chain that made it */
};

/* Whole leaves, or one component of a vector. */
static bool leads_to(const struct direct *d, const uint32_t *chain, const struct pgs_spv_leaf *leaf)
{
    const uint32_t steps = pgs_spv_length(chain) - 5;
    if (steps != leaf->depth && (steps != leaf->depth + 1 || leaf->count == 1))
        return false;
    for (uint32_t i = 0; i < leaf->depth; i++) {
        uint32_t index;
        if (!pgs_spv_constant(d->m, chain[5 + i], &index) || index != leaf->path[i])
            return false;
    }
    return true;
}

/* The type of a 32-bit integer, NULL for other things. */
static const uint32_t *type_of_index(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(m, id);
    uint32_t type_word = 0, id_word;
    if (def)
        pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    const uint32_t *type = type_word ? pgs_spv_def_op(m, def[type_word], SpvOpTypeInt) : NULL;
    return type && type[2] == 32 ? type : NULL;
}

/* An instruction that names an input. */
static void note_use(struct direct *d, uint32_t *ins, uint32_t word)
{
    const uint32_t variable = ins[word], op = pgs_spv_op(ins);
    const bool chains = (op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain) && word == 3 &&
                        pgs_spv_length(ins) > 4 && type_of_index(d->m, ins[4]);
    for (uint32_t i = d->first[variable]; chains && i < d->inputs->count; i++) {
        const struct pgs_spv_leaf *leaf = &d->inputs->items[i];
        if (leaf->variable != variable)
            break;
        if (!leads_to(d, ins, leaf))
            continue;
        d->leaf_of[ins[2]] = i + 1;
        d->chain_of[ins[2]] = ins;
        return;
    }
    d->variables[variable] = ARRAY;
}

/* An instruction that names a pointer to a leaf may load it, no more. */
static void check_use(struct direct *d, const uint32_t *ins, uint32_t word)
{
    const uint32_t id = ins[word];
    const struct pgs_spv_leaf *leaf = &d->inputs->items[d->leaf_of[id] - 1];
    const bool whole = pgs_spv_length(d->chain_of[id]) - 5 == leaf->depth;
    if (ins == d->chain_of[id] && word == 2)
        return;
    if (pgs_spv_op(ins) != SpvOpLoad || word != 3 || ins[1] != (whole ? leaf->type : leaf->scalar))
        d->variables[leaf->variable] = ARRAY;
}

static void find_direct(struct direct *d)
{
    const struct pgs_spv_list *list = &d->m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = d->inputs->count; i; i--) {
        const struct pgs_spv_leaf *leaf = &d->inputs->items[i - 1];
        d->variables[leaf->variable] = leaf->vertices ? DIRECT : ARRAY;
        d->first[leaf->variable] = i - 1;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < list->count; i++) {
            for (uint32_t k = 1; k < pgs_spv_length(list->items[i]); k++) {
                const uint32_t id = list->items[i][k];
                if (!pgs_spv_is_id(list->items[i], k) || id >= d->bound)
                    continue;
                if (pass == 0 && d->variables[id] == DIRECT)
                    note_use(d, list->items[i], k);
                else if (pass == 1 && d->leaf_of[id])
                    check_use(d, list->items[i], k);
            }
        }
    }
}

static void write_load(const struct direct *d, const struct pgs_spv_port *port, const uint32_t *ins)
{
    struct pgs_spv_module *m = d->m;
    const uint32_t *chain = d->chain_of[ins[3]];
    const struct pgs_spv_leaf *leaf = &d->inputs->items[d->leaf_of[ins[3]] - 1];
    uint32_t vertex = chain[4];
    if (type_of_index(m, vertex)[3])
        vertex = PGS_SPV_VALUE(m, port->list, SpvOpBitcast, pgs_spv_type_uint(m), vertex);
    const uint32_t value = pgs_spv_load_leaf(port, leaf, vertex);
    if (!value) /* info is another shader's */
        pgs_spv_fail(m, PGS_SPV_INVALID);
    else if (pgs_spv_length(chain) - 5 == leaf->depth)
        PGS_SPV_APPEND(m, port->list, SpvOpCopyObject, ins[1], ins[2], value);
    else
        PGS_SPV_APPEND(m, port->list, SpvOpVectorExtractDynamic, ins[1], ins[2], value,
                       chain[5 + leaf->depth]);
}

/* The pointers go, the loads become what loads from memory. */
static void rewrite(const struct direct *d, const struct pgs_spv_port *port)
{
    struct pgs_spv_list *list = &d->m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count && d->m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        const bool chains = op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain;
        const uint32_t pointer = chains ? ins[2] : op == SpvOpLoad ? ins[3] : 0;
        const uint32_t leaf = pointer < d->bound ? d->leaf_of[pointer] : 0;
        if (!leaf || d->variables[d->inputs->items[leaf - 1].variable] == ARRAY)
            pgs_spv_push(d->m, port->list, ins);
        else if (op == SpvOpLoad)
            write_load(d, port, ins);
    }
}

void pgs_spv_load_directly(const struct pgs_spv_port *loads, struct pgs_spv_leaves *inputs)
{
    struct pgs_spv_module *m = loads->m;
    struct pgs_spv_list rewritten = {0};
    struct pgs_spv_port port = *loads;
    struct direct d = {.m = m, .inputs = inputs, .bound = m->bound};
    d.variables = pgs_spv_zalloc(m, d.bound, sizeof(*d.variables));
    d.first = pgs_spv_zalloc(m, d.bound, sizeof(*d.first));
    d.leaf_of = pgs_spv_zalloc(m, d.bound, sizeof(*d.leaf_of));
    d.chain_of = pgs_spv_zalloc(m, d.bound, sizeof(*d.chain_of));
    if (m->result != PGS_SPV_OK)
        return;
    find_direct(&d);
    port.list = &rewritten;
    rewrite(&d, &port);
    m->sections[PGS_SPV_FUNCTIONS] = rewritten;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < inputs->count; i++) {
        if (d.variables[inputs->items[i].variable] == ARRAY)
            inputs->items[kept++] = inputs->items[i];
    }
    inputs->count = kept;
}
