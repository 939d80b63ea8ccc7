/* SPDX-License-Identifier: MIT
 *
 * Fits linked functions to the calls of them. If all parameters that decide something together are
 * known in a call, there is an instance of the function for their values.
 */
#include "spirv/ir/specialize.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/dead_values.h"
#include "spirv/ir/fold.h"
#include "spirv/ir/fold_function.h"
#include "spirv/ir/link.h"
#include "spirv/ir/operands.h"

#include <stdio.h>
#include <string.h>

/* Instructions of an instance that are rather written into each caller than called: in an instance,
 * where there are few calls, and in other functions, which load and store a vertex word by word, or
 * have two calls at most. */
#define MAX_IN_INSTANCE 24
#define MAX_IN_CALLER 5
#define MAX_IN_TWO_CALLERS 12
#define NEVER_IN_PLACE UINT32_MAX

struct instance {
    struct instance *next; /* of the function */
    uint32_t id, id_end;   /* of its OpFunction, with which its own begin, and where they end */
    uint32_t decided;      /* mask of the parameters that are known */
    uint32_t kept;         /* mask of the parameters that it has */
    uint32_t length;       /* instructions of its only block, or NEVER_IN_PLACE */
    bool calls;            /* others, which may fit better where more is known */
    bool is_written;       /* something calls it */
    uint8_t *numbers;      /* of a struct pasting, the same in each place; NULL: none so far */
    struct pgs_spv_folded result;
    struct pgs_spv_list ins; /* from OpFunction to OpFunctionEnd */
    struct pgs_spv_folded arguments[PGS_SPV_MAX_PARAMETERS];
};

/* Functions of shaders/lib/address.glsl that need no carries with 64-bit integers: conversions, and
 * a product, a sum or a comparison. */
enum wide {
    WIDE_NONE = 0,
    WIDE_ADD,      /* uvec2 pgs_add(uvec2 address, uint offset_B) */
    WIDE_SUBTRACT, /* uvec2 pgs_subtract(uvec2 address, uint offset_B) */
    WIDE_MUL_ADD,  /* uvec2 pgs_mul_add(uvec2 address, uint count, uint size_B) */
    WIDE_SUM,      /* uvec2 pgs_sum(uvec2 a, uvec2 b) */
    WIDE_BELOW,    /* bool pgs_is_below(uvec2 number, uint end) */
};

struct function {
    const struct pgs_spv_library_function *code; /* NULL: nothing has called it so far */
    enum wide wide;
    const struct pgs_spv_fold_source *source;
    struct instance *instances;
};

struct source {
    struct pgs_spv_fold_source fold;
    struct function *functions; /* by number in the library */
    struct source *next;
};

struct instances {
    struct instance **items;
    uint32_t count, capacity;
};

struct specializer {
    struct pgs_spv_module *m;
    struct pgs_spv_folder folder;
    struct pgs_spv_known_globals known;
    uint32_t bound;                /* that m had before */
    struct function **function_of; /* by id */
    uint8_t *calls_of;             /* by id: calls in functions that are no copies, up to 3 */
    struct source *sources;
    struct instances all; /* by id, which each gets when it is made */
    struct instances called;
};

static struct function *function_of(const struct specializer *s, uint32_t id)
{
    return id < s->bound ? s->function_of[id] : NULL;
}

static void add_instance(struct specializer *s, struct instances *list, struct instance *instance)
{
    if (list->count == list->capacity) {
        const uint32_t capacity = list->capacity ? list->capacity * 2 : 64;
        struct instance **items = pgs_spv_alloc(s->m, capacity, sizeof(struct instance *));
        if (!items)
            return;
        if (list->count)
            memcpy(items, list->items, list->count * sizeof(struct instance *));
        list->items = items;
        list->capacity = capacity;
    }
    list->items[list->count++] = instance;
}

/* -- instances -- */

static bool is_constant(const struct specializer *s, struct pgs_spv_folded value)
{
    uint32_t bits;
    return pgs_spv_constant_bits(s->m, value.id, &bits);
}

