/* SPDX-License-Identifier: MIT
 *
 * Code that writes captured vertices to the transform feedback buffers.
 */
#include "spirv/stages/capture.h"

#include "spirv/ir/builder.h"

#define VERTEX_W (PGS_SPV_XFB_DATA_B / 4)

/* The words of the captured vertex in one buffer, as ids of uint values; 0: not written. */
struct captured {
    uint32_t words[VERTEX_W];
};

/* The captured value of an output. */
static uint32_t load(const struct pgs_spv_capture *capture, uint32_t output)
{
    struct pgs_spv_module *m = capture->access.m;
    const struct pgs_spv_io_access *access = &capture->access;
    const struct pgs_spv_io_var *var = &capture->outputs->items[output];
    if (capture->values)
        return capture->values[output];
    const uint32_t pointer = pgs_spv_io_var_pointer(m, access->list, var, access->stored_class, 0);
    return PGS_SPV_VALUE(m, access->list, SpvOpLoad, var->type, pointer);
}

static void collect(const struct pgs_spv_capture *capture, uint32_t buffer,
                    struct captured *captured)
{
    for (uint32_t i = 0; i < capture->outputs->count && capture->access.m->result == PGS_SPV_OK;
         i++) {
        const struct pgs_spv_io_var *var = &capture->outputs->items[i];
        uint32_t values[PGS_SPV_MAX_VAR_WORDS];
        if (!var->captured || var->stream != capture->stream || var->buffer != buffer)
            continue;
        const uint32_t count =
            pgs_spv_split_io_var(&capture->access, var, load(capture, i), values);
        for (uint32_t k = 0; k < count && var->offset_B / 4 + k < VERTEX_W; k++)
            captured->words[var->offset_B / 4 + k] = values[k];
    }
}

static bool is_quad(const struct captured *captured, uint32_t word)
{
    return word % 4 == 0 && word + 4 <= VERTEX_W && captured->words[word] &&
           captured->words[word + 1] && captured->words[word + 2] && captured->words[word + 3];
}

/* Stores nothing beyond the stride, the space of one captured vertex. */
static void store(const struct pgs_spv_io_access *access, const struct captured *captured,
                  uint32_t stride_B)
{
    struct pgs_spv_module *m = access->m;
    const uint32_t void_type = pgs_spv_type_void(m);
    const bool quads = stride_B % 16 == 0;
    for (uint32_t w = 0; w < VERTEX_W && w < stride_B / 4;) {
        if (quads && is_quad(captured, w)) {
            const uint32_t quad = pgs_spv_value(m, access->list, SpvOpCompositeConstruct,
                                                pgs_spv_type_uvec(m, 4), &captured->words[w], 4);
            PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, void_type, access->store4,
                          pgs_spv_uint(m, w), quad);
            w += 4;
            continue;
        }
        if (captured->words[w])
            PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, void_type, access->store,
                          pgs_spv_uint(m, w), captured->words[w]);
        w++;
    }
}

uint32_t pgs_spv_captured_buffers(const struct pgs_spv_xfb *xfb)
{
    uint32_t mask = 0;
    for (uint32_t b = 0; b < PGS_SPV_XFB_BUFFERS; b++)
        mask |= xfb->stride_B[b] ? 1u << b : 0;
    return mask;
}

void pgs_spv_capture_outputs(const struct pgs_spv_capture *capture)
{
    const struct pgs_spv_io_access *access = &capture->access;
    const struct pgs_spv_xfb *xfb = capture->xfb;
    struct pgs_spv_module *m = access->m;
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    for (uint32_t b = 0; b < PGS_SPV_XFB_BUFFERS; b++) {
        if (!xfb->stride_B[b] || xfb->stream[b] != capture->stream)
            continue;
        struct captured captured = {.words = {0}};
        const uint32_t body = pgs_spv_new_id(m), done = pgs_spv_new_id(m);
        collect(capture, b, &captured);
        const uint32_t bound =
            PGS_SPV_VALUE(m, access->list, SpvOpFunctionCall, bool_type, capture->to,
                          pgs_spv_uint(m, b), pgs_spv_uint(m, xfb->stride_B[b]));
        PGS_SPV_APPEND(m, access->list, SpvOpSelectionMerge, done, SpvSelectionControlMaskNone);
        PGS_SPV_APPEND(m, access->list, SpvOpBranchConditional, bound, body, done);
        PGS_SPV_APPEND(m, access->list, SpvOpLabel, body);
        store(access, &captured, xfb->stride_B[b]);
        PGS_SPV_APPEND(m, access->list, SpvOpBranch, done);
        PGS_SPV_APPEND(m, access->list, SpvOpLabel, done);
    }
}
