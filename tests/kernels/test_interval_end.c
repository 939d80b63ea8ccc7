/* SPDX-License-Identifier: MIT
 *
 * interval_end: what is stored where an interval of transform feedback ends, without a last draw
 * and behind one of any size, over what that was counted by, too. interval_store does the same
 * without one.
 */
#include "arena.h"
#include "poly_gs/xfb.h"
#include "shaders/embedded.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A record of which the kernel reads how many primitives it has. They are in *count. The counter
 * that it reads for that, if it does, may be one that is stored. */
static uint64_t put_draw(struct arena *arena, struct pgs_interval_end *end, uint64_t *count)
{
    struct pgs_draw_record record = {
        .flags = gpu_random() % 2 ? PGS_DRAW_RESTART : 0,
        .primitive_count = gpu_random() % 8 ? gpu_random_below(1000) : gpu_random(),
        .instance_count = gpu_random() % 8 ? gpu_random_below(4) : gpu_random(),
    };
    uint32_t restarted[2] = {gpu_random_below(1200), 0};
    *count = record.primitive_count;
    if ((record.flags & PGS_DRAW_RESTART) && restarted[0] < *count)
        *count = restarted[0];
    *count *= record.instance_count;
    record.restart_count = arena_put(arena, "restart count", restarted, sizeof(restarted));
    struct pgs_capture capture = {.vertices_per_primitive = 1};
    if (gpu_random() % 3 == 0) { /* by byte count: points */
        const uint32_t counter_B = gpu_random_below(5000);
        record.flags = 0;
        record.instance_count = gpu_random_below(4);
        capture.count = (struct pgs_byte_count){
            .counter = arena_put(arena, "counter", &counter_B, sizeof(counter_B)),
            .offset_B = gpu_random_below(100),
            .stride_B = 4 + 4 * gpu_random_below(3),
            .most_el = gpu_random() % 2 ? UINT32_MAX : gpu_random_below(1000),
        };
        if (gpu_random() % 2)
            end->store[gpu_random_below(PGS_MAX_XFB_BUFFERS)] = capture.count.counter;
        *count = counter_B > capture.count.offset_B
                     ? (counter_B - capture.count.offset_B) / capture.count.stride_B
                     : 0;
        if (*count > capture.count.most_el)
            *count = capture.count.most_el;
        *count *= record.instance_count;
    }
    unsigned char both[PGS_CAPTURE_BEFORE_B + sizeof(record)];
    memcpy(both, &capture, sizeof(capture));
    memcpy(both + PGS_CAPTURE_BEFORE_B, &record, sizeof(record));
    return arena_put(arena, "capture, record", both, sizeof(both)) + PGS_CAPTURE_BEFORE_B;
}

/* One that counts by GS invocations. */
static uint64_t put_gs_invocations(struct arena *arena, uint64_t *count)
{
    uint32_t primitives[700];
    struct pgs_draw_record record = {.gs_invocation_bound = gpu_random_below(700)};
    for (uint32_t i = 0; i < record.gs_invocation_bound; i++)
        *count += primitives[i] = gpu_random_below(6);
    record.primitives = arena_put(arena, "primitives", primitives, record.gs_invocation_bound * 4);
    return arena_put(arena, "record", &record, sizeof(record));
}

static uint64_t put_end(struct arena *arena, struct pgs_interval_end *end)
{
    *end = (struct pgs_interval_end){.space_el = gpu_random_below(3000),
                                     .per_primitive = gpu_random_below(4)};
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        end->offset_B[b] = 4 * gpu_random_below(1000);
        end->primitive_B[b] = gpu_random() % 3 ? 4 * gpu_random_below(100) : 0;
        if (gpu_random() % 3)
            end->store[b] = arena_take(arena, "counter", 4, 4);
    }
    uint64_t count = 0;
    const uint32_t kind = gpu_random_below(3);
    end->flags = kind == 2 ? PGS_END_GS_INVOCATIONS : 0;
    if (kind)
        end->draw = kind == 2 ? put_gs_invocations(arena, &count) : put_draw(arena, end, &count);
    count *= kind == 1 ? end->per_primitive : 1;
    const uint64_t address = arena_put(arena, "end", end, sizeof(*end));
    arena_upload(arena);
    for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS; b++) {
        const uint32_t written = (uint32_t)(count < end->space_el ? count : end->space_el);
        if (end->store[b])
            arena_set_u32(arena, end->store[b], end->offset_B[b] + written * end->primitive_B[b]);
    }
    return address;
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const VkPipeline pipeline =
        gpu_pipeline(&gpu, pgs_kernel_interval_end, pgs_kernel_interval_end_words);
    const VkPipeline store =
        gpu_pipeline(&gpu, pgs_kernel_interval_store, pgs_kernel_interval_store_words);
    for (uint32_t i = 0; i < 200; i++) {
        struct arena arena;
        struct pgs_interval_end end;
        arena_open(&arena, &gpu, 1 << 16);
        const uint64_t root = put_end(&arena, &end);
        const bool stores = !end.draw && gpu_random() % 2;
        gpu_run(&gpu, &(struct gpu_dispatch){stores ? store : pipeline, 1}, 1, root);
        arena_compare(&arena, &gpu, "end", i);
        arena_close(&arena, &gpu);
    }
    return gpu_close(&gpu);
}
