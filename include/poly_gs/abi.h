/* SPDX-License-Identifier: MIT
 *
 * What the CPU writes and the GPU reads, and what the kernels hand to one another. Included by C and by GLSL, so
 * only the pgs_* scalar types below, natural alignment and C comments. Every "address" is a 64-bit buffer device
 * address; in GLSL it is a uvec2 (x = low word), because no shaderInt64 is required of the driver.
 */
#ifndef PGS_ABI_H
#define PGS_ABI_H

#ifdef GL_core_profile
#define PGS_GLSL 1
#endif

#ifdef PGS_GLSL
#define pgs_u32 uint
#define pgs_address uvec2
#define PGS_ABI_STRUCT(name) struct name
#define PGS_ABI_TYPE(name) name
#define PGS_ABI_END(name, size_B)
#else
#include <assert.h>
#include <stdint.h>
typedef uint32_t pgs_u32;
typedef uint64_t pgs_address;
#define PGS_ABI_STRUCT(name) struct name
#define PGS_ABI_TYPE(name) struct name
#define PGS_ABI_END(name, size_B) static_assert(sizeof(struct name) == (size_B), "GPU record size");
#endif

/* Limits of the records. */
#define PGS_MAX_ATTRIBUTES 32 /* vertex input locations, = spec maximum that we report */
#define PGS_MAX_PUSH_WORDS 64 /* 256 bytes of application push constants */
#define PGS_MAX_STREAMS 4     /* vertex streams of a geometry shader */

/* Kernels work on tiles of this many elements, one workgroup each (SwiftShader allows 256 invocations). */
#define PGS_TILE_EL 256
/* A draw of at most this many tiles needs no scan_tiles: its expand does the work. At most PGS_TILE_EL. */
#define PGS_SCAN_TILES_FREE 256
/* A draw of at most this many tiles needs no count_tiles, and no capture_tiles if it is captured: the next kernel
 * reads all of its units. */
#define PGS_COUNT_TILES_FREE 8
/* Application vertex and geometry shaders run in groups of this many invocations. */
#define PGS_SHADER_GROUP_EL 64
/* Linear grids are folded into two dimensions: x never exceeds this many workgroups (the specified minimum of
 * maxComputeWorkGroupCount is 65535). Linear workgroup = y * PGS_GRID_X + x; every kernel checks its bound. */
#define PGS_GRID_X 32768
/* Vertex or geometry shader invocations of one draw, such that the ids of a grid rounded up stay below 2^32. */
#define PGS_MAX_INVOCATIONS (0xFFFFFFFFu - PGS_GRID_X * PGS_TILE_EL)
/* Patches of one draw: workgroups of a linear grid, whose second dimension is not larger in every driver. */
#define PGS_MAX_PATCHES (65535u * PGS_GRID_X)

/* The push constants of every compute shader. Workgroup z of a dispatch works on what lies at first + z * stride_B, so
 * that one dispatch does a stage of several draws whose records lie at equal distances. Draws smaller than the grid check
 * their bound. */
PGS_ABI_STRUCT(pgs_root)
{
    pgs_address first;
    pgs_u32 stride_B;
    pgs_u32 mode; /* which of the things that the shader can do; 0 where there is one */
};
PGS_ABI_END(pgs_root, 16)

/* pgs_draw_record.topology: values of VkPrimitiveTopology. 10, a patch list, only with PGS_DRAW_TESSELLATED, and then with
 * the vertices of a patch << PGS_PATCH_VERTICES_LOG2. */
#define PGS_PATCH_VERTICES_LOG2 8u
#define PGS_TOPOLOGY_ANY 0xFFFFFFFFu /* where shaders are made: only the record says */

