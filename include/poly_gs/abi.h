/* SPDX-License-Identifier: MIT
 *
 * Records that the CPU writes for the kernels, and that kernels pass to each other. C and GLSL
 * include this file.
 *
 * Conventions of all headers in this folder:
 *   [n]       number of elements that an address points to
 *   *         written by the GPU. The CPU writes the other members when the draw is recorded.
 *   direct    the CPU knows the size of the draw; deferred: only the GPU knows it (indirect and
 *             tessellated draws). All counts of a direct draw are exact.
 *   linear    a grid that is folded into two dimensions: workgroup = y * PGS_GRID_X + x
 */
#ifndef PGS_ABI_H
#define PGS_ABI_H

#include "poly_gs/types.h"

/* Limits of the records. */
#define PGS_MAX_ATTRIBUTES 32 /* vertex input locations; the layer reports no more */
#define PGS_MAX_PUSH_WORDS 64 /* 256 bytes of application push constants */
#define PGS_MAX_STREAMS 4     /* vertex streams of a geometry shader */

/* A kernel gives one workgroup to each tile of this many elements. SwiftShader allows 256 invocations. */
#define PGS_TILE_EL 256
/* Draws of up to this many tiles skip scan_tiles: expand sums the tiles. */
#define PGS_SCAN_TILES_FREE 1024
/* Draws of up to this many tiles skip count_tiles and capture_tiles: the next kernel reads all counts. */
#define PGS_COUNT_TILES_FREE 8
/* Workgroup size of the application's vertex and geometry shaders. */
#define PGS_SHADER_GROUP_EL 64
/* Largest x of a linear grid, in workgroups. maxComputeWorkGroupCount may be as low as 65535. */
#define PGS_GRID_X 32768
/* Vertex or geometry shader invocations of one draw: numbers of the grid, rounded up, stay below 2^32. */
#define PGS_MAX_INVOCATIONS (0xFFFFFFFFu - PGS_GRID_X * PGS_TILE_EL)
/* Patches of one draw, each a workgroup of a linear grid whose y may be limited to 65535. */
#define PGS_MAX_PATCHES (65535u * PGS_GRID_X)

/* Push constants of every compute shader. Workgroup z works on the record at first + z * stride_B,
 * so one dispatch covers draws whose records lie at equal distances. The grid fits the largest of
 * these draws; shaders compare their number with the size of their own. */
PGS_ABI_STRUCT(pgs_root)
{
    pgs_address first;
    pgs_u32 stride_B;
    pgs_u32 mode; /* selects what the shader does; 0 if it does one thing */
};
PGS_ABI_END(pgs_root, 16)

/* pgs_draw_record.topology: VkPrimitiveTopology. A patch list (10) occurs only with
 * PGS_DRAW_TESSELLATED, as 10 | vertices per patch << PGS_PATCH_VERTICES_LOG2. */
#define PGS_PATCH_VERTICES_LOG2 8u
#define PGS_TOPOLOGY_ANY 0xFFFFFFFFu /* not known when the shader is made; read it from the record */

/* pgs_draw_record.flags; those from bit 16 on are in poly_gs/planes.h, places.h and coverage.h */
#define PGS_DRAW_INDEXED 1u        /* index_address is valid */
#define PGS_DRAW_RESTART 2u        /* primitives come from primitive_list, which the restart kernels write */
#define PGS_DRAW_MAIN 4u           /* the shader gets primitives without their adjacent vertices */
#define PGS_DRAW_PROVOKING_LAST 8u /* the provoking vertex is the last one; matters to MAIN and to xfb */
#define PGS_DRAW_STREAMS 16u       /* the geometry shader emits to streams above 0: strip_ends has 3 planes */
#define PGS_DRAW_TESSELLATED 32u   /* the geometry stage reads vertices and primitives of `tessellation` */
#define PGS_DRAW_INDIRECT 64u      /* the record shares its grids with others; `indirect` initialized them */
/* Triangles are drawn as lines or points, or lines are wide (poly_gs/polygon.h): `indices` lists the vertices of each, `primitives` is
 * there, and draw_args is a VkDrawIndirectCommand of corners, twice as many with LINES. */
