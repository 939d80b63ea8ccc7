/* SPDX-License-Identifier: MIT
 *
 * Words for viewports, scissors, faces and depths, of pipelines and of commands (gen_specks.py).
 */
#ifndef FUZZ_RASTER_H
#define FUZZ_RASTER_H

#include "common/vkt.h"

#define RASTER_STATES 7 /* dynamic ones at most */

struct script;

/* Of pipelines whose case says nothing of it: zero. */
struct fuzz_raster {
    bool is_set, clamps, tests_depth, is_biased;
    VkViewport viewport;
    VkRect2D scissor;
    float bias[3];                           /* constant, clamp, slope */
    uint32_t dynamic;                        /* as in gen_specks.py */
    VkPipelineViewportStateCreateInfo state; /* filled in by fuzz_fill_raster */
};

/* What stands behind "raster". */
void fuzz_read_raster(struct script *in, struct fuzz_raster *raster);
/* Sets what it says, and appends dynamic states to info->dynamic, which has room for them: it is
 * that array. The raster must live as long as the info. */
void fuzz_fill_raster(struct fuzz_raster *raster, struct vkt_pipeline_info *info,
                      VkDynamicState *dynamic);
/* A command that sets such state; false: the word is none. */
bool fuzz_read_raster_command(struct script *in, VkCommandBuffer cmd, const char *word);

#endif
