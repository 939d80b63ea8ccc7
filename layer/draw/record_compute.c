/* SPDX-License-Identifier: MIT
 *
 * Records the dispatches of a pass, stage by stage: a barrier for each stage, however many draws
 * there are.
 */
#include "draw/record_compute.h"

#include "draw/bound_buffers.h"
#include "draw/chain.h"
#include "draw/dispatch.h"
#include "draw/listing.h"
#include "draw/plan.h"
#include "draw/plan_listing.h"

#include "poly_gs/indirect.h"
#include "poly_gs/rows.h"

#include <stddef.h>

struct recorder {
    struct pgs_dispatcher dispatcher;
    const struct pgs_kernels *kernels;
    uint32_t *weights; /* if set, weights are summed and nothing is recorded (pgs_compute_weigh) */
    bool runs_program; /* the feedback program runs and needs the counts */
};

/* The steps in order. Restart and counting are empty for draws that do not need them. A stage that
 * is empty for all draws of the pass costs no barrier. */
enum step {
    STEP_SETUP,
    STEP_VERTEX, /* includes draws that capture by themselves and do not wait for the feedback
                    program */
    STEP_RESTART_TILES, /* reads indices only */
    STEP_RESTART_SCAN,
    STEP_RESTART_EMIT,
    STEP_CONTROL,
    STEP_TESS_COUNT,
    STEP_TESS_ALLOT,
    STEP_TESSELLATE,
    STEP_EVALUATION,
    STEP_GEOMETRY,
    STEP_COUNT_TILES,
    STEP_CAPTURE_TILES,
    STEP_SCAN_TILES,
    STEP_CAPTURE_SCAN,
    STEP_EXPAND,
    STEP_CAPTURE_KNOWN, /* does not wait for the feedback program */
    STEP_STIPPLE,
    STEP_CAPTURE,
    STEP_COUNT
};

/* False: the step does not depend on the one before it and runs in its stage. */
static bool begins_stage(enum step step)
{
    return step != STEP_RESTART_TILES && step != STEP_CAPTURE_TILES && step != STEP_CAPTURE_SCAN &&
           step != STEP_CAPTURE_KNOWN;
}

#define BIT(stage) PGS_STAGE_BIT(stage)

/* Stages that a step may record. If a stage is in two steps, record_stage chooses by the draw. */
static const uint32_t stages_of_step[STEP_COUNT] = {
    [STEP_SETUP] = BIT(SETUP) | PGS_STAGES_INDIRECT | BIT(DRAW_COUNT),
    [STEP_VERTEX] = BIT(XFB_SHADER) | BIT(VERTEX),
    [STEP_RESTART_TILES] = BIT(RESTART_TILES),
    [STEP_RESTART_SCAN] = BIT(RESTART_SCAN),
    [STEP_RESTART_EMIT] = BIT(RESTART_EMIT),
    [STEP_CONTROL] = BIT(CONTROL),
    [STEP_TESS_COUNT] = BIT(TESS_COUNT),
    [STEP_TESS_ALLOT] = BIT(TESS_ALLOT) | BIT(TESS_ROUND),
    [STEP_TESSELLATE] = BIT(TESSELLATE),
    [STEP_EVALUATION] = BIT(EVALUATION),
    [STEP_GEOMETRY] = BIT(CHUNKS_COUNT) | BIT(GEOMETRY),
    [STEP_COUNT_TILES] = BIT(COUNT_TILES) | BIT(COUNT_TILES_ANY),
    [STEP_CAPTURE_TILES] = BIT(XFB_TILES) | BIT(XFB_SCAN),
    [STEP_SCAN_TILES] = BIT(SCAN_TILES),
    [STEP_CAPTURE_SCAN] = BIT(XFB_SCAN),
    [STEP_EXPAND] = PGS_STAGES_EXPAND,
    [STEP_CAPTURE_KNOWN] = BIT(XFB_SHADER) | BIT(XFB_COPY),
    [STEP_STIPPLE] = BIT(STIPPLE),
    [STEP_CAPTURE] = BIT(XFB_SHADER) | BIT(CHUNKS_CAPTURE) | BIT(XFB_COPY),
};

static uint32_t groups_of(uint32_t elements, uint32_t group_el)
{
    return elements / group_el + (elements % group_el != 0);
}

