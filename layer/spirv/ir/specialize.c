/* SPDX-License-Identifier: MIT
 *
 * Fits linked functions to the calls of them. Parameters decide something together if a branch, a
 * choice or a deciding argument of a further call is computed from them and from constants alone.
 * If all of them are known in a call, there is an instance of the function for their values.
 */
#include "spirv/ir/specialize.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/dead_values.h"
#include "spirv/ir/fold.h"
#include "spirv/ir/fold_function.h"
#include "spirv/ir/operands.h"

#include <string.h>

#define MAX_PARAMETERS 31
#define MAX_DECISIONS 32
/* In a mask of parameters: it depends on something that no call says, too. */
#define UNKNOWN (1u << 31)
/* Instructions of an instance that are rather written into each caller than called: in an instance,
 * where there are few calls, and in other functions, which load and store a vertex word by word. */
#define MAX_IN_INSTANCE 12
#define MAX_IN_CALLER 5
#define NEVER_IN_PLACE UINT32_MAX
/* Values that are gone may have been all that read a variable. */
#define MAX_ROUNDS 4

struct instance {
    struct instance *next;   /* of the function */
    uint32_t id;             /* of its OpFunction */
    uint32_t decided;        /* mask of the parameters that are known */
    uint32_t kept;           /* mask of the parameters that it has */
    uint32_t length;         /* instructions of its only block, or NEVER_IN_PLACE */
    bool is_written;         /* something calls it */
    struct pgs_spv_list ins; /* from OpFunction to OpFunctionEnd */
    struct pgs_spv_folded arguments[MAX_PARAMETERS];
};

struct function {
    uint32_t *const *ins; /* from OpFunction to OpFunctionEnd */
    uint32_t count;
    uint32_t parameter_count;
    uint32_t decisions[MAX_DECISIONS]; /* masks of parameters that decide together */
    uint32_t decision_count;
    uint32_t returned; /* mask of the parameters that the result is computed from */
    uint32_t instance_count;
    bool is_known; /* `decisions` and `returned` are */
    struct instance *instances;
};

struct specializer {
    struct pgs_spv_module *m;
    struct pgs_spv_folder folder;
    uint32_t *function_of; /* by id: number + 1 in functions */
    struct function *functions;
    uint32_t function_count;
    uint32_t *masks; /* by id: parameters that it is computed from */
    struct instance **called;
    uint32_t called_count, called_capacity;
};

static struct function *function_of(const struct specializer *s, uint32_t id)
{
    return id < s->folder.bound && s->function_of[id] ? &s->functions[s->function_of[id] - 1]
                                                      : NULL;
}

/* -- which parameters decide something -- */

static void find_decisions(struct specializer *s, struct function *f);

static void add_decision(struct function *f, uint32_t mask)
{
    if (mask == 0 || (mask & UNKNOWN))
        return;
    for (uint32_t i = 0; i < f->decision_count; i++) {
        if (f->decisions[i] == mask)
            return;
    }
    if (f->decision_count < MAX_DECISIONS) /* what is left out is decided by the driver */
        f->decisions[f->decision_count++] = mask;
}

/* The parameters of the caller that are arguments for these of the callee. */
static uint32_t mask_of_arguments(const struct specializer *s, const uint32_t *ins,
                                  const struct function *callee, uint32_t parameters)
{
    uint32_t mask = parameters & UNKNOWN;
    for (uint32_t i = 0; i < callee->parameter_count && i + 4 < pgs_spv_length(ins); i++)
        mask |= parameters >> i & 1 ? s->masks[ins[4 + i]] : 0;
    return mask;
}

/* One known operand may be enough for these. */
static bool is_decided_by_one(uint32_t op)
{
    switch (op) {
    case SpvOpBitwiseAnd:
    case SpvOpLogicalAnd:
    case SpvOpLogicalOr:
    case SpvOpSelect:
    case SpvOpPhi:
        return true;
    default:
        return false;
    }
}

/* A value comes from below: libraries have ids in the order of their instructions. */
static bool is_of_loop(const uint32_t *phi)
{
    for (uint32_t i = 4; i < pgs_spv_length(phi); i += 2) {
        if (phi[i] > phi[2])
            return true;
    }
    return false;
}

