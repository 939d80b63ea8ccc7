/* SPDX-License-Identifier: MIT
 *
 * A small harness for headless Vulkan programs: one device, one queue, host-visible buffers, images
 * that can be read back, pipelines from embedded SPIR-V. Shared by tests/gpu, tests/demo and
 * tests/bench. Nothing in it knows about the layer: environment and command line say which driver
 * and which layers a program runs on. Anything that fails here ends the program with a message.
 */
#ifndef PGS_TESTS_COMMON_VKT_H
#define PGS_TESTS_COMMON_VKT_H

#include "common/vkt_commands.h"
#include "common/vkt_extension.h"
#include "common/vkt_features.h"
#include "common/vkt_results.h"

#include <volk.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define VKT_EXIT_FAIL 1
#define VKT_EXIT_SKIP 77 /* CTest's SKIP_RETURN_CODE */

#define VKT_COUNT(a) (uint32_t)(sizeof(a) / sizeof((a)[0]))
/* Ends the program unless the VkResult is VK_SUCCESS. */
#define VKT_CALL(call) vkt_call((call), #call, __FILE__, __LINE__)

/* Reports a failed expectation and goes on; vkt_finish turns it into the exit status. */
#define VKT_EXPECT(t, condition, ...)                                                              \
    do {                                                                                           \
        if (!(condition))                                                                          \
            vkt_fail((t), __FILE__, __LINE__, __VA_ARGS__);                                        \
    } while (0)

struct vkt_options {
    const char *name;      /* of the program, for messages */
    const char *dump_path; /* --dump; NULL: results are not written */
    const char *out_path;  /* --out */
    const char *layers; /* --layers, else PGS_TEST_LAYERS: joined by ':', nearest the app first */
    bool without_geometry, xfb; /* do not enable geometryShader; do enable transformFeedback */
    bool preserves_provoking;   /* enable transformFeedbackPreservesProvokingVertex */
    bool tessellation, robust;  /* enable tessellationShader and its like; robustBufferAccess */
    bool layer_outputs;         /* enable shaderOutputLayer, ...ViewportIndex and multiViewport */
    bool memory_model;          /* enable vulkanMemoryModel without its device scope */
    bool push_descriptors, addresses, multiview_stages, two_queues, polygon_modes; /* enable them */
    bool wide_lines, depth_clamp, dynamic_input /* of vertices */, nested, dynamic_states3;
    uint32_t maintenance;                   /* 5 or 6: enable VK_KHR_maintenance5 or 6 */
    const struct vkt_extension *extensions; /* NULL, or an array whose last one has neither */
    uint32_t api_version;                   /* 0: Vulkan 1.3 */
    bool pipeline_libraries;                /* enable VK_EXT_graphics_pipeline_library */
    bool link;                /* --link: all pipelines are linked from libraries (vkt_link.h) */
    bool lone_features, lean; /* in structs of their own; none but those of extensions above */
    bool surfaces;            /* enable VK_KHR_surface, and headless ones where they are */
    VkInstance instance;      /* of vkt_instance; else the device gets one of its own */
    bool indirect;            /* --indirect: vkCmdDraw and vkCmdDrawIndexed make indirect draws */
    const char *const *rest;  /* arguments that vkt_parse did not know */
    int rest_count;
};

struct vkt {
    struct vkt_options options;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice physical;
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    struct vkt_features features;
    VkPhysicalDeviceTransformFeedbackPropertiesEXT xfb; /* where features.feedback */
    VkDevice device;
    uint32_t queue_family;
    uint32_t timestamp_bits, queue_max; /* of the queue family */
    VkQueue queue, other_queue;         /* the same, unless there are two_queues */
    VkCommandPool pool;
    FILE *dump;
    unsigned message_count; /* validation warnings and errors */
    unsigned failure_count; /* VKT_EXPECT */
    struct vkt_cleanup *cleanup;
};

/* Knows --dump FILE, --out FILE, --layers LIST, --indirect, --link; all else lands in rest. */
struct vkt_options vkt_parse(const char *name, int argc, char **argv);
/* Was the program given this word, of those that vkt_parse did not know? */
bool vkt_flag(const struct vkt_options *options, const char *word);
/* Does one of the layers have this in its name? */
bool vkt_has_layer(const struct vkt_options *options, const char *part);

/* With these layers, for programs that make many devices: drivers may not survive being loaded many
 * times. The caller destroys it. */
