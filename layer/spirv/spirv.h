/* SPDX-License-Identifier: MIT
 *
 * The face of the spirv room: SPIR-V words in, SPIR-V words out. No Vulkan here. Every function is
 * thread-safe (no shared state), never trusts its input (truncated, cyclic or lying modules give
 * PGS_SPV_INVALID), and leaves nothing allocated when it fails.
 */
#ifndef PGS_SPIRV_SPIRV_H
#define PGS_SPIRV_SPIRV_H

#include "spirv/analysis/emit_pattern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pgs_spv_result {
    PGS_SPV_OK = 0,
    PGS_SPV_OUT_OF_MEMORY,
    PGS_SPV_INVALID,     /* not SPIR-V, or it breaks a rule that we rely on */
    PGS_SPV_UNSUPPORTED, /* valid, but we cannot emulate it */
};

/* Values of SpvExecutionModel that we handle. */
enum pgs_spv_stage {
    PGS_SPV_VERTEX = 0,
    PGS_SPV_CONTROL = 1,    /* tessellation control */
    PGS_SPV_EVALUATION = 2, /* tessellation evaluation */
    PGS_SPV_GEOMETRY = 3,
    PGS_SPV_FRAGMENT = 4,
    PGS_SPV_COMPUTE = 5,
};

/* Owned words; free with pgs_spv_blob_free. */
struct pgs_spv_blob {
    uint32_t *words;
    size_t word_count;
};
void pgs_spv_blob_free(struct pgs_spv_blob *blob);

/* One specialization constant (same meaning as VkSpecializationMapEntry). */
struct pgs_spv_spec_entry {
    uint32_t constant_id;
    uint32_t offset_B;
    size_t size_B;
};

/* One shader stage as the application gives it: borrowed pointers, valid during the call. */
struct pgs_spv_shader {
    const uint32_t *words;
    size_t word_count;
    const char *entry_point;
    enum pgs_spv_stage stage;
    const struct pgs_spv_spec_entry *spec_entries;
    uint32_t spec_entry_count;
    const void *spec_data;
    size_t spec_data_B;
};

#define PGS_MAX_LOCATIONS 64 /* of varyings: 4 components each */
#define PGS_NO_WORD 0xFFFFu

/* Where each component of an interface lies in a stored vertex, in 32-bit words from its start.
 * Locations and built-ins that are absent hold PGS_NO_WORD. 64-bit components take two consecutive
 * words, 16-bit ones one. */
struct pgs_spv_layout {
    uint16_t location_w[PGS_MAX_LOCATIONS][4];
    uint16_t position_w;       /* 4 words */
    uint16_t point_size_w;     /* 1 word */
    uint16_t clip_distance_w;  /* clip_distance_count words */
    uint16_t cull_distance_w;  /* cull_distance_count words */
    uint16_t primitive_id_w;   /* 1 word */
    uint16_t layer_w;          /* 1 word */
    uint16_t viewport_index_w; /* 1 word */
    uint8_t clip_distance_count, cull_distance_count;
    bool wide;         /* locations with a single component have a slot of four words, too */
    uint16_t stride_w; /* size of a vertex, a multiple of 4 words */
};

#define PGS_SPV_FEEDBACK_BUFFERS 4
#define PGS_SPV_FEEDBACK_DATA_B 512    /* of a vertex that go to one buffer */
#define PGS_SPV_FEEDBACK_STRIDE_B 2048 /* XfbStride at most */
#define PGS_SPV_CAPTURE_RUNS 512       /* all captured data in single words */

/* Consecutive words of a stored vertex that transform feedback copies to one buffer. */
struct pgs_spv_capture_run {
    uint16_t source_w; /* in the stored vertex, by the layout of the buffer's stream */
    uint16_t target_w; /* in the captured one: Offset / 4 */
    uint16_t count_w;
    uint8_t buffer;
};

/* What an entry point with the execution mode Xfb captures. */
struct pgs_spv_feedback {
    bool enabled;                                /* the mode is there */
    uint32_t stride_B[PGS_SPV_FEEDBACK_BUFFERS]; /* 0: nothing goes there */
    uint8_t stream[PGS_SPV_FEEDBACK_BUFFERS];
    uint32_t run_count;
    struct pgs_spv_capture_run runs[PGS_SPV_CAPTURE_RUNS]; /* overlap nowhere in a buffer */
};