#define PGS_DRAW_POLYGONS 128u
#define PGS_DRAW_LINES 256u
#define PGS_DRAW_LISTS 1024u /* without POLYGONS: lists are drawn for strips; `indices` and `primitives` are as with POLYGONS */
#define PGS_DRAW_WIDE 512u /* with POLYGONS: lines, or edges, are wide; draw_args has pgs_polygons.line_vertices for each */
#define PGS_DRAW_PACKED 2048u /* out_vertices has no gaps: vertices lie in the order in which they happen to be emitted */
#define PGS_DRAW_FETCHED 4096u /* out_vertices are a vertex buffer; if pooled, vertex_offset vertices from the pool's begin */
#define PGS_DRAW_JOINS 8192u /* `expand` makes strips of lines that the layer's own geometry shader took apart: for stipples */
#define PGS_DRAW_ROUND 16384u /* a part of a draw, which reads of `vertices` those from restart_tiles.x to .y - 1 only */

/* pgs_attribute.flags */
#define PGS_ATTRIBUTE_INSTANCE 1u /* element = first_instance + (divisor ? instance / divisor : 0) */

/* One vertex attribute, indexed by shader location. */
PGS_ABI_STRUCT(pgs_attribute)
{
    pgs_address address;      /* of element 0: buffer + binding offset + attribute offset; 0: not bound */
    pgs_u32 stride_B;         /* may be 0 */
    pgs_u32 element_count_el; /* whole elements in the bound range, UINT32_MAX if stride is 0, 0 if nothing is
                                 bound; others read 0 */
    pgs_u32 divisor;          /* for instance rate */
    pgs_u32 format;           /* PGS_FORMAT_MAKE (format.h), for pipelines with dynamic vertex input */
    pgs_u32 flags;            /* PGS_ATTRIBUTE_* */
    pgs_u32 pad;
};
PGS_ABI_END(pgs_attribute, 32)

/* Scratch memory from which kernels allocate for deferred draws, in units of PGS_POOL_UNIT_B
 * (shaders/lib/pool.glsl). Host-visible. A draw that does not fit is left out, or drawn without
 * memory; kernels still count what it asked for, so that the CPU can make the next pool large
 * enough. */
#define PGS_POOL_UNIT_B 256
PGS_ABI_STRUCT(pgs_pool)
{
    pgs_address first;      /* multiple of 16 */
    pgs_address index_base; /* raster draws from this pool bind their index buffer here */
    pgs_u32 size_units;
    pgs_u32 limit_units;    /* no pool will ever be larger */
    pgs_u32 used_units;     /* *; pool_close resets it to 0 for the next execution */
    pgs_u32 refused_units;  /* *: sum of failed allocations; reset likewise */
    pgs_u32 needed_units;   /* * by pool_close: most that one execution asked for */
    pgs_u32 too_large;      /* *: not 0: one allocation exceeded limit_units or its draw's limit */
    pgs_u32 left_out;       /* *: not 0: a draw was not drawn, captured or counted for lack of memory */
    pgs_u32 reserved;
};
PGS_ABI_END(pgs_pool, 48)

/* VkDispatchIndirectCommand of a linear grid. z: records that the dispatch covers. */
PGS_ABI_STRUCT(pgs_grid)
{
    pgs_u32 x, y, z;
};
PGS_ABI_END(pgs_grid, 12)

/* Grids of a deferred draw, one per stage. `indirect` writes those that follow from the arguments,
 * tess_allot the rest. Each fits the largest of its records; x is 0 if there is no work. */
PGS_ABI_STRUCT(pgs_grids)
{
    PGS_ABI_TYPE(pgs_grid) vertex;     /* groups of PGS_SHADER_GROUP_EL of vertex_count * instance_count */
    PGS_ABI_TYPE(pgs_grid) restart;    /* tiles of vertex_count */
    PGS_ABI_TYPE(pgs_grid) control;    /* one workgroup per patch */
    PGS_ABI_TYPE(pgs_grid) patches;    /* tiles of the patches */
    PGS_ABI_TYPE(pgs_grid) evaluation; /* groups of PGS_SHADER_GROUP_EL of tessellated vertices */
    PGS_ABI_TYPE(pgs_grid) geometry;   /* groups of PGS_SHADER_GROUP_EL of gs_invocation_bound */
    PGS_ABI_TYPE(pgs_grid) tiles;      /* tiles of gs_invocation_bound: count, expand and capture kernels */
    PGS_ABI_TYPE(pgs_grid) one;        /* one workgroup per record */
    PGS_ABI_TYPE(pgs_grid) capture;    /* groups of PGS_SHADER_GROUP_EL of the shader that captures itself */
    PGS_ABI_TYPE(pgs_grid) chunks;     /* PGS_CHUNKS workgroups per record; x = 0 if all got their memory */
};
PGS_ABI_END(pgs_grids, 120)

