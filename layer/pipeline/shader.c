/* SPDX-License-Identifier: MIT */
#include "pipeline/shader.h"

#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/device.h"
#include "pipeline/module.h"
#include "vulkan/chain.h"

#include <stdalign.h>
#include <string.h>

bool pgs_stage_has_placeholder(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage)
{
    const struct pgs_module *module = pgs_stage_module(dev, stage);
    return module && module->placeholder;
}

bool pgs_stage_is_known(const struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage)
{
    return pgs_stage_module(dev, stage);
}

bool pgs_stage_is_invariant(const struct pgs_device *dev,
                            const VkPipelineShaderStageCreateInfo *stage)
{
    const struct pgs_module *module = pgs_stage_module(dev, stage);
    return module && module->is_invariant;
}

bool pgs_shader_has_placeholder(const struct pgs_shader *shader)
{
    return shader->module && shader->module->placeholder;
}

/* -- keys -- */

/* The begin of a key. The specialization entries, their data and the entry point's name follow, and
 * the module's words are the large part. */
struct key_head {
    uint64_t words_hash, data_B;
    uint32_t stage, entry_count;
};

/* Fits a usual stage; longer keys are allocated. */
#define KEY_B 512

static size_t key_size_B(const VkPipelineShaderStageCreateInfo *stage)
{
    const VkSpecializationInfo *specialization = stage->pSpecializationInfo;
    const uint32_t count = specialization ? specialization->mapEntryCount : 0;
    return sizeof(struct key_head) + count * sizeof(struct pgs_spv_spec_entry) +
           (count ? specialization->dataSize : 0) + strlen(stage->pName) + 1;
}

/* key: of key_size_B bytes, aligned like malloc's memory. */
static void write_key(const VkPipelineShaderStageCreateInfo *stage, enum pgs_spv_stage kind,
                      struct pgs_module *module, void *key)
{
    const VkSpecializationInfo *specialization = stage->pSpecializationInfo;
    struct key_head *head = key;
    struct pgs_spv_spec_entry *entries = (struct pgs_spv_spec_entry *)(head + 1);
    *head = (struct key_head){.words_hash = pgs_module_hash(module), .stage = (uint32_t)kind};
    if (specialization && specialization->mapEntryCount) {
        head->entry_count = specialization->mapEntryCount;
        head->data_B = specialization->dataSize;
    }
    for (uint32_t i = 0; i < head->entry_count; i++) {
        const VkSpecializationMapEntry *entry = &specialization->pMapEntries[i];
        entries[i] = (struct pgs_spv_spec_entry){
            .constant_id = entry->constantID,
            .offset_B = entry->offset,
            .size_B = entry->size,
        };
    }
    unsigned char *data = (unsigned char *)(entries + head->entry_count);
    if (head->data_B)
        memcpy(data, specialization->pData, head->data_B);
    memcpy(data + head->data_B, stage->pName, strlen(stage->pName) + 1);
}

/* -- life -- */

/* The shader's strings and constants are those in its key. */
static VkResult make_shader(struct pgs_device *dev, struct pgs_shared *object, void *context)
{
    struct pgs_shader *shader = (struct pgs_shader *)object;
    const struct key_head *head = object->key.bytes;
    const struct pgs_spv_spec_entry *entries = (const struct pgs_spv_spec_entry *)(head + 1);
    const unsigned char *data = (const unsigned char *)(entries + head->entry_count);
    shader->module = pgs_module_refer(context);
    shader->code = (struct pgs_spv_shader){
        .words = shader->module->words,
        .word_count = shader->module->word_count,
        .entry_point = (const char *)(data + head->data_B),
        .stage = (enum pgs_spv_stage)head->stage,
        .spec_entries = entries,
        .spec_entry_count = head->entry_count,
        .spec_data = data,
        .spec_data_B = (size_t)head->data_B,
        .int64 = dev->int64,
        .pairs_words = dev->physical->traits.pairs_words,
        .joins_loads = dev->physical->traits.joins_loads,
        .keeps_names = dev->physical->instance->settings.dump_dir != NULL,
    };
    return VK_SUCCESS;
}

static void finish_shader(struct pgs_device *dev, struct pgs_shared *object)
{
    struct pgs_shader *shader = (struct pgs_shader *)object;
    (void)dev;
    pgs_free(atomic_load(&shader->info));
    pgs_free(atomic_load(&shader->xfb));
    pgs_free(atomic_load(&shader->split_info));
    pgs_spv_blob_free(&shader->made_words);
    pgs_module_release(shader->module);
    pgs_shader_release(shader->origin);
}

