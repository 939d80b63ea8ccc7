/* SPDX-License-Identifier: MIT
 *
 * Writes functions that are called once into their callers.
 */
#include "spirv/ir/inline_calls.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/fold.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/rewrite.h"

/* Functions in functions that are followed. */
#define MAX_DEPTH 24

struct callee {
    uint32_t first, end; /* OpFunction and OpFunctionEnd, as places in the list */
    uint32_t calls;
    uint32_t parameters, blocks, returns;
    bool fits;
};

/* How a block ends, by its label. */
struct block_end {
    uint32_t merge, next; /* labels; 0: there is none, or several */
    bool returns;
};

struct inliner {
    struct pgs_spv_module *m;
    const struct pgs_spv_list *list;
    struct callee *functions;
    uint32_t function_count;
    uint32_t *number_of; /* by id: number + 1 in functions */
    struct block_end *ends;
    struct pgs_spv_names names;
    uint32_t *known;      /* by id: constants that parameters are */
    uint32_t *written_as; /* by label: that of the block in which the block's end stands now */
    bool *is_passed;      /* by label: the block is written */
    uint32_t label;       /* of the block that is being written */
    struct pgs_spv_list variables, body, out;
};

static bool is_label_in(const struct inliner *n, uint32_t label)
{
    return label < n->names.bound;
}

/* -- which functions -- */

static void note_instruction(struct inliner *n, struct callee *f, uint32_t *label, uint32_t at)
{
    const uint32_t *ins = n->list->items[at];
    struct block_end *end = is_label_in(n, *label) ? &n->ends[*label] : &n->ends[0];
    switch (pgs_spv_op(ins)) {
    case SpvOpFunctionParameter:
        f->parameters += at == f->first + 1 + f->parameters;
        break;
    case SpvOpLabel:
        *label = ins[1];
        f->blocks++;
        break;
    case SpvOpSelectionMerge:
    case SpvOpLoopMerge:
        end->merge = ins[1];
        break;
    case SpvOpBranch:
        end->next = ins[1];
        break;
    case SpvOpReturn:
    case SpvOpReturnValue:
        end->returns = true;
        f->returns++;
        break;
    default:
        break;
    }
}

/* The only return stands behind all constructs: the blocks that are in none lead there. */
static bool returns_last(const struct inliner *n, const struct callee *f)
{
    const uint32_t *first = n->list->items[f->first + 1 + f->parameters];
    uint32_t label = pgs_spv_op(first) == SpvOpLabel ? first[1] : 0;
    for (uint32_t i = 0; i < f->blocks && label && is_label_in(n, label); i++) {
        const struct block_end *end = &n->ends[label];
        if (end->returns)
            return f->returns == 1;
        label = end->merge ? end->merge : end->next;
    }
    return false;
}

static void find_functions(struct inliner *n)
{
    const struct pgs_spv_list *list = n->list;
    struct callee *f = NULL;
    uint32_t count = 0, label = 0;
    for (uint32_t i = 0; i < list->count; i++)
        count += pgs_spv_op(list->items[i]) == SpvOpFunction;
    n->functions = pgs_spv_zalloc(n->m, count + 1, sizeof(*n->functions));
    for (uint32_t i = 0; i < list->count && n->functions; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) == SpvOpFunction) {
            f = &n->functions[n->function_count++];
            f->first = i;
            f->fits = !(ins[3] & SpvFunctionControlDontInlineMask);
            n->number_of[ins[2]] = n->function_count;
        }
        if (!f)
            continue;
        f->end = i;
        note_instruction(n, f, &label, i);
    }
}

static struct callee *callee_of(const struct inliner *n, const uint32_t *call)
{
    const uint32_t number = call[3] < n->names.bound ? n->number_of[call[3]] : 0;
    return number ? &n->functions[number - 1] : NULL;
}

/* The constant that an argument is; 0: it is none. */
static uint32_t constant_of(const struct inliner *n, uint32_t argument)
{
    const uint32_t known = argument < n->names.bound ? n->known[argument] : 0;
    const uint32_t *def = pgs_spv_def(n->m, known ? known : argument);
    const uint32_t op = def ? pgs_spv_op(def) : SpvOpNop;
    return op >= SpvOpConstantTrue && op <= SpvOpConstantNull ? def[2] : 0;
}

