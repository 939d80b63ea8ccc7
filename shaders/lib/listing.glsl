/* SPDX-License-Identifier: MIT
 *
 * The geometry shader lists what it emits, in place of the kernel `expand`: a dispatch and a barrier
 * less, which small draws take longer for than for their work (poly_gs/listing.h).
 *
 * Each workgroup says how many indices it has, and looks for the sums of all in front of it. As
 * these mostly began earlier, it soon has them and writes its indices to their place. Nobody waits
 * for ever, since workgroups need not run at once: one that has looked in vain for some time leaves
 * its indices to the workgroup that is the last one to be through, when all sums are there.
 */
#ifndef PGS_LISTING_GLSL
#define PGS_LISTING_GLSL

#include "poly_gs/listing.h"

#define PGS_SCAN_EL PGS_SHADER_GROUP_EL
#include "scan.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_listing_ref
{
    pgs_listing listing;
};

shared uint pgs_l_before;  /* indices of all workgroups in front */
shared uint pgs_l_missing; /* how many of them have not said theirs */
shared uint pgs_l_gone;    /* pgs_listing.gone before this workgroup */
shared uint pgs_l_begins[PGS_SHADER_GROUP_EL]; /* indices of the workgroup in front of each GS invocation */
shared uint pgs_l_strips[PGS_SHADER_GROUP_EL]; /* its vertices, if all of them are one strip; else 0 */

uvec2 pgs_l_list; /* the record of the list */
uvec2 pgs_l_listing;
uint pgs_l_groups; /* of this record */
bool pgs_l_is_own; /* this invocation has stored what it lists */

#define PGS_LIST pgs_draw_ref(pgs_l_list).draw
#define PGS_LISTING pgs_listing_ref(pgs_l_listing).listing
#define PGS_LISTING_WORD(group) pgs_words_ref(pgs_add(pgs_l_listing, 16u)).value[group]

/* A word that another workgroup may have written. */
uint pgs_listing_word(const uint group)
{
    return atomicOr(PGS_LISTING_WORD(group), 0u);
}

uint pgs_listing_read(const uvec2 address, const uint word)
{
    uint value = 0u;
    if (pgs_l_is_own)
        value = pgs_read_near(address, word);
    else
        value = atomicOr(pgs_words_ref(address).value[word], 0u);
    return value;
}

uvec2 pgs_listing_strip_ends(const uvec2 strip_ends, const uint gs_invocation, const uint max_vertices)
{
    return pgs_mul_add(strip_ends, gs_invocation, pgs_out_planes_B(0u, max_vertices));
}

/* The place of the first vertex of a GS invocation by its number in the list, and how far behind each the next one is.
 * flags: with PGS_DRAW_SPREAD vertices may be spread. */
uvec2 pgs_listing_slots(const uint gs_invocation, const uint max_vertices, const uint flags)
{
    uvec2 slots = uvec2(gs_invocation * max_vertices, 1u);
    if ((flags & PGS_DRAW_SPREAD) != 0u) {
        const uint bound = PGS_DRAW.gs_invocation_bound; /* all records of a list have the same */
        const uint number = gs_invocation / bound;
        slots = pgs_out_slots_of(PGS_DRAW.flags, max_vertices, gs_invocation - number * bound, bound);
        slots.x += number * bound * max_vertices;
    }
    return slots;
}

/* As the kernel does (expand_strips.glsl), which reads a word for each vertex. */
void pgs_listing_write_strips(const uvec2 indices, const uvec2 strip_ends, const uvec2 slots, const uint emitted,
                              const uint max_vertices, const uint kind)
{
    uint at = 0u;
    uint word = 0u;
    uint next_word = 0u;
    if (emitted != 0u)
        next_word = pgs_listing_read(strip_ends, 0u);
    bool starts = true;
    bool complete = false;
    for (uint n = 0u; n < emitted; n++) {
        const uint bit = n & 31u;
        if (bit == 0u) {
            word = next_word;
            if (max_vertices > 32u) {
                if (n + 32u < emitted)
                    next_word = pgs_listing_read(strip_ends, (n >> 5) + 1u);
            }
        }
        const bool ends = (word >> bit & 1u) != 0u;
        if (starts) {
            complete = !ends;
            if (kind == 3u) {
                const uint next = bit == 31u ? next_word : word >> (bit + 1u);
                complete = complete && (next & 1u) == 0u;
            }
        }
        if (complete) {
            pgs_write_near(indices, at, slots.x + n * slots.y);
            if (ends)
                pgs_write_near(indices, at + 1u, 0xFFFFFFFFu);
            at += ends ? 2u : 1u;
        }
        starts = ends;
    }
}

/* Writes the indices of a GS invocation by its number in the list. before: indices in front. counts:
 * as in the record. */