VkInstance vkt_instance(const struct vkt_options *options);

/* Creates everything. Exits with VKT_EXIT_SKIP where there is no driver, no geometryShader unless
 * without_geometry, or not the extension or feature that another option asks for. */
void vkt_init(struct vkt *t, const struct vkt_options *options);

/* Destroys everything that this harness made and returns the exit status of the program: failure on
 * a failed expectation or a validation message. */
int vkt_finish(struct vkt *t);

void vkt_call(VkResult result, const char *what, const char *file, int line);
void vkt_fail(struct vkt *t, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
_Noreturn void vkt_skip(const char *why);
_Noreturn void vkt_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Buffers. Persistently mapped host-coherent memory, device-local too where the driver has it. */
struct vkt_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceSize size_B;
    void *map;
    uint32_t memory_type;
};
/* Filled with the byte `fill`. Lives until vkt_finish. next: of the create info. */
struct vkt_buffer vkt_buffer(struct vkt *t, VkDeviceSize size_B, VkBufferUsageFlags usage,
                             uint8_t fill);
struct vkt_buffer vkt_buffer_chained(struct vkt *t, const void *next, VkDeviceSize size_B,
                                     VkBufferUsageFlags usage, uint8_t fill);
struct vkt_buffer vkt_buffer_from(struct vkt *t, const void *data, VkDeviceSize size_B,
                                  VkBufferUsageFlags usage);

/* Images: 2D, one mip level, optimal tiling, device-local. */
struct vkt_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    VkFormat format;
    uint32_t width_px, height_px;
    VkImageAspectFlags aspect;
};
struct vkt_image vkt_image(struct vkt *t, VkFormat format, uint32_t width_px, uint32_t height_px,
                           VkImageUsageFlags usage);
void vkt_image_upload(struct vkt *t, const struct vkt_image *image, const void *texels,
                      VkDeviceSize size_B, VkImageLayout layout);
/* Level 0 in a new mapped buffer. The image is in TRANSFER_SRC_OPTIMAL. */
struct vkt_buffer vkt_image_read(struct vkt *t, const struct vkt_image *image,
                                 uint32_t texel_size_B);

/* Another layout, ordered with all that comes before and after. */
void vkt_image_barrier(VkCommandBuffer cmd, VkImage image, VkImageSubresourceRange range,
                       VkImageLayout from, VkImageLayout to);

VkSampler vkt_sampler(struct vkt *t, VkFilter filter);
VkBufferView vkt_buffer_view(struct vkt *t, VkBuffer buffer, VkFormat format);

/* A render pass with one colour and, if depth_format is not UNDEFINED, one depth attachment, and
 * its framebuffer. The colour image is cleared at the start (or loaded) and ends in
 * TRANSFER_SRC_OPTIMAL. */
struct vkt_target {
    struct vkt_image color, depth;
    VkRenderPass pass;      /* clears */
    VkRenderPass load_pass; /* compatible with `pass`; loads what a former pass left */
    VkFramebuffer framebuffer;
    bool has_depth;
};
struct vkt_target vkt_target(struct vkt *t, VkFormat color, VkFormat depth, uint32_t width_px,
                             uint32_t height_px);
void vkt_target_begin(VkCommandBuffer cmd, const struct vkt_target *target, bool load,
                      VkSubpassContents contents);

/* SPIR-V made at build time (pgs_test_shaders). */
struct vkt_code {
    const uint32_t *words;
    size_t size_B;
};
#define VKT_CODE(name)                                                                             \
    (struct vkt_code)                                                                              \
    {                                                                                              \
        name, sizeof(name)                                                                         \
    }
enum vkt_blend { VKT_BLEND_NONE, VKT_BLEND_ADD, VKT_BLEND_OVER, VKT_BLEND_MASKED };

