/* SPDX-License-Identifier: MIT
 *
 * Makes instructions, types, constants, variables and decorations.
 */
#include "spirv/ir/builder.h"

#include "spirv/ir/operands.h"

#include <string.h>

#define MAX_INSTRUCTION_WORDS 0xFFFFu

uint32_t pgs_spv_new_id(struct pgs_spv_module *m)
{
    if (m->result != PGS_SPV_OK)
        return 0;
    if (m->bound == m->defs_capacity) {
        uint32_t **defs = pgs_spv_zalloc(m, (size_t)m->defs_capacity * 2, sizeof(*defs));
        if (!defs)
            return 0;
        memcpy(defs, m->defs, m->defs_capacity * sizeof(*defs));
        m->defs = defs;
        m->defs_capacity *= 2;
    }
    return m->bound++;
}

/* Makes an instruction of `head` and `tail` words. */
static uint32_t *make_joined(struct pgs_spv_module *m, uint32_t op, const uint32_t *head,
                             uint32_t head_count, const uint32_t *tail, uint32_t tail_count)
{
    const size_t length = (size_t)head_count + tail_count + 1;
    if (length > MAX_INSTRUCTION_WORDS) {
        pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return NULL;
    }
    uint32_t *ins = pgs_spv_alloc(m, length, 4);
    if (!ins)
        return NULL;
    ins[0] = (uint32_t)length << 16 | op;
    for (uint32_t i = 0; i < head_count; i++)
        ins[1 + i] = head[i];
    for (uint32_t i = 0; i < tail_count; i++)
        ins[1 + head_count + i] = tail[i];
    uint32_t type_word, id_word;
    pgs_spv_result_words(op, &type_word, &id_word);
    if (id_word && ins[id_word] < m->bound)
        m->defs[ins[id_word]] = ins;
    return ins;
}

uint32_t *pgs_spv_make(struct pgs_spv_module *m, uint32_t op, const uint32_t *words, uint32_t count)
{
    return make_joined(m, op, NULL, 0, words, count);
}

void pgs_spv_append(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t op,
                    const uint32_t *words, uint32_t count)
{
    pgs_spv_push(m, list, pgs_spv_make(m, op, words, count));
}

uint32_t pgs_spv_value(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t op,
                       uint32_t type, const uint32_t *words, uint32_t count)
{
    const uint32_t id = pgs_spv_new_id(m);
    pgs_spv_push(m, list, make_joined(m, op, (const uint32_t[]){type, id}, 2, words, count));
    return id;
}

/* Arrays with a stride are for buffers alone. */
static bool is_type(const struct pgs_spv_module *m, const uint32_t *ins, uint32_t op,
                    const uint32_t *words, uint32_t count)
{
    if (ins[0] != ((count + 2) << 16 | op))
        return false;
    for (uint32_t i = 0; i < count; i++) /* few: memcmp() would take longer */
        if (ins[2 + i] != words[i])
            return false;
    return op != SpvOpTypeArray ||
           !pgs_spv_decoration(m, ins[1], -1, SpvDecorationArrayStride, NULL);
}

uint32_t pgs_spv_type(struct pgs_spv_module *m, uint32_t op, const uint32_t *words, uint32_t count)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    uint32_t *recent =
        pgs_spv_recent(m, op, count > 0 ? words[0] : 0, count > 1 ? words[count - 1] : 0);
    if (*recent < globals->count && is_type(m, globals->items[*recent], op, words, count))
        return globals->items[*recent][1];
    const uint32_t head = (count + 2) << 16 | op;
    for (uint32_t i = 0; i < globals->count; i++) {
        if (globals->items[i][0] == head && is_type(m, globals->items[i], op, words, count)) {
            *recent = i;
            return globals->items[i][1];
        }
    }
    const uint32_t id = pgs_spv_new_id(m);
    *recent = globals->count;
    pgs_spv_push(m, globals, make_joined(m, op, &id, 1, words, count));
    return id;
}

