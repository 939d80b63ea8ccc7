/* SPDX-License-Identifier: MIT
 *
 * The declarations that a generated stage takes from the stage whose outputs it writes.
 */
#include "spirv/io/outputs.h"

#include "spirv/io/io_access.h"
#include "spirv/ir/builder.h"
#include "spirv/ir/operands.h"

struct kept {
    uint32_t bound;
    uint8_t *variables; /* by id */
    bool xfb;
};

static bool drop_variable(const uint32_t *ins, void *context)
{
    const struct kept *kept = context;
    return pgs_spv_op(ins) == SpvOpVariable && !(ins[2] < kept->bound && kept->variables[ins[2]]);
}

static bool drop_decoration(const uint32_t *ins, void *context)
{
    const struct kept *kept = context;
    const uint32_t op = pgs_spv_op(ins);
    const bool member = op == SpvOpMemberDecorate;
    if (op != SpvOpDecorate && !member)
        return false;
    switch (ins[member ? 3 : 2]) {
    case SpvDecorationStream:
    case SpvDecorationBuiltIn:
    case SpvDecorationSample: /* has no effect before the fragment shader, and needs a capability */
        return true;
    case SpvDecorationXfbBuffer:
    case SpvDecorationXfbStride:
    case SpvDecorationOffset:
        return !kept->xfb;
    default:
        return false;
    }
}

static bool drop_capability(const uint32_t *ins, void *context)
{
    (void)context;
    switch (ins[1]) {
    case SpvCapabilityMatrix:
    case SpvCapabilityShader:
    case SpvCapabilityFloat16:
    case SpvCapabilityFloat64:
    case SpvCapabilityInt16:
    case SpvCapabilityInt64:
    case SpvCapabilityStorageInputOutput16:
    case SpvCapabilityVulkanMemoryModel:
    case SpvCapabilityPhysicalStorageBufferAddresses:
        return false;
    default:
        return true;
    }
}

static bool drop_extension(const uint32_t *ins, void *context)
{
    (void)context;
    return !pgs_spv_string_is(ins, 1, "SPV_KHR_16bit_storage") &&
           !pgs_spv_string_is(ins, 1, "SPV_KHR_vulkan_memory_model") &&
           !pgs_spv_string_is(ins, 1, "SPV_KHR_physical_storage_buffer");
}

void pgs_spv_keep_outputs(struct pgs_spv_module *m, const struct pgs_spv_io_vars *outputs, bool xfb)
{
    struct kept kept = {.bound = m->bound, .variables = pgs_spv_zalloc(m, m->bound, 1), .xfb = xfb};
    if (m->result != PGS_SPV_OK)
        return;
    for (uint32_t i = 0; i < outputs->count; i++) {
        if (outputs->items[i].builtin == PGS_SPV_NO_BUILTIN)
            kept.variables[outputs->items[i].variable] = 1;
    }
    pgs_spv_filter(&m->sections[PGS_SPV_GLOBALS], drop_variable, &kept);
    pgs_spv_filter(&m->sections[PGS_SPV_ANNOTATIONS], drop_decoration, &kept);
    pgs_spv_filter(&m->sections[PGS_SPV_CAPABILITIES], drop_capability, NULL);
    pgs_spv_filter(&m->sections[PGS_SPV_EXTENSIONS], drop_extension, NULL);
    pgs_spv_add_capability(m, SpvCapabilityShader);
    m->sections[PGS_SPV_MODES].count = 0;
    m->sections[PGS_SPV_FUNCTIONS].count = 0;
}

void pgs_spv_zero_targets(struct pgs_spv_module *m, struct pgs_spv_list *list,
                          const struct pgs_spv_io_vars *outputs)
{
    for (uint32_t i = 0; i < outputs->count; i++) {
        const struct pgs_spv_io_var *var = &outputs->items[i];
        const uint32_t *variable = pgs_spv_def_op(m, var->variable, SpvOpVariable);
        if ((var->builtin != SpvBuiltInLayer && var->builtin != SpvBuiltInViewportIndex) ||
            !variable || pgs_spv_length(variable) > 4)
            continue;
        const uint32_t zero =
            pgs_spv_value(m, &m->sections[PGS_SPV_GLOBALS], SpvOpConstantNull, var->type, NULL, 0);
        PGS_SPV_APPEND(m, list, SpvOpStore,
                       pgs_spv_io_var_pointer(m, list, var, SpvStorageClassPrivate, 0), zero);
    }
}