/* The parameters that the result of an instruction is computed from. */
static uint32_t mask_of_result(const struct specializer *s, const uint32_t *ins)
{
    const uint32_t op = pgs_spv_op(ins);
    uint32_t type_word, id_word, mask = 0;
    if (op == SpvOpLoad || (op == SpvOpPhi && is_of_loop(ins)))
        return UNKNOWN;
    if (op == SpvOpFunctionCall) {
        const struct function *callee = function_of(s, ins[3]);
        return callee ? mask_of_arguments(s, ins, callee, callee->returned) : UNKNOWN;
    }
    pgs_spv_result_words(op, &type_word, &id_word);
    for (uint32_t i = 1; i < pgs_spv_length(ins); i++) {
        if (i != type_word && i != id_word && pgs_spv_is_id(ins, i) && ins[i] < s->folder.bound)
            mask |= s->masks[ins[i]];
    }
    return is_decided_by_one(op) && mask != UNKNOWN ? mask & ~UNKNOWN : mask;
}

/* Notes what parameters decide about an instruction. */
static void note_decisions(struct specializer *s, struct function *f, const uint32_t *ins)
{
    switch (pgs_spv_op(ins)) {
    case SpvOpBranchConditional:
    case SpvOpSwitch:
        add_decision(f, s->masks[ins[1]]);
        return;
    case SpvOpSelect:
        add_decision(f, s->masks[ins[3]]);
        return;
    case SpvOpVectorExtractDynamic:
        add_decision(f, s->masks[ins[4]]);
        return;
    case SpvOpFunctionCall: {
        struct function *callee = function_of(s, ins[3]);
        if (!callee)
            return;
        find_decisions(s, callee);
        for (uint32_t i = 0; i < callee->decision_count; i++)
            add_decision(f, mask_of_arguments(s, ins, callee, callee->decisions[i]));
        return;
    }
    default:
        return;
    }
}

/* Callees come first; the call graph of a library has no cycle. */
static void find_decisions(struct specializer *s, struct function *f)
{
    if (f->is_known)
        return;
    f->is_known = true;
    uint32_t parameter = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t *ins = f->ins[i];
        uint32_t type_word, id_word;
        pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
        note_decisions(s, f, ins);
        f->returned |= pgs_spv_op(ins) == SpvOpReturnValue ? s->masks[ins[1]] : 0;
        if (pgs_spv_op(ins) == SpvOpFunctionParameter)
            s->masks[ins[2]] = 1u << parameter++;
        else if (id_word)
            s->masks[ins[id_word]] = mask_of_result(s, ins);
    }
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
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        if (is_constant(s, arguments[i]) || arguments[i].possible != UINT32_MAX)
            known |= 1u << i;
    }
    for (uint32_t i = 0; i < f->decision_count; i++)
        decided |= (f->decisions[i] & ~known) == 0 ? f->decisions[i] : 0;
    return decided;
}

static bool fits(const struct specializer *s, const struct function *f,
                 const struct instance *instance, uint32_t decided,
                 const struct pgs_spv_folded *arguments)
{
    if (instance->decided != decided)
        return false;
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        if (!(decided >> i & 1))
            continue;
        const struct pgs_spv_folded *own = &instance->arguments[i];
        const bool constant = is_constant(s, arguments[i]);
        if (constant ? own->id != arguments[i].id
                     : own->id || own->possible != arguments[i].possible)
            return false;
    }
    return true;
}

/* OpFunction and the parameters that are left. */
static void write_head(struct specializer *s, const struct function *f, struct instance *instance)
{
    struct pgs_spv_module *m = s->m;
    const uint32_t *type = pgs_spv_def_op(m, f->ins[0][4], SpvOpTypeFunction);
    uint32_t words[1 + MAX_PARAMETERS], count = 0;
    if (!type || pgs_spv_length(type) != 3 + f->parameter_count) {
        pgs_spv_fail(m, PGS_SPV_INVALID);
        return;
    }
    words[count++] = type[2];
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        if (instance->kept >> i & 1)
            words[count++] = type[3 + i];
    }
    PGS_SPV_APPEND(m, &instance->ins, SpvOpFunction, type[2], instance->id, f->ins[0][3],
                   pgs_spv_type(m, SpvOpTypeFunction, words, count));
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        if (instance->kept >> i & 1)
            PGS_SPV_APPEND(m, &instance->ins, SpvOpFunctionParameter, type[3 + i],
                           instance->arguments[i].id);
    }
}

