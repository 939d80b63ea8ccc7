/* SPDX-License-Identifier: MIT
 *
 * Geometry shaders for drivers without vertex streams. The rasterized stream stays; outputs of
 * other streams become private variables that nothing reads.
 */
#include "spirv/stages/streams.h"

#include "spirv/io/lower_io.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

#include <string.h>

struct keep {
    struct pgs_spv_module *m;
    uint32_t stream;
    uint32_t bound;
    uint8_t *gone;   /* by id: a variable of another stream, or a pointer into one */
    uint8_t *shared; /* by id: a struct that another variable holds, too */
};

/* A block may declare its stream on its members, which all agree. */
static uint32_t stream_of(const struct pgs_spv_module *m, const uint32_t *variable)
{
    const uint32_t *def = pgs_spv_held_struct(m, variable);
    uint32_t stream = 0;
    if (pgs_spv_decoration(m, variable[2], -1, SpvDecorationStream, &stream) || !def)
        return stream;
    for (uint32_t i = 0; i + 2 < pgs_spv_length(def); i++) {
        if (pgs_spv_decoration(m, def[1], (int32_t)i, SpvDecorationStream, &stream))
            break;
    }
    return stream;
}

static bool stays(const struct keep *k, const uint32_t *variable)
{
    const uint32_t stream = stream_of(k->m, variable);
    uint32_t builtin = PGS_SPV_NO_BUILTIN;
    pgs_spv_decoration(k->m, variable[2], -1, SpvDecorationBuiltIn, &builtin);
    return stream == k->stream || (stream == 0 && pgs_spv_goes_with_any_stream(builtin));
}

/* Finds the variables of other streams and makes them private. They move behind their new types. */
static bool move_variables(struct keep *k)
{
    struct pgs_spv_module *m = k->m;
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    const uint32_t count = globals->count;
    uint32_t kept = 0, gone = 0;
    uint32_t **variables = pgs_spv_zalloc(m, count + 1u, sizeof(*variables));
    for (uint32_t i = 0; variables && i < count; i++) {
        uint32_t *ins = globals->items[i];
        const bool is_variable = pgs_spv_op(ins) == SpvOpVariable;
        if (is_variable && ins[3] == SpvStorageClassOutput && !stays(k, ins)) {
            variables[gone++] = ins;
            k->gone[ins[2]] = 1;
            continue;
        }
        const uint32_t *held = is_variable ? pgs_spv_held_struct(m, ins) : NULL;
        if (held)
            k->shared[held[1]] = 1;
        globals->items[kept++] = ins;
    }
    globals->count = kept;
    for (uint32_t i = 0; i < gone && m->result == PGS_SPV_OK; i++) {
        const uint32_t *pointer = pgs_spv_def_op(m, variables[i][1], SpvOpTypePointer);
        if (!pointer) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            break;
        }
        variables[i][1] = pgs_spv_type_pointer(m, SpvStorageClassPrivate, pointer[3]);
        variables[i][3] = SpvStorageClassPrivate;
        pgs_spv_push(m, globals, variables[i]);
    }
    return gone != 0;
}

static bool drop_decoration(const uint32_t *ins, void *context)
{
    const struct keep *k = context;
    const uint32_t op = pgs_spv_op(ins), id = ins[1];
    if (id >= k->bound)
        return false;
    if (op == SpvOpDecorate || op == SpvOpDecorateString)
        return (k->gone[id] && pgs_spv_is_interface_decoration(ins[2])) ||
               (k->gone[id] == 2 && ins[2] == SpvDecorationBlock);
    return (op == SpvOpMemberDecorate || op == SpvOpMemberDecorateString) && k->gone[id] == 2 &&
           pgs_spv_is_interface_decoration(ins[3]);
}

/* Drops output decorations of the variables, and of blocks that only they held (2). */
static void drop_decorations(struct keep *k)
{
    const struct pgs_spv_list *globals = &k->m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) != SpvOpVariable || ins[2] >= k->bound || !k->gone[ins[2]])
            continue;
        const uint32_t *held = pgs_spv_held_struct(k->m, ins);
        if (held && !k->shared[held[1]])
            k->gone[held[1]] = 2;
    }
    pgs_spv_filter(&k->m->sections[PGS_SPV_ANNOTATIONS], drop_decoration, k);
}

/* Changes the class of pointers into these variables. Only access chains derive pointers from
 * outputs. */
static void move_pointers(struct keep *k)
{
    struct pgs_spv_module *m = k->m;
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; i < functions->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = functions->items[i];
        const uint32_t op = pgs_spv_op(ins);
        bool uses = false;
        for (uint32_t w = 1; w < pgs_spv_length(ins); w++)
            uses |= pgs_spv_is_id(ins, w) && ins[w] < k->bound && k->gone[ins[w]];
        if (!uses || op == SpvOpLoad || op == SpvOpStore || op == SpvOpCopyMemory)
            continue;
        const uint32_t *pointer =
            pgs_spv_is_chain(op) ? pgs_spv_def_op(m, ins[1], SpvOpTypePointer) : NULL;
        if (!pointer || ins[2] >= k->bound) {
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            return;
        }
        ins[1] = pgs_spv_type_pointer(m, SpvStorageClassPrivate, pointer[3]);
        k->gone[ins[2]] = 1;
    }
}

/* Emits to the kept stream lose its number; emits to others are removed. */
static void keep_emits(struct keep *k)
{
    struct pgs_spv_module *m = k->m;
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        uint32_t *ins = list->items[i], stream = 0;
        const uint32_t op = pgs_spv_op(ins);
        const bool is_stream = op == SpvOpEmitStreamVertex || op == SpvOpEndStreamPrimitive;
        if (is_stream && !pgs_spv_constant(m, ins[1], &stream))
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED); /* a specialization constant may have any value */
        if ((is_stream || op == SpvOpEmitVertex || op == SpvOpEndPrimitive) && stream != k->stream)
            continue;
        if (is_stream)
            ins = pgs_spv_make(m, op == SpvOpEmitStreamVertex ? SpvOpEmitVertex : SpvOpEndPrimitive,
                               NULL, 0);
        if (ins)
            list->items[kept++] = ins;
    }
    list->count = kept;
}

void pgs_spv_keep_stream(struct pgs_spv_module *m, uint32_t stream)
{
    struct keep k = {.m = m, .stream = stream, .bound = m->bound};
    k.gone = pgs_spv_zalloc(m, m->bound, 1);
    k.shared = pgs_spv_zalloc(m, m->bound, 1);
    if (m->result != PGS_SPV_OK)
        return;
    keep_emits(&k);
    if (move_variables(&k)) {
        move_pointers(&k);
        drop_decorations(&k);
    }
}
