/* SPDX-License-Identifier: MIT
 *
 * Transform feedback and its queries: what the CPU writes and the kernels read, beside the draw records of abi.h.
 * Counters live on the GPU alone: a command buffer gives the same results however often it is submitted.
 *
 * A captured or counted draw goes through these kernels (as many barriers as stages, however many draws):
 *
 *   setup            one invocation per pgs_setup: vertex counts and conditions that only the GPU knows
 *   (restart; vertex and geometry where there is a geometry shader)
 *   capture_tiles    geometry only: tiles[stream][tile] = primitives; not for PGS_COUNT_TILES_FREE tiles and less
 *   capture_scan     geometry only: tiles becomes its exclusive prefix, total[] its sum; small draws have it in the
 *                    place of capture_tiles, and it counts for itself
 *   feedback         one workgroup: runs the program, a list of pgs_xfb_op, in order
 *   capture_geometry copies what feedback found room for
 *   vertex           without a geometry shader, in its place: the application's, once for each vertex to be captured
 *   capture          with one that emits the same for each unit, in the place of all of these but feedback: the
 *                    application's, once more where something is rasterized
 *
 * The root of setup is a pgs_setup, that of feedback a pgs_xfb_program, that of the vertex shader a record, and
 * that of the others a pgs_capture. Workgroups: one for setup, feedback and capture_scan; for capture_tiles and
 * capture_geometry one per tile of gs_invocation_bound.
 *
 * The Vulkan specification's chapters: "Transform Feedback", "Transform Feedback Queries", "Primitives Generated Queries".
 */
#ifndef PGS_XFB_ABI_H
#define PGS_XFB_ABI_H

#include "poly_gs/abi.h"

#define PGS_MAX_XFB_BUFFERS 4
#define PGS_XFB_GROUP_EL 64 /* invocations of the feedback kernel, the one workgroup */

/* pgs_capture.flags */
#define PGS_CAPTURE_GEOMETRY 1u   /* vertices come from slots and cuts of the record, else from the last shader itself */
#define PGS_CAPTURE_STATISTICS 2u /* the first (or only) part of a draw: counts what input assembly does, too */
#define PGS_CAPTURE_PASS_THROUGH 4u /* with PGS_CAPTURE_GEOMETRY: the geometry shader is ours and is not counted */
#define PGS_CAPTURE_KNOWN 16u /* each unit of the geometry shader gives per_gs_invocation: nothing has to be counted. Not with
                                PGS_CAPTURE_GEOMETRY */
#define PGS_CAPTURE_FIXED 8u /* target, and in written[0] how many primitives there is room for, come from the CPU. With
                                PGS_CAPTURE_GEOMETRY only for stream 0 alone and up to PGS_COUNT_TILES_FREE tiles */

/* A draw that has no memory for its units: workgroup x processes chunk x of this many equal ones, by pgs_root.mode.
 * COUNT writes the number of its primitives to pgs_capture.chunks. After feedback, CAPTURE captures those that there
 * is room for. Does nothing unless gs_invocation_bound of the record is 0. */
#define PGS_CHUNKS 64u
/* A larger draw is not counted or captured: it would take a second, and some drivers end loops after 2^16 rounds. */
#define PGS_CHUNKS_MAX_GS_INVOCATIONS (1u << 26)
#define PGS_CHUNKS_COUNT 0u
#define PGS_CHUNKS_CAPTURE 1u

/* Consecutive words of a stored vertex that go to one buffer. */
PGS_ABI_STRUCT(pgs_xfb_copy)
{
    pgs_u32 source_w;   /* in the stored vertex (of the buffer's stream) */
    pgs_u32 buffer_index; /* 0 .. PGS_MAX_XFB_BUFFERS - 1 */
    pgs_u32 target_w;   /* in the captured vertex: Offset / 4 */
    pgs_u32 count_w;
};
PGS_ABI_END(pgs_xfb_copy, 16)

/* How many vertices an instance of a draw by byte count has: max(0, counter - offset_B) / stride_B. */
PGS_ABI_STRUCT(pgs_byte_count)
{
    pgs_address counter; /* u32, bytes */
    pgs_u32 offset_B;
    pgs_u32 stride_B;    /* not 0 */
    pgs_u32 most_el;     /* more vertices are not captured */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_byte_count, 24)