/* What pipeline creation must know of a geometry shader (specialization applied). */
struct pgs_spv_geometry_info {
    uint32_t input_vertices; /* 1, 2, 3, 4 (lines adjacency) or 6 (triangles adjacency) */
    uint32_t output_kind;    /* 1 points, 2 line strip, 3 triangle strip */
    uint32_t max_vertices;
    uint32_t invocations;
    bool writes_primitive_id, writes_layer, writes_viewport_index,
        writes_point_size; /* for any stream */
    uint32_t stream_mask;  /* bit s: emits to stream s */
    bool reads_push_constants;
    bool has_side_effects; /* writes memory that others see */
    struct pgs_spv_emit_pattern pattern;
    struct pgs_spv_layout in; /* per vertex; what the GS reads of the vertex stage */
    struct pgs_spv_layout out[PGS_SPV_STREAMS]; /* per vertex; what it can emit to each stream */
    uint32_t out_stride_w;                      /* of a stored vertex of any stream */
    struct pgs_spv_feedback feedback;
};

/* Parses and checks one geometry entry point. What it captures must be so that nothing is written
 * twice or outside of its vertex (VUID-StandaloneSpirv-Offset-04690 to -XfbBuffer-04697);
 * otherwise INVALID. */
enum pgs_spv_result pgs_spv_geometry_info(const struct pgs_spv_shader *gs,
                                          struct pgs_spv_geometry_info *info);

/* What a vertex shader reads. attribute_mask: bit = input location used (all locations of arrays,
 * matrices and 64-bit vectors). */
struct pgs_spv_vertex_info {
    uint32_t attribute_mask;
    bool reads_push_constants;
    bool has_side_effects; /* writes memory that others see */
    uint32_t steps;        /* instructions that run; UINT32_MAX: there are loops or images */
};
enum pgs_spv_result pgs_spv_vertex_info(const struct pgs_spv_shader *vs,
                                        struct pgs_spv_vertex_info *info);

/* What a vertex shader without a geometry shader behind it captures, in the layout of a vertex
 * where only what is captured has a place. */
enum pgs_spv_result pgs_spv_vertex_feedback(const struct pgs_spv_shader *vs,
                                            struct pgs_spv_layout *out,
                                            struct pgs_spv_feedback *feedback);

/* Vertex format of an input location: PGS_FORMAT_MAKE of poly_gs/format.h (mapped from VkFormat by
 * the pipeline room). PGS_FORMAT_DYNAMIC (0): read it from the draw record. */
struct pgs_spv_vertex_options {
    uint32_t format[32];
    struct pgs_spv_layout out;              /* what to store: the GS's `in` */
    const struct pgs_spv_feedback *capture; /* not NULL: capture this instead (feedback.h) */
};

/* Vertex shader -> compute shader that shades vertex (instance * vertex_count + position) per
 * invocation, or captured vertex (primitive * corners + corner); group size PGS_SHADER_GROUP_EL;
 * pgs_root of pgs_draw_records in push constants at offset 0. Application push constants are read
 * from the record; descriptors stay as they are. Spec constants are folded: the result has none.
 * The entry point of every generated module is "main". */
enum pgs_spv_result pgs_spv_vertex_to_compute(const struct pgs_spv_shader *vs,
                                              const struct pgs_spv_vertex_options *options,
                                              struct pgs_spv_blob *out);

/* Geometry shader -> compute shader, one unit (instance, primitive, invocation) per invocation.
 * Writes slots, cuts and counts of the record (abi.h). Emits beyond max_vertices are dropped. */
enum pgs_spv_result pgs_spv_geometry_to_compute(const struct pgs_spv_shader *gs,
                                                const struct pgs_spv_geometry_info *info,
                                                struct pgs_spv_blob *out);

/* The geometry shader that a pipeline without one could have: points (1 corner), lines (2) or
 * triangles (3) go through as they come, with all outputs of the vertex shader and, if wanted,
 * their number as gl_PrimitiveID; what the vertex shader captures is captured there. The result is
 * a geometry shader as an application would give it, without spec constants, entry point "main",
 * but for gl_Layer and gl_ViewportIndex, which it reads as it does gl_Position: the functions above
 * take that, drivers do not. */
enum pgs_spv_result pgs_spv_pass_through_geometry(const struct pgs_spv_shader *vs, uint32_t corners,
                                                  bool primitive_id, struct pgs_spv_blob *out);