/* The parameters that decide something about a call with these arguments. */
static uint32_t decided_in(const struct specializer *s, const struct function *f,
                           const struct pgs_spv_folded *arguments)
{
    uint32_t known = 0, decided = 0;
    for (uint32_t i = 0; i < f->code->parameter_count; i++) {
        if (arguments[i].possible != UINT32_MAX || is_constant(s, arguments[i]))
            known |= 1u << i;
    }
    for (uint32_t i = 0; i < f->code->decision_count; i++)
        decided |= (f->code->decisions[i] & ~known) == 0 ? f->code->decisions[i] : 0;
    return decided;
}

static bool fits(const struct specializer *s, const struct function *f,
                 const struct instance *instance, uint32_t decided,
                 const struct pgs_spv_folded *arguments)
{
    if (instance->decided != decided)
        return false;
    for (uint32_t i = 0; i < f->code->parameter_count; i++) {
        if (!(decided >> i & 1))
            continue;
        const struct pgs_spv_folded *own = &instance->arguments[i];
        if (own->id ? own->id != arguments[i].id
                    : own->possible != arguments[i].possible || is_constant(s, arguments[i]))
            return false;
    }
    return true;
}

/* OpFunction and the parameters that are left. */
static void write_head(struct specializer *s, const struct function *f, struct instance *instance)
{
    struct pgs_spv_module *m = s->m;
    const uint32_t *head = f->source->linked->library->words + f->code->head;
    const uint32_t *type =
        pgs_spv_def_op(m, pgs_spv_folded_id(&s->folder, f->source, head[4]).id, SpvOpTypeFunction);
    uint32_t words[1 + PGS_SPV_MAX_PARAMETERS], count = 0;
    if (!type || pgs_spv_length(type) != 3 + f->code->parameter_count) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return;
    }
    words[count++] = type[2];
    for (uint32_t i = 0; i < f->code->parameter_count; i++) {
        if (instance->kept >> i & 1)
            words[count++] = type[3 + i];
    }
    PGS_SPV_APPEND(m, &instance->ins, SpvOpFunction, type[2], instance->id, head[3],
                   pgs_spv_type(m, SpvOpTypeFunction, words, count));
    for (uint32_t i = 0; i < f->code->parameter_count; i++) {
        if (instance->kept >> i & 1)
            PGS_SPV_APPEND(m, &instance->ins, SpvOpFunctionParameter, type[3 + i],
                           instance->arguments[i].id);
    }
}

static void set_parameters(const struct function *f, const struct pgs_spv_folded *arguments)
{
    const uint32_t *ins = f->source->linked->library->words + f->code->head;
    for (uint32_t i = 0; i < f->code->parameter_count; i++) {
        ins += pgs_spv_length(ins); /* OpFunctionParameter */
        f->source->values[ins[2]] = arguments[i];
    }
}

/* Finds out how many instructions a call would be replaced with. */
static void measure(struct instance *instance)
{
    uint32_t blocks = 0, values = 0;
    instance->length = NEVER_IN_PLACE;
    for (uint32_t i = 0; i < instance->ins.count; i++) {
        switch (pgs_spv_op(instance->ins.items[i])) {
        case SpvOpLabel:
            blocks++;
            break;
        case SpvOpVariable:
        case SpvOpUnreachable:
            return;
        case SpvOpFunctionCall:
            instance->calls = true;
            values++;
            break;
        case SpvOpFunction:
        case SpvOpFunctionParameter:
        case SpvOpReturn:
        case SpvOpReturnValue:
        case SpvOpFunctionEnd:
            break;
        default:
            values++;
        }
    }
    if (blocks == 1)
        instance->length = values;
}

static void write_instance(struct specializer *s, struct function *f, struct instance *instance)
{
    write_head(s, f, instance);
    const uint32_t written = instance->ins.count;
    set_parameters(f, instance->arguments);
    if (!pgs_spv_fold_body(&s->folder, f->source, f->code, PGS_SPV_FOLD_FUNCTION, &instance->ins,
                           &instance->result)) {
        instance->ins.count = written;
        if (!pgs_spv_fold_body(&s->folder, f->source, f->code, PGS_SPV_FOLD_PLAIN, &instance->ins,
                               &instance->result))
            pgs_spv_fail(s->m, PGS_SPV_INVALID);
    }
    pgs_spv_append(s->m, &instance->ins, SpvOpFunctionEnd, NULL, 0);
    instance->id_end = s->m->bound;
    pgs_spv_drop_dead_values(s->m, &instance->ins, instance->id);
    measure(instance);
}

