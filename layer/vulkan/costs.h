/* SPDX-License-Identifier: MIT
 *
 * The constants of the choice between ways to draw: what they cost was measured (device_class.c,
 * costs.c), the rule that compares them is in pipeline/variant_choice.c and draw/plan_inline.c. The
 * log prints them, and a setting changes them.
 */
#ifndef PGS_VULKAN_COSTS_H
#define PGS_VULKAN_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pgs_cost {
    /* A geometry shader runs its vertex shader, too, if no vertex is shaded more often than
     * FUSE_RUNS because of that, and the shader has no more steps than FUSE_STEPS. */
    PGS_COST_FUSE_RUNS,
    PGS_COST_FUSE_STEPS,
    /* A control shader runs its vertex shader, too, if that has no more steps, as a workgroup has
     * only one patch; and in a draw of so many patches (PGS_COST_MOST: any). */
    PGS_COST_FUSE_CONTROL_STEPS,
    PGS_COST_FUSE_PATCHES,
    /* A draw may be inline if a GS invocation emits so many vertices at most, and has so many
     * steps with its vertices; and if it has so many invocations (0: any number). */
    PGS_COST_INLINE_VERTICES,
    PGS_COST_INLINE_STEPS,
    PGS_COST_INLINE_INVOCATIONS,
    /* Patches of a draw that is inline if their vertices might not fit in memory, without a
     * geometry shader. */
    PGS_COST_INLINE_PATCHES,
    /* Once it is known what patches of a pipeline become (draw/patches.h): how many vertices more
     * such a draw may evaluate than if it stored them. */
    PGS_COST_INLINE_EVALUATIONS,
    /* Vertices that the draws of a pass may shade inline where less is known: how many there are,
     * how long the shader runs (it loops or reads images), or both. 0: none. CPUs have a rule of
     * their own. */
    PGS_COST_PASS_EMITS,
    PGS_COST_PASS_STEPS,
    PGS_COST_PASS_BOTH,
    /* Likewise PASS_EMITS of pipelines whose draws were seen to emit DENSE_SHARE per cent of what
     * they could, or more (draw/emits.c). 0: nobody looks. */
    PGS_COST_PASS_DENSE,
    PGS_COST_DENSE_SHARE,
    /* Stored vertices of draws of at least so many GS invocations are spread (PGS_DRAW_SPREAD); 0:
     * none. */
    PGS_COST_SPREAD_INVOCATIONS,
    /* Of draws of at least so many GS invocations, longer strips, or their lists on CPUs, are cut
     * where they draw nothing (PGS_DRAW_CUTS); 0: of none. */
    PGS_COST_CUT_INVOCATIONS,
    /* Of instanced draws of at least so many primitives, which go to several layers, compute
     * shaders list what may be seen (poly_gs/sift.h); 0: none. */
    PGS_COST_SIFT_PRIMITIVES,
    /* Draws of at least so many primitives whose geometry shader picks vertices are drawn with the
     * application's own (poly_gs/pick.h); 0: none. */
    PGS_COST_PICK_PRIMITIVES,
    /* MiB of working memory for a direct draw of stored lines, as VK_POLY_GS_HEAP; 0: as of others.
     */
    PGS_COST_LINES_HEAP,
    /* Steps that an inline draw may have on a CPU at any time; thousands of them that the draws of
     * a pipeline may have in all before they are stored. */
    PGS_COST_CPU_STEPS,
    PGS_COST_CPU_KSTEPS,
    /* Vertices of a raster draw beyond which it is divided, so that its fragments need not wait for
     * all of its vertices (draw/slices.h); 0: none is. */
    PGS_COST_SLICE_VERTICES,
    /* Stored draws of at least so many GS invocations have descriptors for their buffers, where
     * that gains anything (poly_gs/bound.h); 0: none. */
    PGS_COST_BOUND_INVOCATIONS,
    PGS_COSTS
};

/* Sums of a few of them fit into a word. */
#define PGS_COST_MOST (UINT32_C(1) << 30)

struct pgs_costs {
    uint32_t of[PGS_COSTS];
};

/* What most devices have. */
extern const struct pgs_costs pgs_costs_usual;

#define PGS_COSTS_TEXT_B 640

/* "NAME=NUMBER NAME=NUMBER ...", which pgs_costs_read reads. text: [PGS_COSTS_TEXT_B]. */
void pgs_costs_print(const struct pgs_costs *costs, char *text);

/* Some costs that a user has chosen. */
struct pgs_chosen_costs {
    struct pgs_costs values;
    uint32_t chosen; /* bit i: that of enum pgs_cost i */
};

/* Reads such a text, of any of the names, separated by spaces or commas. False, and nothing
 * changes: a name or number is wrong. */
bool pgs_costs_read(struct pgs_chosen_costs *costs, const char *text);

void pgs_costs_choose(struct pgs_costs *costs, const struct pgs_chosen_costs *chosen);

#endif