uint32_t pgs_spv_type_uint(struct pgs_spv_module *m)
{
    return pgs_spv_type(m, SpvOpTypeInt, (const uint32_t[]){32, 0}, 2);
}

uint32_t pgs_spv_type_int(struct pgs_spv_module *m)
{
    return pgs_spv_type(m, SpvOpTypeInt, (const uint32_t[]){32, 1}, 2);
}

uint32_t pgs_spv_type_float(struct pgs_spv_module *m, uint32_t width_bits)
{
    return pgs_spv_type(m, SpvOpTypeFloat, &width_bits, 1);
}

uint32_t pgs_spv_type_vector(struct pgs_spv_module *m, uint32_t scalar, uint32_t count)
{
    return count == 1 ? scalar
                      : pgs_spv_type(m, SpvOpTypeVector, (const uint32_t[]){scalar, count}, 2);
}

uint32_t pgs_spv_type_uvec(struct pgs_spv_module *m, uint32_t count)
{
    return pgs_spv_type_vector(m, pgs_spv_type_uint(m), count);
}

uint32_t pgs_spv_type_pointer(struct pgs_spv_module *m, uint32_t storage_class, uint32_t type)
{
    return pgs_spv_type(m, SpvOpTypePointer, (const uint32_t[]){storage_class, type}, 2);
}

uint32_t pgs_spv_type_void(struct pgs_spv_module *m)
{
    return pgs_spv_type(m, SpvOpTypeVoid, NULL, 0);
}

uint32_t pgs_spv_type_procedure(struct pgs_spv_module *m)
{
    const uint32_t type = pgs_spv_type_void(m);
    return pgs_spv_type(m, SpvOpTypeFunction, &type, 1);
}

static bool is_constant(const uint32_t *ins, uint32_t op, uint32_t type, uint32_t bits)
{
    return pgs_spv_op(ins) == op && ins[1] == type && (op != SpvOpConstant || ins[3] == bits);
}

uint32_t pgs_spv_known_constant(struct pgs_spv_module *m, uint32_t op, uint32_t type, uint32_t bits)
{
    struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    uint32_t *recent = pgs_spv_recent(m, op, type, bits);
    if (*recent < globals->count && is_constant(globals->items[*recent], op, type, bits))
        return globals->items[*recent][2];
    for (uint32_t i = 0; i < globals->count; i++) {
        if (is_constant(globals->items[i], op, type, bits)) {
            *recent = i;
            return globals->items[i][2];
        }
    }
    *recent = globals->count;
    return pgs_spv_value(m, globals, op, type, &bits, op == SpvOpConstant ? 1 : 0);
}

uint32_t pgs_spv_uint(struct pgs_spv_module *m, uint32_t value)
{
    return pgs_spv_known_constant(m, SpvOpConstant, pgs_spv_type_uint(m), value);
}

uint32_t pgs_spv_variable(struct pgs_spv_module *m, uint32_t storage_class, uint32_t type)
{
    const uint32_t pointer = pgs_spv_type_pointer(m, storage_class, type);
    return PGS_SPV_VALUE(m, &m->sections[PGS_SPV_GLOBALS], SpvOpVariable, pointer, storage_class);
}

uint32_t pgs_spv_load_input(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t type,
                            uint32_t decoration, uint32_t operand)
{
    const uint32_t variable = pgs_spv_variable(m, SpvStorageClassInput, type);
    PGS_SPV_DECORATE(m, variable, decoration, operand);
    return PGS_SPV_VALUE(m, list, SpvOpLoad, type, variable);
}

void pgs_spv_decorate(struct pgs_spv_module *m, uint32_t id, uint32_t decoration,
                      const uint32_t *words, uint32_t count)
{
    pgs_spv_push(
        m, &m->sections[PGS_SPV_ANNOTATIONS],
        make_joined(m, SpvOpDecorate, (const uint32_t[]){id, decoration}, 2, words, count));
}

