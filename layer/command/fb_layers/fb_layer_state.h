/* SPDX-License-Identifier: MIT
 *
 * The graphics state that a pass begins with, as far as emulated draws need it: pipeline, sets,
 * dynamic state. Noted as the driver is given it, so that each layer of a pass can begin with
 * it.
 */
#ifndef PGS_COMMAND_FB_LAYERS_FB_LAYER_STATE_H
#define PGS_COMMAND_FB_LAYERS_FB_LAYER_STATE_H

#include "base/array.h"
#include "command/state/compute_state.h"

struct pgs_command_buffer;

#define PGS_MAX_VIEWPORTS 16
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

/* The same for each attachment: name, type. */
#define PGS_ATTACHMENT_STATES(X)                                                                   \
    X(ColorBlendEnableEXT, VkBool32)                                                               \
    X(ColorBlendEquationEXT, VkColorBlendEquationEXT)                                              \
    X(ColorWriteMaskEXT, VkColorComponentFlags)                                                    \
    X(ColorBlendAdvancedEXT, VkColorBlendAdvancedEXT)

/* The same for each face of stencil. */
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
    PGS_DYNAMIC_ViewportCount, /* by the commands WithCount */
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
    /* For front and back; _faces: the bits of those that are known. */
#define X(name)                                                                                    \
    uint32_t name[2];                                                                              \
    VkStencilFaceFlags name##_faces;
    PGS_FACE_STATES(X)
#undef X
    /* _mask: the bits of those that are known. */
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
    uint32_t viewport_count, scissor_count;                       /* of the commands WithCount */
    uint32_t viewport_mask, scissor_mask, discard_rectangle_mask; /* set by the others */
    VkBool32 color_writes[PGS_MAX_COLOR_WRITES];
    uint32_t color_write_count;
};

/* Draws of a pass: all, and those with by_layer. */
struct pgs_fb_layer_draws {
    uint32_t all, by_layer;
};

struct pgs_fb_layer_query {
    VkQueryPool pool;
    uint32_t query, index; /* index: of vkCmdBeginQueryIndexedEXT */
    VkQueryControlFlags flags;
    bool indexed, ended;
    struct pgs_fb_layer_draws before, until; /* its begin, its end */
    bool around;                             /* it goes around all layers */
};

struct pgs_fb_layer_queries {
    bool scanning; /* the queue is looked at, nothing is recorded */
    struct pgs_fb_layer_draws draws;
    PGS_ARRAY(struct pgs_fb_layer_query) items;
};

struct pgs_fb_layer_state {
    uint32_t layer;                 /* that is being replayed */
    bool quiet;                     /* what is recorded now is not noted */
    struct pgs_compute_binds binds; /* for graphics */
    struct pgs_dynamic_state dynamic;
    struct pgs_fb_layer_queries queries; /* of the pass that is being replayed */
};

/* For a command buffer; NULL in *state where its device replays nothing. */
VkResult pgs_fb_layer_state_create(const struct pgs_device *dev, struct pgs_fb_layer_state **state);
void pgs_fb_layer_state_destroy(struct pgs_fb_layer_state *state);

/* At Begin and Reset: nothing is set. NULL is fine. */
void pgs_fb_layer_state_reset(struct pgs_fb_layer_state *state);

/* Overrides the commands of dispatch that set state, where the driver has them. */
void pgs_fb_layer_state_dispatch_init(struct pgs_device_dispatch *dispatch,
                                      const struct pgs_device_dispatch *vk);

/* Records what was noted. */
void pgs_fb_layer_state_restore(const struct pgs_fb_layer_state *state,
                                const struct pgs_device_dispatch *vk, VkCommandBuffer cb);

/* Of the pass that is being recorded; the first one if that is not done by layers. */
uint32_t pgs_fb_layers_current(const struct pgs_command_buffer *cb);

#endif
