/* SPDX-License-Identifier: MIT */
#include "spirv/ir/ext_addresses.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

#define KHR_NAME "SPV_KHR_physical_storage_buffer"
#define EXT_NAME "SPV_EXT_physical_storage_buffer"

static bool drop_khr(const uint32_t *ins, void *context)
{
    const bool khr = pgs_spv_string_is(ins, 1, KHR_NAME);
    *(bool *)context |= khr;
    return khr;
}

/* The opcode of a type, or SpvOpNop. */
static uint32_t type_op(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *def = pgs_spv_def(m, type);
    return def ? pgs_spv_op(def) : SpvOpNop;
}

static uint32_t type_of(const struct pgs_spv_module *m, uint32_t value)
{
    const uint32_t *def = pgs_spv_def(m, value);
    return def && pgs_spv_length(def) > 2 ? def[1] : 0;
}

static uint32_t type_ulong(struct pgs_spv_module *m)
{
    pgs_spv_add_capability(m, SpvCapabilityInt64);
    return pgs_spv_type(m, SpvOpTypeInt, (const uint32_t[]){64, 0}, 2);
}

/* A cast between two words and a pointer becomes two instructions, the last of which keeps the id.
 */
static void push_cast(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t *cast)
{
    const uint32_t to = type_op(m, cast[1]), from = type_op(m, type_of(m, cast[3]));
    uint32_t first = SpvOpNop, last = SpvOpNop;
    if (to == SpvOpTypePointer && from == SpvOpTypeVector) {
        first = SpvOpBitcast;
        last = SpvOpConvertUToPtr;
    } else if (to == SpvOpTypeVector && from == SpvOpTypePointer) {
        first = SpvOpConvertPtrToU;
        last = SpvOpBitcast;
    }
    if (last != SpvOpNop) {
        cast[3] = PGS_SPV_VALUE(m, list, first, type_ulong(m), cast[3]);
        cast[0] = 4u << 16 | last;
    }
    pgs_spv_push(m, list, cast);
}

static void change_casts(struct pgs_spv_module *m)
{
    const struct pgs_spv_list before = m->sections[PGS_SPV_FUNCTIONS];
    struct pgs_spv_list after = {0};
    for (uint32_t i = 0; i < before.count; i++) {
        uint32_t *ins = before.items[i];
        if (pgs_spv_op(ins) != SpvOpBitcast || pgs_spv_length(ins) != 4) {
            pgs_spv_push(m, &after, ins);
            continue;
        }
        uint32_t *cast = pgs_spv_alloc(m, 4, sizeof(*cast));
        if (!cast)
            return;
        for (uint32_t w = 0; w < 4; w++)
            cast[w] = ins[w];
        m->defs[cast[2]] = cast;
        push_cast(m, &after, cast);
    }
    m->sections[PGS_SPV_FUNCTIONS] = after;
}

enum pgs_spv_result pgs_spv_use_ext_addresses(const uint32_t *words, size_t word_count,
                                              struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    bool khr = false;
    *out = (struct pgs_spv_blob){0};
    enum pgs_spv_result result = pgs_spv_parse(&m, words, word_count);
    if (result == PGS_SPV_OK) {
        pgs_spv_filter(&m.sections[PGS_SPV_EXTENSIONS], drop_khr, &khr);
        if (khr) {
            pgs_spv_add_extension(&m, EXT_NAME);
            change_casts(&m);
        }
        result = pgs_spv_write(&m, out);
    }
    pgs_spv_finish(&m);
    return result;
}
