/* SPDX-License-Identifier: MIT
 *
 * What tess_allot does, for a call that goes in rounds and has nobody who does without memory. Takes
 * memory for what patches have become, in order. If it runs out, the next round begins with the first
 * patch that finds none; later records draw nothing in this one.
 *
 * One workgroup per call, which loops over the records. Root: pgs_indirect. Step STEP_TESS_ALLOT
 * (layer/draw/record_compute.c).
 */
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_GOOGLE_include_directive : require

#define PGS_ROOT_KEPT /* one record after the other */
#include "poly_gs/indirect.h"
layout(local_size_x = PGS_TILE_EL) in;

#include "tess_made.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer pgs_indirect_ref
{
    pgs_indirect indirect;
};

layout(buffer_reference, std430, buffer_reference_align = 16) buffer pgs_indirect_progress_ref
{
    pgs_indirect_progress progress;
};

/* The record's vertices that are stored, and its GS invocations. */
shared uint allotted_vertices;
shared uint allotted_gs_invocations;
/* What the pool has left. */
shared uint left_units;
shared bool has_taken;
shared bool has_stopped; /* later records draw nothing */
/* Of a record: how much of it fits. What is looked at are its total, then the tiles of its patches, then
 * the patches of the last tile that begins with what fits. */
#define LOOK_AT_TOTAL 0u
#define LOOK_AT_TILES 1u
#define LOOK_AT_PATCHES 2u
shared uint fitting_end[3]; /* behind the last element before which all fits; 0: none */
shared uvec2 before_tile;
shared uvec2 before_patch; /* vertices and primitives in front of the first patch that does not fit */

uint gs_invocations_of(const uvec2 total)
{
    return pgs_multiply_limited(total.y, PGS_DRAW.invocations);
}

uint units_of(const uvec2 total)
{
    const pgs_allot_shape shape = pgs_allot_shape_of(pgs_allot_draw_ref(pgs_root_address()));
    const uint quads = pgs_allot_sum(pgs_allot_sizes_of(shape, gs_invocations_of(total)));
    return pgs_quads_to_units(pgs_quads_add(quads, pgs_made_sum(pgs_made_quads_of(total))));
}

/* Could so many vertices and primitives of the record be made in this round? */
bool fits(const uvec2 total)
{
    const bool stored = (PGS_TESSELLATION.flags & PGS_TESS_STORED) != 0u;
    bool can = gs_invocations_of(total) <= PGS_DRAW.max_gs_invocations && max(total.x, total.y) != PGS_COUNT_MAX;
    can = can && (!stored || pgs_made_has_indices(total.x));
    return can && units_of(total) <= left_units;
}

/* Vertices and primitives before an element. */
uvec2 before(const uint look, const uint element, const uvec2 total)
{
    uvec2 sums = PGS_TESSELLATION.tile_sums; /* each invocation reads what it wrote itself */
    uint number = element;
    if (look == LOOK_AT_PATCHES) {
        sums = PGS_TESSELLATION.starts;
        number = (fitting_end[LOOK_AT_TILES] - 1u) * PGS_TILE_EL + element;
    }
    const uvec2 at = pgs_mul_add(sums, number, 8u);
    const uvec2 read = uvec2(pgs_read_near(at, 0u), pgs_read_near(at, 1u));
    return look == LOOK_AT_TOTAL ? total : look == LOOK_AT_TILES ? read : before_tile + read;
}

uint elements_of(const uint look)
{
    const uint end = PGS_TESSELLATION.patch_first + PGS_TESSELLATION.patch_count;
    const uint first_of_tile = (max(fitting_end[LOOK_AT_TILES], 1u) - 1u) * PGS_TILE_EL;
    const uint in_tile = min(end - min(first_of_tile, end), PGS_TILE_EL);
    return look == LOOK_AT_TOTAL ? 1u : look == LOOK_AT_TILES ? pgs_tiles_of(end) : in_tile;
}

/* Finds how much of the record fits: all, or what is before some patch, maybe nothing. Called by the
 * whole workgroup. */
void find_fitting(const uvec2 total)
{
    const uint local = PGS_LOCAL_ID;
    [[dont_unroll]] for (uint look = LOOK_AT_TOTAL; look <= LOOK_AT_PATCHES; look++) {
        const uint elements = elements_of(look);
        if (local == 0u)
            fitting_end[look] = 0u;
        barrier();
        uvec2 largest = uvec2(0u);
        uint last = 0u;
        [[dont_unroll]] for (uint element = local; element < elements; element += PGS_TILE_EL) {
            const uvec2 here = before(look, element, total);
            if (fits(here)) {
                largest = here;
                last = element + 1u;
                atomicMax(fitting_end[look], last);
            }
        }
        barrier();
        if (last != 0u && last == fitting_end[look]) {
            if (look == LOOK_AT_TILES)
                before_tile = largest;
            else
                before_patch = largest;
        }
        barrier();
        if (fitting_end[LOOK_AT_TOTAL] != 0u)
            break;
    }
}

