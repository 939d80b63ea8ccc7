/* SPDX-License-Identifier: MIT
 *
 * Calls of a tessellation control shader that runs as a compute shader: one workgroup per patch,
 * one invocation per output vertex. Linked into the application's shader, so parameters and results
 * are values, and state is in private variables. With PGS_CONTROL_SHADES the vertex shader runs in the same shader: the
 * workgroup shades the vertices of its patch, and stores them where a vertex shader of its own would have.
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_KEPT
#include "poly_gs/abi.h"
layout(local_size_x = 1) in; /* spirv/ sets it */

#include "tessellation.glsl"
#include "patch.glsl"
#ifdef PGS_CONTROL_SHADES
#include "vertex_inputs.glsl"
#endif

uint pgs_c_patch;     /* in its instance */
uint pgs_c_number;    /* over all instances */
uint pgs_c_vertices_in;
uvec2 pgs_c_input;    /* address of the first input vertex */
uint pgs_c_in_stride_w;
uvec2 pgs_c_output;   /* address of the patch */
uvec2 pgs_c_vertices; /* address of the first vertex in it */
uint pgs_c_out_stride_w;
uint pgs_c_last_out;
#ifdef PGS_CONTROL_SHADES
uint pgs_c_instance;
uint pgs_c_first;   /* position in the draw of the first input vertex */
uint pgs_c_next;    /* input vertex that this invocation shades next */
uvec2 pgs_c_shaded; /* address of the one that it shades */
#endif

/* Memory as words and as quads. */
#define PGS_MEMORY(words, quads, qualifier)                                                                   \
    layout(buffer_reference, std430, buffer_reference_align = 4) qualifier buffer words { uint value[]; };    \
    layout(buffer_reference, std430, buffer_reference_align = 16) qualifier buffer quads { uvec4 value[]; };

/* Vertices of the patch, and what it has but once. Coherent: other invocations read, after a barrier, what one invocation
 * wrote; not with PGS_PATCH_UNREAD, and with PGS_PATCH_COUNTED none but pgs_control_count, which reads levels. Nor with
 * PGS_ONE_THREAD, for drivers that run a workgroup in one. */
#if defined(PGS_PATCH_UNREAD) || defined(PGS_ONE_THREAD)
#define PGS_PATCH_COHERENT
#define PGS_SINGLE_COHERENT
#elif defined(PGS_PATCH_COUNTED)
#define PGS_PATCH_COHERENT
#define PGS_SINGLE_COHERENT coherent
#else
#define PGS_PATCH_COHERENT coherent
#define PGS_SINGLE_COHERENT coherent
#endif
PGS_MEMORY(pgs_patch_words_ref, pgs_patch_quads_ref, PGS_PATCH_COHERENT)
PGS_MEMORY(pgs_single_words_ref, pgs_single_quads_ref, PGS_SINGLE_COHERENT)

#ifdef PGS_CONTROL_SHADES
/* Input vertices: other invocations, too, read them after a barrier. */
#ifdef PGS_ONE_THREAD
#define PGS_SHADED_COHERENT
#else
#define PGS_SHADED_COHERENT coherent
#endif
PGS_MEMORY(pgs_input_words_ref, pgs_input_quads_ref, PGS_SHADED_COHERENT)
#else
#define pgs_input_words_ref pgs_words_ref
#define pgs_input_quads_ref pgs_quads_ref
#endif

/* Finds the memory of a patch that exists. Its input vertices span less than 2^32 bytes. */
void pgs_control_find(const uint patch_number, const uint instance, const uint in_stride_w, const uint patch_stride_w,
                      const uint vertices_w, const uint flags)
{
    pgs_c_vertices_in = PGS_TESSELLATION.patch_vertices_in;
    uint first = pgs_c_patch * pgs_c_vertices_in;
    if ((PGS_DRAW.flags & (flags & PGS_DRAW_RESTART)) != 0u) {
        const uvec2 list = PGS_DRAW.primitive_list;
        const uvec2 entry = pgs_readable(list, pgs_mul_add(list, pgs_c_patch, 8u));
        first = pgs_read_near(entry, 0u) + pgs_read_near(entry, 1u) * pgs_c_vertices_in;
    }
    pgs_c_input = pgs_mul_add(PGS_DRAW.vertices, instance * PGS_DRAW.vertex_count + first, in_stride_w * 4u);
#ifdef PGS_CONTROL_SHADES
    pgs_c_instance = instance;
    pgs_c_first = first;
    pgs_c_next = PGS_LOCAL_ID;
#endif
    pgs_c_output = pgs_mul_add(PGS_TESSELLATION.patches, patch_number, patch_stride_w * 4u);
    pgs_c_vertices = pgs_add(pgs_c_output, vertices_w * 4u);
}

