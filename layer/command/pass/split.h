/* SPDX-License-Identifier: MIT
 *
 * Ends render pass instances early and resumes them.
 */
#ifndef PGS_COMMAND_PASS_SPLIT_H
#define PGS_COMMAND_PASS_SPLIT_H

#include "base/load.h"
#include "command/pass/parts.h"

/* Notes how an instance begins, in case it has to be ended early. `kept`: as pgs_render_pass_find
 * says. */
void pgs_split_note_render_pass(struct pgs_command_buffer *cb, enum pgs_begin kind,
                                const VkRenderPassBeginInfo *info, VkSubpassContents contents,
                                const struct pgs_render_pass *kept);
void pgs_split_note_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info);

/* As pgs_split_note_render_pass for pass.begun. */
static inline void pgs_split_note_begun(struct pgs_command_buffer *cb, enum pgs_begin kind,
                                        const VkRenderPassBeginInfo *info,
                                        VkSubpassContents contents,
                                        const struct pgs_render_pass *kept)
{
    struct pgs_pass *pass = &cb->pass;
    const uint64_t handles[2] = {pgs_load_alone(&info->renderPass),
                                 pgs_load_alone(&info->framebuffer)};
    const uint64_t area[2] = {pgs_load_alone(&info->renderArea.offset),
                              pgs_load_alone(&info->renderArea.extent)};
    pass->query_count = 0;
    pgs_parts_begin(pass);
    pass->begun = (VkRenderPassBeginInfo){.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO};
    memcpy(&pass->begun.renderPass, &handles[0], sizeof(handles[0]));
    memcpy(&pass->begun.framebuffer, &handles[1], sizeof(handles[1]));
    memcpy(&pass->begun.renderArea, area, sizeof(area));
    pass->begin = (struct pgs_noted_begin){
        .kind = kind,
        .contents = contents,
        .subpass_contents = contents,
        .render_pass = &pass->begun,
        .whole = info->renderPass,
        .kept = kept,
    };
}

/* Queues the beginning of what was noted. */
void pgs_split_emit_begin(struct pgs_command_buffer *cb);

/* Call it when the next subpass begins. */
void pgs_split_next_subpass(struct pgs_command_buffer *cb, VkSubpassContents contents);

/* Call it when something is to be emulated while the driver records this pass (pgs_pass_is_native),
 * as the device's first geometry shader, or the first in a quiet pass. Ends the instance, in front
 * of the query that holds it, and begins it again, queued, keeping its contents. If that is not
 * possible, the command buffer fails and the rest of the pass is dropped. In a secondary that
 * continues a pass, the rest is queued. */
void pgs_pass_split(struct pgs_command_buffer *cb);

/* Ends a query that is around instances (open_query.h) where it is. */
void pgs_pass_end_query(struct pgs_command_buffer *cb, struct pgs_open_query *query);

/* Call it if the following compute work must run after what is queued. Records the queue and
 * resumes as pgs_pass_split does; a secondary gets a new segment (segments.h). If that is not
 * possible, logs `why` it was needed and changes nothing. */
void pgs_pass_begin_segment(struct pgs_command_buffer *cb, const char *why);

/* True if pgs_pass_begin_segment would end the pass, and what is recorded before it has left its
 * memory. */
bool pgs_pass_may_split(const struct pgs_command_buffer *cb);

/* The ranges will be written by captures or counters. Ends the pass early if it has read their
 * memory (pgs_reads_are_captured_to); without a barrier since then the application writes
 * elsewhere. */
void pgs_captures_note(struct pgs_command_buffer *cb,
                       const struct pgs_xfb_binding ranges[PGS_MAX_XFB_BUFFERS]);

#endif
