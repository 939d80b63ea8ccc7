/* SPDX-License-Identifier: MIT
 *
 * A stage that writes what it captures to the buffers of transform feedback itself.
 */
#include "spirv/stages/capture.h"

#include "spirv/ir/builder.h"
#include "spirv/stages/rings.h"

#define VERTEX_W (PGS_SPV_FEEDBACK_DATA_B / 4)

/* The words of the captured vertex in one buffer: ids of uint values; 0: left alone. */
struct captured {
    uint32_t words[VERTEX_W];
};

/* What is captured of an output: a value of its type. */
static uint32_t load(const struct pgs_spv_capture *capture, uint32_t output)
{
    struct pgs_spv_module *m = capture->port.m;
    const struct pgs_spv_port *port = &capture->port;
    const struct pgs_spv_leaf *leaf = &capture->outputs->items[output];
    const uint32_t pointer =
        capture->rings
            ? pgs_spv_ring_pointer(m, port->list, capture->rings[output], leaf->type, capture->slot)
            : pgs_spv_leaf_pointer(m, port->list, leaf, port->stored_class, 0);
    return PGS_SPV_VALUE(m, port->list, SpvOpLoad, leaf->type, pointer);
}

static void collect(const struct pgs_spv_capture *capture, uint32_t buffer,
                    struct captured *captured)
{
    for (uint32_t i = 0; i < capture->outputs->count && capture->port.m->result == PGS_SPV_OK;
         i++) {
        const struct pgs_spv_leaf *leaf = &capture->outputs->items[i];
        uint32_t values[PGS_SPV_MAX_LEAF_WORDS];
        if (!leaf->captured || leaf->stream != capture->stream || leaf->buffer != buffer)
            continue;
        const uint32_t count = pgs_spv_split_leaf(&capture->port, leaf, load(capture, i), values);
        for (uint32_t k = 0; k < count && leaf->offset_B / 4 + k < VERTEX_W; k++)
            captured->words[leaf->offset_B / 4 + k] = values[k];
    }
}

static bool is_quad(const struct captured *captured, uint32_t word)
{
    return word % 4 == 0 && word + 4 <= VERTEX_W && captured->words[word] &&
           captured->words[word + 1] && captured->words[word + 2] && captured->words[word + 3];
}

/* Nothing goes beyond the stride, which is all that the vertex has room for. */
static void store(const struct pgs_spv_port *port, const struct captured *captured,
                  uint32_t stride_B)
{
    struct pgs_spv_module *m = port->m;
    const uint32_t void_type = pgs_spv_type_void(m);
    const bool quads = stride_B % 16 == 0;
    for (uint32_t w = 0; w < VERTEX_W && w < stride_B / 4;) {
        if (quads && is_quad(captured, w)) {
            const uint32_t quad = pgs_spv_value(m, port->list, SpvOpCompositeConstruct,
                                                pgs_spv_type_uvec(m, 4), &captured->words[w], 4);
            PGS_SPV_VALUE(m, port->list, SpvOpFunctionCall, void_type, port->store4,
                          pgs_spv_uint(m, w), quad);
            w += 4;
            continue;
        }
        if (captured->words[w])
            PGS_SPV_VALUE(m, port->list, SpvOpFunctionCall, void_type, port->store,
                          pgs_spv_uint(m, w), captured->words[w]);
        w++;
    }
}

void pgs_spv_capture_outputs(const struct pgs_spv_capture *capture)
{
    const struct pgs_spv_port *port = &capture->port;
    const struct pgs_spv_feedback *feedback = capture->feedback;
    struct pgs_spv_module *m = port->m;
    const uint32_t bool_type = pgs_spv_type(m, SpvOpTypeBool, NULL, 0);
    for (uint32_t b = 0; b < PGS_SPV_FEEDBACK_BUFFERS; b++) {
        if (!feedback->stride_B[b] || feedback->stream[b] != capture->stream)
            continue;
        struct captured captured = {.words = {0}};
        const uint32_t body = pgs_spv_new_id(m), done = pgs_spv_new_id(m);
        collect(capture, b, &captured);
        const uint32_t bound =
            PGS_SPV_VALUE(m, port->list, SpvOpFunctionCall, bool_type, capture->to,
                          pgs_spv_uint(m, b), pgs_spv_uint(m, feedback->stride_B[b]));
        PGS_SPV_APPEND(m, port->list, SpvOpSelectionMerge, done, SpvSelectionControlMaskNone);
        PGS_SPV_APPEND(m, port->list, SpvOpBranchConditional, bound, body, done);
        PGS_SPV_APPEND(m, port->list, SpvOpLabel, body);
        store(port, &captured, feedback->stride_B[b]);
        PGS_SPV_APPEND(m, port->list, SpvOpBranch, done);
        PGS_SPV_APPEND(m, port->list, SpvOpLabel, done);
    }
}