/* What replaces the geometry shader in the raster pipeline. */
struct pgs_spv_raster_options {
    bool write_point_size; /* output is points: 1.0 where the GS writes none */
    /* GS PrimitiveId goes to the fragment shader as a flat int at this location; UINT32_MAX: not
     * read there. */
    uint32_t primitive_id_location;
    bool write_layer, write_viewport_index; /* the driver can (shader_viewport_index_layer) */
    /* The driver cannot: a draw is for some layers. The first one, and how many more, is at
     * location 1, R32G32_UINT, instance rate; other vertices go where everything is clipped. */
    bool select_layer;
    bool pass_layer;         /* with select_layer: the layer goes to the fragment shader, too */
    uint32_t layer_location; /* with pass_layer: as a flat int at this location */
    uint32_t stream;         /* that is rasterized; outputs of others go */
};

/* Builds a vertex shader with the outputs of the geometry shader (same locations, types,
 * decorations), that loads vertex gl_VertexIndex from `slots`: attribute location 0, R32G32_UINT,
 * instance rate. Bit-exact. */
enum pgs_spv_result pgs_spv_raster_vertex(const struct pgs_spv_shader *gs,
                                          const struct pgs_spv_geometry_info *info,
                                          const struct pgs_spv_raster_options *options,
                                          struct pgs_spv_blob *out);

/* What the driver has not, and modules that go to it must do without. */
struct pgs_spv_lacks {
    bool geometry;     /* geometryShader */
    bool feedback;     /* transformFeedback and geometryStreams */
    bool tessellation; /* tessellationShader */
};

/* What a fragment shader uses that a driver without geometryShader (or, gl_PrimitiveID, without
 * tessellationShader) refuses. */
struct pgs_spv_fragment_info {
    bool reads_primitive_id, reads_layer, reads_viewport_index;
    bool reads_input_attachments; /* or declares that it could */
    uint64_t location_mask;       /* input locations in use */
};
enum pgs_spv_result pgs_spv_fragment_info(const struct pgs_spv_shader *fs,
                                          struct pgs_spv_fragment_info *info);

/* How the driver takes them. */
struct pgs_spv_fragment_options {
    struct pgs_spv_lacks lacks;
    /* gl_PrimitiveID becomes a flat input at this location; UINT32_MAX: it stays a built-in. */
    uint32_t primitive_id_location;
    bool has_layer, has_viewport_index; /* the driver can (shader_viewport_index_layer);
                                           otherwise nothing ever writes them, and they read 0.
                                           Only without geometry, as what follows */
    bool take_layer; /* but for gl_Layer, which becomes a flat input at layer_location */
    uint32_t layer_location;
};

/* Fragment shader for the driver. What it lacks is removed. Without tessellationShader a
 * gl_PrimitiveID that stays a built-in is declared with Geometry. Without geometryShader what is
 * left of Layer and ViewportIndex gets ShaderViewportIndexLayerEXT in the place of Geometry and
 * MultiViewport. The entry point keeps its name and spec constants stay. */
enum pgs_spv_result pgs_spv_fragment_fix_up(const struct pgs_spv_shader *fs,
                                            const struct pgs_spv_fragment_options *options,
                                            struct pgs_spv_blob *out);

/* Does the module declare anything that the driver refuses, or use it undeclared? Without geometry:
 * Geometry, GeometryPointSize and MultiViewport capabilities; without it or feedback:
 * GeometryStreams and TransformFeedback; without tessellation: Tessellation and
 * TessellationPointSize. Cheap scan of all before functions; false for what is no SPIR-V. */
bool pgs_spv_module_needs_rewrite(const uint32_t *words, size_t word_count,
                                  struct pgs_spv_lacks lacks);

/* Reduces a module to one entry point and drops the capabilities above, what transform feedback
 * declares and what other entry points alone declare. A geometry shader (for a driver that only
 * lacks feedback) keeps what it emits to raster_stream; it must not choose streams by spec
 * constants. Spec constants stay. The entry point keeps its name. */
enum pgs_spv_result pgs_spv_extract_entry_point(const struct pgs_spv_shader *shader,
                                                struct pgs_spv_lacks lacks, uint32_t raster_stream,
                                                struct pgs_spv_blob *out);

#endif
