/* SPDX-License-Identifier: MIT
 *
 * Inputs and outputs that stay in memory. A load or store of an element computes the element's
 * address, so that a dynamic index costs a multiplication. The alternative, a private copy of the
 * whole variable, costs code and registers for each element.
 */
#include "spirv/io/io_memory.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#include <string.h>

/* The target of a pointer. */
struct place {
    uint32_t variable;
    uint32_t type;
    bool wants_vertex; /* the next index selects a vertex */
    uint32_t vertex;   /* id of the vertex index; 0: none */
    uint32_t depth;    /* of the path, which has 0 for dynamic indices */
    uint32_t path[PGS_SPV_MAX_PATH];
    uint32_t chosen[PGS_SPV_MAX_PATH]; /* ids of dynamic indices; 0: the index is in the path */
    uint32_t length[PGS_SPV_MAX_PATH]; /* number of elements that the index selects from */
    uint32_t component;                /* id of the component index of a vector; 0: none */
};

struct access_pass {
    struct pgs_spv_module *m;
    const struct pgs_spv_io_memory *memory;
    const struct pgs_spv_io_vars *vars;
    uint32_t bound;           /* bound of the application's ids */
    uint8_t *uses;            /* by id of a variable: PGS_SPV_ADDRESSED etc. */
    uint32_t *first;          /* by id of a variable: its first I/O variable plus 1; 0: none
                               */
    struct place **places;    /* by id of a pointer */
    struct pgs_spv_list list; /* rewritten functions */
};

/* --- Targets of pointers --- */

/* The type of a 32-bit integer; NULL for other ids. */
static const uint32_t *type_of_index(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(m, id);
    uint32_t type_word = 0, id_word;
    if (def)
        pgs_spv_result_words(pgs_spv_op(def), &type_word, &id_word);
    const uint32_t *type = type_word ? pgs_spv_def_op(m, def[type_word], SpvOpTypeInt) : NULL;
    return type && type[2] == 32 ? type : NULL;
}

static bool enter_element(const struct pgs_spv_module *m, struct place *at, uint32_t index,
                          uint32_t length, uint32_t type)
{
    uint32_t constant = 0;
    const bool known = pgs_spv_constant(m, index, &constant);
    if (at->depth == PGS_SPV_MAX_PATH || (known ? constant >= length : !type_of_index(m, index)))
        return false;
    at->path[at->depth] = constant;
    at->chosen[at->depth] = known ? 0 : index;
    at->length[at->depth++] = length;
    at->type = type;
    return true;
}

/* Applies one index of an access chain. */
static bool enter(const struct pgs_spv_module *m, struct place *at, uint32_t index)
{
    const uint32_t *type = pgs_spv_def(m, at->type);
    uint32_t constant = 0, length;
    if (!type || at->component)
        return false;
    if (at->wants_vertex) {
        at->wants_vertex = false;
        at->vertex = index;
        at->type = type[2];
        return type_of_index(m, index) != NULL;
    }
    switch (pgs_spv_op(type)) {
    case SpvOpTypeStruct:
        return pgs_spv_constant(m, index, &constant) && constant + 2 < pgs_spv_length(type) &&
               enter_element(m, at, index, constant + 1, type[2 + constant]);
    case SpvOpTypeArray:
        return pgs_spv_constant(m, type[3], &length) &&
               enter_element(m, at, index, length, type[2]);
    case SpvOpTypeMatrix:
        return enter_element(m, at, index, type[3], type[2]);
    case SpvOpTypeVector:
        at->component = index;
        at->type = type[2];
        return pgs_spv_constant(m, index, &constant) ? constant < type[3]
                                                     : type_of_index(m, index) != NULL;
    default:
        return false;
    }
}

/* True if the I/O variable is at the end of the path, or could be reached with other dynamic
 * indices. */
static bool is_below(const struct place *at, const struct pgs_spv_io_var *var, bool others)
{
    if (var->variable != at->variable || var->depth < at->depth)
        return false;
    for (uint32_t i = 0; i < at->depth; i++) {
        if (var->path[i] != at->path[i] && !(others && at->chosen[i]))
            return false;
    }
    return true;
}

static const struct pgs_spv_io_access *access_of(const struct access_pass *p,
                                                 const struct pgs_spv_io_var *var)
{
    if (var->vertices)
        return &p->memory->vertex;
    return var->builtin == PGS_SPV_NO_BUILTIN || pgs_spv_is_level(var) ? &p->memory->single : NULL;
}

/* Finds the words between elements for dynamic indices. False if elements are not equally far
 * apart, or only some of them are in the layout. */
