/* SPDX-License-Identifier: MIT
 *
 * Which parts of the graphics state of a command buffer are known, and which are not what the
 * application set.
 */
#ifndef PGS_COMMAND_STATE_H
#define PGS_COMMAND_STATE_H

/* What a native pipeline could miss after emulated draws, as the driver has something of ours
 * there. */
enum pgs_disturbed {
    PGS_DISTURBED_VERTEX = 1 << 0, /* vertex buffer 0 and the index buffer */
    PGS_DISTURBED_STATIC = 1 << 1, /* dynamic state that the raster pipeline holds statically */
    PGS_DISTURBED_LAYER = 1 << 2,  /* vertex buffer 1 */
};

/* Which parts of the graphics state the application has set in this command buffer. */
enum pgs_known {
    PGS_KNOWN_INDEX = 1 << 0,
    PGS_KNOWN_TOPOLOGY = 1 << 1,
    PGS_KNOWN_RESTART = 1 << 2,
    PGS_KNOWN_DISCARD = 1 << 3,
    PGS_KNOWN_PATCH = 1 << 4,
    PGS_KNOWN_DOMAIN_ORIGIN = 1 << 5,
};

#endif