/* A parameter that is one constant in all calls is that constant, or that of a parameter that is
 * known already. What varies has itself as its value, for now. */
static void note_arguments(struct inliner *n, const struct callee *f, const uint32_t *call)
{
    for (uint32_t i = 0; i < f->parameters && 4 + i < pgs_spv_length(call); i++) {
        const uint32_t parameter = n->list->items[f->first + 1 + i][2];
        const uint32_t argument = constant_of(n, call[4 + i]);
        uint32_t *value = &n->names.value[parameter];
        if (!argument || *value != argument)
            *value = *value == 0 && argument ? argument : parameter;
    }
}

static void forget_what_varies(struct inliner *n)
{
    for (uint32_t id = 0; id < n->names.bound; id++)
        n->names.value[id] = n->names.value[id] == id ? 0 : n->names.value[id];
}

/* Once more, for what is passed on to further calls. */
static void note_passed_on(struct inliner *n)
{
    n->known = n->names.value;
    n->names = pgs_spv_no_names(n->m);
    for (uint32_t i = 0; i < n->list->count && n->names.value; i++) {
        const uint32_t *ins = n->list->items[i];
        const struct callee *f = pgs_spv_op(ins) == SpvOpFunctionCall ? callee_of(n, ins) : NULL;
        if (f)
            note_arguments(n, f, ins);
    }
    if (n->names.value)
        forget_what_varies(n);
}

static void choose_functions(struct inliner *n)
{
    for (uint32_t i = 0; i < n->list->count; i++) {
        const uint32_t *ins = n->list->items[i];
        struct callee *f = pgs_spv_op(ins) == SpvOpFunctionCall ? callee_of(n, ins) : NULL;
        if (!f)
            continue;
        f->calls++;
        note_arguments(n, f, ins);
        f->fits = f->fits && f->calls == 1 && pgs_spv_length(ins) == 4 + f->parameters &&
                  returns_last(n, f);
    }
    forget_what_varies(n);
    note_passed_on(n);
    for (uint32_t i = 0; i < n->function_count; i++)
        n->functions[i].fits = n->functions[i].fits && n->functions[i].calls == 1;
}

/* -- copying -- */

/* True if the block of a call may become several: not if a loop begins or goes back there. outer:
 * the same of the call of this function. */
static bool may_split(const struct inliner *n, uint32_t at, bool outer)
{
    for (;; at++) {
        const uint32_t *ins = n->list->items[at];
        switch (pgs_spv_op(ins)) {
        case SpvOpLoopMerge:
            return false;
        case SpvOpReturn:
        case SpvOpReturnValue:
            return outer;
        case SpvOpBranch:
            return is_label_in(n, ins[1]) && !n->is_passed[ins[1]];
        case SpvOpBranchConditional:
            return is_label_in(n, ins[2]) && !n->is_passed[ins[2]] && is_label_in(n, ins[3]) &&
                   !n->is_passed[ins[3]];
        case SpvOpFunctionEnd:
        case SpvOpUnreachable:
        case SpvOpSwitch:
            return true;
        default:
            break;
        }
    }
}

/* Variables stand in the first block of a function. What they begin with is stored where the call
 * was. */
static void write_variable(struct inliner *n, uint32_t *ins, bool in_place)
{
    if (in_place && pgs_spv_length(ins) == 5) {
        PGS_SPV_APPEND(n->m, &n->body, SpvOpStore, ins[2], ins[4]);
        ins[0] = 4u << 16 | SpvOpVariable;
    }
    pgs_spv_push(n->m, &n->variables, ins);
}

static void write_function(struct inliner *n, const struct callee *f, const uint32_t *call,
                           bool outer, uint32_t depth);

/* False: the call stays. */
static bool write_call(struct inliner *n, const uint32_t *call, uint32_t at, bool outer,
                       uint32_t depth)
{
    struct callee *f = callee_of(n, call);
    if (!f || !f->fits)
        return false;
    const bool splits = may_split(n, at, outer);
    if (depth == MAX_DEPTH || (f->blocks > 1 && !splits)) {
        f->fits = false;
        return false;
    }
    for (uint32_t i = 0; i < f->parameters; i++)
        pgs_spv_stand_for(&n->names, n->list->items[f->first + 1 + i][2], call[4 + i]);
    write_function(n, f, call, splits, depth + 1);
    return true;
}

