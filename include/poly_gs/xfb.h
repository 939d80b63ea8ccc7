/* SPDX-License-Identifier: MIT
 *
 * Transform feedback (xfb) and its queries: records that the CPU writes for the kernels, beside
 * those of abi.h. Counters live on the GPU only, so a command buffer gives the same results however
 * often it is submitted.
 *
 * Kernels of captured or counted draws, in order. Draws of a batch share the barriers between them.
 *
 *   setup             writes counts and conditions that only the GPU knows. Root: pgs_setup. 1 invocation
 *   (restart; vertex and geometry, if there is a geometry shader)
 *   capture_tiles     tiles[stream][tile] = primitives; above PGS_COUNT_TILES_FREE tiles only
 *   capture_scan      tiles = exclusive prefix sum, total[] = sum. One workgroup
 *   xfb_program       runs a list of pgs_xfb_op in order. Root: pgs_xfb_program. One workgroup. On CPUs a
 *                     short list is for xfb_steps, which is one invocation
 *   capture_geometry  copies the output vertices that fit in the buffers
 *
 * The root of capture_tiles, capture_scan and capture_geometry is a pgs_capture. capture_tiles and
 * capture_geometry have one workgroup per tile of gs_invocation_bound. Other draws capture without
 * these three kernels, after xfb_program; the root is the draw record:
 *
 *   vertex            no geometry shader: the application's vertex shader runs for each captured vertex
 *   capture           static emits: vertex and geometry shader run for each GS invocation
 *
 * Vulkan specification: "Transform Feedback", "Transform Feedback Queries", "Primitives Generated
 * Queries".
 */
#ifndef PGS_XFB_ABI_H
#define PGS_XFB_ABI_H

#include "poly_gs/abi.h"

#define PGS_MAX_XFB_BUFFERS 4
#define PGS_XFB_GROUP_EL 64 /* workgroup size of xfb_program */
/* Operations that xfb_steps runs at most: it has loops, and some drivers end an invocation's loops
 * after 2^16 iterations in all. */
#define PGS_XFB_STEPS_MAX_OPS 128u

/* pgs_capture.flags */
#define PGS_CAPTURE_GEOMETRY 1u     /* copy out_vertices of the record; else the last shader captures */
#define PGS_CAPTURE_STATISTICS 2u   /* count input assembly, too: set on the first subdraw of a draw */
#define PGS_CAPTURE_PASS_THROUGH 4u /* with GEOMETRY: the geometry shader is the layer's and is not counted */
#define PGS_CAPTURE_KNOWN 16u       /* static emits: per_gs_invocation says how many. Not with GEOMETRY */
/* The CPU writes target, and in written[0] the primitives that fit. With GEOMETRY only if stream 0
 * is the only one and the draw has up to PGS_COUNT_TILES_FREE tiles. */
#define PGS_CAPTURE_FIXED 8u

/* A draw without memory for its GS invocations is divided into this many equal chunks, one per
 * workgroup. pgs_root.mode COUNT writes the primitives of each chunk to pgs_capture.chunks; after
 * xfb_program, CAPTURE captures those that fit. Does nothing unless gs_invocation_bound of the
 * record is 0. */
#define PGS_CHUNKS 64u
/* A larger draw is neither counted nor captured: it would take a second, and some drivers end loops
 * after 2^16 iterations. */
#define PGS_CHUNKS_MAX_GS_INVOCATIONS (1u << 26)
#define PGS_CHUNKS_COUNT 0u
#define PGS_CHUNKS_CAPTURE 1u

/* Consecutive words of a stored vertex that are copied to one buffer. */
PGS_ABI_STRUCT(pgs_xfb_copy)
{
    pgs_u32 source_w;     /* offset in the stored vertex of the buffer's stream */
    pgs_u32 buffer_index; /* below PGS_MAX_XFB_BUFFERS */
    pgs_u32 target_w;     /* offset in the captured vertex: Offset / 4 */
    pgs_u32 count_w;
};
PGS_ABI_END(pgs_xfb_copy, 16)

/* vkCmdDrawIndirectByteCountEXT: vertices per instance = max(0, counter - offset_B) / stride_B. */
PGS_ABI_STRUCT(pgs_byte_count)
{
    pgs_address counter; /* u32, bytes */
    pgs_u32 offset_B;
    pgs_u32 stride_B;    /* not 0 */
    pgs_u32 most_el;     /* limit of the captured vertices */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_byte_count, 24)

