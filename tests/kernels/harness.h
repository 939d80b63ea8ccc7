/* SPDX-License-Identifier: MIT
 *
 * Just enough Vulkan to run compute shaders on buffers by address, under the validation layer. What
 * fails here ends the program: 77 (skipped) where there is no driver, else 1.
 */
#ifndef PGS_TESTS_KERNELS_HARNESS_H
#define PGS_TESTS_KERNELS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <volk.h>

#define GPU_MAX_BUFFERS 64
#define GPU_MAX_PIPELINES 16

struct gpu_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint64_t address;
    size_t size_B;
    void *map; /* coherent */
};

struct gpu {
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkPipelineLayout layout; /* struct pgs_root in push constants */
    uint32_t host_memory_type;
    bool has_float64; /* and has it enabled */
    struct gpu_buffer buffers[GPU_MAX_BUFFERS];
    uint32_t buffer_count;
    VkPipeline pipelines[GPU_MAX_PIPELINES];
    uint32_t pipeline_count;
    uint32_t messages; /* warnings and errors of the validation layer */
    uint32_t failures;
};

void gpu_open(struct gpu *gpu);
/* Returns the exit status of the program. */
int gpu_close(struct gpu *gpu);

/* Every byte is `fill`. Lives until gpu_release_buffers. */
struct gpu_buffer *gpu_buffer(struct gpu *gpu, size_t size_B, uint8_t fill);
/* The same, of whatever is there. */
struct gpu_buffer *gpu_buffer_unfilled(struct gpu *gpu, size_t size_B);
void gpu_release_buffers(struct gpu *gpu);

/* Lives until gpu_release_pipelines. */
VkPipeline gpu_pipeline(struct gpu *gpu, const uint32_t *words, size_t word_count);
void gpu_release_pipelines(struct gpu *gpu);

/* `group_count` workgroups as a linear grid of abi.h. */
struct gpu_dispatch {
    VkPipeline pipeline;
    uint32_t group_count;
};
/* Runs them in order, each after the results of the one before, and waits. */
void gpu_run(struct gpu *gpu, const struct gpu_dispatch *dispatches, size_t count, uint64_t root);
/* Each with a root of its own. */
void gpu_run_each(struct gpu *gpu, const struct gpu_dispatch *dispatches, size_t count,
                  const uint64_t *roots);

/* Each dispatch works on root_count roots that are stride_B apart. */
void gpu_run_strided(struct gpu *gpu, const struct gpu_dispatch *dispatches, size_t count,
                     uint64_t first_root, uint32_t root_count, uint32_t stride_B);

/* The same, each in a mode of its own (pgs_root.mode). */
void gpu_run_modes(struct gpu *gpu, const struct gpu_dispatch *dispatches, const uint32_t *modes,
                   size_t count, uint64_t first_root, uint32_t root_count, uint32_t stride_B);

/* Reports a failed expectation (the first few of a program). */
void gpu_fail(struct gpu *gpu, const char *format, ...) __attribute__((format(printf, 2, 3)));

uint32_t gpu_random(void);
uint32_t gpu_random_below(uint32_t bound);
uint32_t gpu_div_up(uint32_t a, uint32_t b);

#endif