static bool find_strides(const struct access_pass *p, const struct place *at,
                         const struct pgs_spv_io_var *var, uint32_t strides_w[PGS_SPV_MAX_PATH])
{
    const struct pgs_spv_io_access *access = access_of(p, var);
    uint16_t here[PGS_SPV_MAX_VAR_WORDS], there[PGS_SPV_MAX_VAR_WORDS];
    const uint32_t count = pgs_spv_io_access_words(access, var, here);
    memset(strides_w, 0, PGS_SPV_MAX_PATH * sizeof(*strides_w));
    /* The first element of an array gives the stride, the others must match it. I/O variables are
     * in order. */
    for (uint32_t i = (uint32_t)(var - p->vars->items); i < p->vars->count; i++) {
        const struct pgs_spv_io_var *other = &p->vars->items[i];
        if (other->variable != var->variable)
            break;
        if (!is_below(at, other, true) || other->depth != var->depth ||
            memcmp(other->path + at->depth, var->path + at->depth,
                   (var->depth - at->depth) * sizeof(*var->path)) != 0)
            continue;
        uint32_t moved = 0, steps = 0, level = 0;
        for (uint32_t k = 0; k < at->depth; k++) {
            const uint32_t step = at->chosen[k] ? other->path[k] : 0;
            moved += step * strides_w[k];
            steps += step;
            level = step ? k : level;
        }
        pgs_spv_io_access_words(access, other, there);
        if (steps == 1 && here[0] != PGS_NO_WORD && there[0] != PGS_NO_WORD)
            moved = strides_w[level] = (uint32_t)there[0] - here[0];
        for (uint32_t k = 0; k < count; k++) {
            if (here[k] == PGS_NO_WORD ? there[k] != PGS_NO_WORD : there[k] != here[k] + moved)
                return false;
        }
    }
    return true;
}

/* A dynamic component index needs all components, in consecutive words. */
static bool is_vector_in_memory(const struct access_pass *p, const struct pgs_spv_io_var *var)
{
    uint16_t words[PGS_SPV_MAX_VAR_WORDS];
    const uint32_t count = pgs_spv_io_access_words(access_of(p, var), var, words);
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] == PGS_NO_WORD || words[i] != words[0] + i)
            return false;
    }
    return true;
}

/* Walks a type and its I/O variables, from *next on. False if they do not match. */
static bool has_vars(const struct access_pass *p, const struct place *at, uint32_t type,
                     uint32_t *next)
{
    const struct pgs_spv_module *m = p->m;
    const uint32_t *def = pgs_spv_def(m, type);
    uint32_t length = 0, strides_w[PGS_SPV_MAX_PATH];
    const uint32_t op = def ? pgs_spv_op(def) : SpvOpNop;
    if (op == SpvOpTypeStruct) {
        for (uint32_t i = 2; i < pgs_spv_length(def); i++) {
            if (!has_vars(p, at, def[i], next))
                return false;
        }
        return true;
    }
    if (op == SpvOpTypeMatrix)
        length = def[3];
    else if (op == SpvOpTypeArray && !pgs_spv_constant(m, def[3], &length))
        return false;
    for (uint32_t i = 0; i < length; i++) {
        if (!has_vars(p, at, def[2], next))
            return false;
    }
    if (length)
        return true;
    const struct pgs_spv_io_var *var = &p->vars->items[*next];
    uint32_t component = 0;
    if (*next >= p->vars->count || !is_below(at, var, false) ||
        type != (at->component ? var->scalar : var->type))
        return false;
    ++*next;
    return find_strides(p, at, var, strides_w) &&
           (!at->component || pgs_spv_constant(m, at->component, &component) ||
            is_vector_in_memory(p, var));
}

static uint32_t first_var(const struct access_pass *p, const struct place *at)
{
    uint32_t i = p->first[at->variable] - 1;
    while (i < p->vars->count && !is_below(at, &p->vars->items[i], false))
        i++;
    return i;
}

/* --- Uses of variables --- */

static bool is_ours(const struct access_pass *p, uint32_t id)
{
    return id < p->bound && (p->first[id] || p->places[id]);
}

/* The target of a pointer. That of a variable is created at first use. */
static struct place *place_of(const struct access_pass *p, uint32_t id)
{
    const uint32_t *variable = pgs_spv_def_op(p->m, id, SpvOpVariable);
    if (p->places[id] || !variable)
        return p->places[id];
    const uint32_t *pointer = pgs_spv_def_op(p->m, variable[1], SpvOpTypePointer);
    struct place *at = pointer ? pgs_spv_zalloc(p->m, 1, sizeof(*at)) : NULL;
    if (!at)
        return NULL;
    at->variable = id;
    at->type = pointer[3];
    at->wants_vertex = p->vars->items[p->first[id] - 1].vertices != 0;
    return p->places[id] = at;
}

