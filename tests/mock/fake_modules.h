/* SPDX-License-Identifier: MIT
 *
 * What stands around the command module in its tests: a pipeline and a draw module that tell
 * fake_modules_note what they are asked for. To be included by one file of a program.
 */
#ifndef FAKE_MODULES_H
#define FAKE_MODULES_H

#include "base/alloc.h"
#include "draw/condition.h"
#include "draw/query_record.h"
#include "draw/replay.h"
#include "fake_kept.h"
#include "fake_pools.h"
#include "fake_replay.h"
#include "fake_rounds.h"
#include "pipeline/possible.h"

#include <string.h>

#define EMULATED HANDLE(VkPipeline, 0xe0)
#define NATIVE HANDLE(VkPipeline, 0xa0)
#define BY_LAYER HANDLE(VkPipeline, 0xd0) /* emulated, by_layer */
#define COUNTED HANDLE(VkPipeline, 0xb0)  /* native, and known to the pipeline module */
#define COMPUTE HANDLE(VkPipeline, 0xc0)
#define COMPUTE_2 HANDLE(VkPipeline, 0xc1)
#define KERNEL HANDLE(VkPipeline, 0xcc)
#define DRAIN HANDLE(VkPipeline, 0xdd) /* another kernel */
/* With a dynamic stream: emulated, 1 and 2 have other raster pipelines; native, all but 0 have one
 * that draws nothing; native with dynamic discard, all but 0 are hidden. */
#define STREAMS HANDLE(VkPipeline, 0xe1)
#define STREAM_1 HANDLE(VkPipeline, 0xe2)
#define STREAM_2 HANDLE(VkPipeline, 0xe3)
#define SILENT HANDLE(VkPipeline, 0xb1)
#define SILENCE HANDLE(VkPipeline, 0xb2)
#define HIDDEN HANDLE(VkPipeline, 0xb3)
/* Native, as COUNTED is; EMULATED draws the wide lines of both, where the device has such lines. */
#define THIN HANDLE(VkPipeline, 0xb4)
#define DYNAMIC HANDLE(VkPipeline, 0xb5) /* native; EMULATED draws adjacency in its place */
/* What reached the draw module, with the numbers that matter. Batches
 * note, when they are recorded, BATCH with the draws, and then, of transform feedback and queries
 * alone,
 *     BEGIN_CAPTURE interval, first bound buffer, first counter
 *     CAPTURE interval, count, native      a draw that is captured or counted
 *     END_CAPTURE interval, first counter
 *     QUERY_ENDS query
 *     COUNT_GRIDS value
 *     ASK_CONDITION slot                   a draw asks for an inherited condition
 * and before it STORE_CONDITION slot, condition, inverted; and in the pass REPLAY count, push
 * constant, draw index. */
enum fake_event {
    FAKE_BATCH,
    FAKE_BEGIN_CAPTURE,
    FAKE_CAPTURE,
    FAKE_END_CAPTURE,
    FAKE_QUERY_ENDS,
    FAKE_COUNT_GRIDS,
    FAKE_ASK_CONDITION,
    FAKE_STORE_CONDITION,
    FAKE_REPLAY,
};

static void fake_modules_note(enum fake_event what, uint64_t a, uint64_t b, uint64_t c);

static inline const char *fake_pipeline_name(VkPipeline pipeline)
{
    static const struct {
        VkPipeline pipeline;
        const char *name;
    } names[] = {
#define NAME(pipeline) {pipeline, #pipeline}
        NAME(EMULATED), NAME(NATIVE), NAME(BY_LAYER), NAME(COUNTED), NAME(STREAMS), NAME(STREAM_1),
        NAME(STREAM_2), NAME(SILENT), NAME(SILENCE),  NAME(HIDDEN),  NAME(COMPUTE), NAME(COMPUTE_2),
        NAME(KERNEL),   NAME(DRAIN),  NAME(THIN),     NAME(DYNAMIC),
#undef NAME
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].pipeline == pipeline)
            return names[i].name;
    return "another";
}

static _Atomic bool fake_possible; /* pgs_pipelines_possible */

#include "fake_pipeline_device.h"

/* --- The draw module --- */

/* Something that a batch was asked for. */
struct pgs_draw {
    struct pgs_draw *next; /* since the reset, the last first */
    enum fake_event what;
    uint64_t a, b, c;
    struct pgs_replacement replacement;
};
struct pgs_batch {
    struct pgs_draw *all;
    struct pgs_draw *pass[64]; /* in order */
    uint32_t pass_count, draw_count;
};