static VkResult find_module(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                            struct pgs_module **module)
{
    const VkShaderModuleCreateInfo *info = NULL;
    if (stage->module)
        *module = pgs_module_acquire(dev, stage->module);
    else /* VK_EXT_graphics_pipeline_library, VK_KHR_maintenance5 */
        info = pgs_chain_find(stage->pNext, VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO);
    if (info) {
        *module = pgs_module_new(dev, info->pCode, info->codeSize);
        if (!*module)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (*module)
        return VK_SUCCESS;
    pgs_log(PGS_LOG_ERROR, "cannot create a pipeline: the SPIR-V of a shader that must be "
                           "emulated is not known to the layer");
    return VK_ERROR_UNKNOWN;
}

static bool find_stage(VkShaderStageFlagBits bit, enum pgs_spv_stage *stage)
{
    static const struct {
        VkShaderStageFlagBits bit;
        enum pgs_spv_stage stage;
    } stages[] = {
        {VK_SHADER_STAGE_VERTEX_BIT, PGS_SPV_VERTEX},
        {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, PGS_SPV_CONTROL},
        {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, PGS_SPV_EVALUATION},
        {VK_SHADER_STAGE_GEOMETRY_BIT, PGS_SPV_GEOMETRY},
        {VK_SHADER_STAGE_FRAGMENT_BIT, PGS_SPV_FRAGMENT},
        {VK_SHADER_STAGE_COMPUTE_BIT, PGS_SPV_COMPUTE},
        {VK_SHADER_STAGE_RAYGEN_BIT_KHR, PGS_SPV_RAY_GENERATION},
        {VK_SHADER_STAGE_INTERSECTION_BIT_KHR, PGS_SPV_INTERSECTION},
        {VK_SHADER_STAGE_ANY_HIT_BIT_KHR, PGS_SPV_ANY_HIT},
        {VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, PGS_SPV_CLOSEST_HIT},
        {VK_SHADER_STAGE_MISS_BIT_KHR, PGS_SPV_MISS},
        {VK_SHADER_STAGE_CALLABLE_BIT_KHR, PGS_SPV_CALLABLE},
        {VK_SHADER_STAGE_TASK_BIT_EXT, PGS_SPV_TASK},
        {VK_SHADER_STAGE_MESH_BIT_EXT, PGS_SPV_MESH},
    };
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
        *stage = stages[i].stage;
        if (stages[i].bit == bit)
            return true;
    }
    return false;
}

static VkResult get_of_module(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                              enum pgs_spv_stage kind, struct pgs_module *module,
                              struct pgs_shader **shader)
{
    static const struct pgs_shared_kind shaders = {sizeof(struct pgs_shader), make_shader,
                                                   finish_shader};
    alignas(max_align_t) unsigned char small[KEY_B];
    const size_t size_B = key_size_B(stage);
    void *large = size_B > sizeof(small) ? pgs_alloc(size_B) : NULL;
    const struct pgs_shared_key key = {large ? large : small, size_B, module->words,
                                       module->word_count * sizeof(*module->words)};
    struct pgs_shared *object = NULL;
    if (size_B > sizeof(small) && !large)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    write_key(stage, kind, module, large ? large : small);
    const VkResult result = pgs_shared_get(&dev->pipelines->shared, &shaders, key, module, &object);
    *shader = (struct pgs_shader *)object;
    pgs_free(large);
    return result;
}

VkResult pgs_shader_get(struct pgs_device *dev, const VkPipelineShaderStageCreateInfo *stage,
                        struct pgs_shader **shader)
{
    enum pgs_spv_stage kind;
    struct pgs_module *module = NULL;
    *shader = NULL;
    if (!find_stage(stage->stage, &kind)) {
        pgs_log(PGS_LOG_ERROR, "a shader module that must be emulated is used in stage 0x%x",
                (unsigned)stage->stage);
        return VK_ERROR_UNKNOWN;
    }
    VkResult result = find_module(dev, stage, &module);
    if (result == VK_SUCCESS)
        result = get_of_module(dev, stage, kind, module, shader);
    pgs_module_release(module);
    return result;
}

struct pgs_shader *pgs_shader_refer(const struct pgs_shader *shader)
{
    /* Constant to those who look at it; the head is the table's. */
    return (struct pgs_shader *)pgs_shared_acquire((struct pgs_shared *)&shader->shared);
}

void pgs_shader_release(struct pgs_shader *shader)
{
    if (shader)
        pgs_shared_release(&shader->shared);
}

struct pgs_spv_shader pgs_shader_code(const struct pgs_shader *shader, bool is_trial)
{
    struct pgs_spv_shader code = {0};
    if (shader)
        code = shader->code;
    code.is_trial = is_trial;
    return code;
}

/* -- pass-through geometry shaders -- */

struct pass_through_key {
    const struct pgs_shader *origin;
    uint32_t vertices_per_primitive, primitive_id;
};

