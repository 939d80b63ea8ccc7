/* SPDX-License-Identifier: MIT
 *
 * What stands for the definition of a set layout. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_SET_CONTENT_H
#define PGS_PIPELINE_SET_CONTENT_H

#include "pipeline/set_layout.h"

/* Equal for set layouts that are identically defined, so that their sets and the pipelines made
 * for them are compatible. Lives as long as the layout. Layouts that cannot be compared, and all
 * without memory, stand for themselves. Thread-safe. */
const void *pgs_set_layout_content(struct pgs_device *dev, struct pgs_set_layout *layout);

#endif
