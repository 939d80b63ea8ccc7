/* SPDX-License-Identifier: MIT */
#include "module.h"

#include <stdlib.h>
#include <string.h>

#if __has_include(<spirv/unified1/spirv.h>)
#include <spirv/unified1/spirv.h>
#else
#include <spirv.h>
#endif

#define HEADER_W 5

const struct module_capability module_capabilities[] = {
    {SpvCapabilityGeometry, "geometryShader"},
    {SpvCapabilityTessellation, "tessellationShader"},
    {SpvCapabilityGeometryPointSize, "shaderTessellationAndGeometryPointSize"},
    {SpvCapabilityTessellationPointSize, "shaderTessellationAndGeometryPointSize"},
    {SpvCapabilityGeometryStreams, "geometryStreams"},
    {SpvCapabilityTransformFeedback, "transformFeedback"},
    {SpvCapabilityInt64, "shaderInt64"},
    {SpvCapabilityInt64Atomics, "shaderBufferInt64Atomics"},
    {SpvCapabilityInt16, "shaderInt16"},
    {SpvCapabilityInt8, "shaderInt8"},
    {SpvCapabilityFloat16, "shaderFloat16"},
    {SpvCapabilityFloat64, "shaderFloat64"},
    {SpvCapabilityClipDistance, "shaderClipDistance"},
    {SpvCapabilityCullDistance, "shaderCullDistance"},
    {SpvCapabilityMultiViewport, "multiViewport"},
    {SpvCapabilityImageGatherExtended, "shaderImageGatherExtended"},
    {SpvCapabilityStorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"},
    {SpvCapabilityStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"},
    {SpvCapabilityStorageImageMultisample, "shaderStorageImageMultisample"},
    {SpvCapabilityDrawParameters, "shaderDrawParameters"},
    {SpvCapabilityShaderLayer, "shaderOutputLayer"},
    {SpvCapabilityShaderViewportIndexLayerEXT, "shaderOutputLayer"},
    {SpvCapabilityShaderViewportIndex, "shaderOutputViewportIndex"},
    {SpvCapabilityVulkanMemoryModel, "vulkanMemoryModel"},
    {SpvCapabilityVulkanMemoryModelDeviceScope, "vulkanMemoryModelDeviceScope"},
    {SpvCapabilityPhysicalStorageBufferAddresses, "bufferDeviceAddress"},
    {SpvCapabilityStorageBuffer8BitAccess, "storageBuffer8BitAccess"},
    {SpvCapabilityStorageBuffer16BitAccess, "storageBuffer16BitAccess"},
    {SpvCapabilityStorageInputOutput16, "storageInputOutput16"},
    {SpvCapabilityMultiView, "multiview"},
};
const unsigned module_capability_count =
    sizeof(module_capabilities) / sizeof(module_capabilities[0]);

/* The instruction at *at, which goes on to the next one; NULL at the end. */
static const uint32_t *next(const uint32_t *words, size_t count, size_t *at)
{
    if (*at < HEADER_W)
        *at = HEADER_W;
    if (*at >= count)
        return NULL;
    const uint32_t *instruction = words + *at;
    const size_t length = instruction[0] >> 16;
    if (length == 0 || *at + length > count)
        return NULL;
    *at += length;
    return instruction;
}

static uint32_t opcode(const uint32_t *instruction)
{
    return instruction[0] & 0xffff;
}

bool module_declares(const uint32_t *words, size_t count, uint32_t capability)
{
    size_t at = 0;
    for (const uint32_t *i; (i = next(words, count, &at)) != NULL;)
        if (opcode(i) == SpvOpCapability && i[1] == capability)
            return true;
    return false;
}

/* -- stores -- */

static bool is_before_raster(uint32_t model)
{
    return model == SpvExecutionModelVertex || model == SpvExecutionModelTessellationControl ||
           model == SpvExecutionModelTessellationEvaluation || model == SpvExecutionModelGeometry;
}

static bool stores_only_before_raster(const uint32_t *words, size_t count)
{
    bool before = false, others = false;
    size_t at = 0;
    for (const uint32_t *i; (i = next(words, count, &at)) != NULL;)
        if (opcode(i) == SpvOpEntryPoint) {
            before |= is_before_raster(i[1]);
            others |= !is_before_raster(i[1]);
        }
    return before && !others; /* of others it is not known who calls what stores */
}

/* What is known of an id. */
struct id {
    uint32_t opcode, type;        /* of results: the type; of OpTypePointer: what it points to */
    uint32_t storage;             /* class, of OpTypePointer and OpVariable */
    uint32_t non_writable, count; /* members of a structure, and how many of them */
    bool is_non_writable, is_block;
};

static void note_decoration(struct id *ids, uint32_t bound, const uint32_t *i)
{
    const bool member = opcode(i) == SpvOpMemberDecorate;
    if (i[1] >= bound)
        return;
    const uint32_t decoration = i[member ? 3 : 2];
    if (decoration == SpvDecorationNonWritable && member)
        ids[i[1]].non_writable++;
    else if (decoration == SpvDecorationNonWritable)
        ids[i[1]].is_non_writable = true;
    else if (decoration == SpvDecorationBufferBlock)
        ids[i[1]].is_block = true;
}

static void note_types(struct id *ids, uint32_t bound, const uint32_t *i)
{
    switch (opcode(i)) {
    case SpvOpDecorate:
    case SpvOpMemberDecorate:
        note_decoration(ids, bound, i);
        break;
    case SpvOpTypePointer:
        ids[i[1]].opcode = SpvOpTypePointer;
        ids[i[1]].storage = i[2];
        ids[i[1]].type = i[3];
        break;
    case SpvOpTypeStruct:
        ids[i[1]].opcode = SpvOpTypeStruct;
        ids[i[1]].count = (i[0] >> 16) - 2;
        break;
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        ids[i[1]].opcode = opcode(i);
        ids[i[1]].type = i[2];
        break;
    case SpvOpTypeImage:
        ids[i[1]].opcode = SpvOpTypeImage;
        ids[i[1]].count = i[7]; /* 2: a storage image */
        break;
    default:
        break;
    }
}

/* Can something be written through the variable? */
static bool is_writable(const struct id *ids, const struct id *variable)
{
    const struct id *pointer = &ids[variable->type], *of = &ids[pointer->type];
    while (of->opcode == SpvOpTypeArray || of->opcode == SpvOpTypeRuntimeArray)
        of = &ids[of->type];
    if (variable->is_non_writable)
        return false;
    if (variable->storage == SpvStorageClassStorageBuffer ||
        (variable->storage == SpvStorageClassUniform && of->is_block))
        return of->non_writable < of->count;
    return variable->storage == SpvStorageClassUniformConstant && of->opcode == SpvOpTypeImage &&
           of->count == 2;
}

bool module_stores_before_raster(const uint32_t *words, size_t count)
{
    if (count <= HEADER_W || !stores_only_before_raster(words, count))
        return false;
    const uint32_t bound = words[3];
    struct id *ids = calloc(bound + 1, sizeof(*ids));
    bool stores = false;
    size_t at = 0;
    for (const uint32_t *i; ids && (i = next(words, count, &at)) != NULL;) {
        note_types(ids, bound, i);
        if (opcode(i) == SpvOpVariable) {
            struct id *variable = &ids[i[2]];
            variable->type = i[1];
            variable->storage = i[3];
            stores |= is_writable(ids, variable);
        }
        /* The type of every value that may be a pointer is its second word. */
        if (opcode(i) == SpvOpAccessChain || opcode(i) == SpvOpInBoundsAccessChain ||
            opcode(i) == SpvOpConvertUToPtr || opcode(i) == SpvOpBitcast)
            ids[i[2]].type = i[1];
        if (opcode(i) == SpvOpStore && i[1] < bound)
            stores |= ids[ids[i[1]].type].storage == SpvStorageClassPhysicalStorageBuffer &&
                      ids[ids[i[1]].type].opcode == SpvOpTypePointer;
        if (opcode(i) >= SpvOpAtomicExchange && opcode(i) <= SpvOpAtomicXor && i[3] < bound)
            stores |= ids[ids[i[3]].type].storage == SpvStorageClassPhysicalStorageBuffer;
    }
    free(ids);
    return stores;
}

/* -- workgroups -- */

/* Sizes of types, and values of integer constants. */
struct value {
    uint64_t size_B;
    uint32_t value, spec_id;
    bool specialized;
};

static void specialize(struct value *value, const VkSpecializationInfo *constants)
{
    for (uint32_t i = 0; constants && value->specialized && i < constants->mapEntryCount; i++)
        if (constants->pMapEntries[i].constantID == value->spec_id)
            memcpy(&value->value, (const char *)constants->pData + constants->pMapEntries[i].offset,
                   constants->pMapEntries[i].size < 4 ? constants->pMapEntries[i].size : 4);
}

static void note_value(struct value *values, const uint32_t *i,
                       const VkSpecializationInfo *constants)
{
    const uint32_t length = i[0] >> 16;
    switch (opcode(i)) {
    case SpvOpDecorate:
        if (i[2] == SpvDecorationSpecId) {
            values[i[1]].spec_id = i[3];
            values[i[1]].specialized = true;
        }
        break;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
        values[i[1]].size_B = i[2] / 8;
        break;
    case SpvOpTypeBool:
        values[i[1]].size_B = 4;
        break;
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
        values[i[1]].size_B = values[i[2]].size_B * i[3];
        break;
    case SpvOpTypeArray:
        values[i[1]].size_B = values[i[2]].size_B * values[i[3]].value;
        break;
    case SpvOpTypeStruct:
        for (uint32_t k = 2; k < length; k++)
            values[i[1]].size_B += values[i[k]].size_B;
        break;
    case SpvOpTypePointer:
        values[i[1]].size_B = values[i[3]].size_B;
        break; /* what it points to */
    case SpvOpConstant:
    case SpvOpSpecConstant:
        values[i[2]].value = i[3];
        specialize(&values[i[2]], constants);
        break;
    default:
        break;
    }
}

static void note_size(struct module_workgroup *group, const struct value *values, const uint32_t *i,
                      uint32_t entry, uint32_t *built_in)
{
    if (opcode(i) == SpvOpExecutionMode && i[1] == entry && i[2] == SpvExecutionModeLocalSize)
        memcpy(group->size, i + 3, sizeof(group->size));
    if (opcode(i) == SpvOpExecutionModeId && i[1] == entry && i[2] == SpvExecutionModeLocalSizeId)
        for (uint32_t k = 0; k < 3; k++)
            group->size[k] = values[i[3 + k]].value;
    if (opcode(i) == SpvOpDecorate && i[2] == SpvDecorationBuiltIn &&
        i[3] == SpvBuiltInWorkgroupSize)
        *built_in = i[1];
    if ((opcode(i) == SpvOpConstantComposite || opcode(i) == SpvOpSpecConstantComposite) &&
        *built_in && i[2] == *built_in)
        for (uint32_t k = 0; k < 3; k++)
            group->size[k] = values[i[3 + k]].value;
}

struct module_workgroup module_workgroup(const uint32_t *words, size_t count, const char *entry,
                                         const VkSpecializationInfo *constants)
{
    struct module_workgroup group = {.size = {1, 1, 1}};
    if (count <= HEADER_W)
        return group;
    struct value *values = calloc((size_t)words[3] + 1, sizeof(*values));
    uint32_t id = 0, built_in = 0;
    size_t at = 0;
    for (const uint32_t *i; values && (i = next(words, count, &at)) != NULL;) {
        if (opcode(i) == SpvOpEntryPoint && i[1] == SpvExecutionModelGLCompute &&
            strcmp((const char *)(i + 3), entry) == 0)
            id = i[2];
        note_value(values, i, constants);
        if (opcode(i) == SpvOpVariable && i[3] == SpvStorageClassWorkgroup)
            group.shared_B += values[i[1]].size_B;
    }
    at = 0; /* once more: modes stand before the constants that they name */
    for (const uint32_t *i; values && (i = next(words, count, &at)) != NULL;)
        note_size(&group, values, i, id, &built_in);
    free(values);
    return group;
}

/* -- varyings -- */

/* What is known of an id: a variable, or a type. */
struct interface_id {
    uint32_t location, component;
    uint32_t type; /* that of elements, of what is pointed to */
    uint32_t members;
    uint64_t relaxed_members; /* of the first 64 */
    bool relaxed, located, is_used /* by the entry point */;
};

static SpvExecutionModel model_of(VkShaderStageFlagBits stage)
{
    return stage == VK_SHADER_STAGE_VERTEX_BIT     ? SpvExecutionModelVertex
           : stage == VK_SHADER_STAGE_GEOMETRY_BIT ? SpvExecutionModelGeometry
           : stage == VK_SHADER_STAGE_FRAGMENT_BIT ? SpvExecutionModelFragment
                                                   : SpvExecutionModelTessellationEvaluation;
}

static void note_interface(struct interface_id *ids, const struct module_entry *entry,
                           const uint32_t *i)
{
    const char *name = (const char *)(i + 3);
    switch (opcode(i)) {
    case SpvOpEntryPoint:
        if (i[1] == model_of(entry->stage) && strcmp(name, entry->name) == 0)
            for (uint32_t k = 3 + (uint32_t)strlen(name) / 4 + 1; k < i[0] >> 16; k++)
                ids[i[k]].is_used = true;
        break;
    case SpvOpDecorate:
        ids[i[1]].relaxed |= i[2] == SpvDecorationRelaxedPrecision;
        ids[i[1]].located |= i[2] == SpvDecorationLocation;
        if (i[2] == SpvDecorationLocation)
            ids[i[1]].location = i[3];
        else if (i[2] == SpvDecorationComponent)
            ids[i[1]].component = i[3];
        break;
    case SpvOpMemberDecorate:
        if (i[3] == SpvDecorationRelaxedPrecision && i[2] < 64)
            ids[i[1]].relaxed_members |= UINT64_C(1) << i[2];
        break;
    case SpvOpTypeStruct:
        ids[i[1]].members = (i[0] >> 16) - 2;
        break;
    case SpvOpTypeArray:
        ids[i[1]].type = i[2];
        break;
    case SpvOpTypePointer:
        ids[i[1]].type = i[3];
        break;
    default:
        break;
    }
}

struct varying {
    uint32_t location, component, member;
    bool relaxed;
};
enum { MOST_VARYINGS = 256 };

static uint32_t add_varyings(struct varying *list, uint32_t count, const struct interface_id *ids,
                             const struct interface_id *variable, uint32_t pointer)
{
    const struct interface_id *type = &ids[ids[pointer].type];
    while (type->type)
        type = &ids[type->type];
    for (uint32_t m = 0; m < (type->members ? type->members : 1) && count < MOST_VARYINGS; m++)
        list[count++] =
            (struct varying){variable->location, variable->component, m,
                             variable->relaxed || (m < 64 && (type->relaxed_members >> m & 1))};
    return count;
}

/* Outputs of a stage in front of the rasterizer, or inputs of a fragment shader. */
static uint32_t find_varyings(const struct module_entry *entry, struct varying *list)
{
    const uint32_t class =
        entry->stage == VK_SHADER_STAGE_FRAGMENT_BIT ? SpvStorageClassInput : SpvStorageClassOutput;
    struct interface_id *ids = calloc((size_t)entry->words[3] + 1, sizeof(*ids));
    uint32_t found = 0;
    size_t at = 0;
    for (const uint32_t *i; ids && (i = next(entry->words, entry->count, &at)) != NULL;) {
        note_interface(ids, entry, i);
        if (opcode(i) == SpvOpVariable && i[3] == class && ids[i[2]].is_used && ids[i[2]].located)
            found = add_varyings(list, found, ids, &ids[i[2]], i[1]);
    }
    free(ids);
    return found;
}

int64_t module_mixed_precision(const struct module_entry *front,
                               const struct module_entry *fragment)
{
    struct varying out[MOST_VARYINGS], in[MOST_VARYINGS];
    if (!front->words || !fragment->words || front->count <= HEADER_W ||
        fragment->count <= HEADER_W)
        return -1;
    const uint32_t out_count = find_varyings(front, out), in_count = find_varyings(fragment, in);
    for (uint32_t i = 0; i < out_count; i++)
        for (uint32_t k = 0; k < in_count; k++)
            if (out[i].location == in[k].location && out[i].component == in[k].component &&
                out[i].member == in[k].member && out[i].relaxed != in[k].relaxed)
                return out[i].location;
    return -1;
}
