/* SPDX-License-Identifier: MIT
 *
 * draw_count: counts below and above the draws that there may be, arguments that cannot all be
 * read, strides of any size.
 */
#include "arena.h"
#include "poly_gs/abi.h"
#include "poly_gs/draw_count.h"
#include "shaders/embedded.h"

static void model(struct arena *arena, const struct pgs_draw_count *call)
{
    const uint32_t count = arena_u32(arena, call->count);
    for (uint32_t i = 0; i < call->draw_count; i++) {
        const bool drawn = i < count && i < call->args_count;
        uint32_t *to = arena_at(arena, call->copies + (uint64_t)i * PGS_DRAW_COUNT_STRIDE_W * 4);
        for (uint32_t word = 0; word < call->args_words; word++)
            to[word] =
                drawn && word != call->zero_word
                    ? arena_u32(arena, call->args + (uint64_t)i * call->args_stride_B + 4 * word)
                    : 0;
    }
}

static void run(struct gpu *gpu, VkPipeline kernel, uint32_t number)
{
    static uint32_t words[8 * 700];
    struct arena arena;
    arena_open(&arena, gpu, 65536);
    struct pgs_draw_count call = {
        .args_words = 4 + gpu_random_below(2),
        .draw_count = 1 + gpu_random_below(gpu_random() % 4 ? 10 : 700),
    };
    call.args_stride_B = 4 * (call.args_words + gpu_random_below(3));
    call.zero_word = gpu_random() % 2 ? call.args_words : call.args_words - 1;
    call.args_count = gpu_random() % 3 ? call.draw_count : gpu_random_below(call.draw_count + 1);
    const uint32_t count = gpu_random() % 4 ? gpu_random_below(call.draw_count + 3) : gpu_random();
    for (uint32_t i = 0; i < sizeof(words) / 4; i++)
        words[i] = gpu_random();
    call.count = arena_put(&arena, "count", &count, 4);
    call.args = arena_put(&arena, "args", words, (size_t)call.args_count * call.args_stride_B + 4);
    call.copies =
        arena_take(&arena, "copies", (size_t)call.draw_count * PGS_DRAW_COUNT_STRIDE_W * 4, 4);
    const uint64_t root = arena_put(&arena, "draw_count", &call, sizeof(call));
    arena_upload(&arena);
    model(&arena, &call);
    const uint32_t groups = (call.draw_count + PGS_TILE_EL - 1) / PGS_TILE_EL;
    gpu_run(gpu, &(struct gpu_dispatch){kernel, groups}, 1, root);
    arena_compare(&arena, gpu, "draw_count", number);
    arena_close(&arena, gpu);
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const VkPipeline kernel =
        gpu_pipeline(&gpu, pgs_kernel_draw_count, pgs_kernel_draw_count_words);
    for (uint32_t i = 0; i < 200; i++)
        run(&gpu, kernel, i);
    return gpu_close(&gpu);
}