/* Says that nothing of the record is drawn in this round. */
void drop_record()
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    made.tessellation.coords = uvec2(0u);
    made.tessellation.vertex_count = 0u;
    made.tessellation.primitive_count = 0u;
    pgs_allot_nothing(pgs_allot_draw_ref(pgs_root_address()));
    pgs_count_input(pgs_allot_draw_ref(pgs_root_address()), false);
    allotted_vertices = 0u;
    allotted_gs_invocations = 0u;
}

uint free_units()
{
    pgs_pool_ref pool = pgs_pool_ref(PGS_DRAW.pool);
    const uint size = pool.pool.size_units;
    return size - min(atomicAdd(pool.pool.used_units, 0u), size);
}

/* Draws the vertices and primitives that fit. Called by one invocation. */
void make(const uvec2 total)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    const uint gs_invocations = gs_invocations_of(total);
    pgs_made_take(total, gs_invocations);
    if ((made.tessellation.flags & PGS_TESS_STORED) != 0u && total.y != 0u)
        pgs_made_write_args(total.y);
    made.tessellation.vertex_count = total.x;
    made.tessellation.primitive_count = total.y;
    allotted_vertices = total.x;
    allotted_gs_invocations = gs_invocations;
    left_units = free_units();
    has_taken = true;
}

/* Leaves the rest of the record to the next round. A patch that fits in none is left out. Returns the
 * patches of this one. Called by one invocation. */
uint stop(const pgs_indirect call, const uint number)
{
    pgs_tessellation_ref made = pgs_tessellation_ref(PGS_DRAW.tessellation);
    pgs_indirect_progress_ref at = pgs_indirect_progress_ref(call.progress);
    const uint tile = max(fitting_end[LOOK_AT_TILES], 1u) - 1u;
    const uint in_tile = max(fitting_end[LOOK_AT_PATCHES], 1u) - 1u;
    const uint next = max(tile * PGS_TILE_EL + in_tile, made.tessellation.patch_first);
    const uint count = next - made.tessellation.patch_first;
    const bool lost = count == 0u && !has_taken;
    at.progress.record = number;
    at.progress.element = next + (lost ? 1u : 0u);
    if (lost || (call.flags & PGS_INDIRECT_LAST_ROUND) != 0u)
        pgs_pool_leave_out(PGS_DRAW.pool);
    pgs_pool_count_refused(pgs_pool_ref(PGS_DRAW.pool), left_units + 1u);
    made.tessellation.patch_count = max(count, 1u);
    has_stopped = true;
    return count;
}

/* Called by one invocation. */
void allot(const pgs_indirect call, const uint number)
{
    bool draws = !has_stopped;
    if (draws && fitting_end[LOOK_AT_TOTAL] == 0u)
        draws = stop(call, number) != 0u;
    if (draws)
        make(before_patch);
    else
        drop_record();
}

/* Called last, by one invocation. */
void tell(const pgs_indirect call, const uint units)
{
    pgs_indirect_progress_ref at = pgs_indirect_progress_ref(call.progress);
    const uint made = min(at.progress.made_units + units, PGS_POOL_COUNT_MAX);
    const uint all = min(at.progress.setup_units + made, PGS_POOL_COUNT_MAX);
    at.progress.made_units = made;
    at.progress.needed_units = max(at.progress.needed_units, all);
}

void main()
{
    const uint local = PGS_LOCAL_ID;
    pgs_keep_root();
    const pgs_indirect call = pgs_indirect_ref(pgs_root_address()).indirect;
    pgs_kept_root = call.records;
    uint had_units = 0u;
    if (local == 0u) {
        had_units = free_units();
        left_units = had_units;
        has_taken = false;
        has_stopped = false;
    }
    barrier();
    [[dont_unroll]] for (uint number = 0u; number < call.record_count; number++) {
        pgs_kept_root = pgs_mul_add(call.records, number, call.record_stride_B);
        const uint patches = PGS_DRAW.instance_count * PGS_DRAW.primitive_count;
        if (patches == 0u)
            continue;
        if (!has_stopped)
            find_fitting(pgs_made_scan(pgs_tiles_of(patches)));
        barrier();
        if (local == 0u)
            allot(call, number);
        barrier();
        const uint grid = PGS_GRID_EVALUATION + local;
        if (grid <= PGS_GRID_ONE)
            pgs_made_write_grid(grid, allotted_vertices, allotted_gs_invocations);
    }
    if (local == 0u)
        tell(call, had_units - left_units);
}