static struct instance *instance_for(struct specializer *s, struct function *f,
                                     const struct pgs_spv_folded *arguments)
{
    const uint32_t decided = decided_in(s, f, arguments);
    for (struct instance *i = f->instances; i; i = i->next) {
        if (fits(s, f, i, decided, arguments))
            return i;
    }
    struct instance *instance = pgs_spv_zalloc(s->m, 1, sizeof(*instance));
    if (!instance)
        return NULL;
    instance->next = f->instances;
    instance->id = pgs_spv_new_id(s->m);
    instance->decided = decided;
    add_instance(s, &s->all, instance);
    for (uint32_t i = 0; i < f->code->parameter_count; i++) {
        const bool decides = decided >> i & 1;
        if (decides && is_constant(s, arguments[i])) {
            instance->arguments[i] = arguments[i];
            continue;
        }
        instance->kept |= 1u << i;
        instance->arguments[i] = (struct pgs_spv_folded){
            .id = pgs_spv_new_id(s->m), .possible = decides ? arguments[i].possible : UINT32_MAX};
    }
    write_instance(s, f, instance);
    for (uint32_t i = 0; i < f->code->parameter_count; i++) /* to be compared */
        if (instance->kept >> i & 1)
            instance->arguments[i].id = 0;
    f->instances = instance;
    return instance;
}

/* -- calls -- */

static void note_called(struct specializer *s, struct instance *instance)
{
    if (instance->is_written)
        return;
    instance->is_written = true;
    add_instance(s, &s->called, instance);
}

static enum wide wide_of(const struct pgs_spv_module *m, const char *name)
{
    if (!m->int64)
        return WIDE_NONE;
    return strcmp(name, "pgs_add") == 0        ? WIDE_ADD
           : strcmp(name, "pgs_subtract") == 0 ? WIDE_SUBTRACT
           : strcmp(name, "pgs_mul_add") == 0  ? WIDE_MUL_ADD
           : strcmp(name, "pgs_sum") == 0      ? WIDE_SUM
           : strcmp(name, "pgs_is_below") == 0 ? WIDE_BELOW
                                               : WIDE_NONE;
}

/* What a call of a wide function results in. Drivers take one instruction for what are ten with
 * carries. type: of the result. */
static uint32_t write_wide(struct specializer *s, enum wide wide, uint32_t type,
                           const struct pgs_spv_folded *arguments, struct pgs_spv_list *out)
{
    struct pgs_spv_module *m = s->m;
    const uint32_t ulong = pgs_spv_type(m, SpvOpTypeInt, (const uint32_t[]){64, 0}, 2);
    uint32_t offset = PGS_SPV_VALUE(m, out, wide == WIDE_SUM ? SpvOpBitcast : SpvOpUConvert, ulong,
                                    arguments[1].id);
    if (wide == WIDE_MUL_ADD)
        offset = PGS_SPV_VALUE(m, out, SpvOpIMul, ulong, offset,
                               PGS_SPV_VALUE(m, out, SpvOpUConvert, ulong, arguments[2].id));
    const uint32_t base = PGS_SPV_VALUE(m, out, SpvOpBitcast, ulong, arguments[0].id);
    pgs_spv_add_capability(m, SpvCapabilityInt64);
    if (wide == WIDE_BELOW)
        return PGS_SPV_VALUE(m, out, SpvOpULessThan, type, base, offset);
    const uint32_t op = wide == WIDE_SUBTRACT ? SpvOpISub : SpvOpIAdd;
    return PGS_SPV_VALUE(m, out, SpvOpBitcast, type,
                         pgs_spv_value(m, out, op, ulong, (const uint32_t[]){base, offset}, 2));
}

/* What stands for the ids of an instance where it is written in place. */
struct pasting {
    struct pgs_spv_module *m;
    uint32_t first, id_count; /* of its ids, with some of the module among them */
    uint8_t *numbers;         /* by id - first: number + 1 in values; 0: it has none */
    struct pgs_spv_folded values[PGS_SPV_MAX_PARAMETERS + MAX_IN_INSTANCE];
    uint32_t count;
};

