/* SPDX-License-Identifier: MIT
 *
 * What is found out about a patch once, so that shaders that find the place of a single vertex need little code: segments of
 * its edges, where its strips begin, and in which order the triangles of these take vertices. Pure arithmetic, compiles as C,
 * too.
 */
#ifndef PGS_TESS_RULED_GLSL
#define PGS_TESS_RULED_GLSL

#include "tessellator.glsl"

/* Of the strip at an edge: bit j is set if its triangle j advances on the outer line. Up to the middle, as the rest is the
 * mirror image: at most 63. */
PGS_ABI_STRUCT(pgs_tess_steps)
{
    pgs_u32 low, high;
};

#define PGS_TESS_STEPS PGS_ABI_TYPE(pgs_tess_steps)

/* In the place of an edge that triangles lack: rings, whose lines take turns. */
#define PGS_TESS_RING_STEPS 3u
#define PGS_TESS_IN_TURNS 0x55555555u

/* A patch with the two words from PGS_PATCH_DIVIDED_W on. `outer` has the segments of the outer edges, 7 bits each from 0, 8,
 * 16 and 24 on, and for triangles the start of the third strip from 24 on. `inner`: 7 bits each for the segments of inner0
 * from 0 and inner1 from 7, the start of the second strip from 14, that of the fourth, 9 bits, from 21; bit 31: PGS_TESS_CCW.
 * A strip starts at a number of triangle; the fourth of a triangle is its inside. */
PGS_ABI_STRUCT(pgs_tess_ruled)
{
#ifdef PGS_GLSL
    uvec2 at; /* address of the patch */
#else
    pgs_u32 words[PGS_PATCH_OUTPUTS_W];
#endif
    pgs_u32 outer, inner;
};

#define PGS_TESS_RULED_PATCH PGS_ABI_TYPE(pgs_tess_ruled)

#ifdef PGS_GLSL
layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_patch_head_ref
{
    uvec2 levels[PGS_PATCH_DIVIDED_W / 2u];
    uvec2 divided;
    uvec2 steps[4];
};

pgs_tess_ruled pgs_tess_ruled_at(const uvec2 patch_at)
{
    const uvec2 divided = pgs_patch_head_ref(patch_at).divided;
    return pgs_tess_ruled(patch_at, divided.x, divided.y);
}

uint pgs_tess_ruled_word(const pgs_tess_ruled ruled, const uint word)
{
    return pgs_read_near(ruled.at, word);
}

pgs_tess_steps pgs_tess_ruled_steps(const pgs_tess_ruled ruled, const uint edge)
{
    const uvec2 steps = pgs_patch_head_ref(ruled.at).steps[edge];
    return pgs_tess_steps(steps.x, steps.y);
}
#else
PGS_PURE PGS_TESS_RULED_PATCH pgs_tess_ruled_of(const pgs_u32 words[PGS_PATCH_OUTPUTS_W])
{
    PGS_TESS_RULED_PATCH ruled = {.outer = words[PGS_PATCH_DIVIDED_W], .inner = words[PGS_PATCH_DIVIDED_W + 1u]};
    memcpy(ruled.words, words, sizeof(ruled.words));
    return ruled;
}

PGS_PURE pgs_u32 pgs_tess_ruled_word(const PGS_TESS_RULED_PATCH ruled, const pgs_u32 word)
{
    return ruled.words[word];
}

PGS_PURE PGS_TESS_STEPS pgs_tess_ruled_steps(const PGS_TESS_RULED_PATCH ruled, const pgs_u32 edge)
{
    const pgs_u32 *pair = ruled.words + PGS_PATCH_STEPS_W + 2u * edge;
    const PGS_TESS_STEPS steps = {.low = pair[0], .high = pair[1]};
    return steps;
}
#endif

/* --- Rules --- */