static void note_chain(struct access_pass *p, const uint32_t *ins)
{
    const struct place *base = place_of(p, ins[3]);
    struct place *at = base ? pgs_spv_zalloc(p->m, 1, sizeof(*at)) : NULL;
    if (!at)
        return;
    *at = *base;
    p->places[ins[2]] = at;
    bool known = true;
    for (uint32_t i = 4; i < pgs_spv_length(ins) && known; i++)
        known = enter(p->m, at, ins[i]);
    if (!known)
        p->uses[at->variable] |= PGS_SPV_USED_OTHERWISE;
    uint32_t constant;
    bool chosen = at->component && !pgs_spv_constant(p->m, at->component, &constant);
    for (uint32_t i = 0; i < at->depth; i++)
        chosen |= at->chosen[i] != 0;
    p->uses[at->variable] |= chosen ? PGS_SPV_CHOSEN : 0;
}

/* Notes the use of a pointer at that word of an instruction. */
static void note_use(struct access_pass *p, const uint32_t *ins, uint32_t word)
{
    const uint32_t op = pgs_spv_op(ins);
    const struct place *at = place_of(p, ins[word]);
    if (!at)
        return;
    uint8_t *uses = &p->uses[at->variable];
    if (pgs_spv_is_chain(op)) {
        *uses |= word == 3 ? 0 : PGS_SPV_USED_OTHERWISE;
        return;
    }
    const struct pgs_spv_io_var *var = &p->vars->items[p->first[at->variable] - 1];
    const struct pgs_spv_io_access *access = access_of(p, var);
    uint32_t next = first_var(p, at);
    const bool loads = op == SpvOpLoad && word == 3 && access && access->load && ins[1] == at->type;
    const bool stores = op == SpvOpStore && word == 1 && access && access->store;
    *uses |= loads ? PGS_SPV_LOADED : 0;
    if ((!loads && !stores) || at->wants_vertex || !has_vars(p, at, at->type, &next))
        *uses |= PGS_SPV_USED_OTHERWISE;
}

/* A few values that are never indexed dynamically are better kept in a private variable. */
static bool is_worth_addressing(const struct access_pass *p, uint32_t variable)
{
    const struct pgs_spv_io_var *var = &p->vars->items[p->first[variable] - 1];
    uint32_t values = 0;
    for (uint32_t i = p->first[variable] - 1; i < p->vars->count; i++)
        values += p->vars->items[i].variable == variable;
    values *= var->vertices ? var->vertices : 1;
    return (p->uses[variable] & PGS_SPV_CHOSEN) || values > p->memory->held_values;
}

static bool find_uses(struct access_pass *p)
{
    struct pgs_spv_module *m = p->m;
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    p->bound = m->bound;
    p->uses = pgs_spv_zalloc(m, p->bound, sizeof(*p->uses));
    p->first = pgs_spv_zalloc(m, p->bound, sizeof(*p->first));
    p->places = pgs_spv_zalloc(m, p->bound, sizeof(*p->places));
    if (m->result != PGS_SPV_OK)
        return false;
    for (uint32_t i = p->vars->count; i; i--)
        p->first[p->vars->items[i - 1].variable] = i;
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        for (uint32_t k = 1; k < pgs_spv_length(ins); k++) {
            if (pgs_spv_is_id(ins, k) && is_ours(p, ins[k]) && !(pgs_spv_is_chain(op) && k == 2))
                note_use(p, ins, k);
        }
        if (pgs_spv_is_chain(op) && is_ours(p, ins[3]))
            note_chain(p, ins);
    }
    for (uint32_t i = 0; i < p->vars->count; i++) {
        const struct pgs_spv_io_var *var = &p->vars->items[i];
        const uint32_t *variable = pgs_spv_def_op(m, var->variable, SpvOpVariable);
        uint8_t *uses = &p->uses[var->variable];
        const struct pgs_spv_io_access *access = access_of(p, var);
        if (!access || !access->layout || !variable || pgs_spv_length(variable) > 4)
            *uses |= PGS_SPV_USED_OTHERWISE; /* initializers are stored once */
        else if (!(*uses & PGS_SPV_USED_OTHERWISE) && is_worth_addressing(p, var->variable))
            *uses |= PGS_SPV_ADDRESSED;
    }
    for (uint32_t i = 0; i < p->vars->count; i++) {
        uint8_t *uses = &p->uses[p->vars->items[i].variable];
        if (*uses & PGS_SPV_USED_OTHERWISE)
            *uses &= (uint8_t)~PGS_SPV_ADDRESSED;
    }
    return m->result == PGS_SPV_OK;
}

