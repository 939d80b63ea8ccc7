/* SPDX-License-Identifier: MIT
 *
 * What the files of pipeline/ share; nobody outside includes it.
 */
#ifndef PGS_PIPELINE_ROOM_H
#define PGS_PIPELINE_ROOM_H

#include "base/map.h"
#include "pipeline/descriptor_limits.h"
#include "pipeline/pipeline.h"

#include <pthread.h>

/* One application VkShaderModule. No reference count: the application may not destroy a module
 * while a pipeline is created from it, and nothing of ours looks at it afterwards. */
struct pgs_module {
    uint32_t *words;
    size_t word_count;
    bool placeholder; /* the driver's module is a dummy: the real one holds what the driver refuses
                       */
};

struct pgs_pipeline_room {
    struct pgs_map modules;          /* VkShaderModule -> struct pgs_module */
    struct pgs_map set_layouts;      /* VkDescriptorSetLayout -> struct pgs_set_layout */
    struct pgs_map layouts;          /* VkPipelineLayout -> struct pgs_layout */
    struct pgs_map descriptor_pools; /* VkDescriptorPool -> struct pgs_descriptor_pool */
    struct pgs_map sets;             /* VkDescriptorSet -> struct pgs_descriptor_set */
    struct pgs_map update_templates; /* VkDescriptorUpdateTemplate -> struct pgs_update_template */
    struct pgs_map pipelines;        /* VkPipeline -> struct pgs_emulated_pipeline */
    _Atomic bool possible;           /* a placeholder module or an emulated pipeline was created */
    _Atomic uint32_t dump_serial;
    struct pgs_descriptor_counts descriptor_limits; /* the driver's, of one stage */
    bool widens_set_layouts;                        /* rather than to have mirrors */
    _Atomic bool tracks_sets;                       /* a set layout with mirrors was created */
    pthread_mutex_t mirror_lock; /* guards empty_set_layout and all that is of mirrors */
    VkDescriptorSetLayout empty_set_layout;
    pthread_mutex_t kernel_lock; /* guards publication of the two below */
    VkPipelineLayout kernel_layout;
    VkPipeline kernels[PGS_KERNEL_COUNT];
};

void pgs_module_free(struct pgs_module *module);

/* A stage of a pipeline as the spirv room wants it. Borrows from the
 * VkPipelineShaderStageCreateInfo and the module. */
struct pgs_stage_code {
    struct pgs_spv_shader shader;
    struct pgs_spv_spec_entry *spec_entries; /* owned, shader.spec_entries */
    bool placeholder;
};
/* VK_ERROR_UNKNOWN when the stage's SPIR-V is not known to us (module identifiers). */
VkResult pgs_stage_code_init(struct pgs_stage_code *code, const struct pgs_device *dev,
                             const VkPipelineShaderStageCreateInfo *stage);
void pgs_stage_code_finish(struct pgs_stage_code *code);
/* True when the driver holds a placeholder instead of the stage's module. */
bool pgs_stage_has_placeholder(const struct pgs_device *dev,
                               const VkPipelineShaderStageCreateInfo *stage);

/* SPIR-V words to a driver module. */
VkResult pgs_module_create_driver(const struct pgs_device *dev, const uint32_t *words,
                                  size_t word_count, const VkAllocationCallbacks *allocator,
                                  VkShaderModule *module);

/* What the driver's modules must do without. */
struct pgs_spv_lacks pgs_driver_lacks(const struct pgs_device *dev);

/* Result of the spirv room to that of vkCreate*Pipelines; logs what is not plain memory shortage.
 * `what` names the stage. */
VkResult pgs_result_from_spv(enum pgs_spv_result result, const char *what);

/* Writes the words to settings.dump_dir, if there is one, as NNNN-<stage>.spv, and as GLSL in
 * NNNN-<stage>.glsl where pgs_decompile can. Failing is only logged. */
void pgs_dump_module(const struct pgs_device *dev, uint32_t serial, const char *stage,
                     const struct pgs_spv_blob *blob);
uint32_t pgs_dump_next_serial(const struct pgs_device *dev);

/* kernel.c. Of a module that is the layer's own, with the entry point "main". */
VkResult pgs_compute_pipeline_create(const struct pgs_device *dev, const uint32_t *words,
                                     size_t word_count, VkPipelineLayout layout,
                                     VkPipeline *pipeline);

/* late.c. Takes the words of the blob. NULL: out of host memory; then the blob is freed, too.
 * Destroy takes NULL. */
struct pgs_late_pipeline *pgs_late_pipeline_create(struct pgs_spv_blob *blob);
void pgs_late_pipeline_destroy(struct pgs_device *dev, struct pgs_late_pipeline *late);

/* Builds what stands behind one pipeline with a geometry shader, or with one that hands primitives
 * through where the application gave none, and publishes it under *handle. On
 * failure nothing is left and *handle is VK_NULL_HANDLE. */
VkResult pgs_emulated_pipeline_create(struct pgs_device *dev, VkPipelineCache cache,
                                      const VkGraphicsPipelineCreateInfo *info,
                                      const VkAllocationCallbacks *allocator, VkPipeline *handle);
/* All of it but the raster pipeline, which is the application's handle. */
void pgs_emulated_pipeline_destroy(struct pgs_device *dev, struct pgs_emulated_pipeline *pipeline,
                                   const VkAllocationCallbacks *allocator);
