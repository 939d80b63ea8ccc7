/* SPDX-License-Identifier: MIT
 *
 * The per-vertex inputs of tessellation shaders.
 */
#include "spirv/stages/patch_inputs.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/control_flow.h"

#define MAX_UNROLLED 128 /* load at most this many vertices without a loop */

static void fill_vertex(const struct pgs_spv_io_access *access,
                        const struct pgs_spv_io_vars *inputs, uint32_t length, uint32_t vertex)
{
    struct pgs_spv_module *m = access->m;
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_io_var *var = &inputs->items[i];
        const uint32_t value =
            var->vertices == length ? pgs_spv_load_io_var(access, var, vertex) : 0;
        if (value)
            PGS_SPV_APPEND(
                m, access->list, SpvOpStore,
                pgs_spv_io_var_pointer(m, access->list, var, SpvStorageClassPrivate, vertex),
                value);
    }
}

/* for (vertex = 0; vertex < count; vertex++), for inputs whose arrays have that length. */
static void fill_arrays(const struct pgs_spv_io_access *access,
                        const struct pgs_spv_io_vars *inputs, uint32_t length, uint32_t count)
{
    struct pgs_spv_module *m = access->m;
    struct pgs_spv_list *list = access->list;
    struct pgs_spv_loop loop;
    pgs_spv_begin_loop(m, list, count, SpvLoopControlMaskNone, &loop);
    fill_vertex(access, inputs, length, loop.counter);
    pgs_spv_end_loop(m, list, &loop);
}

static void fill_length(const struct pgs_spv_vertex_source *source,
                        const struct pgs_spv_io_vars *inputs, uint32_t length)
{
    struct pgs_spv_module *m = source->access.m;
    const uint32_t count_el = length < source->count_el ? length : source->count_el;
    if (source->count_function) {
        fill_arrays(&source->access, inputs, length,
                    PGS_SPV_VALUE(m, source->access.list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                                  source->count_function, pgs_spv_uint(m, length)));
        return;
    }
    if (count_el * inputs->count > MAX_UNROLLED) {
        fill_arrays(&source->access, inputs, length, pgs_spv_uint(m, count_el));
        return;
    }
    for (uint32_t v = 0; v < count_el; v++)
        fill_vertex(&source->access, inputs, length, pgs_spv_uint(m, v));
}

void pgs_spv_fill_vertices(const struct pgs_spv_vertex_source *source,
                           const struct pgs_spv_io_vars *inputs)
{
    for (uint32_t i = 0; i < inputs->count && source->access.m->result == PGS_SPV_OK; i++) {
        const uint32_t length = inputs->items[i].vertices;
        uint32_t first = 0;
        while (inputs->items[first].vertices != length)
            first++;
        if (length != 0 && first == i)
            fill_length(source, inputs, length);
    }
}