const uint8_t *pgs_spv_find_uses(const struct pgs_spv_io_memory *memory,
                                 const struct pgs_spv_io_vars *vars)
{
    struct access_pass p = {.m = memory->vertex.m, .memory = memory, .vars = vars};
    return find_uses(&p) ? p.uses : NULL;
}

/* --- Loads and stores --- */

/* State that the I/O variables of one load or store share. */
struct access {
    struct access_pass *p;
    const struct place *at;
    uint32_t vertex;                          /* id of a uint; 0: none */
    uint32_t index[PGS_SPV_MAX_PATH + 1];     /* ids of the dynamic indices as uint */
    uint32_t element[PGS_SPV_MAX_PATH + 1];   /* id of its offset */
    uint32_t element_w[PGS_SPV_MAX_PATH + 1]; /* the stride that `element` was computed for */
};

static uint32_t as_uint(struct access_pass *p, uint32_t index)
{
    const uint32_t *type = index ? type_of_index(p->m, index) : NULL;
    if (!type || !type[3])
        return index;
    return PGS_SPV_VALUE(p->m, &p->list, SpvOpBitcast, pgs_spv_type_uint(p->m), index);
}

/* Adds the offset of element `id` of `length` elements that are stride_w words apart. */
static uint32_t add_element(struct access *a, uint32_t sum, uint32_t slot, uint32_t id,
                            uint32_t length, uint32_t stride_w)
{
    struct pgs_spv_module *m = a->p->m;
    if (!stride_w)
        return sum;
    if (!a->index[slot])
        a->index[slot] = as_uint(a->p, id);
    if (!a->element[slot] || a->element_w[slot] != stride_w) {
        a->element[slot] = PGS_SPV_VALUE(m, &a->p->list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                                         a->p->memory->element, a->index[slot],
                                         pgs_spv_uint(m, length), pgs_spv_uint(m, stride_w));
        a->element_w[slot] = stride_w;
    }
    if (!sum)
        return a->element[slot];
    return PGS_SPV_VALUE(m, &a->p->list, SpvOpIAdd, pgs_spv_type_uint(m), sum, a->element[slot]);
}

/* Finds the words of the I/O variable, or of its selected component. */
static struct pgs_spv_io_access locate(struct access *a, struct pgs_spv_io_var *var,
                                       const struct pgs_spv_io_var *whole)
{
    struct access_pass *p = a->p;
    const struct place *at = a->at;
    struct pgs_spv_io_access access = *access_of(p, whole);
    const uint32_t size_w = whole->width_bits == 64 ? 2 : 1;
    uint32_t strides_w[PGS_SPV_MAX_PATH], component = 0;
    *var = *whole;
    access.list = &p->list;
    access.offset = 0;
    find_strides(p, at, whole, strides_w);
    for (uint32_t i = 0; i < at->depth; i++) {
        if (!at->chosen[i])
            continue;
        access.offset =
            add_element(a, access.offset, i, at->chosen[i], at->length[i], strides_w[i]);
        access.by_word |= strides_w[i] % 4 != 0;
    }
    if (!at->component)
        return access;
    if (!pgs_spv_constant(p->m, at->component, &component)) {
        access.offset =
            add_element(a, access.offset, PGS_SPV_MAX_PATH, at->component, whole->count, size_w);
        access.by_word = true;
    }
    var->type = var->scalar;
    var->count = 1;
    if (var->builtin == PGS_SPV_NO_BUILTIN)
        var->component += component * size_w;
    else
        var->element += component;
    return access;
}

static uint32_t part_count(const struct pgs_spv_module *m, const uint32_t *type)
{
    uint32_t length = 0;
    switch (pgs_spv_op(type)) {
    case SpvOpTypeStruct:
        return pgs_spv_length(type) - 2;
    case SpvOpTypeArray:
        pgs_spv_constant(m, type[3], &length);
        return length;
    case SpvOpTypeMatrix:
        return type[3];
    default:
        return 0;
    }
}

static uint32_t part_type(const uint32_t *type, uint32_t part)
{
    return pgs_spv_op(type) == SpvOpTypeStruct ? type[2 + part] : type[2];
}