static const struct pgs_spv_folded *find_pasted(const struct pasting *p, uint32_t id)
{
    const uint32_t number = id - p->first < p->id_count ? p->numbers[id - p->first] : 0;
    return number ? &p->values[number - 1] : NULL;
}

static struct pgs_spv_folded pasted(const struct pasting *p, uint32_t id)
{
    const struct pgs_spv_folded *found = find_pasted(p, id);
    return found ? *found : pgs_spv_fold_id(p->m, id);
}

static void note_pasted(struct pasting *p, uint32_t id, struct pgs_spv_folded value)
{
    p->values[p->count++] = value;
    p->numbers[id - p->first] = (uint8_t)p->count;
}

static void paste_instruction(struct pasting *p, const uint32_t *ins, struct pgs_spv_list *out)
{
    const uint32_t length = pgs_spv_length(ins), id_word = pgs_spv_result_word(ins);
    const uint32_t op = pgs_spv_op(ins);
    const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
    uint32_t *copy = pgs_spv_alloc(p->m, length, 4);
    uint32_t possible = UINT32_MAX;
    if (!copy)
        return;
    memcpy(copy, ins, length * 4u);
    for (uint32_t i = 1; i < ids.end; i++) {
        const bool is_id = i != id_word && (i < ids.sure || pgs_spv_is_mixed_id(ins, i));
        const struct pgs_spv_folded *found = is_id ? find_pasted(p, ins[i]) : NULL;
        if (found)
            copy[i] = found->id;
    }
    if (pgs_spv_is_bitwise(op))
        possible = pgs_spv_possible_bits(p->m, op, pasted(p, ins[3]), pasted(p, ins[4]));
    const struct pgs_spv_folded value = pgs_spv_write_copy(p->m, copy, possible, out);
    if (id_word)
        note_pasted(p, ins[id_word], value);
}

/* Writes the only block of an instance, which calls nothing, in place of a call. To copy the
 * function again would also copy what it calls. */
static struct pgs_spv_folded paste(struct specializer *s, const struct function *f,
                                   struct instance *instance,
                                   const struct pgs_spv_folded *arguments, struct pgs_spv_list *out)
{
    struct pasting p; /* most values are never written */
    uint32_t at = 1;  /* behind OpFunction */
    p.m = s->m;
    p.first = instance->id;
    p.id_count = instance->id_end - instance->id;
    p.count = 0;
    if (!instance->numbers)
        instance->numbers = pgs_spv_zalloc(s->m, p.id_count, 1);
    p.numbers = instance->numbers;
    if (!p.numbers)
        return (struct pgs_spv_folded){0};
    for (uint32_t i = 0; i < f->code->parameter_count; i++) {
        if (instance->kept >> i & 1)
            note_pasted(&p, instance->ins.items[at++][2], arguments[i]);
    }
    for (at++; at < instance->ins.count && s->m->result == PGS_SPV_OK; at++) {
        const uint32_t *ins = instance->ins.items[at];
        if (pgs_spv_op(ins) == SpvOpReturn || pgs_spv_op(ins) == SpvOpReturnValue)
            break;
        paste_instruction(&p, ins, out);
    }
    struct pgs_spv_folded result = pasted(&p, instance->result.id);
    result.possible &= instance->result.possible;
    return result;
}

