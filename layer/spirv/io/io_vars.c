/* SPDX-License-Identifier: MIT
 *
 * Splits the interface of a stage into scalars and vectors.
 */
#include "spirv/io/io_vars.h"

#include "spirv/io/io_limits.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/storage_class.h"

#include <string.h>

#define MAX_VARS 4096
#define MAX_ARRAY_EL 256
#define MAX_STEPS                                                                                  \
    65536 /* bounds the time for nested arrays of empty structs, which have no I/O                 \
           * variables */

struct walk {
    struct pgs_spv_module *m;
    struct pgs_spv_io_vars *vars;
    struct pgs_spv_io_var var; /* the current position of the walk */
    bool located;              /* a Location was found on the way */
    const uint8_t *wide;       /* by type id: contains 64-bit numbers. NULL: nothing is captured */
    uint32_t block;            /* the struct whose members declare the capture; 0: none */
    bool block_array;          /* consecutive elements go to consecutive buffers */
    uint32_t block_buffer;     /* of the first element */
    uint32_t blocks;           /* elements so far */
    uint32_t steps;
};

/* True if a tessellation variable is per patch. Blocks declare that on their members. */
static bool is_patch(const struct pgs_spv_module *m, const uint32_t *variable)
{
    const uint32_t *held = pgs_spv_held_struct(m, variable);
    return pgs_spv_decoration(m, variable[2], -1, SpvDecorationPatch, NULL) ||
           (held && pgs_spv_decoration(m, held[1], 0, SpvDecorationPatch, NULL));
}

/* By id: variables of a storage class that are per-vertex arrays. NULL if there are none, or on
 * failure. */
static const uint8_t *find_arrayed(struct pgs_spv_module *m, struct pgs_spv_io_scope scope)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    uint8_t *arrayed = scope.per_vertex ? pgs_spv_zalloc(m, m->bound, 1) : NULL;
    for (uint32_t i = 0; arrayed && i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == scope.storage_class)
            arrayed[ins[2]] = !is_patch(m, ins);
    }
    return arrayed;
}

/* The parts of each variable that functions reference, by id: bit = member of its struct, all bits
 * = all of it. An initializer is as good as a store to all of it. */
static uint64_t *find_referenced(struct pgs_spv_module *m, const uint8_t *arrayed)
{
    uint64_t *referenced = pgs_spv_zalloc(m, m->bound, sizeof(*referenced));
    const struct pgs_spv_list *functions = &m->sections[PGS_SPV_FUNCTIONS];
    for (uint32_t i = 0; referenced && i < functions->count; i++) {
        const uint32_t *ins = functions->items[i];
        const uint32_t op = pgs_spv_op(ins);
        if (pgs_spv_takes_numbers(op))
            continue;
        const struct pgs_spv_id_words ids = pgs_spv_id_words(ins);
        for (uint32_t k = 1; k < ids.end; k++) {
            if (!pgs_spv_def_op(m, ins[k], SpvOpVariable) ||
                !(k < ids.sure || pgs_spv_is_mixed_id(ins, k)))
                continue;
            uint64_t bits = UINT64_MAX;
            uint32_t member;
            const uint32_t at = arrayed && arrayed[ins[k]] ? 5 : 4;
            if (pgs_spv_is_chain(op) && k == 3 && pgs_spv_length(ins) > at &&
                pgs_spv_constant(m, ins[at], &member) && member < 64)
                bits = (uint64_t)1 << member;
            referenced[ins[k]] |= bits;
        }
    }
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; referenced && i < globals->count; i++) {
        if (pgs_spv_is_initialized_output(globals->items[i]))
            referenced[globals->items[i][2]] = UINT64_MAX;
    }
    return referenced;
}

/* A captured I/O variable must lie within limits. The next one follows it without a gap. */
static void capture_var(struct walk *w, const struct pgs_spv_io_var *var, uint32_t words)
{
    if (var->width_bits == 16 || var->buffer >= PGS_SPV_XFB_BUFFERS ||
        var->offset_B + words * 4 > PGS_SPV_XFB_DATA_B)
        pgs_spv_fail(w->m, PGS_SPV_INVALID);
    else
        w->var.offset_B += words * 4;
}

