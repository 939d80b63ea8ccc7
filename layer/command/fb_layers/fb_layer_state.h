/* SPDX-License-Identifier: MIT
 *
 * The graphics state at the start of a pass, as far as emulated draws need it: pipeline, sets,
 * dynamic state. It is noted when it is recorded, so that each layer of a pass can start with it.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_STATE_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_STATE_H

#include "base/array.h"
#include "command/state/compute_state.h"
#include "poly_gs/viewport.h"

struct pgs_command_buffer;

#define PGS_MAX_DISCARD_RECTANGLES 16
#define PGS_MAX_COLOR_WRITES 32

/* Dynamic state with one value: name of the command after vkCmdSet, type. */
#define PGS_SINGLE_STATES(X)                                                                       \
    X(LineWidth, float)                                                                            \
    X(CullMode, VkCullModeFlags)                                                                   \
    X(FrontFace, VkFrontFace)                                                                      \
    X(DepthTestEnable, VkBool32)                                                                   \
    X(DepthWriteEnable, VkBool32)                                                                  \
    X(DepthCompareOp, VkCompareOp)                                                                 \
    X(DepthBoundsTestEnable, VkBool32)                                                             \
    X(StencilTestEnable, VkBool32)                                                                 \
    X(RasterizerDiscardEnable, VkBool32)                                                           \
    X(DepthBiasEnable, VkBool32)                                                                   \
    X(LogicOpEXT, VkLogicOp)                                                                       \
    X(DepthClampEnableEXT, VkBool32)                                                               \
    X(PolygonModeEXT, VkPolygonMode)                                                               \
    X(RasterizationSamplesEXT, VkSampleCountFlagBits)                                              \
    X(AlphaToCoverageEnableEXT, VkBool32)                                                          \
    X(AlphaToOneEnableEXT, VkBool32)                                                               \
    X(LogicOpEnableEXT, VkBool32)                                                                  \
    X(ConservativeRasterizationModeEXT, VkConservativeRasterizationModeEXT)                        \
    X(ExtraPrimitiveOverestimationSizeEXT, float)                                                  \
    X(DepthClipEnableEXT, VkBool32)                                                                \
    X(ProvokingVertexModeEXT, VkProvokingVertexModeEXT)                                            \
    X(LineRasterizationModeEXT, VkLineRasterizationModeEXT)                                        \
    X(LineStippleEnableEXT, VkBool32)                                                              \
    X(DepthClipNegativeOneToOneEXT, VkBool32)

/* Per attachment: name, type. */
#define PGS_ATTACHMENT_STATES(X)                                                                   \
    X(ColorBlendEnableEXT, VkBool32)                                                               \
    X(ColorBlendEquationEXT, VkColorBlendEquationEXT)                                              \
    X(ColorWriteMaskEXT, VkColorComponentFlags)                                                    \
    X(ColorBlendAdvancedEXT, VkColorBlendAdvancedEXT)

/* Per stencil face. */
#define PGS_FACE_STATES(X) X(StencilCompareMask) X(StencilWriteMask) X(StencilReference)

enum pgs_dynamic_bit {
#define X(name, type) PGS_DYNAMIC_##name,
    PGS_SINGLE_STATES(X)
#undef X
        PGS_DYNAMIC_DepthBias,
    PGS_DYNAMIC_SampleMask,
    PGS_DYNAMIC_DepthBounds,
    PGS_DYNAMIC_BlendConstants,
    PGS_DYNAMIC_LineStipple,
    PGS_DYNAMIC_ViewportCount, /* set by the WithCount commands */
    PGS_DYNAMIC_ScissorCount,
};

struct pgs_stencil_ops {
    VkStencilOp fail, pass, depth_fail;
    VkCompareOp compare;
};

struct pgs_dynamic_state {
    uint32_t known; /* 1 << enum pgs_dynamic_bit */
#define X(name, type) type name;
    PGS_SINGLE_STATES(X)
#undef X
    /* For front and back; _faces: bits of the faces that are set. */
#define X(name)                                                                                    \
    uint32_t name[2];                                                                              \
    VkStencilFaceFlags name##_faces;
    PGS_FACE_STATES(X)
#undef X
    /* _mask: bits of the elements that are set. */
#define X(name, type)                                                                              \
    type name[PGS_MAX_COLOR_WRITES];                                                               \
    uint32_t name##_mask;
    PGS_ATTACHMENT_STATES(X)
#undef X
    VkSampleCountFlagBits sample_mask_samples;
    VkSampleMask sample_mask[2];
    struct pgs_stencil_ops stencil_ops[2];
    VkStencilFaceFlags stencil_ops_faces;
    float depth_bias[3], depth_bounds[2], blend_constants[4];
    uint32_t stipple_factor;
    uint16_t stipple_pattern;
    VkViewport viewports[PGS_MAX_VIEWPORTS];
    VkRect2D scissors[PGS_MAX_VIEWPORTS];
    VkRect2D discard_rectangles[PGS_MAX_DISCARD_RECTANGLES];
    uint32_t viewport_count, scissor_count;                       /* set by the WithCount commands
                                                                   */
    uint32_t viewport_mask, scissor_mask, discard_rectangle_mask; /* set by the other commands */
    VkBool32 color_writes[PGS_MAX_COLOR_WRITES];
    uint32_t color_write_count;
};

/* Number of draws in a pass: all, and those that select their layer. */
struct pgs_fb_layer_draws {
    uint32_t all, by_layer;
};

struct pgs_fb_layer_query {
    VkQueryPool pool;
    uint32_t query, index; /* index: of vkCmdBeginQueryIndexedEXT */
    VkQueryControlFlags flags;
    bool indexed, ended;
    struct pgs_fb_layer_draws before, until; /* draws before its begin, and before its end */
    bool around;                             /* encloses all layers */
};

struct pgs_fb_layer_queries {
    bool scanning; /* the queue is being scanned; nothing is recorded */
    struct pgs_fb_layer_draws draws;
    PGS_ARRAY(struct pgs_fb_layer_query) items;
};

struct pgs_fb_layer_state {
    uint32_t layer;                 /* being replayed */
    bool quiet;                     /* do not note what is recorded now */
    struct pgs_compute_binds binds; /* for graphics */
    struct pgs_pushed_set pushed;   /* of binds */
    struct pgs_pushed_set pushing;  /* of the current command */
    struct pgs_dynamic_state dynamic;
    struct pgs_fb_layer_queries queries; /* of the pass being replayed */
};

/* Creates the state of a command buffer. *state is NULL if the device never records per layer. */
VkResult pgs_fb_layer_state_create(const struct pgs_device *dev, struct pgs_fb_layer_state **state);
void pgs_fb_layer_state_destroy(struct pgs_fb_layer_state *state);

/* Marks all state as not set, at Begin and Reset. state may be NULL. */
void pgs_fb_layer_state_reset(struct pgs_fb_layer_state *state);

/* Overrides the commands of dispatch that set state, if the driver has them. */
void pgs_fb_layer_state_dispatch_init(struct pgs_device_dispatch *dispatch,
                                      const struct pgs_device_dispatch *vk);

/* Records the noted state. */
void pgs_fb_layer_state_restore(const struct pgs_fb_layer_state *state,
                                const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

/* The layer being recorded; 0 if the pass is not recorded per layer. */
uint32_t pgs_fb_layers_current(const struct pgs_command_buffer *cb);

#endif