void pgs_listing_write(const uint gs_invocation, const uint before, const uint counts, const uint max_vertices,
                       const uint kind, const uint flags)
{
    const uvec2 indices = pgs_mul_add(PGS_LIST.indices, before, 4u);
    const uvec2 slots = pgs_listing_slots(gs_invocation, max_vertices, flags);
    const uint emitted = (counts & 0xFFFFu) != 0u ? counts >> 16 : 0u;
    if (kind == 1u) {
        for (uint n = 0u; n < emitted; n++)
            pgs_write_near(indices, n, slots.x + n * slots.y);
    } else {
        pgs_listing_write_strips(indices, pgs_listing_strip_ends(PGS_LIST.strip_ends, gs_invocation, max_vertices),
                                 slots, emitted, max_vertices, kind);
    }
}

/* Invocations beside each other that write a long strip. */
#define PGS_LISTING_LANES 16u

/* As pgs_listing_write, for all GS invocations of the workgroup, whose first one has this number in the list. Indices
 * of long strips lie far apart, so invocations in a row write those of one. before: in front of the workgroup.
 * in_group: of that in front of this invocation. */
void pgs_listing_write_shared(const uint first, const uint before, const uint in_group, const uint counts,
                              const uint max_vertices, const uint kind, const uint flags)
{
    const uint emitted = counts >> 16;
    const bool one = (counts & 0xFFFFu) != 0u && pgs_g_primitives + kind == emitted + 1u; /* several have fewer */
    pgs_l_begins[PGS_LOCAL_ID] = before + in_group;
    pgs_l_strips[PGS_LOCAL_ID] = one ? emitted : 0u;
    barrier();
    if (!one)
        pgs_listing_write(first + PGS_LOCAL_ID, before + in_group, counts, max_vertices, kind, flags);
    const uint lane = PGS_LOCAL_ID % PGS_LISTING_LANES;
    for (uint i = PGS_LOCAL_ID / PGS_LISTING_LANES; i < PGS_SHADER_GROUP_EL; i += PGS_SHADER_GROUP_EL / PGS_LISTING_LANES) {
        const uint strip_el = pgs_l_strips[i];
        const uvec2 indices = pgs_mul_add(PGS_LIST.indices, pgs_l_begins[i], 4u);
        const uvec2 slots = pgs_listing_slots(first + i, max_vertices, flags);
        if (strip_el != 0u) {
            for (uint n = lane; n <= strip_el; n += PGS_LISTING_LANES)
                pgs_write_near(indices, n, n == strip_el ? 0xFFFFFFFFu : slots.x + n * slots.y);
        }
    }
}

/* Called by one invocation, of the last workgroup of the list or for it. */
void pgs_listing_write_args(const uint index_count)
{
    const uvec2 args = PGS_LIST.draw_args; /* VkDrawIndexedIndirectCommand */
    pgs_write_near(args, 0u, index_count);
    pgs_write_near(args, 1u, 1u);
    pgs_write_near(args, 2u, PGS_LIST.first_index);
    pgs_write_near(args, 3u, PGS_LIST.vertex_offset);
    pgs_write_near(args, 4u, PGS_LIST.raster_instance);
}

/* Adds up the indices of all workgroups in front. Its own word is looked at, too, so that it is in
 * memory before this workgroup counts as gone. */
void pgs_listing_find_before(const uint group)
{
    uint looks = PGS_LISTING.patience;
    uint sum = 0u;
    uint missing = 0u;
    for (uint i = PGS_LOCAL_ID; i <= group; i += PGS_SHADER_GROUP_EL) {
        uint word = pgs_listing_word(i);
        for (; (word & PGS_LISTING_SUMMED) == 0u && looks != 0u; looks--)
            word = pgs_listing_word(i);
        sum += i == group ? 0u : word & PGS_LISTING_SUM;
        missing += 1u - word / PGS_LISTING_SUMMED;
    }
    atomicAdd(pgs_l_before, sum);
    atomicAdd(pgs_l_missing, missing);
    barrier();
}

/* Lets other workgroups see what this invocation has stored, but for vertices. */
void pgs_listing_share(const uint counts, const uint max_vertices, const uint kind)
{
    const uvec2 strip_ends = pgs_listing_strip_ends(PGS_DRAW.strip_ends, pgs_g_gs_invocation, max_vertices);
    if (pgs_g_gs_invocation < PGS_DRAW.gs_invocation_bound) {
        for (uint n = 0u; kind != 1u && n < pgs_g_emitted; n += 32u)
            atomicExchange(pgs_words_ref(strip_ends).value[n >> 5], pgs_read_near(strip_ends, n >> 5));
        atomicExchange(pgs_words_ref(PGS_DRAW.counts).value[pgs_g_gs_invocation], counts);
    }
    memoryBarrierBuffer();
    barrier();
}

