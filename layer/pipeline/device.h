/* SPDX-License-Identifier: MIT
 *
 * Per-device state that the files of pipeline/ share; no other folder includes it.
 */
#ifndef PGS_PIPELINE_DEVICE_H
#define PGS_PIPELINE_DEVICE_H

#include "base/map.h"
#include "base/workers.h"
#include "pipeline/ahead_task.h"
#include "pipeline/descriptor_limits.h"
#include "pipeline/kept_sampler_table.h"
#include "pipeline/kernel.h"
#include "pipeline/object_types.h"
#include "pipeline/own_cache.h"
#include "pipeline/robustness.h"
#include "pipeline/serial_commands.h"
#include "pipeline/shared.h"
#include "vulkan/device.h"

#include <pthread.h>

struct pgs_pipeline_device {
    struct pgs_map modules;          /* VkShaderModule -> struct pgs_module */
    struct pgs_map set_layouts;      /* VkDescriptorSetLayout -> struct pgs_set_layout */
    struct pgs_map layouts;          /* VkPipelineLayout -> struct pgs_layout */
    struct pgs_map descriptor_pools; /* VkDescriptorPool -> struct pgs_descriptor_pool */
    struct pgs_map sets;             /* VkDescriptorSet -> struct pgs_descriptor_set */
    struct pgs_map update_templates; /* VkDescriptorUpdateTemplate -> struct pgs_update_template */
    struct pgs_map pipelines;        /* VkPipeline -> struct pgs_emulated_pipeline */
    struct pgs_map wide;             /* VkPipeline -> struct pgs_emulated_pipeline for wide lines */
    struct pgs_map restarting;       /* likewise for patches with primitive restart */
    struct pgs_map instanced;        /* VkPipeline -> struct pgs_instanced */
    struct pgs_map topologies;       /* VkPipeline -> struct pgs_topologies */
    struct pgs_map libraries;        /* VkPipeline -> struct pgs_library */
    struct pgs_map render_passes;    /* VkRenderPass -> struct pgs_kept_render_pass */
    struct pgs_map shader_objects;   /* VkShaderEXT -> struct pgs_shader_object */
    struct pgs_object_pipelines object_pipelines; /* that stand in for shader objects */
    struct pgs_kept_samplers samplers;
    struct pgs_shared_table shared;
    struct pgs_own_cache own_cache;
    struct pgs_workers *workers; /* compile ahead; NULL: they have ended */
    struct pgs_ahead_list ahead;
    _Atomic bool has_unsynchronized_caches; /* the application created a pipeline cache that only
                                             * one thread at a time may use */
    struct pgs_disk_cache *disk;            /* translations (translation.h); NULL: none are kept */
    struct pgs_serial_commands serial;      /* PGS_GUARD_SERIAL_PIPELINES */
    _Atomic bool possible; /* a placeholder module or an emulated pipeline was created, passes must
                            * not be ended for one, or any draw may need compute work */
    _Atomic uint32_t dump_serial;
    struct pgs_descriptor_counts descriptor_limits; /* the driver's, per stage */
    struct pgs_device_robustness robustness;
    bool widens_set_layouts;     /* instead of making mirrors */
    _Atomic bool tracks_sets;    /* a set layout with mirrors was created */
    pthread_mutex_t front_lock;  /* guards the fronts of library parts */
    pthread_mutex_t mirror_lock; /* guards the next two, and all mirrors */
    VkDescriptorSetLayout empty_set_layout, bound_set_layout;
    pthread_mutex_t kernel_lock; /* guards publication of the next three members */
    VkPipelineLayout kernel_layout;
    VkPipeline kernels[PGS_KERNEL_COUNT];
    uint64_t expected_kernels; /* mask of those whose task was offered */
    struct pgs_kernel_task {
        struct pgs_task task;
        struct pgs_device *dev;
        enum pgs_kernel kernel;
    } kernel_tasks[PGS_KERNEL_COUNT];
};

#endif
