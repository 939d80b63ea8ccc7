/* SPDX-License-Identifier: MIT
 *
 * What the fake draw module says of replacements. Part of fake_modules.h.
 */
#ifndef PGS_TEST_FAKE_REPLAY_H
#define PGS_TEST_FAKE_REPLAY_H

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

/* What do they need of the application's sets? */
static enum pgs_draw_wants_sets fake_wants_sets = PGS_DRAW_WANTS_SETS;

enum pgs_draw_wants_sets pgs_draw_wants_sets(const struct pgs_replacement *replacement)
{
    (void)replacement;
    return fake_wants_sets;
}

#endif
