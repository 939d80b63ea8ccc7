/* SPDX-License-Identifier: MIT */
#include "command/pass/objects.h"

#include "command/pass/bind_graphics.h"
#include "command/pass/split.h"
#include "command/state/graphics_state.h"
#include "command/state/target.h"
#include "pipeline/object_pipelines.h"

#include <string.h>

/* A topology of the same class, for which the pipeline of a device without
 * dynamicPrimitiveTopologyUnrestricted is made. */
static VkPrimitiveTopology class_of(VkPrimitiveTopology topology)
{
    switch ((int)topology) {
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
        return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
        return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
    default:
        return topology;
    }
}

/* The driver would draw adjacent vertices, too. */
static bool adjacency_is_ours(const struct pgs_command_buffer *cb)
{
    const VkPrimitiveTopology topology = class_of(cb->graphics.topology);
    return cb->dev->physical->emulates_geometry &&
           (topology == VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY ||
            topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY);
}

/* True if the driver cannot draw with its objects. */
static bool needs_pipeline(const struct pgs_command_buffer *cb)
{
    bool native = true;
    for (int i = 0; i < PGS_OBJECT_STAGES; i++)
        native &= !cb->objects.stages[i] || cb->objects.stages[i]->native;
    return !native || adjacency_is_ours(cb) || (cb->dev->xfb && cb->counts && cb->recorder.queue);
}

#ifdef VK_EXT_shader_object
static VkShaderEXT handle_of(const struct pgs_shader_object *object)
{
    return object ? object->handle : (VkShaderEXT)VK_NULL_HANDLE;
}

/* All stages that the driver's device has, since those of a pipeline were bound before. */
static void bind_in_driver(struct pgs_command_buffer *cb)
{
    const struct pgs_native_stages *native = &cb->dev->native;
    VkShaderStageFlagBits stages[PGS_OBJECT_STAGES + 2];
    VkShaderEXT shaders[PGS_OBJECT_STAGES + 2];
    uint32_t count = 0;
    for (int i = 0; i < PGS_OBJECT_STAGES; i++) {
        const VkShaderStageFlagBits stage = (VkShaderStageFlagBits)(1 << i);
        const bool tessellates = stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT ||
                                 stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
        if ((tessellates && !native->tessellation) ||
            (stage == VK_SHADER_STAGE_GEOMETRY_BIT && !native->geometry))
            continue;
        stages[count] = stage;
        shaders[count++] = handle_of(cb->objects.stages[i]);
    }
    if (cb->objects.mesh_stages & VK_SHADER_STAGE_TASK_BIT_EXT) {
        stages[count] = VK_SHADER_STAGE_TASK_BIT_EXT;
        shaders[count++] = handle_of(cb->objects.task);
    }
    if (cb->objects.mesh_stages & VK_SHADER_STAGE_MESH_BIT_EXT) {
        stages[count] = VK_SHADER_STAGE_MESH_BIT_EXT;
        shaders[count++] = handle_of(cb->objects.mesh);
    }
    PGS_EMIT(cb, CmdBindShadersEXT, count, stages, shaders);
}
#else
static void bind_in_driver(struct pgs_command_buffer *cb)
{
    (void)cb;
}
#endif

static void settle_natively(struct pgs_command_buffer *cb)
{
    if (cb->objects.driver_has)
        return;
    cb->bound = VK_NULL_HANDLE;
    pgs_bind_graphics_pipeline(cb, VK_NULL_HANDLE);
    bind_in_driver(cb);
    cb->objects.driver_has = true;
    pgs_state_update_discard(cb);
}

static void make_key(const struct pgs_command_buffer *cb, struct pgs_object_key *key)
{
    memset(key, 0, sizeof(*key));
    memcpy(key->stages, cb->objects.stages, sizeof(key->stages));
    pgs_target_read(cb, &key->target);
    key->topology = class_of(cb->graphics.topology);
    key->stream = cb->graphics.raster_stream;
}

static bool is_dynamic(const struct pgs_device *dev, VkDynamicState state)
{
    for (uint32_t i = 0; i < dev->object_state_count; i++)
        if (dev->object_states[i] == state)
            return true;
    return false;
}

/* Sets what the application has left out since nothing that it has enabled depends on it. Pipelines
 * with the dynamic state need some value nevertheless (VUID-vkCmdDraw-None-07628, -07637 and
 * -07638). */