static void memory_barrier(const struct pgs_dispatcher *d, VkPipelineStageFlags from,
                           VkAccessFlags from_access, VkPipelineStageFlags to,
                           VkAccessFlags to_access)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = from_access,
        .dstAccessMask = to_access,
    };
    d->dev->vk.CmdPipelineBarrier(d->cb, from, to, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* Number of workgroups: known to the CPU, or in one of the draw's grids, which the GPU writes. */
struct amount {
    uint32_t groups, roots;        /* as many groups for each root */
    const struct pgs_range *grids; /* NULL: use `groups` and `roots` */
    size_t grid_B;
};

#define GRID(stage) offsetof(struct pgs_grids, stage)

static struct amount known(uint32_t groups)
{
    return (struct amount){.groups = groups, .roots = 1};
}

static struct amount known_of_calls(const struct pgs_draw *draw, uint32_t groups)
{
    return (struct amount){.groups = groups, .roots = draw->call_count};
}

/* grid_B: offset of a struct pgs_grid in struct pgs_grids. For indirect draws only the GPU knows
 * how much precedes the geometry stage. */
static struct amount of_draw(const struct pgs_draw *draw, size_t grid_B, uint32_t groups)
{
    if (draw->plan.sizing != PGS_SIZE_GPU)
        return known_of_calls(draw, groups);
    return (struct amount){.grids = &draw->grids, .grid_B = grid_B};
}

/* The draw must have grids. */
static struct amount of_gs_invocations(const struct pgs_draw *draw, size_t grid_B, uint32_t groups)
{
    if (!draw->grids.buffer)
        return known_of_calls(draw, groups);
    return (struct amount){.grids = &draw->grids, .grid_B = grid_B};
}

/* stride_B: between the roots. */
static void dispatch(struct recorder *r, struct pgs_dispatch *next, struct amount amount,
                     uint32_t stride_B)
{
    if (!amount.grids && !amount.groups)
        return; /* no room to capture anything */
    if (r->weights) {
        if (amount.grids)
            r->weights[amount.grid_B / sizeof(struct pgs_grid)] += next->group_el;
        return;
    }
    next->groups = amount.groups;
    next->root_count = 1;
    if (amount.grids) {
        next->grid = amount.grids->buffer;
        next->grid_offset_B = amount.grids->offset_B + amount.grid_B;
        next->root_stride_B = stride_B;
    } else if (amount.roots > 1) {
        next->root_count = amount.roots;
        next->root_stride_B = stride_B;
    }
    pgs_dispatch(&r->dispatcher, next);
}

/* True if the invocations of a workgroup may have memory in common. */
static bool has_shared_memory(const struct pgs_draw *draw, enum pgs_variant variant)
{
    switch (variant) {
    case PGS_VARIANT_VERTEX:
    case PGS_VARIANT_EVALUATION:
        return false;
    case PGS_VARIANT_GEOMETRY:
    case PGS_VARIANT_FUSED:
    case PGS_VARIANT_BOUND:
        return draw->pipeline->gathers;
    default:
        return true;
    }
}

/* Dispatches a variant of the application's shaders. */
static void shader(struct recorder *r, const struct pgs_draw *draw, enum pgs_variant variant,
                   const struct pgs_range *record, uint32_t group_el, struct amount amount)
{
    const struct pgs_draw_sets *sets = pgs_draw_sets_of(draw, variant);
    dispatch(r,
             &(struct pgs_dispatch){
                 .pipeline = pgs_variant_handle(draw->pipeline, variant),
                 .layout = sets->layout,
                 .sets = sets,
                 .root = record->address,
                 .group_el = group_el,
                 .shares = has_shared_memory(draw, variant),
             },
             amount, draw->record_stride_B);
}

static uint32_t kernel_group_el(const struct pgs_kernels *kernels, enum pgs_kernel which)
{
    if (kernels->by_rows >> which & 1)
        return which == PGS_KERNEL_TESSELLATE || which == PGS_KERNEL_PICK_SCAN ? PGS_TILE_EL
                                                                               : PGS_TILE_ROWS;
    switch (which) {
    case PGS_KERNEL_SETUP:
    case PGS_KERNEL_SETUP_ARGS:
    case PGS_KERNEL_POOL_CLOSE:
    case PGS_KERNEL_XFB_STEPS:
    case PGS_KERNEL_TESS_FEW:
    case PGS_KERNEL_INDIRECT_ONE:
        return 1;
    case PGS_KERNEL_XFB_PROGRAM:
        return PGS_XFB_GROUP_EL;
    case PGS_KERNEL_TESSELLATE:
        return PGS_SHADER_GROUP_EL;
    case PGS_KERNEL_INDIRECT:
    case PGS_KERNEL_INDIRECT_INLINE:
    case PGS_KERNEL_INDIRECT_ROUND:
    case PGS_KERNEL_INDIRECT_PATCHES:
        return PGS_INDIRECT_GROUP_EL;
    case PGS_KERNEL_INTERVAL_END:
        return PGS_XFB_GROUP_EL;
    case PGS_KERNEL_INTERVAL_STORE:
        return PGS_MAX_XFB_BUFFERS;
    default:
        return PGS_TILE_EL;
    }
}

static bool writes_grids(enum pgs_kernel which)
{
    return which == PGS_KERNEL_TESS_ALLOT || which == PGS_KERNEL_TESS_ROUND ||
           which == PGS_KERNEL_INDIRECT || which == PGS_KERNEL_INDIRECT_ROUND ||
           which == PGS_KERNEL_INDIRECT_PATCHES;
}

static void kernel_of(struct recorder *r, enum pgs_kernel which, VkDeviceAddress root,
                      struct amount amount, uint32_t stride_B)
{
    dispatch(r,
             &(struct pgs_dispatch){
                 .pipeline = r->kernels->pipelines[which],
                 .layout = r->kernels->layout,
                 .root = root,
                 .group_el = kernel_group_el(r->kernels, which),
                 .writes_grids = writes_grids(which),
                 .shares = true,
                 .alone = PGS_ALONE_KERNELS >> which & 1,
             },
             amount, stride_B);
}

/* Dispatches a kernel with one root. */
static void kernel_once(struct recorder *r, enum pgs_kernel which, VkDeviceAddress root)
{
    kernel_of(r, which, root, known(1), 0);
}

/* Dispatches the stage's kernel over the draw's records from this subdraw on, or their captures. */
static void kernel(struct recorder *r, enum pgs_stage stage, const struct pgs_draw *draw,
                   const struct pgs_subdraw *subdraw, struct amount amount)
{
    kernel_of(r, pgs_stage_kernel(stage, &draw->plan), subdraw->record.address, amount,
              draw->record_stride_B);
}

static void capture_kernel(struct recorder *r, enum pgs_stage stage, const struct pgs_draw *draw,
                           const struct pgs_subdraw *subdraw, struct amount amount)
{
    const bool with_records = pgs_plan_runs(&draw->plan, PGS_STAGE_CHUNKS_COUNT);
    kernel_of(r, pgs_stage_kernel(stage, &draw->plan), subdraw->capture, amount,
              with_records ? draw->record_stride_B : PGS_CAPTURE_STRIDE_B);
}

/* A shader that captures by itself runs after the stages that it reads, and after the feedback
 * program unless the CPU knows the target. */
static enum step xfb_shader_step(const struct pgs_draw *draw)
{
    const bool stored =
        draw->plan.xfb == PGS_XFB_GS && pgs_plan_runs(&draw->plan, PGS_STAGE_VERTEX);
    const bool reads = pgs_plan_runs(&draw->plan, PGS_STAGE_RESTART_EMIT) || stored;
    if (!draw->xfb_target.is_known)
        return STEP_CAPTURE;
    return reads ? STEP_CAPTURE_KNOWN : STEP_VERTEX;
}

static enum pgs_variant xfb_variant(const struct pgs_draw *draw)
{
    switch (draw->plan.xfb) {
    case PGS_XFB_VS:
        return PGS_VARIANT_VERTEX;
    case PGS_XFB_GS:
        return PGS_VARIANT_XFB;
    case PGS_XFB_GS_NO_MEMORY:
        return PGS_VARIANT_NO_MEMORY;
    case PGS_XFB_NONE:
    case PGS_XFB_COPY:
    case PGS_XFB_COPY_OR_CHUNKS:
        break;
    }
    return PGS_VARIANT_COUNT; /* no such shader */
}

/* The subdraws share vertices and primitive list, so the shader runs once. */
static void record_shader(struct recorder *r, const struct pgs_draw *draw, enum pgs_variant variant,
                          uint32_t group_el, struct amount amount)
{
    shader(r, draw, variant, &draw->subdraws[0].record, group_el, amount);
}

/* Workgroups of kernels that process gs_invocations in tiles. */
static struct amount tiles_of(const struct pgs_draw *draw, const struct pgs_subdraw *subdraw)
{
    return of_gs_invocations(draw, GRID(tiles), pgs_tiles(subdraw->gs_invocations));
}

static struct amount one_of(const struct pgs_draw *draw)
{
    return of_draw(draw, GRID(one), 1);
}

/* Processes in chunks what did not fit in memory. */
static void record_chunks(struct recorder *r, const struct pgs_draw *draw, uint32_t mode)
{
    const struct pgs_draw_sets *sets = pgs_draw_sets_of(draw, PGS_VARIANT_NO_MEMORY);
    dispatch(r,
             &(struct pgs_dispatch){
                 .pipeline = pgs_variant_handle(draw->pipeline, PGS_VARIANT_NO_MEMORY),
                 .layout = sets->layout,
                 .sets = sets,
                 .root = draw->subdraws[0].record.address,
                 .mode = mode,
                 .group_el = PGS_SHADER_GROUP_EL,
                 .shares = true,
             },
             of_gs_invocations(draw, GRID(chunks), PGS_CHUNKS), draw->record_stride_B);
}

/* A draw by byte count that captures by itself reads the counter itself, so setup need not. */
static bool needs_setup(const struct recorder *r, const struct pgs_draw *draw)
{
    return draw->setup && (r->runs_program || draw->args.buffer || !draw->counter);
}

/* With descriptors for what it reads and stores, if the draw has them. */
static void record_geometry(struct recorder *r, const struct pgs_draw *draw,
                            const struct pgs_subdraw *subdraw)
{
    struct pgs_bound_buffers bound;
    const struct amount amount = of_gs_invocations(
        draw, GRID(geometry), groups_of(subdraw->gs_invocations, PGS_SHADER_GROUP_EL));
    if (r->weights || !pgs_bound_buffers_of(draw, subdraw, &bound)) {
        shader(r, draw, pgs_plan_geometry_variant(draw->pipeline, &draw->plan), &subdraw->record,
               PGS_SHADER_GROUP_EL, amount);
        return;
    }
    const struct pgs_draw_sets *sets = pgs_draw_sets_of(draw, PGS_VARIANT_BOUND);
    dispatch(r,
             &(struct pgs_dispatch){
                 .pipeline = pgs_variant_handle(draw->pipeline, PGS_VARIANT_BOUND),
                 .layout = sets->layout,
                 .sets = sets,
                 .bound = &bound,
                 .root = subdraw->record.address,
                 .group_el = PGS_SHADER_GROUP_EL,
             },
             amount, draw->record_stride_B);
    pgs_dispatch_flush(&r->dispatcher);
}

/* Records one stage of a subdraw, if it belongs to this step. Small subdraws skip the kernels for
 * many tiles: XFB_SCAN then runs in the step of XFB_TILES. */
static void record_subdraw(struct recorder *r, const struct pgs_draw *draw,
                           const struct pgs_subdraw *subdraw, enum pgs_stage stage, enum step step)
{
    const bool unknown = pgs_gs_invocations_unknown(&draw->plan);
    const bool tiles = unknown || pgs_needs_count_tiles(subdraw->gs_invocations);
    const bool is_known = draw->xfb_target.is_known;
    const bool counts = !is_known || r->runs_program;
    switch (stage) {
    case PGS_STAGE_GEOMETRY:
        record_geometry(r, draw, subdraw);
        break;
    case PGS_STAGE_COUNT_TILES:
    case PGS_STAGE_COUNT_TILES_ANY:
        if (tiles)
            kernel(r, stage, draw, subdraw, tiles_of(draw, subdraw));
        break;
    case PGS_STAGE_SCAN_TILES:
        if (draw->plan.raster == PGS_RASTER_SIFTED)
            kernel(r, stage, draw, subdraw, known(draw->pipeline->gs.one_vertex.strips));
        else if (unknown || draw->plan.raster == PGS_RASTER_PICKED ||
                 pgs_needs_scan_tiles(subdraw->gs_invocations))
            kernel(r, stage, draw, subdraw, one_of(draw));
        break;
    case PGS_STAGE_EXPAND:
    case PGS_STAGE_EXPAND_ANY:
    case PGS_STAGE_EXPAND_POLYGONS:
        kernel(r, stage, draw, subdraw, tiles_of(draw, subdraw));
        break;
    case PGS_STAGE_STIPPLE:
        kernel(r, stage, draw, subdraw, one_of(draw));
        break;
    case PGS_STAGE_XFB_TILES:
        if (tiles && counts)
            capture_kernel(r, stage, draw, subdraw, tiles_of(draw, subdraw));
        break;
    case PGS_STAGE_XFB_SCAN:
        if (step == (tiles ? STEP_CAPTURE_SCAN : STEP_CAPTURE_TILES) && counts)
            capture_kernel(r, stage, draw, subdraw, one_of(draw));
        break;
    case PGS_STAGE_XFB_COPY:
        if (step == (is_known ? STEP_CAPTURE_KNOWN : STEP_CAPTURE))
            capture_kernel(r, stage, draw, subdraw, tiles_of(draw, subdraw));
        break;
    case PGS_STAGE_SETUP:
    case PGS_STAGE_INDIRECT:
    case PGS_STAGE_INDIRECT_INLINE:
    case PGS_STAGE_INDIRECT_ROUND:
    case PGS_STAGE_INDIRECT_PATCHES:
    case PGS_STAGE_DRAW_COUNT:
    case PGS_STAGE_XFB_SHADER:
    case PGS_STAGE_VERTEX:
    case PGS_STAGE_RESTART_TILES:
    case PGS_STAGE_RESTART_SCAN:
    case PGS_STAGE_RESTART_EMIT:
    case PGS_STAGE_CONTROL:
    case PGS_STAGE_TESS_COUNT:
    case PGS_STAGE_TESS_ALLOT:
    case PGS_STAGE_TESS_ROUND:
    case PGS_STAGE_TESSELLATE:
    case PGS_STAGE_EVALUATION:
    case PGS_STAGE_CHUNKS_COUNT:
    case PGS_STAGE_CHUNKS_CAPTURE:
    case PGS_STAGE_XFB_PROGRAM:
    case PGS_STAGE_POOL_CLOSE:
        break; /* recorded for the draw or the batch */
    }
}

/* One list for the calls of each chain. Its tiles are so few that nothing else counts them. */
static void record_chains(struct recorder *r, const struct pgs_draw *draw, enum pgs_stage stage)
{
    for (const struct pgs_chain *chain = draw->chains->first; chain; chain = chain->next)
        kernel_of(r, pgs_stage_kernel(stage, &draw->plan), chain->record,
                  known(pgs_tiles(pgs_chain_gs_invocations(draw, chain))), 0);
}

/* The grids of an indirect draw cover all its records. */
static void record_subdraws(struct recorder *r, const struct pgs_draw *draw, enum pgs_stage stage,
                            enum step step)
{
    const uint32_t subdraws = draw->plan.sizing == PGS_SIZE_GPU ? 1 : draw->plan.subdraw_count;
    if ((draw->plan.in_order || pgs_is_self_listed(draw)) && PGS_STAGES_LIST >> stage & 1)
        return;
    if (draw->chains && stage != PGS_STAGE_GEOMETRY) {
        record_chains(r, draw, stage);
        return;
    }
    for (uint32_t i = 0; i < subdraws; i++)
        record_subdraw(r, draw, &draw->subdraws[i], stage, step);
}

/* Workgroups that tessellate: one for each patch, or on CPUs for each tile of them. */
static struct amount patches_of(const struct recorder *r, const struct pgs_draw *draw)
{
    const uint32_t patches = draw->plan.patches;
    return r->kernels->by_rows >> PGS_KERNEL_TESSELLATE & 1
               ? of_draw(draw, GRID(patches), pgs_tiles(patches))
               : of_draw(draw, GRID(control), patches);
}

static void record_stage(struct recorder *r, const struct pgs_draw *draw, enum pgs_stage stage,
                         enum step step)
{
    const struct pgs_subdraw *first = &draw->subdraws[0];
    const struct pgs_draw_plan *plan = &draw->plan;
    switch (stage) {
    case PGS_STAGE_SETUP:
        if (needs_setup(r, draw))
            kernel_once(r, pgs_stage_kernel(stage, plan), draw->setup);
        break;
    case PGS_STAGE_INDIRECT:
    case PGS_STAGE_INDIRECT_INLINE:
    case PGS_STAGE_INDIRECT_ROUND:
    case PGS_STAGE_INDIRECT_PATCHES:
    case PGS_STAGE_TESS_ROUND:
        kernel_once(r, pgs_stage_kernel(stage, plan), draw->indirect);
        break;
    case PGS_STAGE_DRAW_COUNT:
        kernel_of(r, pgs_stage_kernel(stage, plan), draw->draw_count,
                  known(pgs_tiles(draw->args_count)), 0);
        break;
    case PGS_STAGE_XFB_SHADER:
        if (step == xfb_shader_step(draw))
            record_shader(r, draw, xfb_variant(draw), PGS_SHADER_GROUP_EL,
                          of_draw(draw, GRID(capture),
                                  groups_of(plan->xfb_invocations, PGS_SHADER_GROUP_EL)));
        break;
    case PGS_STAGE_VERTEX:
        if (!plan->fuses_control)
            record_shader(
                r, draw, PGS_VARIANT_VERTEX, PGS_SHADER_GROUP_EL,
                of_draw(draw, GRID(vertex), groups_of(plan->vertices, PGS_SHADER_GROUP_EL)));
        break;
    case PGS_STAGE_RESTART_TILES:
    case PGS_STAGE_RESTART_EMIT:
        kernel(r, stage, draw, first, of_draw(draw, GRID(restart), pgs_tiles(draw->vertex_count)));
        break;
    case PGS_STAGE_RESTART_SCAN:
        kernel(r, stage, draw, first, one_of(draw));
        break;
    case PGS_STAGE_CONTROL:
        record_shader(r, draw, pgs_plan_control_variant(plan), draw->pipeline->patch.vertex_count,
                      of_draw(draw, GRID(control), plan->patches));
        break;
    case PGS_STAGE_TESS_COUNT:
        if (!plan->by_patch) /* control shaders do */
            kernel(r, stage, draw, first, of_draw(draw, GRID(patches), pgs_tiles(plan->patches)));
        break;
    case PGS_STAGE_TESS_ALLOT:
        kernel(r, stage, draw, first, one_of(draw));
        break;
    case PGS_STAGE_TESSELLATE:
        kernel(r, stage, draw, first, patches_of(r, draw));
        break;
    case PGS_STAGE_EVALUATION:
        record_shader(r, draw, PGS_VARIANT_EVALUATION, PGS_SHADER_GROUP_EL,
                      of_gs_invocations(draw, GRID(evaluation), 0));
        break;
    case PGS_STAGE_CHUNKS_COUNT:
    case PGS_STAGE_CHUNKS_CAPTURE:
        record_chunks(r, draw,
                      stage == PGS_STAGE_CHUNKS_COUNT ? PGS_CHUNKS_COUNT : PGS_CHUNKS_CAPTURE);
        break;
    case PGS_STAGE_GEOMETRY:
    case PGS_STAGE_COUNT_TILES:
    case PGS_STAGE_COUNT_TILES_ANY:
    case PGS_STAGE_SCAN_TILES:
    case PGS_STAGE_EXPAND:
    case PGS_STAGE_EXPAND_ANY:
    case PGS_STAGE_EXPAND_POLYGONS:
    case PGS_STAGE_STIPPLE:
    case PGS_STAGE_XFB_TILES:
    case PGS_STAGE_XFB_SCAN:
    case PGS_STAGE_XFB_COPY:
        record_subdraws(r, draw, stage, step);
        break;
    case PGS_STAGE_XFB_PROGRAM:
    case PGS_STAGE_POOL_CLOSE:
        break; /* once for all draws */
    }
}

static void record_draw_step(struct recorder *r, const struct pgs_draw *draw, enum step step)
{
    uint32_t stages = draw->plan.stages & stages_of_step[step];
    for (; stages; stages &= stages - 1)
        record_stage(r, draw, (enum pgs_stage)__builtin_ctz(stages), step);
}

static uint32_t stages_of_draws(const struct pgs_draw *draws)
{
    uint32_t stages = 0;
    for (; draws; draws = draws->next)
        stages |= draws->plan.stages;
    return stages;
}

void pgs_compute_weigh(const struct pgs_draw *draw, const struct pgs_kernels *kernels,
                       uint32_t weights[PGS_GRID_COUNT])
{
    struct recorder r = {.kernels = kernels, .weights = weights, .runs_program = true};
    _Static_assert(sizeof(struct pgs_grids) == PGS_GRID_COUNT * sizeof(struct pgs_grid),
                   "PGS_GRID_COUNT");
    for (uint32_t i = 0; i < PGS_GRID_COUNT; i++)
        weights[i] = 0;
    for (int step = 0; step < STEP_COUNT; step++)
        record_draw_step(&r, draw, step);
}

/* The step beside which the feedback program runs: the first at which all counts are known. */
static enum step program_step(const struct pgs_draw *draws)
{
    enum step step = STEP_VERTEX;
    for (const struct pgs_draw *draw = draws; draw; draw = draw->next) {
        const bool restart = pgs_plan_runs(&draw->plan, PGS_STAGE_RESTART_EMIT);
        switch (draw->plan.count) {
        case PGS_COUNT_NONE:
            break;
        case PGS_COUNT_INPUT:
        case PGS_COUNT_STATIC:
            if (restart && step < STEP_RESTART_EMIT)
                step = STEP_RESTART_EMIT;
            break;
        case PGS_COUNT_TESSELLATOR:
            step = STEP_TESSELLATE; /* the last step that an input to this count can need */
            break;
        case PGS_COUNT_EMITS:
            return STEP_EXPAND;
        }
    }
    return step;
}

static void record_program(struct recorder *r, const struct pgs_program *program)
{
    const enum pgs_kernel which = r->kernels->program;
    if (r->runs_program) {
        kernel_once(r, which, program->range.address);
        return;
    }
    for (size_t i = 0; i < program->ends.count; i++)
        kernel_once(r, which, program->ends.items[i]);
}

#define RASTER_STAGES                                                                              \
    (VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT |                    \
     VK_PIPELINE_STAGE_VERTEX_SHADER_BIT)

/* True if the draw uses memory that every pass uses again: scratch, or records that raster draws
 * read and the next execution's compute work writes. */
static bool uses_scratch(const struct pgs_draw *draw)
{
    const struct pgs_draw_plan *plan = &draw->plan;
    const bool patched = plan->sizing == PGS_SIZE_SETUP && pgs_raster_runs_shaders(plan->raster);
    return draw->args.buffer || patched ||
           (plan->stages & (PGS_STAGES_RESTART | PGS_STAGES_STORE | PGS_STAGES_INDIRECT));
}

/* True if raster draws read what the draw's compute work writes. */
static bool feeds_raster(const struct pgs_draw *draw)
{
    switch (draw->plan.raster) {
    case PGS_RASTER_NATIVE:
        return draw->args.buffer;
    case PGS_RASTER_STORED:
    case PGS_RASTER_TES_STORED:
    case PGS_RASTER_STORED_OR_INLINE:
    case PGS_RASTER_TES_STORED_OR_INLINE:
    case PGS_RASTER_POLYGONS:
    case PGS_RASTER_SIFTED:
    case PGS_RASTER_PICKED:
        return true;
    case PGS_RASTER_INLINE_GS:
    case PGS_RASTER_INLINE_TES:
    case PGS_RASTER_INLINE_TES_GS:
        return uses_scratch(draw);
    case PGS_RASTER_NONE:
    case PGS_RASTER_INSTANCED:
        break;
    }
    return false;
}

/* True if the CPU will read the arguments of its raster draw, or what becomes of its patches. */
static bool tells_cpu(const struct pgs_draw *draw)
{
    return draw->told_args.buffer || draw->tells_patches;
}

static bool any(const struct pgs_draw *draws, bool (*is)(const struct pgs_draw *draw))
{
    for (; draws; draws = draws->next)
        if (is(draws))
            return true;
    return false;
}

/* True if the compute work writes memory of the layer. */
static bool keeps_own_memory(const struct recorder *r, const struct pgs_draw *draws)
{
    bool keeps = any(draws, uses_scratch);
    for (; draws; draws = draws->next)
        keeps |= needs_setup(r, draws);
    return keeps;
}

/* True if the draw's compute work reads nothing of what earlier compute work left in memory of the
 * layer: no counters, no arguments, no records that the GPU fills in. */
static bool begins_anew(const struct pgs_draw *draw)
{
    const uint32_t stages =
        PGS_STAGES_STORE | PGS_STAGES_RESTART | PGS_STAGES_COUNT_TILES | PGS_STAGES_EXPAND;
    return !draw->args.buffer && !draw->setup && !draw->plan.packed &&
           !(draw->plan.stages & ~(stages | BIT(SCAN_TILES) | BIT(STIPPLE)));
}

/* True if nothing that may still run uses the memory that the draws write. No pass before theirs
 * had compute work, and an execution of the command buffer, or of the one that had this memory
 * before, ended before the application could submit this one: it had to wait for a fence, which
 * also makes available what was written. Without SIMULTANEOUS_USE a command buffer is not submitted
 * again while it is pending. */
static bool finds_memory_idle(const struct pgs_draw *draws, enum pgs_batch_place place)
{
    for (; draws; draws = draws->next)
        if (!begins_anew(draws))
            return false;
    return place == PGS_BATCH_ALONE;
}

/* Earlier passes and earlier submissions of this command buffer used the same scratch, and earlier
 * batches left offsets and counters. The application orders accesses to its own memory, but between
 * batches this barrier replaces its barriers: its shaders may read captured data in any way. */
static void barrier_before(const struct pgs_dispatcher *d, const struct pgs_draw *draws, bool first)
{
    const VkPipelineStageFlags raster = any(draws, uses_scratch) ? RASTER_STAGES : 0;
    memory_barrier(d, raster | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                   VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                       (first ? 0 : VK_ACCESS_UNIFORM_READ_BIT));
}

/* The application's barriers for captured data are inside the pass, where they cannot wait for
 * compute work. So this barrier covers all graphics stages. If raster draws read nothing of ours,
 * the pass records a barrier for the render pass's dependencies instead (struct pgs_pass_sync).
 * closed: the CPU will read what the pools asked for. */
static void barrier_after(const struct pgs_dispatcher *d, const struct pgs_draw *draws,
                          bool captures, bool closed)
{
    VkPipelineStageFlags stages = 0;
    VkAccessFlags access = 0;
    if (any(draws, feeds_raster)) {
        stages = captures ? VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT : RASTER_STAGES;
        access = captures ? VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT
                          : VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_INDEX_READ_BIT |
                                VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT | VK_ACCESS_SHADER_READ_BIT;
    }
    if (closed || any(draws, tells_cpu)) {
        stages |= VK_PIPELINE_STAGE_HOST_BIT;
        access |= VK_ACCESS_HOST_READ_BIT;
    }
    if (stages)
        memory_barrier(d, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT, stages,
                       access);
}

/* True if nothing is dispatched: raster draws do all the work. */
static bool has_no_work(uint32_t stages, const struct pgs_program *program,
                        const struct pgs_draw_pool *const close[PGS_POOL_KINDS])
{
    bool none = !stages && !program->ops.count;
    for (int kind = 0; kind < PGS_POOL_KINDS; kind++)
        none &= !close[kind];
    return none;
}

/* Returns true if there was a pool to close. */
static bool close_pools(struct recorder *r, const struct pgs_draw_pool *const close[PGS_POOL_KINDS])
{
    bool any = false;
    for (int kind = 0; kind < PGS_POOL_KINDS; kind++) {
        if (close[kind])
            kernel_once(r, PGS_KERNEL_POOL_CLOSE, close[kind]->header.address);
        any |= close[kind] != NULL;
    }
    return any;
}

uint64_t pgs_compute_record(const struct pgs_device *dev, VkCommandBuffer cb,
                            const struct pgs_draw *draws, const struct pgs_program *program,
                            const struct pgs_kernels *kernels,
                            const struct pgs_draw_pool *const close[PGS_POOL_KINDS],
                            enum pgs_batch_place place, struct pgs_linear *linear)
{
    const uint32_t stages = stages_of_draws(draws);
    if (has_no_work(stages, program, close))
        return 0;
    struct recorder r = {.dispatcher = {.dev = dev, .cb = cb, .linear = linear},
                         .kernels = kernels,
                         .runs_program = pgs_program_runs(program)};
    struct pgs_dispatcher *d = &r.dispatcher;
    const enum step program_at = program_step(draws);
    bool closed = false;
    const bool first = place != PGS_BATCH_LATER;
    if (!first || r.runs_program ||
        (keeps_own_memory(&r, draws) && !finds_memory_idle(draws, place)))
        barrier_before(d, draws, first);
    bool begins = false; /* since the last step that recorded something */
    for (int step = 0; step < STEP_COUNT; step++) {
        const bool closes = step == STEP_EXPAND;
        begins |= begins_stage(step);
        if (!(stages & stages_of_step[step]) && step != (int)program_at && !closes)
            continue;
        if (begins)
            pgs_dispatch_begin_stage(d);
        begins = false;
        if (stages & stages_of_step[step])
            for (const struct pgs_draw *draw = draws; draw; draw = draw->next)
                record_draw_step(&r, draw, step);
        if (step == (int)program_at)
            record_program(&r, program);
        if (closes)
            closed = close_pools(&r, close);
    }
    pgs_dispatch_flush(d);
    barrier_after(d, draws, program->ops.count > 0, closed);
    return d->invocations;
}