/* One emulated draw. Members marked * are written by setup, indirect or tess_allot for deferred
 * draws; counts come from the GPU then, too. The GPU changes nothing else.
 *
 * GS invocation = (instance * primitives + primitive) * invocations + invocation, where primitives
 * is primitive_count, or *restart_count. A large draw is split into several records that share one
 * vertex stage: invocation i of a record's geometry dispatch runs GS invocation gs_invocation_first
 * + i and writes element i of the arrays below. */
PGS_ABI_STRUCT(pgs_draw_record)
{
    /* The first line: of the members in front of push, inline draws with one record read no others. */
    pgs_address self;          /* of this record, which PGS_TESS_INLINE and PGS_DRAW_POLYGONS draws get as a vertex attribute */
    /* The view of this draw; a multiview draw has a record for each view. Attribute location 1 of
     * raster draws that select their view, R32G32_UINT with the next member. */
    pgs_u32 view_index;
    pgs_u32 gs_invocation_first; /* 0 unless the draw is split, or inline (pgs_inline_draw): then * */
    pgs_address index_address; /* firstIndex applied. From here each 16 bytes are an attribute of inline draws (record_inputs.c) */
    pgs_u32 index_size_B;      /* 0, 1, 2 or 4 */
    pgs_u32 index_bound_el;    /* indices readable at index_address; others read 0 */
    pgs_u32 flags;             /* PGS_DRAW_* */
    pgs_u32 first_vertex;      /* firstVertex, or vertexOffset as two's complement */
    pgs_u32 instance_count;
    pgs_u32 primitive_count;   /* per instance; an upper bound with PGS_DRAW_RESTART */
    pgs_u32 topology;          /* what few shaders read follows */
    pgs_u32 first_instance;
    pgs_u32 vertex_count;      /* per instance: vertexCount or indexCount */
    pgs_u32 draw_index;

    /* * [gs_invocation_bound * max_vertices * out_stride_w] u32: output vertices of the geometry shader, or with out_head_w
     * the first words of each, and behind them, at out_rest, the others. Instance-rate attributes, or a vertex buffer. */
    pgs_address out_vertices, out_rest;
    /* Primitive restart (PGS_DRAW_RESTART). */
    pgs_address primitive_list; /* [primitive_count] pgs_primitive */
    pgs_address restart_tiles;  /* [tiles of vertex_count] pgs_restart_tile; without RESTART *, as PGS_DRAW_ROUND says */
    pgs_address restart_count;  /* [2] u32, by restart_scan: primitives per instance, restart indices */

    /* Geometry stage. */
    pgs_u32 gs_invocation_bound; /* length of the arrays; GS invocations beyond the draw get counts = 0 */
    pgs_u32 invocations;         /* 0 for a deferred draw without geometry shader */
    pgs_u32 max_vertices;
    pgs_u32 out_kind;            /* vertices per output primitive: 1 points, 2 line strips, 3 triangle strips */
    /* * [gs_invocation_bound][planes][ceil(max_vertices / 32)] u32. Plane 0: bit n is set if vertex n ends its strip. With
     * PGS_DRAW_STREAMS planes 1 and 2 hold the low and high bit of its stream; with PGS_DRAW_CUTS plane 1 is that of coverage.h. With
     * PGS_DRAW_PACKED max_vertices words follow the planes of each GS invocation: where in out_vertices vertex n is. */
    pgs_address strip_ends;
    pgs_address counts;          /* * [gs_invocation_bound] u32: indices of raster_stream in strips | emitted vertices << 16 */
    pgs_address tile_sums;       /* * [tiles of gs_invocation_bound] u32: indices; prefix sum after scan_tiles; 0: `expand` counts */
    pgs_address indices;         /* * [worst case] u32: index list of the raster draw; 0xFFFFFFFF ends a strip */
    pgs_address draw_args;       /* VkDrawIndexedIndirectCommand, by scan_tiles or expand; 0: no raster draw */
    pgs_u32 first_index;         /* of draw_args: position of `indices` in the bound index buffer */
    pgs_u32 packed_vertices;     /* * with PGS_DRAW_PACKED: stored so far; the kernel that lists indices sets it to 0 again; or as listing.h or slices.h says */
    pgs_u32 raster_stream;       /* the stream that is rasterized */
    pgs_u32 stream_count;        /* highest stream that the shader emits to, + 1 */
    pgs_address primitives;      /* * [stream_count][gs_invocation_bound] u32: complete primitives; 0: not needed */
    /* * [instance_count * vertex_count * in_stride_w] u32: vertex shader outputs, by instance *
     * vertex_count + position in the draw. 0: none are stored, or there is no memory for them. */
    pgs_address vertices;

    /* Deferred draws. */
    pgs_address tessellation;   /* struct pgs_tessellation; 0: none */
    pgs_address pool;           /* struct pgs_pool; 0: all memory is allocated */
    pgs_address capture;        /* struct pgs_capture, whose tiles come from the pool; 0: none */
    pgs_address grids;          /* struct pgs_grids, or as listing.h says */
    pgs_u32 in_stride_w;        /* of vertices; 0: none are stored */
    pgs_u32 max_gs_invocations; /* a larger draw is not drawn: its vertex numbers are no valid indices */
    pgs_u32 vertex_offset;      /* of draw_args: from the vertices that the raster draw is given to out_vertices */
    pgs_u32 out_stride_w;       /* of out_vertices */
    pgs_address polygons;       /* struct pgs_polygons with PGS_DRAW_POLYGONS; else 0, or as coverage.h says */
    pgs_u32 out_head_w;         /* words of out_vertices that each vertex has; 0: all, and out_rest is not used */
    pgs_u32 raster_instance;    /* of draw_args: this record's number, counted from the one that the raster draw is given */

    pgs_u32 push[PGS_MAX_PUSH_WORDS]; /* the application's push constants at the draw */
    PGS_ABI_TYPE(pgs_attribute) attributes[PGS_MAX_ATTRIBUTES];
};
#define PGS_RECORD_PUSH_B 256 /* offset of push */
#define PGS_RECORD_PACKED_B 164 /* of packed_vertices */
PGS_ABI_END(pgs_draw_record, PGS_RECORD_PUSH_B + 4 * PGS_MAX_PUSH_WORDS + 32 * PGS_MAX_ATTRIBUTES)