bool pgs_spv_decoration(const struct pgs_spv_module *m, uint32_t id, int32_t member,
                        uint32_t decoration, uint32_t *value)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_ANNOTATIONS];
    const uint32_t at = member < 0 ? 2 : 3;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        if (pgs_spv_op(ins) != (member < 0 ? SpvOpDecorate : SpvOpMemberDecorate) || ins[1] != id ||
            ins[at] != decoration || (member >= 0 && ins[2] != (uint32_t)member))
            continue;
        if (value)
            *value = pgs_spv_length(ins) > at + 1 ? ins[at + 1] : 0;
        return true;
    }
    return false;
}

bool pgs_spv_has_capability(const struct pgs_spv_module *m, uint32_t capability)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_CAPABILITIES];
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i][1] == capability)
            return true;
    }
    return false;
}

bool pgs_spv_has_mode(const struct pgs_spv_module *m, uint32_t mode)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_MODES];
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i][2] == mode)
            return true;
    }
    return false;
}

void pgs_spv_add_capability(struct pgs_spv_module *m, uint32_t capability)
{
    if (!pgs_spv_has_capability(m, capability))
        PGS_SPV_APPEND(m, &m->sections[PGS_SPV_CAPABILITIES], SpvOpCapability, capability);
}

void pgs_spv_add_extension(struct pgs_spv_module *m, const char *name)
{
    struct pgs_spv_list *list = &m->sections[PGS_SPV_EXTENSIONS];
    for (uint32_t i = 0; i < list->count; i++) {
        if (pgs_spv_string_is(list->items[i], 1, name))
            return;
    }
    pgs_spv_push(m, list, pgs_spv_make_string(m, SpvOpExtension, NULL, 0, name, NULL, 0));
}

uint32_t *pgs_spv_make_string(struct pgs_spv_module *m, uint32_t op, const uint32_t *words,
                              uint32_t count, const char *text, const uint32_t *tail,
                              uint32_t tail_count)
{
    const size_t length = strlen(text);
    const uint32_t string_words = (uint32_t)(length / 4 + 1);
    uint32_t *all = pgs_spv_zalloc(m, (size_t)count + string_words + tail_count, 4);
    if (!all)
        return NULL;
    if (count)
        memcpy(all, words, count * 4);
    for (size_t i = 0; i < length; i++)
        all[count + i / 4] |= (uint32_t)(unsigned char)text[i] << (i % 4 * 8);
    if (tail_count)
        memcpy(all + count + string_words, tail, tail_count * 4);
    return pgs_spv_make(m, op, all, count + string_words + tail_count);
}

void pgs_spv_set_entry(struct pgs_spv_module *m, uint32_t model, uint32_t function,
                       const char *name)
{
    const struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
    uint32_t *ids = pgs_spv_zalloc(m, globals->count + 1, 4);
    uint32_t count = 0;
    if (!ids)
        return;
    for (uint32_t i = 0; i < globals->count; i++) {
        const uint32_t *ins = globals->items[i];
        if (pgs_spv_op(ins) != SpvOpVariable)
            continue;
        if (ins[3] == SpvStorageClassInput || ins[3] == SpvStorageClassOutput ||
            m->version >= PGS_SPV_VERSION(1, 4))
            ids[count++] = ins[2];
    }
    m->entry = pgs_spv_make_string(m, SpvOpEntryPoint, (const uint32_t[]){model, function}, 2, name,
                                   ids, count);
    m->sections[PGS_SPV_ENTRIES].count = 0;
    pgs_spv_push(m, &m->sections[PGS_SPV_ENTRIES], m->entry);
}

bool pgs_spv_constant(const struct pgs_spv_module *m, uint32_t id, uint32_t *value)
{
    const uint32_t *def = pgs_spv_def(m, id);
    if (!def || (pgs_spv_op(def) != SpvOpConstant && pgs_spv_op(def) != SpvOpConstantNull))
        return false;
    if (!pgs_spv_def_op(m, def[1], SpvOpTypeInt))
        return false;
    for (uint32_t i = 4; i < pgs_spv_length(def); i++)
        if (def[i] != 0)
            return false;
    *value = pgs_spv_op(def) == SpvOpConstant ? def[3] : 0;
    return true;
}