/* The first call. False for the whole workgroup: there is no such patch. Strides and offsets as in
 * struct pgs_spv_patch; vertex_stride_w: of the vertices_out output vertices. flags: that the record may have. */
bool pgs_control_begin(const uint in_stride_w, const uint patch_stride_w, const uint vertices_w,
                       const uint vertex_stride_w, const uint vertices_out, const uint flags)
{
    pgs_keep_root();
    pgs_c_in_stride_w = in_stride_w; /* in front of the branch, so that the shader's own is joined to it */
    pgs_c_out_stride_w = vertex_stride_w;
    pgs_c_last_out = vertices_out - 1u;
    const uvec3 group = gl_WorkGroupID;
    const uint patch_number = group.y * PGS_GRID_X + group.x;
    const uint patches = PGS_DRAW.primitive_count;
    const uint instance = patch_number / max(patches, 1u);
    pgs_c_patch = patch_number - instance * patches;
    pgs_c_number = patch_number;
    const bool in_instance = pgs_c_patch < pgs_patches_in_instance(flags); /* false without patches */
    const bool in_round = pgs_patch_in_round(patch_number);
    const bool in_draw = pgs_both(in_instance, instance < PGS_DRAW.instance_count);
    const bool exists = pgs_both(in_draw, in_round);
    if (exists)
        pgs_control_find(patch_number, instance, in_stride_w, patch_stride_w, vertices_w, flags);
    return exists;
}

uint pgs_control_primitive_id()
{
    return pgs_c_patch;
}

uint pgs_control_invocation_id()
{
    return PGS_LOCAL_ID;
}

uint pgs_control_patch_vertices()
{
    return pgs_c_vertices_in;
}

/* Valid elements of an input array with the given length. */
uint pgs_control_inputs(const uint length_el)
{
    return min(pgs_c_vertices_in, length_el);
}

/* An input vertex. An index out of range, which the application may compute, selects the last one. */
uint pgs_control_input(const uint vertex)
{
    return min(vertex, pgs_c_vertices_in - 1u);
}

uint pgs_control_load(const uint vertex, const uint word)
{
    return pgs_input_words_ref(pgs_c_input).value[pgs_control_input(vertex) * pgs_c_in_stride_w + word];
}

/* word: a multiple of 4. */
uvec4 pgs_control_load4(const uint vertex, const uint word)
{
    return pgs_input_quads_ref(pgs_c_input).value[pgs_control_input(vertex) * (pgs_c_in_stride_w / 4u) + word / 4u];
}

#ifdef PGS_CONTROL_SHADES
/* Chooses the input vertex that this invocation shades next. vertices_out: how many invocations there are. */
void pgs_control_choose(const uint vertices_out)
{
    pgs_vertex_at(pgs_c_instance, pgs_c_first + pgs_c_next);
    pgs_c_shaded = pgs_mul_add(pgs_c_input, pgs_c_next, pgs_c_in_stride_w * 4u);
    pgs_c_next += vertices_out;
}

/* The same, if there is one. */
bool pgs_control_shades(const uint vertices_out)
{
    const bool there = pgs_c_next < pgs_c_vertices_in;
    if (there)
        pgs_control_choose(vertices_out);
    return there;
}

/* Stores a word, or a quad, of it; word: a multiple of 4 if it is a quad. */
void pgs_control_shaded_store(const uint word, const uint value)
{
    pgs_input_words_ref(pgs_c_shaded).value[word] = value;
}

void pgs_control_shaded_store4(const uint word, const uvec4 value)
{
    pgs_input_quads_ref(pgs_c_shaded).value[word / 4u] = value;
}
#endif

/* True for the one invocation that writes per-patch values. */
bool pgs_control_writes_patch()
{
    return PGS_LOCAL_ID == 0u;
}

/* A word, or a quad, of an output vertex; the index is limited likewise. */
uint pgs_control_output_word(const uint vertex, const uint word)
{
    return min(vertex, pgs_c_last_out) * pgs_c_out_stride_w + word;
}

uint pgs_control_output_quad(const uint vertex, const uint word)
{
    return min(vertex, pgs_c_last_out) * (pgs_c_out_stride_w / 4u) + word / 4u;
}

