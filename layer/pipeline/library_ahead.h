/* SPDX-License-Identifier: MIT
 *
 * What links of a library will want, made with the library, so that they need not compile it.
 * Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_LIBRARY_AHEAD_H
#define PGS_PIPELINE_LIBRARY_AHEAD_H

#include "pipeline/emulated.h"
#include "pipeline/linked_info.h"

/* Of a library that the layer emulates, with these parts, of which `own` is that of the call; NULL:
 * it only links others. What cannot be made is left to the links, which can tell. Thread-safe. */
void pgs_library_prepare_links(const struct pgs_create_call *call,
                               const struct pgs_linked_parts *parts, struct pgs_library_part *own);

#endif
