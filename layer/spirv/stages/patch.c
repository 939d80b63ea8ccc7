/* SPDX-License-Identifier: MIT
 *
 * What control and evaluation shaders share.
 */
#include "spirv/stages/patch.h"

#include "poly_gs/tessellation.h"

#define MAX_UNROLLED 128 /* loads of vertices one by one; more are a loop */

/* What each built-in is where it may be, and as what. */
static const struct {
    uint32_t builtin, count;
    bool is_float;
    bool control_in, control_out, evaluation_in, evaluation_out;
} known[] = {
    {SpvBuiltInPosition, 4, true, true, true, true, true},
    {SpvBuiltInPointSize, 1, true, true, true, true, true},
    {SpvBuiltInClipDistance, 1, true, true, true, true, true},
    {SpvBuiltInCullDistance, 1, true, true, true, true, true},
    {SpvBuiltInTessLevelOuter, 1, true, false, true, true, false},
    {SpvBuiltInTessLevelInner, 1, true, false, true, true, false},
    {SpvBuiltInTessCoord, 3, true, false, false, true, false},
    {SpvBuiltInPrimitiveId, 1, false, true, false, true, false},
    {SpvBuiltInPatchVertices, 1, false, true, false, true, false},
    {SpvBuiltInInvocationId, 1, false, true, false, false, false},
    {SpvBuiltInLayer, 1, false, false, false, false, true},
    {SpvBuiltInViewportIndex, 1, false, false, false, false, true},
};

static bool belongs(size_t i, enum pgs_spv_stage stage, bool is_input)
{
    if (stage == PGS_SPV_CONTROL)
        return is_input ? known[i].control_in : known[i].control_out;
    return is_input ? known[i].evaluation_in : known[i].evaluation_out;
}

static bool is_vertex_builtin(uint32_t builtin)
{
    return builtin == SpvBuiltInPosition || builtin == SpvBuiltInPointSize ||
           builtin == SpvBuiltInClipDistance || builtin == SpvBuiltInCullDistance;
}

/* Built-ins that are not in the list may still be the driver's own, which the pass finds out. */
static void check_leaf(struct pgs_spv_module *m, const struct pgs_spv_leaf *leaf,
                       enum pgs_spv_stage stage, bool is_input)
{
    size_t i = 0;
    if (leaf->builtin == PGS_SPV_NO_BUILTIN)
        return;
    while (i < sizeof(known) / sizeof(known[0]) && known[i].builtin != leaf->builtin)
        i++;
    if (i == sizeof(known) / sizeof(known[0]) || !belongs(i, stage, is_input)) {
        if (!is_input || i < sizeof(known) / sizeof(known[0]) ||
            leaf->builtin == SpvBuiltInViewIndex)
            pgs_spv_fail(m, PGS_SPV_UNSUPPORTED);
        return;
    }
    const uint32_t levels = leaf->builtin == SpvBuiltInTessLevelOuter   ? 4
                            : leaf->builtin == SpvBuiltInTessLevelInner ? 2
                                                                        : UINT32_MAX;
    const bool arrayed = stage == PGS_SPV_CONTROL || is_input;
    if (leaf->count != known[i].count || leaf->width_bits != 32 ||
        leaf->is_float != known[i].is_float || leaf->element >= levels ||
        (is_vertex_builtin(leaf->builtin) && arrayed) != (leaf->vertices != 0))
        pgs_spv_fail(m, PGS_SPV_INVALID);
}

enum pgs_spv_result pgs_spv_open_tessellation(struct pgs_spv_module *m,
                                              const struct pgs_spv_shader *shader,
                                              enum pgs_spv_stage stage,
                                              struct pgs_spv_leaves *inputs,
                                              struct pgs_spv_leaves *outputs)
{
    pgs_spv_parse(m, shader->words, shader->word_count);
    if (shader->stage != stage)
        pgs_spv_fail(m, PGS_SPV_INVALID);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_fold(m, shader);
    pgs_spv_reduce(m, shader);
    if (m->result != PGS_SPV_OK)
        return m->result;
    pgs_spv_collect_garbage(m, false);
    pgs_spv_collect_leaves(
        m, (struct pgs_spv_scope){.storage_class = SpvStorageClassInput, .per_vertex = true},
        inputs);
    pgs_spv_collect_leaves(m,
                           (struct pgs_spv_scope){.storage_class = SpvStorageClassOutput,
                                                  .per_vertex = stage == PGS_SPV_CONTROL},
                           outputs);
    for (uint32_t i = 0; i < inputs->count; i++)
        check_leaf(m, &inputs->items[i], stage, true);
    for (uint32_t i = 0; i < outputs->count; i++)
        check_leaf(m, &outputs->items[i], stage, false);
    return m->result;
}