static uint32_t load(struct access *a, uint32_t type, uint32_t *next)
{
    struct pgs_spv_module *m = a->p->m;
    const uint32_t *def = pgs_spv_def(m, type);
    const uint32_t count = part_count(m, def);
    if (!count) {
        struct pgs_spv_io_var var;
        const struct pgs_spv_io_access access = locate(a, &var, &a->p->vars->items[(*next)++]);
        const uint32_t value = pgs_spv_load_io_var(&access, &var, a->vertex);
        if (!value) /* the layout comes from another shader, which lacks the variable */
            pgs_spv_fail(m, PGS_SPV_INVALID);
        return value;
    }
    uint32_t *parts = pgs_spv_zalloc(m, count, sizeof(*parts));
    for (uint32_t i = 0; parts && i < count && m->result == PGS_SPV_OK; i++)
        parts[i] = load(a, part_type(def, i), next);
    return parts ? pgs_spv_value(m, &a->p->list, SpvOpCompositeConstruct, type, parts, count) : 0;
}

static void store(struct access *a, uint32_t type, uint32_t value, uint32_t *next)
{
    struct pgs_spv_module *m = a->p->m;
    const uint32_t *def = pgs_spv_def(m, type);
    const uint32_t count = part_count(m, def);
    if (!count) {
        struct pgs_spv_io_var var;
        const struct pgs_spv_io_var *whole = &a->p->vars->items[(*next)++];
        uint16_t words[PGS_SPV_MAX_VAR_WORDS];
        uint32_t present = 0;
        for (uint32_t i = pgs_spv_io_access_words(access_of(a->p, whole), whole, words); i; i--)
            present += words[i - 1] != PGS_NO_WORD;
        if (!present) /* not read */
            return;
        const struct pgs_spv_io_access access = locate(a, &var, whole);
        pgs_spv_store_io_value(&access, &var, a->vertex, value);
        return;
    }
    for (uint32_t i = 0; i < count && m->result == PGS_SPV_OK; i++) {
        const uint32_t part = part_type(def, i);
        store(a, part, PGS_SPV_VALUE(m, &a->p->list, SpvOpCompositeExtract, part, value, i), next);
    }
}

/* The value takes over the result id of the load that it replaces. */
static void replace_load(struct access_pass *p, uint32_t *ins, uint32_t value)
{
    struct pgs_spv_module *m = p->m;
    uint32_t *last = p->list.count ? p->list.items[p->list.count - 1] : NULL;
    if (m->result != PGS_SPV_OK)
        return;
    if (!last || last != pgs_spv_def(m, value) || value < p->bound) {
        PGS_SPV_APPEND(m, &p->list, SpvOpCopyObject, ins[1], ins[2], value);
        return;
    }
    last[2] = ins[2];
    m->defs[ins[2]] = last;
}

static void rewrite(struct access_pass *p)
{
    const struct pgs_spv_list *list = &p->m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < list->count && p->m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        const bool chains = pgs_spv_is_chain(op);
        const uint32_t pointer = chains             ? ins[2]
                                 : op == SpvOpLoad  ? ins[3]
                                 : op == SpvOpStore ? ins[1]
                                                    : 0;
        const struct place *at = pointer < p->bound ? p->places[pointer] : NULL;
        if (!at || !(p->uses[at->variable] & PGS_SPV_ADDRESSED)) {
            pgs_spv_push(p->m, &p->list, ins);
            continue;
        }
        if (chains)
            continue;
        struct access a = {.p = p, .at = at};
        uint32_t next = first_var(p, at);
        a.vertex = as_uint(p, at->vertex);
        if (op == SpvOpLoad)
            replace_load(p, ins, load(&a, at->type, &next));
        else
            store(&a, at->type, ins[2], &next);
    }
}

static bool drop_pointer(const uint32_t *ins, void *context)
{
    const struct access_pass *p = context;
    const struct place *at = ins[1] < p->bound && !p->first[ins[1]] ? p->places[ins[1]] : NULL;
    return at && (p->uses[at->variable] & PGS_SPV_ADDRESSED);
}

void pgs_spv_address(const struct pgs_spv_io_memory *memory, struct pgs_spv_io_vars *vars)
{
    struct pgs_spv_module *m = memory->vertex.m;
    struct access_pass p = {.m = m, .memory = memory, .vars = vars};
    if (!find_uses(&p))
        return;
    rewrite(&p);
    m->sections[PGS_SPV_FUNCTIONS] = p.list;
    pgs_spv_filter(&m->sections[PGS_SPV_NAMES], drop_pointer, &p);
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], drop_pointer, &p);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < vars->count; i++) {
        if (!(p.uses[vars->items[i].variable] & PGS_SPV_ADDRESSED))
            vars->items[kept++] = vars->items[i];
    }
    vars->count = kept;
}