/* One draw record that is captured or counted. The CPU writes it but for what is marked GPU. */
PGS_ABI_STRUCT(pgs_capture)
{
    pgs_address draw;        /* struct pgs_draw_record */
    pgs_address tiles;       /* geometry: [stream_count][tiles of gs_invocation_bound] u32, scratch */
    pgs_address copies;        /* [run_count] of pgs_xfb_copy */
    pgs_u32 copy_count;       /* 0: only counted, or without PGS_CAPTURE_GEOMETRY */
    pgs_u32 flags;           /* PGS_CAPTURE_* */
    pgs_u32 vertices_per_primitive;         /* vertices of a captured primitive: 1, 2 or 3 */
    pgs_u32 vertex_stride_w; /* geometry: of the stored vertices */
    pgs_u32 stride_B[PGS_MAX_XFB_BUFFERS]; /* XfbStride; 0: the pipeline does not capture to it */
    pgs_u32 stream[PGS_MAX_XFB_BUFFERS];   /* that each buffer takes */
    pgs_u32 total[PGS_MAX_STREAMS];             /* GPU: primitives of each stream. Without PGS_CAPTURE_GEOMETRY
                                                   feedback computes total[0] from the record */
    pgs_u32 written[PGS_MAX_STREAMS];           /* GPU, feedback: how many of them are to be captured, from the first;
                                                   0 for streams that no buffer takes. See PGS_CAPTURE_FIXED */
    pgs_u32 per_gs_invocation[PGS_MAX_STREAMS];          /* with PGS_CAPTURE_KNOWN: primitives of each stream */
    pgs_address target[PGS_MAX_XFB_BUFFERS]; /* as written: where the first vertex goes; 0: buffer not bound */
    PGS_ABI_TYPE(pgs_byte_count) count; /* counter not 0: the draw's, for vertex shaders that capture */
    pgs_address chunks;      /* [PGS_CHUNKS][stream_count] primitives, 64 bits each, low word first; scratch. 0: the draw
                                does not go in chunks */
    pgs_address reserved;
};
PGS_ABI_END(pgs_capture, 192)
/* If a shader captures by itself, its capture lies this many bytes before its record. */
#define PGS_CAPTURE_BEFORE_B 192u

/* Between a Begin and an End of transform feedback. Written by the CPU but for offset_B. */
PGS_ABI_STRUCT(pgs_xfb_interval)
{
    pgs_address base[PGS_MAX_XFB_BUFFERS];   /* begin of the bound range; 0: nothing bound, outputs are ignored */
    pgs_address load[PGS_MAX_XFB_BUFFERS];   /* counters that Begin reads; 0: start at byte 0 */
    pgs_u32 size_B[PGS_MAX_XFB_BUFFERS];     /* of the bound range, at most 2^32 - 4 since counters have 32 bits */
    pgs_u32 offset_B[PGS_MAX_XFB_BUFFERS];   /* GPU: where the next vertex goes, relative to base */
};
PGS_ABI_END(pgs_xfb_interval, 96)

/* What an End stores, apart from its interval: that may have begun in another batch. */
PGS_ABI_STRUCT(pgs_xfb_end)
{
    pgs_address store[PGS_MAX_XFB_BUFFERS]; /* counters that End writes; 0: none */
};
PGS_ABI_END(pgs_xfb_end, 32)

/* Like pgs_xfb_end, if the CPU knows everything except perhaps the size of the last draw. Root of the kernel
 * interval_end, one workgroup of PGS_XFB_GROUP_EL, which replaces a program that has nothing else to do. */
#define PGS_END_GS_INVOCATIONS 1u /* pgs_interval_end.flags: the primitives are those of the draw's units */
PGS_ABI_STRUCT(pgs_interval_end)
{
    pgs_address store[PGS_MAX_XFB_BUFFERS]; /* counters; 0: none */
    pgs_address draw;                            /* record of that draw, behind its capture if not PGS_END_GS_INVOCATIONS; 0 */
    pgs_u32 offset_B[PGS_MAX_XFB_BUFFERS];  /* without it */
    pgs_u32 primitive_B[PGS_MAX_XFB_BUFFERS]; /* of it; 0 in buffers that it leaves alone */
    pgs_u32 space_el;                             /* primitives of it, at most */
    pgs_u32 flags;                               /* PGS_END_* */
    pgs_u32 per_primitive;                       /* without PGS_END_GS_INVOCATIONS: what becomes of an input primitive */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_interval_end, 88)

/* A query in its pool. All values are 64 bits, low word first. */
#define PGS_QUERY_AVAILABLE_W 0u /* word that is 1 once the query has ended */
#define PGS_QUERY_VALUES_B 8u    /* values start here */
/* Values of VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT: primitives written, primitives needed. Of
 * VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT: one. Of VK_QUERY_TYPE_PIPELINE_STATISTICS: those below. */