/* Lists what a workgroup has left. Called by one invocation: this is rare. */
void pgs_listing_write_left(const uint group, const uint groups, const uint max_vertices, const uint kind,
                            const uint flags)
{
    const uint bound = PGS_DRAW.gs_invocation_bound; /* all records of a list have the same */
    const uint number = group / pgs_l_groups;
    const uint first = (group - number * pgs_l_groups) * PGS_SHADER_GROUP_EL;
    uint before = 0u;
    for (uint i = 0u; i < group; i++)
        before += pgs_listing_word(i) & PGS_LISTING_SUM;
    for (uint i = first; i < min(first + PGS_SHADER_GROUP_EL, bound); i++) {
        const uint gs_invocation = number * bound + i;
        const uint counts = pgs_listing_read(PGS_LIST.counts, gs_invocation);
        pgs_listing_write(gs_invocation, before, counts, max_vertices, kind, flags);
        before += counts & 0xFFFFu;
    }
    if (group + 1u == groups)
        pgs_listing_write_args(before);
}

/* Of the last workgroup: all is there, and nobody else looks at it. */
void pgs_listing_finish(const uint groups, const bool some_left, const uint max_vertices, const uint kind,
                        const uint flags)
{
    memoryBarrierBuffer();
    if (some_left) {
        pgs_l_is_own = false;
        for (uint i = PGS_LOCAL_ID; i < groups; i += PGS_SHADER_GROUP_EL) {
            if ((pgs_listing_word(i) & PGS_LISTING_LEFT) != 0u)
                pgs_listing_write_left(i, groups, max_vertices, kind, flags);
        }
        barrier();
    }
    for (uint i = PGS_LOCAL_ID; i < groups; i += PGS_SHADER_GROUP_EL)
        atomicExchange(PGS_LISTING_WORD(i), 0u);
    if (PGS_LOCAL_ID == 0u)
        atomicExchange(PGS_LISTING.gone, 0u);
}

/* group: of this workgroup in the list. number: of its record there. */
void pgs_listing_run(const uint group, const uint number, const uint max_vertices, const uint kind, const uint flags)
{
    const uint groups = PGS_LISTING.groups;
    const uint counts = pgs_g_ended | (pgs_g_emitted << 16u);
    pgs_l_is_own = true;
    if (PGS_LOCAL_ID == 0u) {
        pgs_l_before = 0u;
        pgs_l_missing = 0u;
    }
    const uint in_group = pgs_scan_exclusive(pgs_g_ended); /* behind it all see the zeros */
    const uint sum = pgs_scan_total;
    if (PGS_LOCAL_ID == 0u)
        atomicExchange(PGS_LISTING_WORD(group), sum | PGS_LISTING_SUMMED);
    pgs_listing_find_before(group);
    const uint before = pgs_l_before;
    const bool leaves = pgs_l_missing != 0u;
    if (leaves)
        pgs_listing_share(counts, max_vertices, kind);
    if (PGS_LOCAL_ID == 0u) {
        if (leaves)
            atomicOr(PGS_LISTING_WORD(group), PGS_LISTING_LEFT);
        memoryBarrierBuffer();
        pgs_l_gone = atomicAdd(PGS_LISTING.gone, leaves ? 0x10001u : 1u);
        if (!leaves && group + 1u == groups)
            pgs_listing_write_args(before + sum);
    }
    const uint in_list = number * PGS_DRAW.gs_invocation_bound + pgs_g_gs_invocation;
    if (!leaves) {
        if (max_vertices >= PGS_LISTING_LANES && kind != 1u) /* some may be long */
            pgs_listing_write_shared(in_list - PGS_LOCAL_ID, before, in_group, counts, max_vertices, kind, flags);
        else
            pgs_listing_write(in_list, before + in_group, counts, max_vertices, kind, flags);
    }
    barrier();
    const uint gone = pgs_l_gone;
    if ((gone & 0xFFFFu) + 1u == groups)
        pgs_listing_finish(groups, leaves || gone >> 16 != 0u, max_vertices, kind, flags);
}

/* Called by all invocations of the workgroup, after pgs_geometry_begin and, where that was true,
 * pgs_geometry_end. What the shader fixes is passed as constants. */
void pgs_geometry_list(const uint max_vertices, const uint kind, const uint flags)
{
    const uvec3 at = gl_WorkGroupID;
    const uint in_record = at.y * PGS_GRID_X + at.x;
    pgs_l_groups = (PGS_DRAW.gs_invocation_bound + PGS_SHADER_GROUP_EL - 1u) / PGS_SHADER_GROUP_EL;
    if ((PGS_DRAW.flags & PGS_DRAW_SELF_LISTED) != 0u && in_record < pgs_l_groups) {
        const uint number = PGS_DRAW.packed_vertices;
        pgs_l_list = pgs_subtract(pgs_root_address(), number * pgs_push.root.stride_B);
        pgs_l_listing = PGS_LIST.grids;
        if (pgs_l_listing != uvec2(0u))
            pgs_listing_run(number * pgs_l_groups + in_record, number, max_vertices, kind, flags);
    }
}

#endif