/* pgs_draw_record.flags */
#define PGS_DRAW_INDEXED 1u  /* index_address is valid */
#define PGS_DRAW_RESTART 2u  /* primitives come from primitive_list (the restart kernels ran) */
#define PGS_DRAW_MAIN 4u     /* the shader wants primitives without their neighbours, as a rasterizer does */
#define PGS_DRAW_PROVOKING_LAST 8u /* with PGS_DRAW_MAIN, and in captures: the provoking vertex comes last, else first */
#define PGS_DRAW_STREAMS 16u /* the geometry shader emits to another stream than 0: cuts has three planes */
#define PGS_DRAW_TESSELLATED 32u /* the geometry stage takes the vertices and primitives of `tessellation` */
#define PGS_DRAW_INDIRECT 64u /* one of several records that share their grids, which indirect has begun */

/* pgs_attribute.flags */
#define PGS_ATTRIBUTE_INSTANCE 1u /* instance rate: element = first_instance + instance / divisor (0: first_instance) */

/* One vertex attribute, by shader location. Written by CPU at the draw. */
PGS_ABI_STRUCT(pgs_attribute)
{
    pgs_address address;      /* of element 0: buffer + binding offset + attribute offset; 0 = nothing bound */
    pgs_u32 stride_B;         /* may be 0 */
    pgs_u32 divisor;          /* instance rate only */
    pgs_u32 element_count_el; /* elements that lie wholly in the bound range; fetches beyond give zeros. UINT32_MAX
                                 with stride 0 */
    pgs_u32 format;           /* PGS_FORMAT_MAKE of format.h, for pipelines whose vertex input is dynamic */
    pgs_u32 flags;            /* PGS_ATTRIBUTE_* */
    pgs_u32 pad;
};
PGS_ABI_END(pgs_attribute, 32)

/* Scratch from which kernels allocate if only the GPU knows how much a draw needs (shaders/lib/pool.glsl), in units
 * of PGS_POOL_UNIT_B. Host-visible. A draw that does not fit is left out, or drawn in a way that needs no memory. The
 * kernels count what it would have taken, so that the CPU learns how much is enough. */
#define PGS_POOL_UNIT_B 256
PGS_ABI_STRUCT(pgs_pool)
{
    pgs_address first;      /* multiple of 16 */
    pgs_address index_base; /* where raster draws from this pool bind their index buffer */
    pgs_u32 size_units;
    pgs_u32 limit_units;    /* more than that can never be had */
    pgs_u32 used_units;     /* GPU; 0 at the begin of each execution, which pool_close sees to */
    pgs_u32 refused_units;  /* GPU: of takes that did not fit; 0 likewise */
    pgs_u32 needed_units;   /* GPU, pool_close: the most that an execution would have taken */
    pgs_u32 too_large;      /* GPU: not 0: something wanted more than limit_units, or than its draw may have */
    pgs_u32 left_out;       /* GPU: not 0: a draw was not drawn, or not captured and counted, for want of memory */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_pool, 48)

/* A VkDispatchIndirectCommand: a linear grid as above, z = records of the run. */
PGS_ABI_STRUCT(pgs_grid)
{
    pgs_u32 x, y, z;
};
PGS_ABI_END(pgs_grid, 12)

/* The grids of the stages of a deferred draw, whose size only the GPU knows. indirect and tess_allot each write those
 * that they know first. x = 0 if there is nothing to do; the largest of the records in a run. */
PGS_ABI_STRUCT(pgs_grids)
{
    PGS_ABI_TYPE(pgs_grid) vertex;      /* vertex_count * instance_count in groups of PGS_SHADER_GROUP_EL */
    PGS_ABI_TYPE(pgs_grid) restart;     /* tiles of vertex_count */
    PGS_ABI_TYPE(pgs_grid) control;     /* one workgroup per patch */
    PGS_ABI_TYPE(pgs_grid) patches;     /* tiles of the patches */
    PGS_ABI_TYPE(pgs_grid) evaluation;  /* vertices of the tessellation in groups of PGS_SHADER_GROUP_EL */
    PGS_ABI_TYPE(pgs_grid) geometry;    /* gs_invocation_bound in groups of PGS_SHADER_GROUP_EL */
    PGS_ABI_TYPE(pgs_grid) tiles;       /* tiles of gs_invocation_bound: count, expand and capture kernels */
    PGS_ABI_TYPE(pgs_grid) one;         /* one workgroup per record */
    PGS_ABI_TYPE(pgs_grid) capture;     /* invocations of the shader that captures by itself in groups of
                                           PGS_SHADER_GROUP_EL */
    PGS_ABI_TYPE(pgs_grid) chunks;      /* PGS_CHUNKS workgroups per record; x = 0 where all records have their memory */
};
PGS_ABI_END(pgs_grids, 120)

