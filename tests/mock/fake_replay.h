/* SPDX-License-Identifier: MIT
 *
 * What the fake draw module says of replacements. Part of fake_modules.h.
 */
#ifndef PGS_TEST_FAKE_REPLAY_H
#define PGS_TEST_FAKE_REPLAY_H

#include "draw/batch.h"
#include "draw/replay.h"

/* Do emulated draws? */
static bool fake_shades;

bool pgs_draw_shades(const struct pgs_replacement *replacement)
{
    (void)replacement;
    return fake_shades;
}

/* Do they read the application's own buffers? */
static bool fake_takes_buffers;

bool pgs_draw_takes_buffers(const struct pgs_replacement *replacement)
{
    (void)replacement;
    return fake_takes_buffers;
}

/* Do they leave an index buffer of their own? */
static bool fake_binds_indices;

bool pgs_draw_binds_indices(const struct pgs_replacement *replacement)
{
    (void)replacement;
    return fake_binds_indices;
}

/* Do such that read those draw its primitives? */
static bool fake_takes_assembly = true;

bool pgs_draw_takes_assembly(const struct pgs_replacement *replacement)
{
    (void)replacement;
    return fake_takes_assembly;
}

/* What do they need of the application's sets? */
static enum pgs_draw_wants_sets fake_wants_sets = PGS_DRAW_WANTS_SETS;

enum pgs_draw_wants_sets pgs_draw_wants_sets(const struct pgs_replacement *replacement)
{
    (void)replacement;
    return fake_wants_sets;
}

/* Do draws go on with earlier ones of their pipeline? */
static bool fake_goes_back;

VkResult pgs_batch_add_back(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                            const struct pgs_direct_call *call, struct pgs_replacement **out)
{
    const struct pgs_draw_call full = {.direct = *call};
    *out = NULL;
    return fake_goes_back ? pgs_batch_add(batch, state, &full, false, out) : VK_SUCCESS;
}

#endif