static void add_var(struct walk *w, uint32_t type)
{
    struct pgs_spv_module *m = w->m;
    struct pgs_spv_io_var var = w->var;
    const uint32_t *def = pgs_spv_def_op(m, type, SpvOpTypeVector);
    var.type = type;
    var.count = def ? def[3] : 1;
    var.scalar = def ? def[2] : type;
    def = pgs_spv_def(m, var.scalar);
    /* FrontFacing and HelperInvocation: a stored vertex cannot carry them. */
    if (var.builtin != PGS_SPV_NO_BUILTIN && def && pgs_spv_op(def) == SpvOpTypeBool)
        return;
    var.is_float = def && pgs_spv_op(def) == SpvOpTypeFloat;
    var.width_bits = var.is_float || (def && pgs_spv_op(def) == SpvOpTypeInt) ? def[2] : 0;
    var.is_signed = !var.is_float && var.width_bits && def[3];
    const uint32_t words = var.count * (var.width_bits == 64 ? 2 : 1);
    if ((var.width_bits != 16 && var.width_bits != 32 && var.width_bits != 64) || var.count == 0 ||
        var.count > 4) {
        pgs_spv_fail(m, PGS_SPV_INVALID); /* bool and 8-bit types are not allowed in interfaces */
        return;
    }
    if (var.captured)
        capture_var(w, &var, words);
    if (var.builtin == PGS_SPV_NO_BUILTIN) {
        const bool fits = var.component + words <= 4 || (var.component == 0 && words <= 8);
        if (!w->located || !fits) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return;
        }
        const uint32_t locations = words > 4 ? 2 : 1;
        if (var.location > PGS_MAX_LOCATIONS - locations) {
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            return;
        }
        w->var.location += locations;
    }
    struct pgs_spv_io_vars *vars = w->vars;
    if (vars->count == vars->capacity) {
        const uint32_t capacity = vars->capacity ? vars->capacity * 2 : 32;
        struct pgs_spv_io_var *items =
            vars->count < MAX_VARS ? pgs_spv_zalloc(m, capacity, sizeof(*items)) : NULL;
        if (!items) {
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
            return;
        }
        if (vars->count)
            memcpy(items, vars->items, vars->count * sizeof(*items));
        vars->items = items;
        vars->capacity = capacity;
    }
    vars->items[vars->count++] = var;
}

static void walk_type(struct walk *w, uint32_t type);

/* Starts a captured object; its components follow each other. */
static void begin_capture(struct walk *w, uint32_t type, uint32_t offset_B)
{
    const uint32_t align_B = type < w->m->bound && w->wide[type] ? 8 : 4;
    if (offset_B % align_B || offset_B >= PGS_SPV_XFB_DATA_B)
        pgs_spv_fail(w->m, PGS_SPV_INVALID);
    w->var.offset_B = offset_B;
    w->var.captured = true;
}

static void note_stream(struct walk *w, uint32_t id, int32_t member)
{
    if (!pgs_spv_decoration(w->m, id, member, SpvDecorationStream, &w->var.stream))
        return;
    if (w->var.stream >= PGS_SPV_STREAMS)
        pgs_spv_fail(w->m, PGS_SPV_INVALID);
}

/* Elements of an array of blocks go to consecutive buffers. */
static void note_buffer(struct walk *w, uint32_t id, int32_t member)
{
    uint32_t buffer;
    pgs_spv_decoration(w->m, id, member, SpvDecorationXfbStride, &w->var.stride_B);
    if (!pgs_spv_decoration(w->m, id, member, SpvDecorationXfbBuffer, &buffer))
        return;
    if (buffer >= PGS_SPV_XFB_BUFFERS)
        pgs_spv_fail(w->m, PGS_SPV_INVALID);
    w->var.buffer = buffer + w->blocks;
}