/* Capture and counts of one draw record. * is written by the GPU. */
PGS_ABI_STRUCT(pgs_capture)
{
    pgs_address draw;                           /* struct pgs_draw_record */
    pgs_address tiles;                          /* GEOMETRY: [stream_count][tiles of gs_invocation_bound] u32, scratch */
    pgs_address copies;                         /* [copy_count] pgs_xfb_copy */
    pgs_u32 copy_count;                         /* 0: only count, or no GEOMETRY */
    pgs_u32 flags;                              /* PGS_CAPTURE_* */
    pgs_u32 vertices_per_primitive;             /* of a captured primitive: 1, 2 or 3 */
    pgs_u32 vertex_stride_w;                    /* GEOMETRY: of the stored vertices */
    pgs_u32 stride_B[PGS_MAX_XFB_BUFFERS];      /* XfbStride; 0: the pipeline does not write to it */
    pgs_u32 stream[PGS_MAX_XFB_BUFFERS];        /* that each buffer captures */
    pgs_u32 total[PGS_MAX_STREAMS];             /* *: primitives of each stream; without GEOMETRY [0] only */
    /* * by xfb_program: how many of them to capture, 0 for streams without a buffer. See
     * PGS_CAPTURE_FIXED. */
    pgs_u32 written[PGS_MAX_STREAMS];
    pgs_u32 per_gs_invocation[PGS_MAX_STREAMS]; /* KNOWN: primitives of each stream */
    pgs_address target[PGS_MAX_XFB_BUFFERS];    /* * likewise: address of the first vertex; 0: not bound */
    PGS_ABI_TYPE(pgs_byte_count) count;         /* of a draw by byte count that captures in its vertex shader */
    /* [PGS_CHUNKS][stream_count] uvec2, scratch: primitives of the chunk and, by xfb_program, of all in front of it, at most
     * 2^32 - 1. 0: no chunks */
    pgs_address chunks;
    pgs_address reserved;
};
PGS_ABI_END(pgs_capture, 192)
/* If a shader captures by itself, its pgs_capture lies this many bytes before the record. */
#define PGS_CAPTURE_BEFORE_B 192u

/* The commands from vkCmdBeginTransformFeedbackEXT to vkCmdEndTransformFeedbackEXT. */
PGS_ABI_STRUCT(pgs_xfb_interval)
{
    pgs_address base[PGS_MAX_XFB_BUFFERS]; /* start of the bound range; 0: not bound, outputs are ignored */
    pgs_address load[PGS_MAX_XFB_BUFFERS]; /* counters that Begin reads; 0: start at byte 0 */
    pgs_u32 size_B[PGS_MAX_XFB_BUFFERS];   /* of the bound range; at most 2^32 - 4, as counters have 32 bits */
    pgs_u32 offset_B[PGS_MAX_XFB_BUFFERS]; /* *: of the next vertex from base */
};
PGS_ABI_END(pgs_xfb_interval, 96)

/* What an End stores. Not part of the interval, which may have begun in an earlier batch. */
PGS_ABI_STRUCT(pgs_xfb_end)
{
    pgs_address store[PGS_MAX_XFB_BUFFERS]; /* counters that End writes; 0: none */
};
PGS_ABI_END(pgs_xfb_end, 32)

/* Root of the kernel interval_end (one workgroup of PGS_XFB_GROUP_EL). It replaces xfb_program if
 * the CPU knows everything except, perhaps, the size of the interval's last draw. */
#define PGS_END_GS_INVOCATIONS 1u /* flags: count the primitives of the draw's GS invocations */
PGS_ABI_STRUCT(pgs_interval_end)
{
    pgs_address store[PGS_MAX_XFB_BUFFERS];   /* counters; 0: none */
    /* Record of the last draw, behind its pgs_capture unless PGS_END_GS_INVOCATIONS. 0: none. */
    pgs_address draw;
    pgs_u32 offset_B[PGS_MAX_XFB_BUFFERS];    /* before that draw */
    pgs_u32 primitive_B[PGS_MAX_XFB_BUFFERS]; /* of that draw; 0 for buffers that it does not write */
    pgs_u32 space_el;                         /* primitives of it that fit */
    pgs_u32 flags;                            /* PGS_END_* */
    pgs_u32 per_primitive;                    /* captured primitives per input primitive, unless PGS_END_GS_INVOCATIONS */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_interval_end, 88)

/* A query in its pool. All values have 64 bits, low word first. */
#define PGS_QUERY_AVAILABLE_W 0u /* word: 1 once the query has ended */
#define PGS_QUERY_VALUES_B 8u    /* offset of the values */
/* TRANSFORM_FEEDBACK_STREAM_EXT has two values: primitives written, primitives needed.
 * PRIMITIVES_GENERATED_EXT has one. PIPELINE_STATISTICS has the following, numbered as the bits of
 * VkQueryPipelineStatisticFlagBits. 5 and 6 are bits that the driver counts, so the layer uses them
 * for values of its own; 7 is one, too, and stays 0. */