/* Instructions between the parameters and the end. call: that is replaced, or NULL. */
static void write_function(struct inliner *n, const struct callee *f, const uint32_t *call,
                           bool outer, uint32_t depth)
{
    uint32_t label = 0;
    for (uint32_t i = f->first + 1 + f->parameters; i < f->end && n->m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = n->list->items[i];
        const uint32_t op = pgs_spv_op(ins);
        if (op == SpvOpLabel) {
            const bool joins = call && !label;
            label = ins[1];
            n->is_passed[label] = true;
            n->label = joins ? n->label : label;
            if (!joins)
                pgs_spv_push(n->m, &n->body, ins);
        } else if (op == SpvOpVariable) {
            write_variable(n, ins, call != NULL);
        } else if (op == SpvOpReturnValue && call) {
            pgs_spv_stand_for(&n->names, call[2], ins[1]);
        } else if ((op != SpvOpReturn || !call) &&
                   (op != SpvOpFunctionCall || !write_call(n, ins, i, outer, depth))) {
            pgs_spv_push(n->m, &n->body, ins);
        }
        n->written_as[label] = n->label;
    }
}

static void write_root(struct inliner *n, const struct callee *f)
{
    n->variables.count = n->body.count = 0;
    write_function(n, f, NULL, true, 0);
    for (uint32_t i = 0; i <= f->parameters; i++)
        pgs_spv_push(n->m, &n->out, n->list->items[f->first + i]);
    for (uint32_t i = 0; i < n->body.count; i++) {
        pgs_spv_push(n->m, &n->out, n->body.items[i]);
        for (uint32_t k = 0; i == 0 && k < n->variables.count; k++)
            pgs_spv_push(n->m, &n->out, n->variables.items[k]);
    }
    pgs_spv_push(n->m, &n->out, n->list->items[f->end]);
}

/* What the arguments make known is computed, so that variables are seen to hold constants. */
static void rename_all(struct inliner *n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n->out.count; i++) {
        uint32_t *ins = n->out.items[i];
        pgs_spv_rename_operands(&n->names, ins);
        const uint32_t value = pgs_spv_fold_instruction(n->m, ins);
        if (value && pgs_spv_stand_for(&n->names, ins[2], value))
            continue;
        n->out.items[kept++] = ins;
        if (pgs_spv_op(ins) != SpvOpPhi)
            continue;
        for (uint32_t k = 4; k < pgs_spv_length(ins); k += 2) {
            if (is_label_in(n, ins[k]) && n->written_as[ins[k]])
                ins[k] = n->written_as[ins[k]];
        }
    }
    n->out.count = kept;
    for (uint32_t i = 0; i < kept; i++) /* loops lead back to phis what is known only now */
        if (pgs_spv_op(n->out.items[i]) == SpvOpPhi)
            pgs_spv_rename_operands(&n->names, n->out.items[i]);
}

void pgs_spv_inline_calls(struct pgs_spv_module *m)
{
    struct inliner n = {.m = m,
                        .list = &m->sections[PGS_SPV_FUNCTIONS],
                        .names = pgs_spv_no_names(m),
                        .known = pgs_spv_zalloc(m, m->bound, sizeof(*n.known)),
                        .number_of = pgs_spv_zalloc(m, m->bound, sizeof(*n.number_of)),
                        .ends = pgs_spv_zalloc(m, m->bound, sizeof(*n.ends)),
                        .written_as = pgs_spv_zalloc(m, m->bound, sizeof(*n.written_as)),
                        .is_passed = pgs_spv_zalloc(m, m->bound, sizeof(*n.is_passed))};
    if (m->result != PGS_SPV_OK)
        return;
    find_functions(&n);
    if (m->result != PGS_SPV_OK)
        return;
    choose_functions(&n);
    /* A function whose call stays after all comes behind its caller, or again. */
    bool *is_written = pgs_spv_zalloc(m, n.function_count + 1u, sizeof(*is_written));
    for (bool more = true; more && m->result == PGS_SPV_OK;) {
        more = false;
        for (uint32_t i = 0; i < n.function_count; i++) {
            if (is_written[i] || n.functions[i].fits)
                continue;
            is_written[i] = more = true;
            write_root(&n, &n.functions[i]);
        }
    }
    rename_all(&n);
    if (m->result == PGS_SPV_OK)
        m->sections[PGS_SPV_FUNCTIONS] = n.out;
}