/* Notes where a member of a block is captured. Members of nested structs cannot declare that. */
static void enter_member(struct walk *w, const uint32_t *def, uint32_t i,
                         const struct pgs_spv_io_var *outer)
{
    const struct pgs_spv_module *m = w->m;
    uint32_t offset_B;
    if (def[1] != w->block)
        return;
    w->var.captured = outer->captured;
    w->var.buffer = outer->buffer;
    w->var.stride_B = outer->stride_B;
    w->var.stream = outer->stream;
    note_stream(w, def[1], (int32_t)i);
    if (!w->wide)
        return;
    note_buffer(w, def[1], (int32_t)i);
    if (w->var.buffer != PGS_SPV_NO_BUFFER &&
        pgs_spv_decoration(m, def[1], (int32_t)i, SpvDecorationOffset, &offset_B))
        begin_capture(w, def[2 + i], offset_B);
}

static void walk_struct(struct walk *w, const uint32_t *def, uint64_t referenced)
{
    struct pgs_spv_module *m = w->m;
    if (def[1] == w->block && w->var.buffer != PGS_SPV_NO_BUFFER)
        w->var.buffer = w->block_buffer + w->blocks;
    const struct pgs_spv_io_var outer = w->var;
    for (uint32_t i = 0; i + 2 < pgs_spv_length(def) && m->result == PGS_SPV_OK; i++) {
        uint32_t value;
        const bool located = w->located;
        w->var.builtin = outer.builtin;
        w->var.component = outer.component;
        w->var.path[outer.depth] = i;
        w->var.depth = outer.depth + 1;
        w->var.referenced = i < 64 ? (referenced >> i) & 1 : referenced == UINT64_MAX;
        enter_member(w, def, i, &outer);
        if (pgs_spv_decoration(m, def[1], (int32_t)i, SpvDecorationBuiltIn, &value)) {
            w->var.builtin = value;
            if (!w->var.referenced && !w->var.captured)
                continue;
        }
        if (pgs_spv_decoration(m, def[1], (int32_t)i, SpvDecorationLocation, &value)) {
            w->var.location = value;
            w->located = true;
        }
        if (pgs_spv_decoration(m, def[1], (int32_t)i, SpvDecorationComponent, &value))
            w->var.component = value & 3;
        walk_type(w, def[2 + i]);
        w->located = located;
    }
    if (def[1] == w->block) {
        w->blocks += w->block_array;
        w->var.stream = outer.stream;
        w->var.captured = outer.captured;
        w->var.buffer = outer.buffer;
        w->var.stride_B = outer.stride_B;
    }
    w->var.referenced = outer.referenced;
    w->var.depth = outer.depth;
    w->var.builtin = outer.builtin;
    w->var.component = outer.component;
}

static void walk_array(struct walk *w, uint32_t element, uint32_t length)
{
    const uint32_t depth = w->var.depth;
    if (length == 0 || length > MAX_ARRAY_EL) {
        pgs_spv_fail(w->m, length ? PGS_SPV_UNSUPPORTED : PGS_SPV_INVALID);
        return;
    }
    for (uint32_t i = 0; i < length && w->m->result == PGS_SPV_OK; i++) {
        w->var.path[depth] = i;
        w->var.depth = depth + 1;
        w->var.elements |= 1u << depth;
        w->var.element = i;
        walk_type(w, element);
    }
    w->var.depth = depth;
    w->var.elements &= ~(1u << depth);
    w->var.element = 0;
}