#define PGS_STATISTIC_VERTICES 0u          /* INPUT_ASSEMBLY_VERTICES */
#define PGS_STATISTIC_PRIMITIVES 1u        /* INPUT_ASSEMBLY_PRIMITIVES */
#define PGS_STATISTIC_VERTEX_SHADER 2u     /* VERTEX_SHADER_INVOCATIONS */
#define PGS_STATISTIC_GEOMETRY_SHADER 3u   /* GEOMETRY_SHADER_INVOCATIONS */
#define PGS_STATISTIC_GEOMETRY_PRIMITIVES 4u /* GEOMETRY_SHADER_PRIMITIVES, of all streams */
#define PGS_STATISTIC_OWN_DISPATCHES 5u /* no result: what the layer added to COMPUTE_SHADER_INVOCATIONS */
#define PGS_STATISTIC_OWN_GRIDS 6u /* likewise, of dispatches whose grids the GPU writes */
#define PGS_STATISTIC_CONTROL_PATCHES 8u /* TESSELLATION_CONTROL_SHADER_PATCHES; the numbers are those of the bits */
#define PGS_STATISTIC_EVALUATION 9u /* TESSELLATION_EVALUATION_SHADER_INVOCATIONS */
#define PGS_STATISTIC_COUNT 10u

/* The queries that count a draw: addresses of their values; 0: none. */
PGS_ABI_STRUCT(pgs_query_set)
{
    pgs_address xfb[PGS_MAX_STREAMS];  /* written, needed; counts only draws with an interval */
    pgs_address generated[PGS_MAX_STREAMS]; /* with an interval or without */
    pgs_address statistics;
};
PGS_ABI_END(pgs_query_set, 72)

/* pgs_xfb_op.kind */
#define PGS_XFB_OP_BEGIN 0u     /* interval.offset_B = its counters */
#define PGS_XFB_OP_END 1u       /* the counters of the pgs_xfb_end at `queries` = interval.offset_B; without an
                                     interval nothing */
#define PGS_XFB_OP_DRAW 2u      /* capture, interval (0: not captured), queries (0: none) */
#define PGS_XFB_OP_AVAILABLE 3u /* the query at `queries` (its first word, not its values) is available */

/* One step of the program. Neighbouring DRAWs with the same interval and queries may run in parallel. */
PGS_ABI_STRUCT(pgs_xfb_op)
{
    pgs_u32 kind;
    pgs_u32 reserved;
    pgs_address interval; /* struct pgs_xfb_interval */
    pgs_address capture;  /* struct pgs_capture */
    pgs_address queries;  /* struct pgs_query_set; AVAILABLE: a query; END: struct pgs_xfb_end */
};
PGS_ABI_END(pgs_xfb_op, 32)

/* Root of the feedback kernel: what pgs_root points to. */
PGS_ABI_STRUCT(pgs_xfb_program)
{
    pgs_address ops; /* [op_count] of pgs_xfb_op */
    pgs_u32 op_count;
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_xfb_program, 16)

/* pgs_setup.flags */
#define PGS_SETUP_BYTE_COUNT 1u /* vertex_count comes from a counter: vkCmdDrawIndirectByteCountEXT */
#define PGS_SETUP_CONDITION 2u  /* nothing is drawn where the word at `condition` is zero */
#define PGS_SETUP_INVERTED 4u   /* with PGS_SETUP_CONDITION: where it is not zero */

/* Root of the setup kernel, which patches what is known only at execution: the records of a draw, or the arguments of
 * a native draw. Written by the CPU. The records of a draw with several subdraws are contiguous. */
PGS_ABI_STRUCT(pgs_setup)
{
    pgs_address records;      /* [record_count] struct pgs_draw_record; vertex_count, primitive_count and
                                 instance_count are written; 0: none */
    pgs_u32 record_count;
    pgs_u32 record_stride_B;
    pgs_address args;         /* VkDrawIndirectCommand to write; 0: none */
    pgs_address counter;      /* u32, bytes */
    pgs_address condition;    /* u32 */
    pgs_u32 flags;            /* PGS_SETUP_* */
    pgs_u32 counter_offset_B; /* vertices = max(0, counter - counter_offset_B) / vertex_stride_B */
    pgs_u32 vertex_stride_B;  /* not 0 */
    pgs_u32 vertex_count;     /* without PGS_SETUP_BYTE_COUNT; with it the most that the records have room for (args do
                                 not care) */
    pgs_u32 instance_count;
    pgs_u32 first_instance;
    pgs_u32 topology;         /* for primitive_count of the records; as they have it */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_setup, 72)

#endif