/* Takes it from the table and destroys all but the raster pipeline. Does nothing for other handles.
 */
void pgs_emulated_pipeline_forget(struct pgs_device *dev, VkPipeline handle,
                                  const VkAllocationCallbacks *allocator);

/* The stream that the pipeline under the application's handle draws: the wanted one, or where
 * nobody emits to that, so that nothing is to be drawn, one that fits the fragment shader. */
static inline uint32_t pgs_handle_stream(uint32_t stream_mask, uint32_t wanted)
{
    uint32_t first = 0;
    if (!stream_mask || (wanted < 32 && (stream_mask >> wanted & 1)))
        return wanted;
    while (!(stream_mask >> first & 1))
        first++;
    return first;
}

/* The driver's pipelines for an application's: the one that it knows, and as in struct
 * pgs_emulated_pipeline. */
struct pgs_native_pipelines {
    VkPipeline handle, of_stream[PGS_SPV_STREAMS];
    uint32_t hidden_streams;
    bool uncounted; /* as it will be in struct pgs_emulated_pipeline */
};
/* Each once. */
void pgs_pipelines_of_streams_destroy(const struct pgs_device *dev,
                                      const VkPipeline of_stream[PGS_SPV_STREAMS],
                                      const VkAllocationCallbacks *allocator);

/* Which streams could the driver draw of such a pipeline? A geometry shader whose module it cannot
 * take is left one of its own; all else emits to stream 0. */
VkResult pgs_native_streams(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                            uint32_t *stream_mask);

/* Tells the native pipeline of a create info apart: which capture and counting it needs. Publishes
 * it under its handle, which was just created from info; on failure all pipelines are destroyed. */
VkResult pgs_native_pipeline_note(struct pgs_device *dev, VkPipelineCache cache,
                                  const VkGraphicsPipelineCreateInfo *info,
                                  const VkAllocationCallbacks *allocator,
                                  struct pgs_native_pipelines *natives);

/* Is this failure, of what is ours to make beside a pipeline or in its place, no reason for the
 * creation to fail? The driver can draw what we cannot run, and most pipelines are never counted;
 * but it knows nothing of captures. Logs it. */
bool pgs_runs_anyway(const struct pgs_device *dev, const VkGraphicsPipelineCreateInfo *info,
                     VkResult result);

/* Do shaders of a pipeline that the driver could draw run once more for what is captured or counted
 * (a vertex shader that captures, or all with tessellation or a geometry shader), and write memory
 * besides?
 * Such ones may not run twice. */
VkResult pgs_runs_twice_with_effects(const struct pgs_device *dev,
                                     const VkGraphicsPipelineCreateInfo *info, bool *effects);

bool pgs_is_tessellation_state(VkDynamicState state);
bool pgs_has_dynamic_state(const VkGraphicsPipelineCreateInfo *info, VkDynamicState state);

/* Dynamic states that the driver shall know. Points *info to the copy. */
#define PGS_MAX_DYNAMIC_STATES 128
struct pgs_dynamic_states {
    VkDynamicState states[PGS_MAX_DYNAMIC_STATES];
    VkPipelineDynamicStateCreateInfo info;
};
/* Leaves out the stream that is rasterized, with ours_input what belongs to input assembly, with
 * ours_tessellation what belongs to that. */
VkResult pgs_dynamic_states_init(struct pgs_dynamic_states *dynamic, bool ours_input,
                                 bool ours_tessellation,
                                 const VkPipelineDynamicStateCreateInfo **info);

/* The vertex stream that a pipeline rasterizes; 0 where it is dynamic. */
uint32_t pgs_rasterization_stream(const VkGraphicsPipelineCreateInfo *info);

/* Rasterization state without the choice of a stream, which drivers without transform feedback do
 * not know. Points *state to the copy where there is need; finish is due even after an error. */
struct pgs_rasterization {
    VkPipelineRasterizationStateCreateInfo state;
    void *block;
};
VkResult pgs_rasterization_init(struct pgs_rasterization *rasterization,
                                const VkPipelineRasterizationStateCreateInfo **state);
void pgs_rasterization_finish(struct pgs_rasterization *rasterization);

/* The raster pipeline's create info, made from the application's. Everything that it points to and
 * that is not the application's lies inside. */
struct pgs_raster_info {
    VkPipelineShaderStageCreateInfo stages[2];
    VkVertexInputBindingDescription bindings[2];
    VkVertexInputAttributeDescription attributes[2];
    VkPipelineVertexInputStateCreateInfo vertex_input;
    VkPipelineInputAssemblyStateCreateInfo input_assembly;
    struct pgs_dynamic_states dynamic;
    struct pgs_rasterization rasterization;
    VkGraphicsPipelineCreateInfo info;
};
/* Of the pipeline counts what its geometry shader puts out. `fragment` may be VK_NULL_HANDLE: the
 * stage keeps its module. */
VkResult pgs_raster_info_init(struct pgs_raster_info *raster,
                              const VkGraphicsPipelineCreateInfo *info,
                              const struct pgs_emulated_pipeline *pipeline, VkShaderModule vertex,
                              VkShaderModule fragment);
/* After that: primitives of so many corners come one by one, instead of in strips, and all
 * instances get the same vertex inputs. */
void pgs_raster_info_draw_lists(struct pgs_raster_info *raster, uint32_t corners);
void pgs_raster_info_finish(struct pgs_raster_info *raster); /* due even after an error */

#endif