static void walk_type(struct walk *w, uint32_t type)
{
    struct pgs_spv_module *m = w->m;
    const uint32_t *def = pgs_spv_def(m, type);
    uint32_t length;
    if (!def || w->var.depth >= PGS_SPV_MAX_PATH || ++w->steps > MAX_STEPS) {
        pgs_spv_fail(m, def ? PGS_SPV_UNSUPPORTED : PGS_SPV_INVALID);
        return;
    }
    if (w->var.captured && w->wide[type])
        w->var.offset_B = (w->var.offset_B + 7) & ~7u;
    switch (pgs_spv_op(def)) {
    case SpvOpTypeStruct:
        walk_struct(w, def, w->var.referenced ? UINT64_MAX : 0);
        break;
    case SpvOpTypeMatrix:
        walk_array(w, def[2], def[3]);
        break;
    case SpvOpTypeArray:
        if (pgs_spv_constant(m, def[3], &length))
            walk_array(w, def[2], length);
        else
            pgs_spv_fail(m, PGS_SPV_INVALID);
        break;
    default:
        add_var(w, type);
        break;
    }
}

/* Reads the capture decorations of the variable, and finds the struct whose members add to them. */
static void enter_variable(struct walk *w, const uint32_t *variable, uint32_t type)
{
    struct pgs_spv_module *m = w->m;
    const uint32_t *def = pgs_spv_def(m, type);
    uint32_t offset_B;
    bool array = false;
    while (def && pgs_spv_op(def) == SpvOpTypeArray) {
        array = true;
        def = pgs_spv_def(m, def[2]);
    }
    const bool block = def && pgs_spv_op(def) == SpvOpTypeStruct;
    w->block = block ? def[1] : 0;
    w->block_array = block && array && pgs_spv_decoration(m, def[1], -1, SpvDecorationBlock, NULL);
    w->blocks = 0;
    w->var.buffer = PGS_SPV_NO_BUFFER;
    note_stream(w, variable[2], -1);
    if (!w->wide)
        return;
    note_buffer(w, variable[2], -1);
    w->block_buffer = w->var.buffer;
    if (w->var.buffer != PGS_SPV_NO_BUFFER && !w->block_array &&
        pgs_spv_decoration(m, variable[2], -1, SpvDecorationOffset, &offset_B))
        begin_capture(w, type, offset_B);
}

static void walk_variable(struct walk *w, const uint32_t *variable, struct pgs_spv_io_scope scope,
                          bool arrayed, uint64_t referenced)
{
    struct pgs_spv_module *m = w->m;
    const uint32_t *pointer = pgs_spv_def_op(m, variable[1], SpvOpTypePointer);
    uint32_t type = pointer ? pointer[3] : 0;
    w->var = (struct pgs_spv_io_var){
        .variable = variable[2], .builtin = PGS_SPV_NO_BUILTIN, .referenced = referenced != 0};
    w->located = pgs_spv_decoration(m, variable[2], -1, SpvDecorationLocation, &w->var.location);
    enter_variable(w, variable, type);
    pgs_spv_decoration(m, variable[2], -1, SpvDecorationComponent, &w->var.component);
    w->var.component &= 3;
    pgs_spv_decoration(m, variable[2], -1, SpvDecorationBuiltIn, &w->var.builtin);
    const uint32_t builtin = w->var.builtin;
    const bool vertex_builtin = builtin == SpvBuiltInPosition || builtin == SpvBuiltInPointSize ||
                                builtin == SpvBuiltInClipDistance ||
                                builtin == SpvBuiltInCullDistance || builtin == SpvBuiltInLayer ||
                                builtin == SpvBuiltInViewportIndex ||
                                builtin == SpvBuiltInPrimitiveShadingRateKHR;
    const uint32_t *def = pgs_spv_def_op(m, type, SpvOpTypeArray);
    if (arrayed && (builtin == PGS_SPV_NO_BUILTIN || vertex_builtin)) {
        if (!def || !pgs_spv_constant(m, def[3], &w->var.vertices) || w->var.vertices == 0) {
            pgs_spv_fail(m, PGS_SPV_INVALID);
            return;
        }
        type = def[2];
    }
    def = pgs_spv_def_op(m, type, SpvOpTypeStruct);
    if (def)
        walk_struct(w, def, referenced);
    else if (referenced || w->var.captured || (w->wide && w->block_array) ||
             (scope.unreferenced && builtin == PGS_SPV_NO_BUILTIN))
        walk_type(w, type);
}