static void set_parameters(struct specializer *s, const struct function *f,
                           const struct pgs_spv_folded *arguments)
{
    for (uint32_t i = 0; i < f->parameter_count; i++)
        s->folder.values[f->ins[1 + i][2]] = arguments[i];
}

/* Instructions that a call would be replaced with. */
static uint32_t length_in_place(const struct instance *instance)
{
    uint32_t blocks = 0, values = 0;
    for (uint32_t i = 0; i < instance->ins.count; i++) {
        switch (pgs_spv_op(instance->ins.items[i])) {
        case SpvOpLabel:
            blocks++;
            break;
        case SpvOpVariable:
        case SpvOpUnreachable:
            return NEVER_IN_PLACE;
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
    return blocks == 1 ? values : NEVER_IN_PLACE;
}

static void write_instance(struct specializer *s, struct function *f, struct instance *instance)
{
    const uint32_t head = 1 + f->parameter_count;
    struct pgs_spv_folded result;
    write_head(s, f, instance);
    const uint32_t written = instance->ins.count;
    set_parameters(s, f, instance->arguments);
    if (!pgs_spv_fold_body(&s->folder, f->ins + head, f->count - head - 1, PGS_SPV_FOLD_FUNCTION,
                           &instance->ins, &result)) {
        instance->ins.count = written;
        if (!pgs_spv_fold_body(&s->folder, f->ins + head, f->count - head - 1, PGS_SPV_FOLD_PLAIN,
                               &instance->ins, &result))
            pgs_spv_fail(s->m, PGS_SPV_INVALID);
    }
    pgs_spv_append(s->m, &instance->ins, SpvOpFunctionEnd, NULL, 0);
    pgs_spv_drop_dead_values(s->m, &instance->ins, s->folder.bound);
    instance->length = length_in_place(instance);
}

static struct instance *instance_for(struct specializer *s, struct function *f,
                                     const struct pgs_spv_folded *arguments)
{
    find_decisions(s, f);
    const uint32_t decided = decided_in(s, f, arguments);
    for (struct instance *i = f->instances; i; i = i->next) {
        if (fits(s, f, i, decided, arguments))
            return i;
    }
    struct instance *instance = pgs_spv_zalloc(s->m, 1, sizeof(*instance));
    if (!instance)
        return NULL;
    *instance =
        (struct instance){.next = f->instances, .id = pgs_spv_new_id(s->m), .decided = decided};
    for (uint32_t i = 0; i < f->parameter_count; i++) {
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
    for (uint32_t i = 0; i < f->parameter_count; i++) /* to be compared */
        if (instance->kept >> i & 1)
            instance->arguments[i].id = 0;
    f->instances = instance;
    f->instance_count++;
    return instance;
}

/* -- calls -- */

static void note_called(struct specializer *s, struct instance *instance)
{
    if (instance->is_written)
        return;
    instance->is_written = true;
    if (s->called_count == s->called_capacity) {
        const uint32_t capacity = s->called_capacity ? s->called_capacity * 2 : 64;
        struct instance **called = pgs_spv_zalloc(s->m, capacity, sizeof(struct instance *));
        if (!called)
            return;
        if (s->called_count)
            memcpy(called, s->called, s->called_count * sizeof(struct instance *));
        s->called = called;
        s->called_capacity = capacity;
    }
    s->called[s->called_count++] = instance;
}

static struct pgs_spv_folded write_call(struct specializer *s, const uint32_t *ins,
                                        const struct pgs_spv_folded *arguments,
                                        uint32_t max_in_place, struct pgs_spv_list *out)
{
    struct function *f = function_of(s, ins[3]);
    struct pgs_spv_folded result = {.possible = UINT32_MAX};
    struct instance *instance =
        f && pgs_spv_length(ins) == 4 + f->parameter_count ? instance_for(s, f, arguments) : NULL;
    if (!instance || s->m->result != PGS_SPV_OK) {
        pgs_spv_fail(s->m, PGS_SPV_INVALID);
        return result;
    }
    if (instance->length <= max_in_place) {
        const uint32_t head = 1 + f->parameter_count;
        set_parameters(s, f, arguments);
        pgs_spv_fold_body(&s->folder, f->ins + head, f->count - head - 1, PGS_SPV_FOLD_IN_PLACE,
                          out, &result);
        return result;
    }
    uint32_t words[3 + MAX_PARAMETERS], count = 0;
    words[count++] = ins[1];
    words[count++] = result.id = pgs_spv_new_id(s->m);
    words[count++] = instance->id;
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        if (instance->kept >> i & 1)
            words[count++] = arguments[i].id;
    }
    pgs_spv_append(s->m, out, SpvOpFunctionCall, words, count);
    return result;
}

static struct pgs_spv_folded write_call_in_instance(void *context, const uint32_t *ins,
                                                    const struct pgs_spv_folded *arguments,
                                                    struct pgs_spv_list *out)
{
    return write_call(context, ins, arguments, MAX_IN_INSTANCE, out);
}

/* Gives a value of out->items[first...] the id that the caller knows it by. False: it is not there.
 */
static bool rename_value(struct pgs_spv_module *m, struct pgs_spv_list *out, uint32_t first,
                         uint32_t from, uint32_t to)
{
    bool found = false;
    for (uint32_t i = first; i < out->count; i++) {
        uint32_t *ins = out->items[i];
        uint32_t type_word, id_word;
        pgs_spv_result_words(pgs_spv_op(ins), &type_word, &id_word);
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
    struct pgs_spv_folded arguments[MAX_PARAMETERS];
    const uint32_t count = pgs_spv_length(ins) - 4, first = out->count;
    if (count > MAX_PARAMETERS) {
        pgs_spv_fail(s->m, PGS_SPV_UNSUPPORTED);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        arguments[i] = pgs_spv_folded(&s->folder, ins[4 + i]);
    const struct pgs_spv_folded result = write_call(s, ins, arguments, MAX_IN_CALLER, out);
    if (result.id && s->m->result == PGS_SPV_OK &&
        !rename_value(s->m, out, first, result.id, ins[2]))
        PGS_SPV_APPEND(s->m, out, SpvOpCopyObject, ins[1], ins[2], result.id);
}

/* -- the module -- */

static bool add_function(struct specializer *s, uint32_t *const *ins, uint32_t count)
{
    struct function *f = &s->functions[s->function_count++];
    *f = (struct function){.ins = ins, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t type_word, id_word;
        pgs_spv_result_words(pgs_spv_op(ins[i]), &type_word, &id_word);
        f->parameter_count += pgs_spv_op(ins[i]) == SpvOpFunctionParameter;
        if (id_word)
            s->folder.is_local[ins[i][id_word]] = true;
    }
    s->function_of[ins[0][2]] = s->function_count;
    return f->parameter_count <= MAX_PARAMETERS;
}

static uint32_t length_of_function(const struct pgs_spv_list *list, uint32_t first)
{
    uint32_t end = first;
    while (pgs_spv_op(list->items[end]) != SpvOpFunctionEnd)
        end++;
    return end + 1 - first;
}

static void find_functions(struct specializer *s, const struct pgs_spv_list *list)
{
    const struct pgs_spv_list *linked = &s->m->linked;
    bool *is_linked = pgs_spv_zalloc(s->m, s->m->bound, sizeof(*is_linked));
    for (uint32_t i = 0; is_linked && i < linked->count; i++)
        is_linked[linked->items[i][2]] = true;
    for (uint32_t i = 0; is_linked && i < list->count;) {
        const uint32_t count = length_of_function(list, i);
        if (is_linked[list->items[i][2]] && !add_function(s, list->items + i, count))
            pgs_spv_fail(s->m, PGS_SPV_UNSUPPORTED);
        i += count;
    }
}

/* Copies what is not linked, with other calls. */
static void rewrite_callers(struct specializer *s, const struct pgs_spv_list *list,
                            struct pgs_spv_list *out)
{
    bool linked = false;
    for (uint32_t i = 0; i < list->count && s->m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpFunction)
            linked = function_of(s, ins[2]) != NULL;
        if (linked)
            continue;
        if (pgs_spv_op(ins) == SpvOpFunctionCall && function_of(s, ins[3]))
            replace_call(s, ins, out);
        else
            pgs_spv_push(s->m, out, ins);
    }
}

/* The instance with the id, if it is one. */
static struct instance *instance_of(const struct specializer *s, uint32_t id)
{
    for (uint32_t f = 0; f < s->function_count; f++) {
        for (struct instance *i = s->functions[f].instances; i; i = i->next) {
            if (i->id == id)
                return i;
        }
    }
    return NULL;
}

static void note_calls(struct specializer *s, const struct pgs_spv_list *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        struct instance *instance =
            pgs_spv_op(ins) == SpvOpFunctionCall && ins[3] >= s->folder.bound
                ? instance_of(s, ins[3])
                : NULL;
        if (instance)
            note_called(s, instance);
    }
}

/* Instances have the name of their function, with a number. */
static void name_instances(struct specializer *s)
{
    struct pgs_spv_list *names = &s->m->sections[PGS_SPV_NAMES];
    const uint32_t count = names->count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *name = names->items[i];
        const struct function *f = pgs_spv_op(name) == SpvOpName ? function_of(s, name[1]) : NULL;
        char text[64];
        uint32_t length = 0, number = 0;
        for (; f && length < 48 && length / 4 + 2 < pgs_spv_length(name); length++) {
            text[length] = (char)(name[2 + length / 4] >> (length % 4 * 8) & 0xFFu);
            if (text[length] == '(' || text[length] == 0)
                break;
        }
        for (const struct instance *k = f ? f->instances : NULL; k; k = k->next, number++) {
            if (!k->is_written)
                continue;
            text[length] = '_';
            text[length + 1] = (char)('a' + number / 26 % 26);
            text[length + 2] = (char)('a' + number % 26);
            text[length + 3] = 0;
            pgs_spv_push(s->m, names,
                         pgs_spv_make_string(s->m, SpvOpName, &k->id, 1, text, NULL, 0));
        }
    }
}

/* Drops what was only stored for functions that are gone. */
static void drop_unread(const struct specializer *s)
{
    struct pgs_spv_list *list = &s->m->sections[PGS_SPV_FUNCTIONS];
    uint32_t rounds = MAX_ROUNDS;
    do
        pgs_spv_drop_dead_values(s->m, list, s->folder.bound);
    while (rounds-- > 0 && pgs_spv_drop_unread_variables(s->m));
}

void pgs_spv_specialize(struct pgs_spv_module *m)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS], out = {0};
    struct specializer s = {.m = m};
    if (m->result != PGS_SPV_OK || m->linked.count == 0)
        return;
    s.functions = pgs_spv_zalloc(m, m->linked.count, sizeof(*s.functions));
    s.function_of = pgs_spv_zalloc(m, m->bound, sizeof(*s.function_of));
    s.masks = pgs_spv_zalloc(m, m->bound, sizeof(*s.masks));
    pgs_spv_open_folder(&s.folder, m);
    s.folder.call = write_call_in_instance;
    s.folder.context = &s;
    if (m->result != PGS_SPV_OK)
        return;
    find_functions(&s, list);
    rewrite_callers(&s, list, &out);
    note_calls(&s, &out);
    for (uint32_t i = 0; i < s.called_count; i++) {
        note_calls(&s, &s.called[i]->ins);
        for (uint32_t k = 0; k < s.called[i]->ins.count; k++)
            pgs_spv_push(m, &out, s.called[i]->ins.items[k]);
    }
    name_instances(&s);
    *list = out;
    drop_unread(&s);
    m->linked.count = 0;
}
