/* SPDX-License-Identifier: MIT */
#include "draw/program.h"

#include <string.h>

#define PGS_PROGRAM_FIRST_OPS 14 /* a few cache lines with the header */

void pgs_program_finish(struct pgs_program *program)
{
    pgs_array_finish(&program->ops);
    pgs_array_finish(&program->stores);
    pgs_array_finish(&program->ends);
    *program = (struct pgs_program){0};
}

void pgs_program_restart(struct pgs_program *program)
{
    program->ops.count = 0;
    program->range = (struct pgs_range){0};
    program->capacity = 0;
    program->must_run = program->ended = program->follows = false;
    program->open = 0;
    program->stores.count = program->ends.count = 0;
}

/* Few enough that comparing their counters costs nothing. */
#define PGS_PROGRAM_MOST_ENDS 8

/* True if two ends store the same counter, so that their order matters. */
static bool stores_again(const struct pgs_program *program, const struct pgs_interval_end *end)
{
    bool again = false;
    for (size_t i = 0; i < program->stores.count; i++)
        for (uint32_t b = 0; b < PGS_MAX_XFB_BUFFERS * PGS_MAX_XFB_BUFFERS; b++) {
            const VkDeviceAddress store = end->store[b % PGS_MAX_XFB_BUFFERS];
            again |= store && store == program->stores.items[i].store[b / PGS_MAX_XFB_BUFFERS];
        }
    return again;
}

VkResult pgs_program_end(struct pgs_program *program, struct pgs_linear *upload,
                         const struct pgs_interval_end *end)
{
    struct pgs_xfb_end stores;
    struct pgs_range range;
    if (program->must_run || program->ends.count == PGS_PROGRAM_MOST_ENDS ||
        stores_again(program, end)) {
        program->must_run = true;
        return VK_SUCCESS;
    }
    if (!pgs_array_reserve(&program->stores, 1) || !pgs_array_reserve(&program->ends, 1))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    const VkResult result = pgs_linear_alloc(upload, sizeof(*end), 16, &range);
    if (result != VK_SUCCESS)
        return result;
    memcpy(range.mapped, end, sizeof(*end));
    memcpy(stores.store, end->store, sizeof(stores.store));
    program->stores.items[program->stores.count++] = stores;
    program->ends.items[program->ends.count++] = range.address;
    program->follows |= end->draw != 0;
    return VK_SUCCESS;
}

static void *op_at(const struct pgs_program *program, size_t index)
{
    return (unsigned char *)program->range.mapped + sizeof(struct pgs_xfb_program) +
           index * sizeof(struct pgs_xfb_op);
}

static void write_header(const struct pgs_program *program)
{
    const struct pgs_xfb_program header = {
        .ops = program->range.address + sizeof(header),
        .op_count = (uint32_t)program->ops.count,
    };
    memcpy(program->range.mapped, &header, sizeof(header));
}

VkResult pgs_program_reserve(struct pgs_program *program, struct pgs_linear *upload, size_t extra)
{
    const size_t need = program->ops.count + extra;
    if (!pgs_array_reserve(&program->ops, extra))
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (need <= program->capacity)
        return VK_SUCCESS;
    size_t capacity = program->capacity ? 2 * program->capacity : PGS_PROGRAM_FIRST_OPS;
    if (capacity < need)
        capacity = need;
    struct pgs_range range;
    const VkResult result = pgs_linear_alloc(
        upload, sizeof(struct pgs_xfb_program) + capacity * sizeof(struct pgs_xfb_op), 16, &range);
    if (result != VK_SUCCESS)
        return result;
    program->range = range;
    program->capacity = capacity;
    write_header(program);
    if (program->ops.count)
        memcpy(op_at(program, 0), program->ops.items,
               program->ops.count * sizeof(struct pgs_xfb_op));
    return VK_SUCCESS;
}

enum pgs_kernel pgs_program_kernel(const struct pgs_program *program, bool is_cpu)
{
    if (!pgs_program_runs(program))
        return is_cpu && !program->follows ? PGS_KERNEL_INTERVAL_STORE : PGS_KERNEL_INTERVAL_END;
    return is_cpu && program->ops.count <= PGS_XFB_STEPS_MAX_OPS ? PGS_KERNEL_XFB_STEPS
                                                                 : PGS_KERNEL_XFB_PROGRAM;
}

void pgs_program_add(struct pgs_program *program, const struct pgs_xfb_op *op)
{
    memcpy(op_at(program, program->ops.count), op, sizeof(*op));
    program->ops.items[program->ops.count++] = *op;
    write_header(program);
}

VkResult pgs_program_append(struct pgs_program *program, struct pgs_linear *upload,
                            const struct pgs_xfb_op *op)
{
    const VkResult result = pgs_program_reserve(program, upload, 1);
    if (result == VK_SUCCESS)
        pgs_program_add(program, op);
    return result;
}