/* By type id: the type contains 64-bit numbers. Types follow their element types, so one pass
 * suffices. */
static const uint8_t *find_wide(struct pgs_spv_module *m)
{
    uint8_t *wide = pgs_spv_zalloc(m, m->bound, 1);
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    for (uint32_t i = 0; wide && i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        switch (pgs_spv_op(ins)) {
        case SpvOpTypeInt:
        case SpvOpTypeFloat:
            wide[ins[1]] = ins[2] == 64;
            break;
        case SpvOpTypeVector:
        case SpvOpTypeMatrix:
        case SpvOpTypeArray:
            wide[ins[1]] = wide[ins[2]];
            break;
        case SpvOpTypeStruct:
            for (uint32_t k = 2; k < pgs_spv_length(ins); k++)
                wide[ins[1]] |= wide[ins[k]];
            break;
        default:
            break;
        }
    }
    return wide;
}

void pgs_spv_collect_io_vars(struct pgs_spv_module *m, struct pgs_spv_io_scope scope,
                             struct pgs_spv_io_vars *vars)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    const uint8_t *arrayed = find_arrayed(m, scope);
    const uint64_t *referenced = find_referenced(m, arrayed);
    const bool captures =
        scope.storage_class == SpvStorageClassOutput && pgs_spv_has_mode(m, SpvExecutionModeXfb);
    struct walk w = {.m = m, .vars = vars, .wide = captures ? find_wide(m) : NULL};
    *vars = (struct pgs_spv_io_vars){0};
    for (uint32_t i = 0; i < globals->count && m->result == PGS_SPV_OK; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) == SpvOpVariable && ins[3] == scope.storage_class &&
            (referenced[ins[2]] || scope.unreferenced || captures))
            walk_variable(&w, ins, scope, arrayed && arrayed[ins[2]], referenced[ins[2]]);
    }
}

bool pgs_spv_goes_with_any_stream(uint32_t builtin)
{
    return builtin == SpvBuiltInLayer || builtin == SpvBuiltInViewportIndex ||
           builtin == SpvBuiltInPrimitiveId || builtin == SpvBuiltInPrimitiveShadingRateKHR;
}

static bool has_builtin(const struct pgs_spv_io_vars *vars, uint32_t builtin, uint32_t stream)
{
    for (uint32_t i = 0; i < vars->count; i++) {
        if (vars->items[i].builtin == builtin && vars->items[i].stream == stream)
            return true;
    }
    return false;
}

struct pgs_spv_io_vars pgs_spv_io_vars_of_stream(struct pgs_spv_module *m,
                                                 const struct pgs_spv_io_vars *vars,
                                                 uint32_t stream)
{
    struct pgs_spv_io_vars all = {.items =
                                      pgs_spv_zalloc(m, vars->count + 1u, sizeof(*vars->items)),
                                  .capacity = vars->count + 1};
    for (uint32_t i = 0; all.items && i < vars->count; i++) {
        const struct pgs_spv_io_var *var = &vars->items[i];
        const bool goes_with = var->stream == 0 && pgs_spv_goes_with_any_stream(var->builtin) &&
                               !has_builtin(vars, var->builtin, stream);
        if (var->stream == stream || goes_with)
            all.items[all.count++] = *var;
    }
    return all;
}

const struct pgs_spv_io_var *pgs_spv_io_vars_find(const struct pgs_spv_io_vars *vars,
                                                  uint32_t builtin)
{
    for (uint32_t i = 0; i < vars->count; i++)
        if (vars->items[i].builtin == builtin)
            return &vars->items[i];
    return NULL;
}

bool pgs_spv_io_vars_have(const struct pgs_spv_io_vars *vars, uint32_t builtin)
{
    return pgs_spv_io_vars_find(vars, builtin);
}

bool pgs_spv_is_level(const struct pgs_spv_io_var *var)
{
    return var->builtin == SpvBuiltInTessLevelOuter || var->builtin == SpvBuiltInTessLevelInner;
}