static void set_the_rest(struct pgs_command_buffer *cb)
{
    const struct pgs_bound_objects *objects = &cb->objects;
    const struct pgs_device *dev = cb->dev;
    const VkColorBlendEquationEXT replaces = {VK_BLEND_FACTOR_ONE,  VK_BLEND_FACTOR_ZERO,
                                              VK_BLEND_OP_ADD,      VK_BLEND_FACTOR_ONE,
                                              VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD};
    for (uint32_t i = 0; i < objects->key.target.color_count; i++)
        if (!((objects->equations | objects->advanced) >> i & 1))
            PGS_EMIT(cb, CmdSetColorBlendEquationEXT, i, 1, &replaces);
    if (!objects->line_mode && is_dynamic(dev, VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT))
        PGS_EMIT(cb, CmdSetLineRasterizationModeEXT, VK_LINE_RASTERIZATION_MODE_DEFAULT_EXT);
    if (!objects->line_stipple && is_dynamic(dev, VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT))
        PGS_EMIT(cb, CmdSetLineStippleEnableEXT, VK_FALSE);
}

void pgs_objects_settle_with_pipeline(struct pgs_command_buffer *cb)
{
    struct pgs_bound_objects *objects = &cb->objects;
    struct pgs_object_key key;
    VkPipeline pipeline;
    if (!objects->active)
        return;
    make_key(cb, &key);
    if (!objects->driver_has && cb->bound && memcmp(&key, &objects->key, sizeof(key)) == 0)
        return;
    const VkResult result = pgs_object_pipeline_get(cb->dev, &key, &pipeline);
    pgs_recorder_latch(&cb->recorder, result);
    if (result != VK_SUCCESS)
        return;
    memcpy(&objects->key, &key, sizeof(key));
    cb->bound = pipeline;
    objects->driver_has = false;
    pgs_bind_graphics_pipeline(cb, pipeline);
    PGS_EMIT(cb, CmdBindPipeline, VK_PIPELINE_BIND_POINT_GRAPHICS, pgs_state_driver_pipeline(cb));
    set_the_rest(cb);
}

void pgs_objects_settle_slowly(struct pgs_command_buffer *cb)
{
    if (needs_pipeline(cb))
        pgs_objects_settle_with_pipeline(cb);
    else
        settle_natively(cb);
}

void pgs_objects_settle_with_driver(struct pgs_command_buffer *cb)
{
    if (cb->objects.active)
        settle_natively(cb);
}

/* The pass must be queued for what comes. */
static void prepare_pass(struct pgs_command_buffer *cb)
{
    if (pgs_pass_is_native(&cb->pass))
        pgs_pass_split(cb);
}

void pgs_objects_note_topology(struct pgs_command_buffer *cb)
{
    if (!cb->dev->object_state_count || !adjacency_is_ours(cb))
        return;
    pgs_pipelines_note_possible(cb->dev);
    if (cb->objects.active)
        prepare_pass(cb);
}

/* Forgets what was bound before a pipeline, which unbound all of it. */
static void activate(struct pgs_command_buffer *cb)
{
    struct pgs_bound_objects *bound = &cb->objects;
    if (bound->active)
        return;
    memset(bound->stages, 0, sizeof(bound->stages));
    bound->task = NULL;
    bound->mesh = NULL;
    bound->active = true;
    cb->bound = VK_NULL_HANDLE;
}

void pgs_objects_note_mesh(struct pgs_command_buffer *cb, VkShaderStageFlagBits stage,
                           const struct pgs_shader_object *object)
{
    activate(cb);
    cb->objects.mesh_stages |= stage;
    if (stage == VK_SHADER_STAGE_TASK_BIT_EXT)
        cb->objects.task = object;
    else
        cb->objects.mesh = object;
}

void pgs_objects_bind(struct pgs_command_buffer *cb, VkShaderStageFlags stages,
                      const struct pgs_shader_object *const objects[PGS_OBJECT_STAGES])
{
    struct pgs_bound_objects *bound = &cb->objects;
    activate(cb);
    for (int i = 0; i < PGS_OBJECT_STAGES; i++)
        if (stages >> i & 1)
            bound->stages[i] = objects[i];
    bound->driver_has = false;
    cb->dirty = true;
    if (needs_pipeline(cb))
        prepare_pass(cb);
    else
        settle_natively(cb);
}