uint pgs_control_output_load(const uint vertex, const uint word)
{
    return pgs_patch_words_ref(pgs_c_vertices).value[pgs_control_output_word(vertex, word)];
}

uvec4 pgs_control_output_load4(const uint vertex, const uint word)
{
    return pgs_patch_quads_ref(pgs_c_vertices).value[pgs_control_output_quad(vertex, word)];
}

void pgs_control_output_store(const uint vertex, const uint word, const uint value)
{
    pgs_patch_words_ref(pgs_c_vertices).value[pgs_control_output_word(vertex, word)] = value;
}

void pgs_control_output_store4(const uint vertex, const uint word, const uvec4 value)
{
    pgs_patch_quads_ref(pgs_c_vertices).value[pgs_control_output_quad(vertex, word)] = value;
}

/* word: offset in the patch. */
uint pgs_control_patch_load(const uint word)
{
    return pgs_single_words_ref(pgs_c_output).value[word];
}

uvec4 pgs_control_patch_load4(const uint word)
{
    return pgs_single_quads_ref(pgs_c_output).value[word / 4u];
}

void pgs_control_patch_store(const uint word, const uint value)
{
    pgs_single_words_ref(pgs_c_output).value[word] = value;
}

void pgs_control_patch_store4(const uint word, const uvec4 value)
{
    pgs_single_quads_ref(pgs_c_output).value[word / 4u] = value;
}

/* What the tessellator makes of the patch, of whose edges it may have the segments alone. Levels are loaded in a loop, as each
 * load takes long to compile. modes: PGS_TESS_MODES, constant. */
pgs_tess_patch pgs_control_divide(const uint modes)
{
    const uint domain = modes & PGS_TESS_DOMAIN;
    if (domain == PGS_TESS_ISOLINES)
        return pgs_tess_patch_of(modes, pgs_control_patch_load(0u), pgs_control_patch_load(1u), 0u, 0u, 0u, 0u);
    const uint decide = domain == PGS_TESS_QUADS ? 4u : 3u; /* levels, whether it is drawn */
    uint outer = 0u, inner = 0u; /* 8 bits each */
    bool is_drawn = true;
    [[dont_unroll]] for (uint i = 0u; i < PGS_PATCH_INNER_W + 2u; i++) {
        const uint level = pgs_control_patch_load(i);
        const uint segments = pgs_tess_segments(pgs_tess_edge_of_level(level, modes & PGS_TESS_SPACING));
        const uint shifted = segments << 8u * (i & 3u);
        outer |= mix(0u, shifted, i < PGS_PATCH_INNER_W);
        inner |= mix(shifted, 0u, i < PGS_PATCH_INNER_W);
        is_drawn = pgs_both(is_drawn, mix(pgs_tess_positive(level), true, i >= decide));
    }
    pgs_tess_patch tess;
    tess.flags = modes;
    tess.outer0 = outer << 24;
    tess.outer1 = outer << 16 & 0xFF000000u;
    tess.outer2 = outer << 8 & 0xFF000000u;
    tess.outer3 = outer & 0xFF000000u;
    tess.inner0 = inner << 24;
    tess.inner1 = inner << 16 & 0xFF000000u;
    tess.outer_segments = 0u;
    tess.inner_vertices = 0u;
    tess.vertex_count = 0u;
    tess.primitive_count = 0u;
    const pgs_tess_patch drawn = pgs_tess_divided(modes, tess);
    tess.inner0 = drawn.inner0;
    tess.inner1 = drawn.inner1;
    tess.inner_vertices = drawn.inner_vertices;
    tess.primitive_count = mix(0u, drawn.primitive_count, is_drawn);
    return tess;
}

/* Writes how many vertices the raster draw of the patch has, with PGS_TESS_BY_PATCH. modes: PGS_TESS_MODES, constant. For the
 * invocation that writes the patch, behind a barrier. */
void pgs_control_count(const uint modes)
{
    const uint flags = PGS_TESSELLATION.flags;
    if ((flags & PGS_TESS_BY_PATCH) == 0u)
        return;
    const pgs_tess_patch tess = pgs_control_divide(modes);
    pgs_patch_rule(pgs_c_output, tess, modes, flags);
    pgs_write_near(pgs_mul_add(PGS_TESSELLATION.inline_args, pgs_c_number, 16u), 0u,
                   tess.primitive_count * PGS_TESSELLATION.inline_vertices);
}

#ifndef PGS_NO_MAIN /* the tests append their own */
void main()
{
}
#endif