void pgs_spv_tessellation_modes(struct pgs_spv_module *m, struct pgs_spv_tessellation_modes *modes)
{
    const struct pgs_spv_list *list = &m->sections[PGS_SPV_MODES];
    *modes = (struct pgs_spv_tessellation_modes){0};
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i];
        switch (ins[2]) {
        case SpvExecutionModeTriangles:
            modes->domain = PGS_SPV_DOMAIN_TRIANGLES;
            break;
        case SpvExecutionModeQuads:
            modes->domain = PGS_SPV_DOMAIN_QUADS;
            break;
        case SpvExecutionModeIsolines:
            modes->domain = PGS_SPV_DOMAIN_ISOLINES;
            break;
        case SpvExecutionModeSpacingEqual:
            modes->spacing = PGS_SPV_SPACING_EQUAL;
            break;
        case SpvExecutionModeSpacingFractionalEven:
            modes->spacing = PGS_SPV_SPACING_FRACTIONAL_EVEN;
            break;
        case SpvExecutionModeSpacingFractionalOdd:
            modes->spacing = PGS_SPV_SPACING_FRACTIONAL_ODD;
            break;
        case SpvExecutionModeVertexOrderCw:
            modes->order = PGS_SPV_ORDER_CW;
            break;
        case SpvExecutionModeVertexOrderCcw:
            modes->order = PGS_SPV_ORDER_CCW;
            break;
        case SpvExecutionModePointMode:
            modes->point_mode = true;
            break;
        case SpvExecutionModeOutputVertices:
            modes->output_vertices =
                pgs_spv_op(ins) == SpvOpExecutionMode && pgs_spv_length(ins) > 3 ? ins[3] : 0;
            if (modes->output_vertices == 0 || modes->output_vertices > PGS_MAX_PATCH_VERTICES)
                pgs_spv_fail(m, PGS_SPV_INVALID);
            break;
        default:
            break;
        }
    }
}

static struct pgs_spv_leaves pick(struct pgs_spv_module *m, const struct pgs_spv_leaves *leaves,
                                  bool of_vertices)
{
    struct pgs_spv_leaves some = {.items =
                                      pgs_spv_zalloc(m, leaves->count + 1u, sizeof(*some.items)),
                                  .capacity = leaves->count + 1};
    for (uint32_t i = 0; some.items && i < leaves->count; i++) {
        const struct pgs_spv_leaf *leaf = &leaves->items[i];
        if (of_vertices ? leaf->vertices != 0
                        : leaf->vertices == 0 && leaf->builtin == PGS_SPV_NO_BUILTIN)
            some.items[some.count++] = *leaf;
    }
    return some;
}

struct pgs_spv_leaves pgs_spv_vertex_leaves(struct pgs_spv_module *m,
                                            const struct pgs_spv_leaves *leaves)
{
    return pick(m, leaves, true);
}

struct pgs_spv_leaves pgs_spv_patch_leaves(struct pgs_spv_module *m,
                                           const struct pgs_spv_leaves *leaves)
{
    return pick(m, leaves, false);
}

static void fill_vertex(const struct pgs_spv_port *port, const struct pgs_spv_leaves *inputs,
                        uint32_t length, uint32_t vertex)
{
    struct pgs_spv_module *m = port->m;
    for (uint32_t i = 0; i < inputs->count && m->result == PGS_SPV_OK; i++) {
        const struct pgs_spv_leaf *leaf = &inputs->items[i];
        const uint32_t value = leaf->vertices == length ? pgs_spv_load_leaf(port, leaf, vertex) : 0;
        if (value)
            PGS_SPV_APPEND(
                m, port->list, SpvOpStore,
                pgs_spv_leaf_pointer(m, port->list, leaf, SpvStorageClassPrivate, vertex), value);
    }
}

/* for (vertex = 0; vertex < count; vertex++) for inputs whose arrays have that length. */
static void fill_arrays(const struct pgs_spv_port *port, const struct pgs_spv_leaves *inputs,
                        uint32_t length, uint32_t count)
{
    struct pgs_spv_module *m = port->m;
    struct pgs_spv_list *list = port->list;
    struct pgs_spv_loop loop;
    pgs_spv_begin_loop(m, list, count, SpvLoopControlMaskNone, &loop);
    fill_vertex(port, inputs, length, loop.counter);
    pgs_spv_end_loop(m, list, &loop);
}

static void fill_length(const struct pgs_spv_vertex_source *source,
                        const struct pgs_spv_leaves *inputs, uint32_t length)
{
    struct pgs_spv_module *m = source->port.m;
    const uint32_t count_el = length < source->count_el ? length : source->count_el;
    if (source->count_function) {
        fill_arrays(&source->port, inputs, length,
                    PGS_SPV_VALUE(m, source->port.list, SpvOpFunctionCall, pgs_spv_type_uint(m),
                                  source->count_function, pgs_spv_uint(m, length)));
        return;
    }
    if (count_el * inputs->count > MAX_UNROLLED) {
        fill_arrays(&source->port, inputs, length, pgs_spv_uint(m, count_el));
        return;
    }
    for (uint32_t v = 0; v < count_el; v++)
        fill_vertex(&source->port, inputs, length, pgs_spv_uint(m, v));
}

void pgs_spv_fill_vertices(const struct pgs_spv_vertex_source *source,
                           const struct pgs_spv_leaves *inputs)
{
    for (uint32_t i = 0; i < inputs->count && source->port.m->result == PGS_SPV_OK; i++) {
        const uint32_t length = inputs->items[i].vertices;
        uint32_t first = 0;
        while (inputs->items[first].vertices != length)
            first++;
        if (length != 0 && first == i)
            fill_length(source, inputs, length);
    }
}

void pgs_spv_make_patch(const struct pgs_spv_control_info *control,
                        const struct pgs_spv_evaluation_info *evaluation,
                        struct pgs_spv_patch *patch)
{
    *patch = (struct pgs_spv_patch){.vertex_count = control->modes.output_vertices
                                                        ? control->modes.output_vertices
                                                        : evaluation->modes.output_vertices};
    pgs_spv_merge_layouts(&control->patch, &evaluation->patch, &patch->patch);
    pgs_spv_merge_layouts(&control->out, &evaluation->in, &patch->vertex);
    patch->vertices_w = PGS_PATCH_OUTPUTS_W + patch->patch.stride_w;
    patch->stride_w = patch->vertices_w + patch->vertex_count * patch->vertex.stride_w;
}