/* type: of the result, in the module. */
static struct pgs_spv_folded write_call(struct specializer *s, struct function *f, uint32_t type,
                                        const uint32_t *ins, const struct pgs_spv_folded *arguments,
                                        uint32_t max_in_place, struct pgs_spv_list *out)
{
    struct pgs_spv_folded result = {.possible = UINT32_MAX};
    if (f && f->wide && pgs_spv_length(ins) == 4 + f->code->parameter_count) {
        result.id = write_wide(s, f->wide, type, arguments, out);
        return result;
    }
    struct instance *instance = f && pgs_spv_length(ins) == 4 + f->code->parameter_count
                                    ? instance_for(s, f, arguments)
                                    : NULL;
    if (!instance || s->m->result != PGS_SPV_OK) {
        pgs_spv_fail(s->m, PGS_SPV_INVALID);
        return result;
    }
    if (instance->length <= max_in_place && !instance->calls)
        return paste(s, f, instance, arguments, out);
    if (instance->length <= max_in_place) {
        set_parameters(f, arguments);
        pgs_spv_fold_body(&s->folder, f->source, f->code, PGS_SPV_FOLD_IN_PLACE, out, &result);
        return result;
    }
    uint32_t words[3 + PGS_SPV_MAX_PARAMETERS], count = 0;
    words[count++] = type;
    words[count++] = result.id = pgs_spv_new_id(s->m);
    words[count++] = instance->id;
    for (uint32_t i = 0; i < f->code->parameter_count; i++) {
        if (instance->kept >> i & 1)
            words[count++] = arguments[i].id;
    }
    pgs_spv_append(s->m, out, SpvOpFunctionCall, words, count);
    return result;
}

static struct function *open_function(const struct specializer *s, const struct source *of,
                                      uint32_t number)
{
    struct function *f = &of->functions[number];
    if (f->code)
        return f;
    f->code = &of->fold.linked->library->functions[number];
    f->source = &of->fold;
    f->wide = wide_of(s->m, f->code->name);
    return f;
}

static struct pgs_spv_folded
write_call_in_instance(void *context, const struct pgs_spv_fold_source *source, const uint32_t *ins,
                       const struct pgs_spv_folded *arguments, struct pgs_spv_list *out)
{
    struct specializer *s = context;
    const struct source *of = (const struct source *)source;
    const uint32_t number = source->linked->library->numbers[ins[3]] - 1;
    const uint32_t type = pgs_spv_folded_id(&s->folder, source, ins[1]).id;
    return write_call(s, open_function(s, of, number), type, ins, arguments, MAX_IN_INSTANCE, out);
}

/* Gives a value of out->items[first...] the id that the caller knows it by. False: it is not there.
 */
static bool rename_value(struct pgs_spv_module *m, struct pgs_spv_list *out, uint32_t first,
                         uint32_t from, uint32_t to)
{
    bool found = false;
    for (uint32_t i = first; i < out->count; i++) {
        uint32_t *ins = out->items[i];
        const uint32_t id_word = pgs_spv_result_word(ins);
        if (id_word && ins[id_word] == from) {
            found = true;
            ins[id_word] = to;
            m->defs[to] = ins;
            continue;
        }
        for (uint32_t k = 1; found && k < pgs_spv_length(ins); k++)
            if (pgs_spv_is_id(ins, k) && ins[k] == from)
                ins[k] = to;
    }
    return found;
}

/* A call in a function that is no copy. */
static void replace_call(struct specializer *s, const uint32_t *ins, struct pgs_spv_list *out)
{
    struct pgs_spv_folded arguments[PGS_SPV_MAX_PARAMETERS];
    const uint32_t count = pgs_spv_length(ins) - 4, first = out->count;
    if (count > PGS_SPV_MAX_PARAMETERS) {
        pgs_spv_fail(s->m, PGS_SPV_UNSUPPORTED);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = pgs_spv_fold_id(s->m, ins[4 + i]);
    const struct pgs_spv_folded result =
        write_call(s, function_of(s, ins[3]), ins[1], ins, arguments,
                   s->calls_of[ins[3]] > 2 ? MAX_IN_CALLER : MAX_IN_TWO_CALLERS, out);
    if (result.id && s->m->result == PGS_SPV_OK &&
        !rename_value(s->m, out, first, result.id, ins[2]))
        PGS_SPV_APPEND(s->m, out, SpvOpCopyObject, ins[1], ins[2], result.id);
}

/* -- the module -- */

static void add_functions(struct specializer *s, struct pgs_spv_linked *linked)
{
    const struct pgs_spv_library *library = linked->library;
    struct source *of = pgs_spv_alloc(s->m, 1, sizeof(*of));
    if (!of)
        return;
    *of = (struct source){.functions =
                              pgs_spv_zalloc(s->m, library->function_count, sizeof(*of->functions)),
                          .next = s->sources};
    pgs_spv_open_source(s->m, linked, &of->fold);
    if (s->m->result != PGS_SPV_OK)
        return;
    s->sources = of;
    for (uint32_t i = 0; i < linked->function_count; i++) {
        const uint32_t number = linked->functions[i];
        const uint32_t id = linked->ids[library->words[library->functions[number].head + 2]];
        s->function_of[id] = open_function(s, of, number);
    }
}

/* A module may link several libraries. */
static void find_functions(struct specializer *s)
{
    struct pgs_spv_module *m = s->m;
    s->function_of = pgs_spv_zalloc(m, m->bound, sizeof(struct function *));
    for (struct pgs_spv_linked *linked = m->linked; linked && m->result == PGS_SPV_OK;
         linked = linked->next)
        add_functions(s, linked);
}

static void count_calls(struct specializer *s, const struct pgs_spv_list *list)
{
    s->calls_of = pgs_spv_zalloc(s->m, s->bound, 1);
    for (uint32_t i = 0; i < list->count && s->calls_of; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpFunctionCall && ins[3] < s->bound)
            s->calls_of[ins[3]] += s->calls_of[ins[3]] < 3;
    }
}

