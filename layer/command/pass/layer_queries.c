/* SPDX-License-Identifier: MIT */
#include "command/pass/layer_queries.h"

#include "command/fb_layers/fb_layer_views.h"
#include "command/fb_layers/fb_layers.h"
#include "command/pass/open_query.h"
#include "command/pass/segments.h"
#include "command/pass/split.h"

static const char covers_a_part[] =
    "a query covers a part of a render pass whose geometry shaders write gl_Layer";

/* A query is active that began in this instance, behind a draw. */
static bool began_late(const struct pgs_pass *pass)
{
    for (size_t i = 0; i < pass->query_count; i++) {
        const struct pgs_open_query *q = pass->queries.items[i];
        if (!q->ended && !q->around && !q->first)
            return true;
    }
    return false;
}

/* As long as no draw has chosen its layer, the pass is recorded once, and a query may go around
 * instances. */
static bool needs_instance(const struct pgs_pass *pass, bool by_layer)
{
    return pass->layers_counted ||
           (by_layer && !pass->by_layer && pass->layer_count > 1 && began_late(pass));
}

void pgs_layer_queries_note_draw(struct pgs_command_buffer *cb)
{
    struct pgs_pass *pass = &cb->pass;
    const struct pgs_emulated_pipeline *pipeline = cb->graphics.pipeline;
    if (needs_instance(pass, !cb->continues && pipeline && pipeline->by_layer))
        pgs_pass_begin_segment(cb, covers_a_part);
    pass->layers_counted = false;
    pass->has_draws = true;
}

/* The primary may have drawn before, and what chooses its layer may follow in the query. */
static void begin_own_segment(struct pgs_command_buffer *cb)
{
    if (cb->pass.one_layer || pgs_segments_begin(cb))
        return;
    if (cb->recorder.result != VK_SUCCESS)
        return;
    cb->segments.items[cb->segments.count - 1]->for_layers = true;
    cb->emulates = true; /* the driver does not execute segments */
}

void pgs_layer_queries_before_begin(struct pgs_command_buffer *cb)
{
    if (!cb->fb_layers || !cb->recorder.queue)
        return;
    if (cb->continues)
        begin_own_segment(cb);
    else if (cb->pass.has_draws && pgs_fb_layers_wanted(cb) && pgs_pass_may_split(cb))
        pgs_pass_begin_segment(cb, covers_a_part);
}

void pgs_layer_queries_after_end(struct pgs_command_buffer *cb, bool first)
{
    struct pgs_pass *pass = &cb->pass;
    if (cb->fb_layers && cb->recorder.queue)
        pass->layers_counted |= cb->continues ? pass->by_layer && cb->segments.count
                                              : first && pgs_fb_layers_wanted(cb);
}

const char *pgs_layer_queries_reason(const struct pgs_command_buffer *cb,
                                     const struct pgs_command_buffer *secondary)
{
    return cb->fb_layers && needs_instance(&cb->pass, !cb->continues && secondary->pass.by_layer)
               ? covers_a_part
               : NULL;
}

void pgs_layer_queries_note_secondary(struct pgs_command_buffer *cb,
                                      const struct pgs_command_buffer *secondary)
{
    cb->pass.has_draws = true;
    cb->pass.layers_counted =
        secondary->pass.layers_counted && (cb->continues || pgs_fb_layers_wanted(cb));
}

void pgs_layer_queries_begin_segment(struct pgs_command_buffer *cb)
{
    if (cb->continues)
        begin_own_segment(cb);
    else if (pgs_fb_layers_wanted(cb))
        pgs_pass_begin_segment(cb, covers_a_part);
}

void pgs_layer_queries_inherit(struct pgs_command_buffer *cb,
                               const VkCommandBufferInheritanceInfo *info)
{
    struct pgs_fb_layer_device *fb_layers = cb->dev->commands->fb_layers;
    cb->pass.one_layer =
        fb_layers && info->framebuffer && pgs_fb_layer_count(fb_layers, info->framebuffer) == 1;
}