VkResult pgs_batch_create(struct pgs_device *d, struct pgs_batch *sibling,
                          struct pgs_commons *commons, struct pgs_batch **batch)
{
    (void)d, (void)sibling, (void)commons;
    *batch = pgs_calloc(1, sizeof(**batch));
    return *batch ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_batch_next_pass(struct pgs_batch *batch)
{
    batch->pass_count = batch->draw_count = 0;
}

void pgs_batch_reset(struct pgs_batch *batch, bool begins)
{
    fake_keeps = begins;
    while (batch->all) {
        struct pgs_draw *next = batch->all->next;
        pgs_free(batch->all);
        batch->all = next;
    }
    pgs_batch_next_pass(batch);
}

void pgs_batch_destroy(struct pgs_batch *batch)
{
    if (batch)
        pgs_batch_reset(batch, false);
    pgs_free(batch);
}

static struct pgs_draw *fake_batch_push(struct pgs_batch *batch, enum fake_event what, uint64_t a,
                                        uint64_t b, uint64_t c)
{
    struct pgs_draw *added = batch->pass_count < 64 ? pgs_calloc(1, sizeof(*added)) : NULL;
    if (!added)
        return NULL;
    *added = (struct pgs_draw){.next = batch->all, .what = what, .a = a, .b = b, .c = c};
    batch->all = added;
    batch->pass[batch->pass_count++] = added;
    return added;
}

static VkResult fake_batch_note(struct pgs_batch *batch, enum fake_event what, uint64_t a,
                                uint64_t b, uint64_t c)
{
    return fake_batch_push(batch, what, a, b, c) ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* What the draw module was told last: the state of a draw, where its arguments are, and where an
 * interval captures to. */
static struct pgs_graphics_state fake_last_state;
static VkDeviceSize fake_last_args_B;
static struct pgs_xfb_binding fake_last_bindings[PGS_MAX_XFB_BUFFERS];
/* Was the last draw said to follow the one before? What was said of its state? */
static bool fake_follows;
static bool fake_merges;        /* draws that follow another one are drawn by its replacement */
static bool fake_takes_changed; /* the quick way takes draws with other sets */
static uint64_t fake_version, fake_data_version;

VkResult pgs_batch_add(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                       const struct pgs_draw_call *call, bool follows, struct pgs_replacement **out)
{
    *out = NULL;
    fake_follows = follows;
    fake_version = state->version;
    fake_data_version = state->data_version;
    const uint32_t count = fake_count(call);
    if (!count && !call->byte_count)
        return VK_SUCCESS;
    static const struct pgs_query_set no_queries;
    const bool native = !state->pipeline;
    struct pgs_draw *draw =
        fake_batch_push(batch, FAKE_REPLAY, count, state->push[0], call->draw_index);
    fake_last_args_B = call->args.offset_B;
    fake_last_state = *state;
    const bool counts = state->interval || memcmp(&state->queries, &no_queries, sizeof(no_queries));
    const bool asks = state->inherited_condition && !state->condition.buffer;
    if (asks && !fake_batch_push(batch, FAKE_ASK_CONDITION, state->inherited_condition, 0, 0))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!draw || (counts && !fake_batch_push(batch, FAKE_CAPTURE, state->interval, count, native)))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    batch->draw_count++;
    draw->replacement = (struct pgs_replacement){.draw = draw, .count = 1};
    if ((!native || call->byte_count) && !(follows && fake_merges))
        *out = &draw->replacement;
    return VK_SUCCESS;
}

VkResult pgs_batch_add_draw_count(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                                  const struct pgs_draw_call *call, struct pgs_replacement **out)
{
    const struct pgs_draw_call copied = {.byte_count = true, .count = call->max_draws};
    return pgs_batch_add(batch, state, &copied, false, out);
}

bool pgs_batch_add_next(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                        const struct pgs_direct_call *call)
{
    const struct pgs_draw_call full = {.direct = *call};
    struct pgs_replacement *none;
    return fake_merges && pgs_batch_add(batch, state, &full, true, &none) == VK_SUCCESS;
}
bool pgs_batch_add_changed(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                           const struct pgs_direct_call *call, struct pgs_replacement **out)
{
    const struct pgs_draw_call full = {.direct = *call};
    *out = NULL;
    return fake_takes_changed && pgs_batch_add(batch, state, &full, false, out) == VK_SUCCESS;
}

bool pgs_batch_add_next_indirect(struct pgs_batch *batch, const struct pgs_graphics_state *state,
                                 bool indexed, struct pgs_counter args)
{
    const struct pgs_draw_call call = {
        .indirect = true, .indexed = indexed, .args = args, .max_draws = 1};
    struct pgs_replacement *none;
    return fake_merges && pgs_batch_add(batch, state, &call, true, &none) == VK_SUCCESS;
}

VkResult pgs_batch_begin_xfb(struct pgs_batch *batch,
                             const struct pgs_xfb_binding bindings[PGS_MAX_XFB_BUFFERS],
                             const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS],
                             VkDeviceAddress *interval)
{
    *interval = 0x1f00 + (bindings[0].offset_B & 0xff);
    memcpy(fake_last_bindings, bindings, sizeof(fake_last_bindings));
    return fake_batch_note(batch, FAKE_BEGIN_CAPTURE, *interval, (uintptr_t)bindings[0].buffer,
                           (uintptr_t)counters[0].buffer);
}

VkResult pgs_batch_end_xfb(struct pgs_batch *batch, VkDeviceAddress interval,
                           const struct pgs_counter counters[PGS_MAX_XFB_BUFFERS])
{
    return fake_batch_note(batch, FAKE_END_CAPTURE, interval, (uintptr_t)counters[0].buffer, 0);
}

#include "fake_module_records.h"

void pgs_draw_replay(const struct pgs_replacement *replacement, VkCommandBuffer cb)
{
    (void)cb;
    const struct pgs_draw *d = replacement->draw;
    fake_modules_note(FAKE_REPLAY, d->a, d->b, d->c);
}

#endif