static VkResult make_pass_through(struct pgs_device *dev, struct pgs_shared *object, void *context)
{
    struct pgs_shader *shader = (struct pgs_shader *)object, *origin = context;
    const struct pass_through_key *key = object->key.bytes;
    (void)dev;
    const VkResult result = pgs_result_from_spv(
        pgs_spv_pass_through_geometry(&origin->code, key->vertices_per_primitive,
                                      key->primitive_id != 0, &shader->made_words),
        origin->code.stage == PGS_SPV_VERTEX ? "vertex" : "tessellation evaluation");
    if (result != VK_SUCCESS)
        return result;
    pgs_shared_acquire(&origin->shared);
    shader->origin = origin;
    shader->code = (struct pgs_spv_shader){.words = shader->made_words.words,
                                           .word_count = shader->made_words.word_count,
                                           .entry_point = "main",
                                           .stage = PGS_SPV_GEOMETRY,
                                           .int64 = origin->code.int64,
                                           .pairs_words = origin->code.pairs_words,
                                           .joins_loads = origin->code.joins_loads,
                                           .keeps_names = origin->code.keeps_names};
    return VK_SUCCESS;
}

VkResult pgs_shader_get_pass_through(struct pgs_shader *last, uint32_t vertices_per_primitive,
                                     bool primitive_id, struct pgs_shader **shader)
{
    static const struct pgs_shared_kind pass_throughs = {sizeof(struct pgs_shader),
                                                         make_pass_through, finish_shader};
    struct pass_through_key key;
    memset(&key, 0, sizeof(key));
    key.origin = last;
    key.vertices_per_primitive = vertices_per_primitive;
    key.primitive_id = primitive_id;
    struct pgs_shared *object;
    const VkResult result = pgs_shared_get(
        last->shared.table, &pass_throughs,
        (struct pgs_shared_key){.bytes = &key, .size_B = sizeof(key)}, last, &object);
    *shader = (struct pgs_shader *)object;
    return result;
}

/* -- what is known about them -- */

/* Racing threads may each find it out; the first to publish wins. */
static VkResult find_info(const struct pgs_shader *shader, _Atomic(void *) *slot, size_t size_B,
                          enum pgs_spv_result (*find)(const struct pgs_spv_shader *code,
                                                      void *info),
                          const void **info)
{
    static const char *const names[] = {
        [PGS_SPV_VERTEX] = "vertex",
        [PGS_SPV_CONTROL] = "tessellation control",
        [PGS_SPV_EVALUATION] = "tessellation evaluation",
        [PGS_SPV_GEOMETRY] = "geometry",
        [PGS_SPV_FRAGMENT] = "fragment",
        [PGS_SPV_COMPUTE] = "compute",
    };
    void *known = atomic_load_explicit(slot, memory_order_acquire);
    *info = known;
    if (known)
        return VK_SUCCESS;
    void *found = pgs_calloc(1, size_B);
    if (!found)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result =
        pgs_result_from_spv(find(&shader->code, found), names[shader->code.stage]);
    if (result == VK_SUCCESS && atomic_compare_exchange_strong(slot, &known, found)) {
        *info = found;
        return VK_SUCCESS;
    }
    pgs_free(found);
    *info = known;
    return result;
}

/* pgs_spv_* with a pointer to anything, and pgs_shader_* with a pointer to the right struct. */
#define INFO(name, type, slot, call)                                                               \
    static enum pgs_spv_result name(const struct pgs_spv_shader *code, void *out)                  \
    {                                                                                              \
        type *info = out;                                                                          \
        return call;                                                                               \
    }                                                                                              \
    VkResult pgs_shader_##name(struct pgs_shader *shader, const type **info)                       \
    {                                                                                              \
        const void *found;                                                                         \
        const VkResult result = find_info(shader, &shader->slot, sizeof(type), name, &found);      \
        *info = found;                                                                             \
        return result;                                                                             \
    }
INFO(vertex_info, struct pgs_spv_vertex_info, info, pgs_spv_vertex_info(code, info))
INFO(vertex_capture, struct pgs_vertex_capture, xfb,
     pgs_spv_vertex_xfb(code, &info->out, &info->xfb))
INFO(control_info, struct pgs_spv_control_info, info, pgs_spv_control_info(code, info))
INFO(evaluation_info, struct pgs_spv_evaluation_info, info, pgs_spv_evaluation_info(code, info))
INFO(geometry_info, struct pgs_spv_geometry_info, info, pgs_spv_geometry_info(code, info))
INFO(geometry_split_info, struct pgs_spv_geometry_info, split_info,
     pgs_spv_geometry_split_info(code, info))
INFO(fragment_info, struct pgs_spv_fragment_info, info, pgs_spv_fragment_info(code, info))
#undef INFO

VkResult pgs_result_from_spv(enum pgs_spv_result result, const char *what)
{
    switch (result) {
    case PGS_SPV_OK:
        return VK_SUCCESS;
    case PGS_SPV_OUT_OF_MEMORY:
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    case PGS_SPV_INVALID:
        pgs_log(PGS_LOG_ERROR, "%s shader: its SPIR-V is not valid", what);
        return VK_ERROR_INVALID_SHADER_NV;
    case PGS_SPV_UNSUPPORTED:
        pgs_log(PGS_LOG_ERROR, "%s shader: uses what the layer cannot emulate", what);
        return VK_ERROR_UNKNOWN;
    }
    return VK_ERROR_UNKNOWN;
}