/* One emulated draw. Written by CPU when the draw is recorded, read-only on the GPU but for what setup, indirect and
 * tess_allot patch. All counts are exact for direct draws. Of a deferred draw the GPU writes the counts, gs_invocation_bound and
 * the addresses of what it takes from the pool (marked *). Sizes of what the addresses point to are in brackets, in
 * elements of the given type. */
PGS_ABI_STRUCT(pgs_draw_record)
{
    /* First member on purpose: the raster vertex shader gets it as an instance-rate R32G32_UINT attribute. */
    pgs_address out_vertices;           /* * GS output vertices [units * max_vertices * out_stride_w words] */

    /* Input assembly and vertex stage */
    pgs_address index_address;   /* of the first index of the draw (firstIndex applied) */
    pgs_address vertices;        /* * vertex stage output [instance_count * vertex_count * in_stride_w words];
                                    vertex = instance * vertex_count + position in the draw. Not where the vertex shader
                                    captures what it makes. 0: nothing is stored, or there is no memory for it */
    pgs_u32 flags;               /* PGS_DRAW_* */
    pgs_u32 topology;
    pgs_u32 index_size_B;        /* 0, 1, 2 or 4 */
    pgs_u32 index_bound_el;      /* indices that may be read at index_address; beyond it an index reads as 0 */
    pgs_u32 vertex_count;        /* positions per instance (vertexCount or indexCount) */
    pgs_u32 first_vertex;        /* firstVertex, or vertexOffset as two's complement */
    pgs_u32 instance_count;
    pgs_u32 first_instance;
    pgs_u32 draw_index;
    pgs_u32 primitive_count;     /* primitives per instance; with PGS_DRAW_RESTART an upper bound, see restart */

    /* Restart kernels (PGS_DRAW_RESTART only) */
    pgs_address primitive_list;  /* [primitive_count] of pgs_primitive */
    pgs_address restart_tiles;   /* [tiles of vertex_count] of pgs_restart_tile */
    pgs_address restart_count;   /* [2] u32: the exact number of primitives per instance and that of restart indices,
                                    written by restart_scan */

    /* Geometry stage. unit = (instance * primitives + primitive) * invocations + invocation, primitives being
     * primitive_count, or what restart_count says. A large draw becomes several records that share one vertex stage:
     * invocation l of a record's geometry kernel runs unit gs_invocation_first + l and writes place l of the per-unit arrays. */
    pgs_u32 gs_invocation_bound;          /* units of this record: size of the per-unit arrays. A unit at or beyond
                                    instance_count * primitives * invocations has counts = 0 */
    pgs_u32 invocations;         /* of a deferred draw 0 without a geometry shader */
    pgs_u32 max_vertices;
    pgs_u32 out_kind;            /* vertices of one output primitive: 1 points, 2 line strips, 3 triangle strips */
    pgs_address strip_ends;            /* * [gs_invocation_bound * planes * strip_end_words] u32. First plane of a unit: bit n set = the strip of
                                    vertex n ends after it. With PGS_DRAW_STREAMS planes is 3, else 1; the other two hold
                                    the low and the high bit of the stream of vertex n */
    pgs_address counts;          /* * [gs_invocation_bound] u32: indices of raster_stream | emitted vertices of all streams << 16 */
    pgs_address tile_sums;       /* * [tiles of gs_invocation_bound] u32: indices per tile; after scan_tiles: exclusive prefix */
    pgs_address indices;         /* * [worst case] u32: what the raster draw reads, strips separated by 0xFFFFFFFF */
    pgs_address draw_args;       /* [5] u32: VkDrawIndexedIndirectCommand, written by scan_tiles or expand */
    pgs_u32 first_index;         /* for draw_args: where indices lies in the bound index buffer */
    pgs_u32 strip_end_words;           /* ceil(max_vertices / 32) */
    pgs_u32 gs_invocation_first;          /* first unit of this record; 0 unless the draw was too large for one record, or is
                                    placed (pgs_inline_draw): then * */
    pgs_u32 raster_stream;       /* the stream that is rasterized */
    pgs_address primitives;      /* * [stream_count][gs_invocation_bound] u32: complete primitives of each unit by stream; 0: nobody
                                    wants them */
    pgs_u32 stream_count;        /* one more than the highest stream that the shader emits to */

    /* Deferred draws */
    pgs_u32 out_stride_w;        /* of slots */
    pgs_address tessellation;    /* struct pgs_tessellation; 0: none */
    pgs_address pool;            /* struct pgs_pool; 0: all memory is there */
    pgs_address capture;         /* struct pgs_capture, whose tiles come from the pool; 0: none */
    pgs_address grids;           /* struct pgs_grids */
    pgs_u32 in_stride_w;         /* of vertices; 0: nothing is stored there */
    pgs_u32 max_gs_invocations;           /* more than that are not drawn: slot numbers must be indices for the driver */
    pgs_address self;            /* of the record: what raster draws of placed vertices are given (PGS_TESS_INLINE) */

    pgs_u32 push[PGS_MAX_PUSH_WORDS];             /* the application's push constants at the draw */
    PGS_ABI_TYPE(pgs_attribute) attributes[PGS_MAX_ATTRIBUTES];
};
#define PGS_RECORD_PUSH_B 224 /* where push lies in it */
PGS_ABI_END(pgs_draw_record, PGS_RECORD_PUSH_B + 4 * PGS_MAX_PUSH_WORDS + 32 * PGS_MAX_ATTRIBUTES)

