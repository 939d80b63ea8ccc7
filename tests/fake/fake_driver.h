/* SPDX-License-Identifier: MIT
 *
 * A Vulkan driver that does nothing but keep a log, to stand below the layer without a loader and
 * without a GPU. One at a time, one thread at a time. Every command of the registry is there; see
 * gen_fake.py for what a command does.
 *
 *     fake_reset(NULL);      defaults: a 1.3 driver without geometryShader
 *     VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);      through the layer
 *     VkDevice device = fake_open_geometry_device(instance);
 *     fake_log_clear();
 *     ... calls through fake_device_proc(device, "vkCmdDraw") ...; look at fake_log
 *     fake_close_device(device);
 *     fake_close_instance(instance);
 *     fake_reset(NULL);
 */
#ifndef FAKE_DRIVER_H
#define FAKE_DRIVER_H

#include "fake_commands.h"
#include "fake_objects.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vk_layer.h>

/* VkPhysicalDeviceVulkan14Features, which the driver fills whatever the headers know. */
enum { FAKE_VULKAN_1_4_FEATURES = 55, FAKE_VULKAN_1_4_FEATURE_COUNT = 21 };

/* -- what the driver is like -- */

struct fake_config {
    uint32_t instance_version; /* highest that vkCreateInstance takes */
    uint32_t device_version;
    uint32_t physical_device_count; /* at most 4 */
    bool geometry, tessellation, full_draw_index, buffer_device_address;
    const char *const *missing; /* commands of devices that it does not have; ends with NULL */
    bool int64;
    bool ext_address; /* of VK_EXT_buffer_device_address */
    bool multi_draw_indirect, draw_count, one_viewport, only_fills, thin_lines, small_points,
        no_view_geometry;
    bool no_stores;                 /* no vertexPipelineStoresAndAtomics */
    bool sample_shading, distances; /* shaderClipDistance and shaderCullDistance */
    bool depth_clamp, depth_clip, divisors, no_statistics;
    bool line_modes;                    /* all of VK_EXT_line_rasterization */
    bool output_layer, output_viewport; /* shaderOutputLayer, shaderOutputViewportIndex */
    VkPhysicalDeviceType type;
    uint32_t vendor, device;      /* ids */
    VkDriverId driver;            /* of a device that says it, from Vulkan 1.2 on */
    bool tessellation_point_size; /* though there is no geometry */
    bool timeline_semaphores;
    bool int16, float16, varyings16; /* shaderInt16, shaderFloat16, storageInputOutput16 */
    const VkQueueFlags *families;
    uint32_t family_count, queue_count; /* of each family */
    const char *const *extensions;      /* of devices */
    uint32_t extension_count;
    /* What drivers lack that have the rest: sizes of points in front of the rasterizer; of
     * transform feedback a part, by its name, or "" for the feature. */
    bool no_point_size;
    const char *no_xfb_part;
    /* Limits of what it says that it has - geometry shaders, tessellation, capture, viewports,
     * distances, wide lines, several draws - are those of drivers without. */
    bool lies;
    VkPhysicalDeviceLimits limits;
};

struct fake_config fake_default_config(void);

/* A fresh driver; NULL takes the defaults. Forgets everything and frees what the last one still
 * held. */
void fake_reset(const struct fake_config *config);
/* The same driver, but from now on like this: a device was plugged in, say. */
void fake_change(const struct fake_config *config);

/* -- what was called -- */

enum { FAKE_MAX_ARGUMENTS = 16 };
struct fake_call {
    const char *name; /* canonical name of the registry: vkCmdPipelineBarrier2, never ...2KHR */
    unsigned count;
    /* Pointers and handles as they came; floats by their bits. */
    uint64_t arguments[FAKE_MAX_ARGUMENTS];
};
extern struct fake_call *fake_log;
extern size_t fake_log_count;
void fake_log_clear(void);
size_t fake_log_count_of(const char *name);
/* The n-th call of that name, or NULL. */
const struct fake_call *fake_log_find(const char *name, size_t n);

/* -- what vkCreateInstance and vkCreateDevice were given, read while they ran -- */

enum { FAKE_MAX_NAMES = 64, FAKE_MAX_CHAIN = 32 };
struct fake_created {
    unsigned attempts;
    VkPhysicalDeviceFeatures features; /* from either struct */
    bool buffer_device_address, shader_output_layer, shader_output_viewport_index;
    bool ext_address, ext_capture_replay; /* of VK_EXT_buffer_device_address */
    bool preserves_provoking_vertex;
    bool patch_restart;
    bool timeline_semaphores;                                   /* likewise */
    bool float16;                                               /* likewise: shaderFloat16 */
    bool multiview, multiview_geometry, multiview_tessellation; /* from either struct */
    bool logic_op, patch_control_points;             /* of VK_EXT_extended_dynamic_state2 */
    bool raster_stream, polygon_mode, domain_origin; /* of VK_EXT_extended_dynamic_state3 */
    unsigned address_structs;                        /* how many structs held bufferDeviceAddress */
    char extensions[FAKE_MAX_NAMES][VK_MAX_EXTENSION_NAME_SIZE];
    uint32_t extension_count;
    VkStructureType chain[FAKE_MAX_CHAIN];
    uint32_t chain_count;
    uint32_t api_version; /* of the instance */
};
extern struct fake_created fake_instance_created, fake_device_created;
/* Whether a struct stood in the chain that fake_device_created was made from, or in the one that
 * vkGetPhysicalDeviceFeatures2 or ...Properties2 was called with last. */
bool fake_created_has_struct(const struct fake_created *created, VkStructureType type);
bool fake_queried_struct(VkStructureType type);
bool fake_created_has_extension(const struct fake_created *created, const char *name);

/* -- through the layer, with the chains that the loader would put in front -- */

const VkNegotiateLayerInterface *fake_layer(void);
PFN_vkVoidFunction fake_instance_proc(VkInstance instance, const char *name);
PFN_vkVoidFunction fake_device_proc(VkDevice device, const char *name);

VkResult fake_create_instance(const VkInstanceCreateInfo *info, VkInstance *instance);
VkResult fake_create_device(VkInstance instance, VkPhysicalDevice physical,
                            const VkDeviceCreateInfo *info, VkDevice *device);
/* One queue of family 0, no extensions. */
VkResult fake_create_device_with(VkInstance instance, const VkPhysicalDeviceFeatures *features,
                                 VkDevice *device);
/* These abort when they cannot have what they are named for. */
VkInstance fake_open_instance(uint32_t api_version);
VkPhysicalDevice fake_first_physical_device(VkInstance instance);
VkDevice fake_open_geometry_device(VkInstance instance); /* geometryShader, one queue of family 0 */
void fake_close_instance(VkInstance instance);
void fake_close_device(VkDevice device);

/* -- for the generated commands -- */

void fake_record(const char *name, unsigned count, const uint64_t *arguments);
uint64_t fake_float_bits(float value);

#endif