/* An inline raster draw: its vertex shader runs the vertex and the geometry shader for each vertex
 * that it outputs. If the emits are static, or the draw is direct and its stream is, an instance has
 * the vertices of all primitives, GS invocation by GS invocation, and instance n of the draw reads
 * the n-th of these structures, which follow each other; else instance n is GS invocation n. */
PGS_ABI_STRUCT(pgs_inline_draw)
{
    /* The first members are an instance-rate R32G32B32A32_UINT attribute. */
    pgs_address records;                /* [record_count] pgs_draw_record; each begins at its gs_invocation_first */
    pgs_u32 record_stride_B;
    pgs_u32 record_count;               /* * for an indirect call */
    pgs_u32 vertices_per_gs_invocation; /* of the primitives that it emits, or may emit, each on its own */
    pgs_u32 in_line;                    /* 0: instance n is GS invocation n */
    pgs_address args;                   /* * VkDrawIndirectCommand; 0: the CPU knows the arguments */
};
PGS_ABI_END(pgs_inline_draw, 32)

/* One input primitive of a draw with primitive restart, in draw order. Written by restart_emit. */
PGS_ABI_STRUCT(pgs_primitive)
{
    pgs_u32 segment_start;    /* position in the draw of the restart segment's first vertex */
    pgs_u32 index_in_segment; /* | PGS_PRIMITIVE_LAST */
};
PGS_ABI_END(pgs_primitive, 8)

/* The last primitive of its segment; set for TRIANGLE_STRIP_WITH_ADJACENCY only. */
#define PGS_PRIMITIVE_LAST 0x80000000u

/* How restart indices divide a range of positions into segments. restart_tiles writes one per tile;
 * restart_scan replaces it by the summary of all positions before the tile, with a restart before
 * position 0. Without a restart in the range only head_el is not 0. */
PGS_ABI_STRUCT(pgs_restart_tile)
{
    pgs_u32 restarts;         /* restart indices in the range */
    pgs_u32 head_el;          /* positions before the first restart, or all */
    pgs_u32 inner_primitives; /* primitives of segments between two restarts of the range */
    pgs_u32 tail_el;          /* positions after the last restart */
};
PGS_ABI_END(pgs_restart_tile, 16)

#endif