/* The two words. winding: PGS_TESS_CCW of the draw, with any other flags. */
PGS_PURE pgs_u32 pgs_tess_ruled_outer_word(const pgs_u32 flags, const PGS_TESS_PATCH tess)
{
    const bool triangles = (flags & PGS_TESS_DOMAIN) == PGS_TESS_TRIANGLES;
    if ((flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES)
        return pgs_tess_segments(tess.outer0) | pgs_tess_segments(tess.outer1) << 8;
    const pgs_u32 fourth = PGS_SELECT(triangles, pgs_tess_strip_start(flags, tess, 2u) & 0xFFu, pgs_tess_segments(tess.outer3));
    return pgs_tess_segments(tess.outer0) | pgs_tess_segments(tess.outer1) << 8 | pgs_tess_segments(tess.outer2) << 16 |
           fourth << 24;
}

PGS_PURE pgs_u32 pgs_tess_ruled_inner_word(const pgs_u32 flags, const pgs_u32 winding, const PGS_TESS_PATCH tess)
{
    if ((flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES)
        return 0u;
    return pgs_tess_segments(tess.inner0) | pgs_tess_segments(tess.inner1) << 7 |
           (pgs_tess_strip_start(flags, tess, 1u) & 0x7Fu) << 14 | (pgs_tess_strip_start(flags, tess, 3u) & 0x1FFu) << 21 |
           PGS_SELECT((winding & PGS_TESS_CCW) != 0u, 0x80000000u, 0u);
}

/* Of an outer edge and the edge of the inside along it, which has 2 segments or more. */
PGS_PURE PGS_TESS_STEPS pgs_tess_half_steps(const pgs_u32 outer_segments, const pgs_u32 inner_segments)
{
    const pgs_u32 outer_half = pgs_tess_half(outer_segments), inner_half = pgs_tess_half(inner_segments);
    PGS_TESS_STEPS steps;
    steps.low = 0u;
    steps.high = 0u;
    PGS_DONT_UNROLL for (pgs_u32 k = 0u; k < outer_half + (outer_segments & 1u); k++) {
        /* In the middle the inner line goes first. */
        const pgs_u32 inner = PGS_SELECT(k == outer_half, inner_half - 1u + (inner_segments & 1u),
                                         pgs_tess_inner_before(outer_half, inner_half, k));
        const pgs_u32 bit = 1u << ((k + inner) & 31u);
        const bool is_low = k + inner < 32u;
        steps.low |= PGS_SELECT(is_low, bit, 0u);
        steps.high |= PGS_SELECT(is_low, 0u, bit);
    }
    return steps;
}

/* Those of an edge, or of rings. */
PGS_PURE PGS_TESS_STEPS pgs_tess_edge_steps(const pgs_u32 flags, const PGS_TESS_PATCH tess, const pgs_u32 edge)
{
    PGS_TESS_STEPS steps = pgs_tess_half_steps(pgs_tess_segments(pgs_tess_outer(tess, edge)),
                                               pgs_tess_line_segments(flags, tess, edge) + 2u);
    const bool rings = pgs_both((flags & PGS_TESS_DOMAIN) == PGS_TESS_TRIANGLES, edge == PGS_TESS_RING_STEPS);
    steps.low = PGS_SELECT(rings, PGS_TESS_IN_TURNS, steps.low);
    steps.high = PGS_SELECT(rings, PGS_TESS_IN_TURNS, steps.high);
    return steps;
}

/* Whether there are strips. A patch whose edges are not divided has none. */
PGS_PURE bool pgs_tess_has_steps(const pgs_u32 flags, const PGS_TESS_PATCH tess)
{
    return (flags & PGS_TESS_POINT_MODE) == 0u && (flags & PGS_TESS_DOMAIN) != PGS_TESS_ISOLINES && tess.inner_vertices != 0u;
}

/* --- What they say --- */

PGS_PURE pgs_u32 pgs_tess_ruled_outer(const PGS_TESS_RULED_PATCH ruled, const pgs_u32 edge)
{
    return ruled.outer >> 8u * edge & 0x7Fu;
}

/* edge: 0 or 1, constant. */
PGS_PURE pgs_u32 pgs_tess_ruled_inner(const PGS_TESS_RULED_PATCH ruled, const pgs_u32 edge)
{
    return edge == 0u ? ruled.inner & 0x7Fu : PGS_BITS(ruled.inner, 7, 7);
}

/* Of a fractional edge, as in its word, by less code than pgs_tess_edge_of_level; of equal spacing 0. word: of the level in
 * the patch. */
PGS_PURE pgs_u32 pgs_tess_ruled_level(const pgs_u32 flags, const PGS_TESS_RULED_PATCH ruled, const pgs_u32 word)
{
    const pgs_u32 spacing = flags & PGS_TESS_SPACING;
    if (spacing == PGS_TESS_EQUAL)
        return 0u;
    return pgs_tess_fixed(pgs_tess_clamped(pgs_tess_ruled_word(ruled, word), spacing));
}

/* The same of two at once. */
PGS_PURE PGS_TESS_POINT pgs_tess_ruled_levels(const pgs_u32 flags, const PGS_TESS_RULED_PATCH ruled,
                                              const PGS_TESS_POINT word)
{
#ifdef PGS_GLSL
    const uint spacing = flags & PGS_TESS_SPACING;
    if (spacing == PGS_TESS_EQUAL)
        return pgs_tess_point(0u, 0u);
    const uvec2 level = uvec2(pgs_tess_ruled_word(ruled, word.u), pgs_tess_ruled_word(ruled, word.v));
    const uvec2 least = uvec2(pgs_tess_least(spacing));
    const uvec2 bounded = min(max(level, least), uvec2(pgs_tess_most(spacing)));
    const vec2 clamped = uintBitsToFloat(mix(least, bounded, lessThanEqual(level, uvec2(0x7F800000u))));
    const uvec2 made = uvec2(ivec2(clamped * 65536.0f));
    return pgs_tess_point(made.x, made.y);
#else
    return pgs_tess_pair(pgs_tess_ruled_level(flags, ruled, word.u), pgs_tess_ruled_level(flags, ruled, word.v));
#endif
}

PGS_PURE pgs_u32 pgs_tess_ruled_edge(const pgs_u32 flags, const PGS_TESS_RULED_PATCH ruled, const pgs_u32 edge)
{
    return pgs_tess_edge(pgs_tess_ruled_outer(ruled, edge), pgs_tess_ruled_level(flags, ruled, edge));
}

/* The edges and counts of patches that have no strips. */
PGS_PURE PGS_TESS_PATCH pgs_tess_ruled_patch(const pgs_u32 flags, const PGS_TESS_RULED_PATCH ruled)
{
    const pgs_u32 lines = pgs_tess_ruled_outer(ruled, 0u);
    PGS_TESS_PATCH tess;
    tess.flags = flags;
    tess.outer0 = (flags & PGS_TESS_DOMAIN) == PGS_TESS_ISOLINES ? pgs_tess_edge(lines, lines * PGS_TESS_ONE)
                                                                  : pgs_tess_ruled_edge(flags, ruled, 0u);
    tess.outer1 = pgs_tess_ruled_edge(flags, ruled, 1u);
    tess.outer2 = pgs_tess_ruled_edge(flags, ruled, 2u);
    tess.outer3 = pgs_tess_ruled_edge(flags, ruled, 3u);
    tess.inner0 = pgs_tess_edge(pgs_tess_ruled_inner(ruled, 0u), pgs_tess_ruled_level(flags, ruled, PGS_PATCH_INNER_W));
    tess.inner1 = pgs_tess_edge(pgs_tess_ruled_inner(ruled, 1u), pgs_tess_ruled_level(flags, ruled, PGS_PATCH_INNER_W + 1u));
    tess.outer_segments = 0u;
    tess.inner_vertices = 0u;
    tess.vertex_count = 0u;
    tess.primitive_count = 0u;
    return pgs_tess_counted(flags, tess);
}

#endif