/* A placed (inline) raster draw of a pipeline with a geometry shader: its vertex shader runs the vertex and the
 * geometry shader itself, for each vertex that it outputs. Record i has the units from its gs_invocation_first on. If the
 * emits of a unit are static, the draw has one instance, whose vertices are those of all primitives, unit by unit;
 * else instance n is unit n. Written by the CPU; for an indirect call the GPU writes what is marked *. */
PGS_ABI_STRUCT(pgs_inline_draw)
{
    /* The first members are an instance-rate R32G32B32A32_UINT attribute. */
    pgs_address records;     /* [record_count] of pgs_draw_record */
    pgs_u32 record_stride_B;
    pgs_u32 record_count;    /* * */
    pgs_u32 vertices_per_gs_invocation;         /* vertices of a unit: those of all primitives that it emits, or can emit, one by one */
    pgs_u32 in_line;         /* 0: units are instances */
    pgs_address args;        /* VkDrawIndirectCommand; 0: the CPU knows it */
};
PGS_ABI_END(pgs_inline_draw, 32)

/* One input primitive of a draw with primitive restart, in draw order. Written by restart_emit. */
PGS_ABI_STRUCT(pgs_primitive)
{
    pgs_u32 segment_start;     /* position in the draw of the first vertex of the restart segment */
    pgs_u32 index_in_segment;  /* number of the primitive in its segment; with TRIANGLE_STRIP_WITH_ADJACENCY bit 31 is
                              set on the last one of the segment */
};
PGS_ABI_END(pgs_primitive, 8)

#define PGS_PRIMITIVE_LAST 0x80000000u

/* Summary of a range of index positions: how restart segments cross it. Written by restart_tiles for each tile;
 * restart_scan turns it into the summary of everything before the tile, the begin of the draw counting as a cut. A
 * range without a restart index has cuts = 0 and only head_el. */
PGS_ABI_STRUCT(pgs_restart_tile)
{
    pgs_u32 restarts;          /* how many there are */
    pgs_u32 head_el;          /* positions before the first cut (whole tile if there is none) */
    pgs_u32 inner_primitives; /* primitives of the segments that lie wholly between two cuts of the range */
    pgs_u32 tail_el;          /* positions after the last cut */
};
PGS_ABI_END(pgs_restart_tile, 16)

#endif