/* Zero is a good default for all but the modules, the layout and the pass. */
struct vkt_pipeline_info {
    struct vkt_code vs, tcs, tes, gs, fs; /* all but vs may be absent */
    const VkSpecializationInfo *vs_constants, *tcs_constants, *tes_constants, *gs_constants,
        *fs_constants;
    const void *next, *vs_next, *gs_next; /* of the create info and of stages */
    VkPipelineLayout layout;
    VkRenderPass pass;
    uint32_t subpass, flags, samples;              /* samples of a pixel; 0: one */
    VkFormat dynamic_format, dynamic_depth_format; /* with pass NULL: of dynamic rendering */
    uint32_t dynamic_views, dynamic_colors; /* view mask; attachments of dynamic_format, 0: one */
    uint32_t width_px, height_px;
    const VkPipelineViewportStateCreateInfo *viewports; /* NULL: one of that size */
    VkPrimitiveTopology topology;      /* VK_PRIMITIVE_TOPOLOGY_MAX_ENUM: no input assembly */
    uint32_t patch_points;             /* with tcs and tes: control points of a patch */
    bool lower_left, restart, discard; /* the first: the origin of their domain */
    bool without_modules, fs_first;    /* stages have code in their chains; fs is listed first */
    const VkVertexInputBindingDescription *bindings;
    uint32_t binding_count;
    const VkVertexInputAttributeDescription *attributes;
    uint32_t attribute_count;
    const void *vertex_input_next, *rasterization_next, *multisample_next;
    VkPolygonMode polygon_mode;
    float line_width_px;     /* 0: 1 */
    const float *depth_bias; /* constant, clamp, slope; NULL: none */
    VkCullModeFlags cull;
    VkFrontFace front;
    enum vkt_blend blend;
    bool depth_test, depth_write, depth_clamp, no_colors; /* the last: not even one attachment */
    VkCompareOp depth_compare;                            /* 0: LESS_OR_EQUAL */
    const VkDynamicState *dynamic;
    uint32_t dynamic_count;
    VkPipelineCache cache;
};
VkPipeline vkt_pipeline(struct vkt *t, const struct vkt_pipeline_info *info);
/* As vkt_pipeline, but hands the result of the driver back and destroys nothing on success: for
 * tests of errors. */
VkResult vkt_pipeline_try(struct vkt *t, const struct vkt_pipeline_info *info,
                          VkPipeline *pipeline);
/* As vkt_pipeline_try, with these stages in place of the code. Any thread may call it. */
VkResult vkt_pipeline_stages(struct vkt *t, const struct vkt_pipeline_info *info,
                             const VkPipelineShaderStageCreateInfo *stages, uint32_t stage_count,
                             VkPipeline *pipeline);
VkPipeline vkt_compute_pipeline(struct vkt *t, struct vkt_code code, VkPipelineLayout layout);

/* Descriptors. One set at a time; the layouts and sets live until vkt_finish. */
VkDescriptorSetLayout vkt_set_layout(struct vkt *t, const VkDescriptorSetLayoutBinding *bindings,
                                     uint32_t count);
VkDescriptorSet vkt_set(struct vkt *t, VkDescriptorSetLayout layout,
                        const VkDescriptorSetLayoutBinding *bindings, uint32_t count);
void vkt_write_buffer(struct vkt *t, VkDescriptorSet set, uint32_t binding, uint32_t element,
                      VkDescriptorType type, VkBuffer buffer, VkDeviceSize offset_B,
                      VkDeviceSize range_B);
void vkt_write_image(struct vkt *t, VkDescriptorSet set, uint32_t binding, uint32_t element,
                     VkDescriptorType type, VkImageView view, VkImageLayout layout,
                     VkSampler sampler);
void vkt_write_texel(struct vkt *t, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                     VkBufferView view);
VkPipelineLayout vkt_layout(struct vkt *t, const VkDescriptorSetLayout *sets, uint32_t set_count,
                            const VkPushConstantRange *ranges, uint32_t range_count);

/* Runs `destroy(t, handle)` at vkt_finish, last first; and what to run. */
void vkt_defer(struct vkt *t, void (*destroy)(struct vkt *t, uint64_t handle), uint64_t handle);
void vkt_destroy_buffer(struct vkt *t, uint64_t handle);
void vkt_free_memory(struct vkt *t, uint64_t handle);
void vkt_destroy_image(struct vkt *t, uint64_t handle);
void vkt_destroy_image_view(struct vkt *t, uint64_t handle);
void vkt_destroy_sampler(struct vkt *t, uint64_t handle);
void vkt_destroy_buffer_view(struct vkt *t, uint64_t handle);
void vkt_destroy_render_pass(struct vkt *t, uint64_t handle);
void vkt_destroy_framebuffer(struct vkt *t, uint64_t handle);
void vkt_destroy_query_pool(struct vkt *t, uint64_t handle);

#endif