/* Copies the functions with other calls. */
static void rewrite_callers(struct specializer *s, const struct pgs_spv_list *list,
                            struct pgs_spv_list *out)
{
    for (uint32_t i = 0; i < list->count && s->m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpFunctionCall && function_of(s, ins[3]))
            replace_call(s, ins, out);
        else
            pgs_spv_push(s->m, out, ins);
    }
}

/* The instance with the id, if it is one. */
static struct instance *instance_of(const struct specializer *s, uint32_t id)
{
    uint32_t first = 0, end = s->all.count;
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (s->all.items[middle]->id == id)
            return s->all.items[middle];
        if (s->all.items[middle]->id < id)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

static void note_calls(struct specializer *s, const struct pgs_spv_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        struct instance *instance = pgs_spv_op(ins) == SpvOpFunctionCall && ins[3] >= s->bound
                                        ? instance_of(s, ins[3])
                                        : NULL;
        if (instance)
            note_called(s, instance);
    }
}

/* Instances have the name of their function, with a number. */
static void name_instances(const struct specializer *s, const struct function *f)
{
    uint32_t number = 0;
    for (const struct instance *i = f->instances; i; i = i->next, number++) {
        char text[64];
        if (!i->is_written)
            continue;
        snprintf(text, sizeof(text), "%.48s_%c%c", f->code->name, (char)('a' + number / 26 % 26),
                 (char)('a' + number % 26));
        pgs_spv_push(s->m, &s->m->sections[PGS_SPV_NAMES],
                     pgs_spv_make_string(s->m, SpvOpName, &i->id, 1, text, NULL, 0));
    }
}

/* What else the module has of the libraries. */
static void describe(const struct specializer *s)
{
    for (const struct source *of = s->sources; of; of = of->next) {
        const uint32_t count = s->m->keeps_names ? of->fold.linked->library->function_count : 0;
        for (uint32_t i = 0; i < count; i++)
            name_instances(s, &of->functions[i]);
        pgs_spv_describe_copied(s->m, of->fold.linked);
    }
}

void pgs_spv_specialize(struct pgs_spv_module *m)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS], out = {0};
    struct specializer s = {.m = m, .bound = m->bound};
    if (m->result != PGS_SPV_OK || !m->linked)
        return;
    s.known.m = m;
    s.folder = (struct pgs_spv_folder){
        .m = m, .known = &s.known, .call = write_call_in_instance, .context = &s};
    find_functions(&s);
    count_calls(&s, list);
    if (m->result != PGS_SPV_OK)
        return;
    rewrite_callers(&s, list, &out);
    note_calls(&s, &out);
    for (uint32_t i = 0; i < s.called.count; i++) {
        const struct pgs_spv_list *ins = &s.called.items[i]->ins;
        note_calls(&s, ins);
        for (uint32_t k = 0; k < ins->count; k++)
            pgs_spv_push(m, &out, ins->items[k]);
    }
    describe(&s);
    *list = out;
    struct pgs_spv_linked **end = &m->linked;
    while (*end)
        end = &(*end)->next;
    *end = m->written;
    m->written = m->linked;
    m->linked = NULL;
}