#define PGS_STATISTIC_VERTICES 0u            /* INPUT_ASSEMBLY_VERTICES */
#define PGS_STATISTIC_PRIMITIVES 1u          /* INPUT_ASSEMBLY_PRIMITIVES */
#define PGS_STATISTIC_VERTEX_SHADER 2u       /* VERTEX_SHADER_INVOCATIONS */
#define PGS_STATISTIC_GEOMETRY_SHADER 3u     /* GEOMETRY_SHADER_INVOCATIONS */
#define PGS_STATISTIC_GEOMETRY_PRIMITIVES 4u /* GEOMETRY_SHADER_PRIMITIVES, of all streams */
#define PGS_STATISTIC_OWN_DISPATCHES 5u      /* to subtract from COMPUTE_SHADER_INVOCATIONS: direct dispatches */
#define PGS_STATISTIC_OWN_GRIDS 6u           /* to subtract likewise: indirect dispatches */
#define PGS_STATISTIC_ZERO 7u
#define PGS_STATISTIC_CONTROL_PATCHES 8u     /* TESSELLATION_CONTROL_SHADER_PATCHES */
#define PGS_STATISTIC_EVALUATION 9u          /* TESSELLATION_EVALUATION_SHADER_INVOCATIONS */
#define PGS_STATISTIC_CLIPPING 10u           /* CLIPPING_INVOCATIONS, of the rasterized stream */
#define PGS_STATISTIC_COUNT 11u

/* Queries that count a draw: addresses of their values, 0: none. */
PGS_ABI_STRUCT(pgs_query_set)
{
    pgs_address xfb[PGS_MAX_STREAMS];       /* written, needed; only draws in an interval count */
    pgs_address generated[PGS_MAX_STREAMS]; /* with or without an interval */
    pgs_address statistics;
};
PGS_ABI_END(pgs_query_set, 72)

/* pgs_xfb_op.kind */
#define PGS_XFB_OP_BEGIN 0u     /* interval.offset_B = counters that it loads */
#define PGS_XFB_OP_END 1u       /* store interval.offset_B to the counters; nothing if interval is 0 */
#define PGS_XFB_OP_DRAW 2u      /* capture, interval (0: not captured), queries (0: none) */
#define PGS_XFB_OP_AVAILABLE 3u /* set PGS_QUERY_AVAILABLE_W of a query */

/* One operation of a program. Adjacent DRAWs with the same interval and queries may run in
 * parallel. */
PGS_ABI_STRUCT(pgs_xfb_op)
{
    pgs_u32 kind;
    pgs_u32 reserved;
    pgs_address interval; /* struct pgs_xfb_interval */
    pgs_address capture;  /* struct pgs_capture */
    pgs_address queries;  /* DRAW: struct pgs_query_set; AVAILABLE: a query; END: struct pgs_xfb_end */
};
PGS_ABI_END(pgs_xfb_op, 32)

/* Root of the kernel xfb_program. */
PGS_ABI_STRUCT(pgs_xfb_program)
{
    pgs_address ops; /* [op_count] pgs_xfb_op */
    pgs_u32 op_count;
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_xfb_program, 16)

/* pgs_setup.flags */
#define PGS_SETUP_BYTE_COUNT 1u /* vertex_count comes from a counter: vkCmdDrawIndirectByteCountEXT */
#define PGS_SETUP_CONDITION 2u  /* draw nothing if *condition is 0 */
#define PGS_SETUP_INVERTED 4u   /* with CONDITION: draw nothing if *condition is not 0 */

/* Root of the kernel setup. It writes what is known only at execution into the records of a draw,
 * or into the arguments of a native draw. The records of a draw with several subdraws are
 * contiguous. */
PGS_ABI_STRUCT(pgs_setup)
{
    /* [record_count] pgs_draw_record: vertex_count, primitive_count and instance_count are written.
     * 0: none. */
    pgs_address records;
    pgs_u32 record_count;
    pgs_u32 record_stride_B;
    pgs_address args;         /* VkDrawIndirectCommand to write; 0: none */
    pgs_address counter;      /* u32, bytes */
    pgs_address condition;    /* u32 */
    pgs_u32 flags;            /* PGS_SETUP_* */
    pgs_u32 counter_offset_B; /* vertices = max(0, counter - this) / vertex_stride_B */
    pgs_u32 vertex_stride_B;  /* not 0 */
    /* Exact, or with PGS_SETUP_BYTE_COUNT the limit that the memory of the records allows; args
     * have no limit. */
    pgs_u32 vertex_count;
    pgs_u32 instance_count;
    pgs_u32 first_instance;
    pgs_u32 topology;         /* as in the records; gives their primitive_count */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_setup, 72)

#endif
