/* SPDX-License-Identifier: MIT
 *
 * Pipelines with tessellation: those that are ours, and what stands beside those of the driver.
 */
#include "base/alloc.h"
#include "base/log.h"
#include "pipeline/compute_inputs.h"
#include "pipeline/find.h"
#include "pipeline/layout.h"
#include "pipeline/make_variants.h"
#include "pipeline/pipeline.h"
#include "poly_gs/tessellation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_spirv.h"

#include "fake_pipeline_driver.h"

#include "pipeline_app.h"

static VkPipelineTessellationDomainOriginStateCreateInfo origin;
static VkPipelineTessellationStateCreateInfo patches;
static VkShaderModule tessellation;

/* Vertex, control, evaluation and fragment shader. */
static void fill_stages(void)
{
    set_stage(1, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, tessellation);
    set_stage(2, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, tessellation);
    set_stage(3, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.info.stageCount = 4;
    app.info.pTessellationState = &patches;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    app.xfb.pipelineStageCreationFeedbackCount = 0;
    origin = (VkPipelineTessellationDomainOriginStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
        .domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT};
    patches = (VkPipelineTessellationStateCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .pNext = &origin,
        .patchControlPoints = 4};
}

/* A geometry shader of the application behind it. */
static void add_geometry_stage(VkShaderModule module)
{
    set_stage(4, VK_SHADER_STAGE_GEOMETRY_BIT, module);
    app.info.stageCount = 5;
}

static void fill_modes(void)
{
    control_info = (struct pgs_spv_control_info){
        .modes = {.output_vertices = 3}, .shared_B = 512, .in = {.stride_w = 12}};
    evaluation_info = (struct pgs_spv_evaluation_info){.modes = {.domain = PGS_SPV_DOMAIN_QUADS,
                                                                 .spacing = PGS_SPV_SPACING_EQUAL,
                                                                 .order = PGS_SPV_ORDER_CCW}};
    evaluation_result = PGS_SPV_OK;
}

static int set_up_tessellation(bool drivers, void **state)
{
    pgs_log_set_level(PGS_LOG_OFF);
    device.xfb = physical.emulates_xfb = true;
    physical.emulates_geometry = physical.emulates_tessellation = !drivers;
    physical.properties.limits.maxComputeSharedMemorySize = 1024;
    driver_lacks_tessellation = !drivers;
    if (set_up(state) != 0)
        return -1;
    tessellation = module_of(WORD_TESSELLATION);
    geometry_info.in.stride_w = 16;
    geometry_info.xfb.enabled = true;
    fill_stages();
    fill_modes();
    app.stages[0].pSpecializationInfo = &app.spec;
    return 0;
}

static int set_up_ours(void **state)
{
    return set_up_tessellation(false, state);
}

static int set_up_drivers(void **state)
{
    return set_up_tessellation(true, state);
}

static int tear_down_tessellation(void **state)
{
    pgs_DestroyShaderModule(VK_NULL_HANDLE, tessellation, NULL);
    const int result = tear_down(state);
    device.xfb = physical.emulates_xfb = false;
    physical.emulates_geometry = true;
    physical.emulates_tessellation = false;
    return result;
}

static const struct pgs_emulated_pipeline *create_one(VkPipeline *pipeline)
{
    assert_int_equal(create(1, &app.info, pipeline), VK_SUCCESS);
    return pgs_emulated_pipeline_find(&device, *pipeline);
}

/* A draw whose raster vertex shader evaluates still needs the stages before. */
static void makes_what_an_inline_draw_takes(void **state)
{
    (void)state;
    VkPipeline pipeline;
    instance.settings.compile = PGS_COMPILE_LAZY;
    instance.settings.plan = PGS_PLAN_VERTEX;
    const struct pgs_emulated_pipeline *p = create_one(&pipeline);
    instance.settings.plan = PGS_PLAN_AUTO;
    assert_true(made(p, PGS_VARIANT_INLINE));
    assert_true(made(p, PGS_VARIANT_VERTEX) && made(p, PGS_VARIANT_CONTROL));
    assert_false(made(p, PGS_VARIANT_EVALUATION) || made(p, PGS_VARIANT_GEOMETRY));
    destroy(pipeline);
}

static const uint32_t vertex_bit = PGS_VARIANT_BIT(PGS_VARIANT_VERTEX),
                      control_bit = PGS_VARIANT_BIT(PGS_VARIANT_CONTROL),
                      fused_bit = PGS_VARIANT_BIT(PGS_VARIANT_FUSED_CONTROL);

/* Of these variants those that the pipeline has. */
static uint32_t patch_variants(const struct pgs_emulated_pipeline *p)
{
    return atomic_load(&p->variants->available) & (vertex_bit | control_bit | fused_bit);
}

/* Vertex and control shader are one where the first is short, and neither stores. */
static void fuses_vertex_and_control_shader(void **state)
{
    static const struct {
        enum pgs_fuse wish;
        uint32_t steps, most, fused; /* patches; 0: no draw */
        bool stores_vertex, stores_control;
        uint32_t out; /* vertices of a patch; 0: as many as come in, which are four */
    } cases[] = {
        {PGS_FUSE_AUTO, 100, PGS_COST_MOST, PGS_COST_MOST, false, false, 0},
        {PGS_FUSE_AUTO, 101, PGS_COST_MOST, 0, false, false, 0},
        {PGS_FUSE_AUTO, 100, 7, 7, false, false, 0},
        {PGS_FUSE_NEVER, 100, PGS_COST_MOST, 0, false, false, 0},
        {PGS_FUSE_ALWAYS, 101, 7, PGS_COST_MOST, false, false, 0},
        {PGS_FUSE_ALWAYS, 1, 7, 0, true, false, 0},
        {PGS_FUSE_ALWAYS, 1, 7, 0, false, true, 0},
        {PGS_FUSE_AUTO, 100, 7, 7, false, false, 5},
        {PGS_FUSE_AUTO, 100, 7, 7, false, false, 2},
        {PGS_FUSE_AUTO, 25, 7, 7, false, false, 1}, /* one invocation shades all */
        {PGS_FUSE_AUTO, 26, 7, 0, false, false, 1},
        {PGS_FUSE_ALWAYS, 26, 7, PGS_COST_MOST, false, false, 1},
    };
    (void)state;
    const uint32_t out = control_info.modes.output_vertices;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        instance.settings.fuse = cases[i].wish;
        physical.traits.costs.of[PGS_COST_FUSE_CONTROL_STEPS] = 100;
        physical.traits.costs.of[PGS_COST_FUSE_PATCHES] = cases[i].most;
        vertex_info.steps = cases[i].steps;
        vertex_info.has_side_effects = cases[i].stores_vertex;
        control_info.has_side_effects = cases[i].stores_control;
        control_info.modes.output_vertices = cases[i].out ? cases[i].out : 4;
        const struct pgs_emulated_pipeline *p = create_one(&pipeline);
        assert_int_equal(p->fused_patches, cases[i].fused);
        assert_int_equal(patch_variants(p), !cases[i].fused ? vertex_bit | control_bit
                                            : cases[i].fused == PGS_COST_MOST
                                                ? fused_bit
                                                : vertex_bit | control_bit | fused_bit);
        if (cases[i].fused)
            assert_int_equal(fused_control_vertices, 4);
        destroy(pipeline);
    }
    control_info.modes.output_vertices = out;
    vertex_info.steps = 0;
    vertex_info.has_side_effects = control_info.has_side_effects = false;
    physical.traits.costs = (struct pgs_costs){{0}};
    instance.settings.fuse = PGS_FUSE_AUTO;
}

/* Shaders that do not go together are found when they are made. */
static void goes_on_with_both_shaders(void **state)
{
    (void)state;
    VkPipeline pipeline;
    bool lost;
    instance.settings.fuse = PGS_FUSE_ALWAYS;
    instance.settings.compile = PGS_COMPILE_LAZY;
    fused_control_result = PGS_SPV_UNSUPPORTED;
    const struct pgs_emulated_pipeline *p = create_one(&pipeline);
    assert_int_equal(pgs_variants_make(p, fused_bit, &lost), VK_SUCCESS);
    assert_true(lost);
    assert_int_equal(patch_variants(p), vertex_bit | control_bit);
    assert_int_equal(pgs_variants_make(p, vertex_bit | control_bit, &lost), VK_SUCCESS);
    assert_false(lost);
    assert_true(made(p, PGS_VARIANT_VERTEX) && made(p, PGS_VARIANT_CONTROL));
    fused_control_result = PGS_SPV_OK;
    instance.settings.fuse = PGS_FUSE_AUTO;
    destroy(pipeline);
}

static void runs_all_stages_as_compute(void **state)
{
    (void)state;
    VkPipeline pipeline;
    const struct pgs_emulated_pipeline *p = create_one(&pipeline);
    assert_true(p->tessellated && p->pass_through && !p->native_raster);
    assert_true(made(p, PGS_VARIANT_VERTEX) && made(p, PGS_VARIANT_CONTROL) &&
                made(p, PGS_VARIANT_EVALUATION) && made(p, PGS_VARIANT_GEOMETRY) &&
                p->handle == pipeline);
    assert_true(p->tes_stored);
    assert_int_equal(raster_stride_w, 16); /* of the evaluation shader */
    assert_true(made(p, PGS_VARIANT_INLINE) && made(p, PGS_VARIANT_NO_MEMORY));
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 7);
    assert_int_equal(fakes.alive[FAKE_MODULE], 4 + 2); /* the application's, two vertex shaders */
    assert_int_equal(vertex_stride_w, 12);
    assert_int_equal(p->control_in.stride_w, 12);
    assert_int_equal(p->patch.vertex_count, 3);
    assert_int_equal(p->patch_control_points, 4);
    assert_int_equal(p->tessellation_flags, PGS_TESS_QUADS | PGS_TESS_EQUAL | PGS_TESS_CCW);
    assert_true(pass_through_stage == PGS_SPV_EVALUATION && !pass_through_numbers);
    assert_int_equal(pass_through_vertices, 3);
    assert_false(evaluation_triangles);
    /* Of tessellation the driver hears nothing. */
    assert_int_equal(fake.graphics.stageCount, 2);
    assert_null(fake.graphics.pTessellationState);
    /* The last one places its vertices. */
    assert_int_equal(fake.input_assembly.topology, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
    assert_false(fake.input_assembly.primitiveRestartEnable);
    destroy(pipeline);
}

/* What nobody captures, numbers or draws as points needs no geometry shader of ours. */
static void leaves_out_what_only_copies(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        VkPipeline pipeline;
        geometry_info.xfb.enabled = i == 1;
        geometry_info.input_vertices = i == 2 ? 1 : 3;
        geometry_info.out_stride_w = 20;
        evaluation_info.modes.point_mode = i == 2;
        reads_primitive_id = i == 3;
        const struct pgs_emulated_pipeline *p = create_one(&pipeline);
        assert_int_equal(p->tes_stored, i < 2);
        assert_int_equal(made(p, PGS_VARIANT_GEOMETRY) != VK_NULL_HANDLE, i > 0);
        assert_int_equal(raster_stride_w, i < 2 ? 16 : 20);
        destroy(pipeline);
    }
}

/* What either shader may say, and what becomes of it. */
static void merges_what_both_shaders_say(void **state)
{
    (void)state;
    static const struct {
        struct pgs_spv_tessellation_modes control, evaluation;
        bool lower_left;
        uint32_t flags, vertices;
    } cases[] = {
        {{PGS_SPV_DOMAIN_TRIANGLES, PGS_SPV_SPACING_FRACTIONAL_ODD, PGS_SPV_ORDER_CW, false, 3},
         {0},
         false,
         PGS_TESS_TRIANGLES | PGS_TESS_FRACTIONAL_ODD,
         3},
        {{.output_vertices = 1},
         {PGS_SPV_DOMAIN_TRIANGLES, PGS_SPV_SPACING_FRACTIONAL_EVEN, PGS_SPV_ORDER_CW, false, 0},
         true,
         PGS_TESS_TRIANGLES | PGS_TESS_FRACTIONAL_EVEN | PGS_TESS_CCW,
         3},
        {{.output_vertices = 32, .point_mode = true},
         {PGS_SPV_DOMAIN_ISOLINES, PGS_SPV_SPACING_EQUAL, PGS_SPV_ORDER_CCW, false, 0},
         true,
         PGS_TESS_ISOLINES | PGS_TESS_POINT_MODE,
         1},
        {{.order = PGS_SPV_ORDER_CCW},
         {PGS_SPV_DOMAIN_ISOLINES, PGS_SPV_SPACING_EQUAL, PGS_SPV_ORDER_NONE, false, 2},
         false,
         PGS_TESS_ISOLINES | PGS_TESS_CCW,
         2},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        control_info.modes = cases[i].control;
        evaluation_info.modes = cases[i].evaluation;
        geometry_info.input_vertices = cases[i].vertices;
        origin.domainOrigin = cases[i].lower_left ? VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT
                                                  : VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT;
        const struct pgs_emulated_pipeline *p = create_one(&pipeline);
        assert_int_equal(p->tessellation_flags, cases[i].flags);
        assert_int_equal(pass_through_vertices, cases[i].vertices);
        assert_int_equal(evaluation_triangles,
                         (cases[i].flags & PGS_TESS_DOMAIN) == PGS_TESS_TRIANGLES);
        destroy(pipeline);
    }
}

static void feeds_geometry_shaders(void **state)
{
    (void)state;
    VkPipeline pipeline;
    add_geometry_stage(app.geometry);
    geometry_info.stream_mask = 1;
    places_geometry = true; /* evaluation and geometry shader can be one */
    const struct pgs_emulated_pipeline *p = create_one(&pipeline);
    assert_true(p->tessellated && !p->pass_through && !p->native_raster);
    assert_int_equal(pass_through_vertices, 0);
    assert_true(made(p, PGS_VARIANT_INLINE) && made(p, PGS_VARIANT_NO_MEMORY));
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 7);
    destroy(pipeline);
    places_geometry = false;
    geometry_info.input_vertices = 2; /* other primitives than come */
    assert_int_equal(create(1, &app.info, &pipeline), VK_ERROR_INVALID_SHADER_NV);
    /* Tessellation alone is the driver's. */
    geometry_info.input_vertices = 3;
    physical.emulates_tessellation = driver_lacks_tessellation = false;
    p = create_one(&pipeline);
    assert_true(p->tessellated && !p->native_raster);
    destroy(pipeline);
    /* Neither is ours alone, but a fragment shader reads what has no number there. */
    app.info.stageCount = 4;
    set_stage(3, VK_SHADER_STAGE_FRAGMENT_BIT, app.geometry);
    reads_primitive_id = true;
    p = create_one(&pipeline);
    assert_true(p->tessellated && p->pass_through && !p->native_raster && pass_through_numbers);
    destroy(pipeline);
}

static void keeps_dynamic_state_from_the_driver(void **state)
{
    (void)state;
    VkPipeline pipeline;
    app.dynamic_states[1] = VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT;
    app.dynamic_states[3] = VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT;
    patches.patchControlPoints = 77;                                /* ignored, */
    origin.domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT; /* and this as well */
    const struct pgs_emulated_pipeline *p = create_one(&pipeline);
    assert_true((p->dynamic & PGS_DYNAMIC_PATCH_CONTROL_POINTS) &&
                (p->dynamic & PGS_DYNAMIC_DOMAIN_ORIGIN));
    assert_int_equal(p->tessellation_flags, PGS_TESS_QUADS | PGS_TESS_CCW);
    assert_int_equal(fake.dynamic_count, 0);
    destroy(pipeline);
    /* A pipeline without tessellation may have it, too. */
    set_stage(1, VK_SHADER_STAGE_FRAGMENT_BIT, app.plain);
    app.info.stageCount = 2;
    app.input_assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    p = create_one(&pipeline);
    assert_true(p->native_raster && !p->tessellated);
    assert_int_equal(fake.dynamic_count, 2);
    assert_int_equal(fake.dynamic[0], VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY);
    assert_int_equal(fake.dynamic[1], VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE);
    destroy(pipeline);
}

/* Of a variant of the pipeline, or of one for any vertex input. */
static bool may_restart(const struct pgs_emulated_pipeline *p, enum pgs_variant variant,
                        bool is_generic)
{
    struct pgs_compute_inputs inputs;
    pgs_compute_inputs_init(p->variants->source, variant, &inputs);
    if (is_generic)
        pgs_compute_inputs_generalize(&inputs);
    return inputs.patch.restarts;
}

/* Control shaders without restart indices are others, and no pipeline that restarts takes them. */
static void control_shaders_know_of_restart_indices(void **state)
{
    (void)state;
    VkPipeline pipelines[3], control[3];
    vertex_info.has_side_effects = true; /* so that no control shader contains the vertex shader */
    for (uint32_t i = 0; i < 3; i++) {
        app.input_assembly.primitiveRestartEnable = i == 1;
        app.dynamic_states[3] =
            i == 2 ? VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE : VK_DYNAMIC_STATE_LINE_WIDTH;
        const struct pgs_emulated_pipeline *p = create_one(&pipelines[i]);
        assert_true(p && p->tessellated);
        control[i] = made(p, PGS_VARIANT_CONTROL);
        assert_true(control[i] != VK_NULL_HANDLE);
        for (int fused = 0; fused < 2; fused++) {
            const enum pgs_variant v = fused ? PGS_VARIANT_FUSED_CONTROL : PGS_VARIANT_CONTROL;
            assert_int_equal(may_restart(p, v, false), i != 0);
            assert_true(may_restart(p, v, true));
        }
    }
    assert_true(control[0] != control[1] && control[1] == control[2]);
    vertex_info.has_side_effects = false;
    for (uint32_t i = 0; i < 3; i++)
        destroy(pipelines[i]);
}

/* A driver that tessellates, but not behind a restart index. */
static void patches_that_restart_are_emulated_alone(void **state)
{
    (void)state;
    static const struct {
        bool gap, restarts, dynamic, emulated, pair;
    } cases[] = {
        {true, false, false, false, false}, {true, true, false, true, false},
        {true, false, true, false, true},   {true, true, true, false, true},
        {false, true, false, false, false}, {false, false, true, false, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        VkPipeline pipeline;
        device.gaps = cases[i].gap ? PGS_FEATURE_BIT(PATCH_RESTART) : 0;
        app.input_assembly.primitiveRestartEnable = cases[i].restarts;
        app.dynamic_states[3] = cases[i].dynamic ? VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE
                                                 : VK_DYNAMIC_STATE_LINE_WIDTH;
        const struct pgs_emulated_pipeline *p = create_one(&pipeline);
        assert_true(p && p->native_raster != cases[i].emulated);
        assert_int_equal(fake.graphics.stageCount, cases[i].emulated ? 2 : 4);
        const VkPipeline other = pgs_restarting_pipeline_find(&device, pipeline);
        assert_int_equal(other != VK_NULL_HANDLE, cases[i].pair);
        p = pgs_emulated_pipeline_find(&device, other);
        assert_true(cases[i].pair ? p && p->tessellated && !p->native_raster : !p);
        destroy(pipeline);
        assert_null(pgs_emulated_pipeline_find(&device, other));
        assert_int_equal(pgs_restarting_pipeline_find(&device, pipeline), VK_NULL_HANDLE);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    }
    device.gaps = 0;
}

static void leaves_nothing_of_pipelines_for_restart(void **state)
{
    (void)state;
    VkPipeline pipeline;
    device.gaps = PGS_FEATURE_BIT(PATCH_RESTART);
    create_one(&pipeline); /* so that the layer's own layouts are there */
    destroy(pipeline);
    const int64_t live = pgs_alloc_live();
    int failures = 0;
    for (int64_t n = 1;; n++, failures++) {
        pgs_alloc_fail_after(n, false);
        const VkResult result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        assert_true(result == VK_ERROR_OUT_OF_HOST_MEMORY && pipeline == VK_NULL_HANDLE);
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
        assert_int_equal(pgs_alloc_live(), live);
    }
    assert_true(failures >= 10);
    destroy(pipeline);
    /* A shader that cannot run as compute leaves the driver's pipeline alone. */
    evaluation_result = PGS_SPV_UNSUPPORTED;
    app.stages[2].pName = "unsupported";
    const struct pgs_emulated_pipeline *p = create_one(&pipeline);
    assert_true(p && p->native_raster && pgs_pipeline_is_uncounted(p));
    assert_int_equal(pgs_restarting_pipeline_find(&device, pipeline), VK_NULL_HANDLE);
    destroy(pipeline);
    device.gaps = 0;
}

/* Nor if it is another pipeline of the same application's that cannot be made. */
static void leaves_no_entry_for_restart(void **state)
{
    (void)state;
    VkPipeline pipeline;
    device.gaps = PGS_FEATURE_BIT(PATCH_RESTART);
    device.first_instances = physical.lacks_first_instance = true;
    create_one(&pipeline);
    assert_true(pgs_restarting_pipeline_find(&device, pipeline));
    assert_non_null(pgs_map_find(&device.pipelines->instanced, (uint64_t)pipeline));
    destroy(pipeline);
    for (int64_t n = 1;; n++) {
        const uint64_t before = fakes.handles;
        pgs_alloc_fail_after(n, false);
        const VkResult result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS)
            break;
        for (uint64_t made = before; made <= fakes.handles; made++)
            assert_null(pgs_map_find(&device.pipelines->restarting, made << fakes.handle_shift));
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    }
    destroy(pipeline);
    device.gaps = 0;
    device.first_instances = physical.lacks_first_instance = false;
}

static void refuses_what_is_beyond_the_limits(void **state)
{
    (void)state;
    VkPipeline pipeline = VK_NULL_HANDLE;
#define REFUSED(place, value, expected)                                                            \
    do {                                                                                           \
        fill_stages();                                                                             \
        fill_modes();                                                                              \
        place = value;                                                                             \
        assert_int_equal(create(1, &app.info, &pipeline), expected);                               \
        assert_true(pipeline == VK_NULL_HANDLE && fakes.alive[FAKE_PIPELINE] == 0);                \
    } while (0)
    REFUSED(patches.patchControlPoints, 0, VK_ERROR_INVALID_SHADER_NV);
    REFUSED(patches.patchControlPoints, 33, VK_ERROR_INVALID_SHADER_NV);
    REFUSED(app.info.pTessellationState, NULL, VK_ERROR_INVALID_SHADER_NV);
    REFUSED(control_info.modes.output_vertices, 0, VK_ERROR_INVALID_SHADER_NV);
    REFUSED(control_info.modes.output_vertices, 33, VK_ERROR_INVALID_SHADER_NV);
    REFUSED(control_info.shared_B, 1028, VK_ERROR_INVALID_SHADER_NV);
    REFUSED(evaluation_info.modes.domain, PGS_SPV_DOMAIN_NONE, VK_ERROR_UNKNOWN);
    REFUSED(app.stages[1].module, app.bad, VK_ERROR_INVALID_SHADER_NV);
    REFUSED(app.stages[2].module, app.bad, VK_ERROR_INVALID_SHADER_NV);
    REFUSED(evaluation_result, PGS_SPV_UNSUPPORTED, VK_ERROR_UNKNOWN);
    REFUSED(app.stages[1].stage, VK_SHADER_STAGE_FRAGMENT_BIT, VK_ERROR_UNKNOWN);
#undef REFUSED
}

static void stays_the_drivers(void **state)
{
    (void)state;
    VkPipeline pipeline;
    const struct pgs_emulated_pipeline *p = create_one(&pipeline);
    assert_true(p->native_raster && p->tessellated && p->pass_through);
    assert_true(made(p, PGS_VARIANT_VERTEX) && made(p, PGS_VARIANT_CONTROL) &&
                made(p, PGS_VARIANT_EVALUATION) && made(p, PGS_VARIANT_GEOMETRY));
    assert_int_equal(fake.graphics.stageCount, 4);
    assert_ptr_equal(fake.graphics.pTessellationState, &patches);
    assert_int_equal(fake.module_words[1], WORD_TESSELLATION);
    destroy(pipeline);
    /* What the driver cannot take goes down without captures. */
    app.stages[2].module = app.geometry;
    p = create_one(&pipeline);
    assert_true(p->native_raster && p->tessellated && made(p, PGS_VARIANT_EVALUATION));
    assert_int_equal(fake.module_words[2], WORD_EXTRACTED);
    destroy(pipeline);
    add_geometry_stage(app.plain);
    p = create_one(&pipeline);
    assert_true(p->native_raster && p->tessellated && !p->pass_through &&
                made(p, PGS_VARIANT_GEOMETRY));
    destroy(pipeline);
    device.xfb = false; /* nobody counts */
    fill_stages();
    assert_null(create_one(&pipeline));
    destroy(pipeline);
}

static void shaders_with_effects_run_once(void **state)
{
    (void)state;
    bool *const effects[] = {&vertex_info.has_side_effects, &control_info.has_side_effects,
                             &evaluation_info.has_side_effects};
    for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]); i++) {
        VkPipeline pipeline;
        *effects[i] = true;
        const struct pgs_emulated_pipeline *p = create_one(&pipeline);
        assert_true(!p->native_raster && p->tessellated);
        destroy(pipeline);
        *effects[i] = false;
    }
}

/* Most are never counted. */
static void draws_what_it_cannot_count(void **state)
{
    (void)state;
    VkPipeline pipeline;
    evaluation_result = PGS_SPV_UNSUPPORTED;
    const struct pgs_emulated_pipeline *p = create_one(&pipeline);
    assert_true(p->native_raster && pgs_pipeline_is_uncounted(p) && !made(p, PGS_VARIANT_GEOMETRY));
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    evaluation_result = PGS_SPV_OK;
    control_info.shared_B = 2048; /* twice as much as a workgroup may have */
    p = create_one(&pipeline);
    assert_true(p->native_raster && pgs_pipeline_is_uncounted(p));
    destroy(pipeline);
    control_info.has_side_effects = true; /* which must not happen twice */
    p = create_one(&pipeline);
    assert_true(p->native_raster && pgs_pipeline_is_uncounted(p) && !made(p, PGS_VARIANT_VERTEX));
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
    fill_modes();
    evaluation_result = PGS_SPV_UNSUPPORTED;
    app.stages[2].module = app.geometry; /* but this one captures */
    assert_int_equal(create(1, &app.info, &pipeline), VK_ERROR_UNKNOWN);
    assert_true(pipeline == VK_NULL_HANDLE && fakes.alive[FAKE_PIPELINE] == 0);
}

/* Returns how many calls of the driver could fail. */
static int fail_everywhere(void)
{
    const int modules = fakes.alive[FAKE_MODULE];
    VkResult result = VK_ERROR_UNKNOWN;
    int failures = -1;
    VkPipeline pipeline;
    for (int n = 1; result != VK_SUCCESS; n++, failures++) {
        fake_fail_after(n, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        result = create(1, &app.info, &pipeline);
        fake_fail_after(0, VK_SUCCESS);
        if (result != VK_SUCCESS) {
            assert_int_equal(result, VK_ERROR_OUT_OF_DEVICE_MEMORY);
            assert_true(pipeline == VK_NULL_HANDLE && fakes.alive[FAKE_PIPELINE] == 0);
            assert_int_equal(fakes.alive[FAKE_MODULE], modules);
        }
    }
    destroy(pipeline);
    assert_int_equal(fakes.alive[FAKE_MODULE], modules);
    result = VK_ERROR_UNKNOWN;
    const int64_t live = pgs_alloc_live();
    for (int64_t n = 1; result != VK_SUCCESS; n++) {
        pgs_alloc_fail_after(n, false);
        result = create(1, &app.info, &pipeline);
        pgs_alloc_fail_after(0, false);
        if (result == VK_SUCCESS) {
            destroy(pipeline);
        } else {
            assert_int_equal(result, VK_ERROR_OUT_OF_HOST_MEMORY);
            assert_true(pipeline == VK_NULL_HANDLE);
        }
        assert_int_equal(fakes.alive[FAKE_PIPELINE], 0);
        assert_int_equal(fakes.alive[FAKE_MODULE], modules);
        assert_int_equal(pgs_alloc_live(), live);
    }
    return failures;
}

static void every_failure_leaves_nothing(void **state)
{
    (void)state;
    assert_int_equal(fail_everywhere(), 7 + 7); /* modules, pipelines */
}

static void every_failure_beside_the_driver_leaves_nothing(void **state)
{
    (void)state;
    assert_int_equal(fail_everywhere(), 5 + 6);
}

static void layouts_say_nothing_of_stages_that_are_ours(void **state)
{
    (void)state;
    const VkShaderStageFlags control = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                             evaluation = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                             fragment = VK_SHADER_STAGE_FRAGMENT_BIT;
    const VkDescriptorSetLayoutBinding bindings[] = {
        {.stageFlags = control}, {.stageFlags = evaluation | fragment}, {.stageFlags = fragment}};
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 3,
        .pBindings = bindings};
    for (int drivers = 0; drivers < 2; drivers++) {
        VkDescriptorSetLayout layout;
        physical.emulates_tessellation = !drivers;
        assert_int_equal(pgs_CreateDescriptorSetLayout(VK_NULL_HANDLE, &info, NULL, &layout),
                         VK_SUCCESS);
        const VkShaderStageFlags compute = VK_SHADER_STAGE_COMPUTE_BIT;
        for (uint32_t i = 0; i < 3; i++) /* so vertex shaders are not the first beyond a limit */
            assert_true(!(fake.bindings[i].stageFlags & VK_SHADER_STAGE_VERTEX_BIT) ||
                        (fake.bindings[i].stageFlags & compute));
        assert_int_equal(fake.bindings[0].stageFlags, compute | (drivers ? control : 0));
        assert_int_equal(fake.bindings[1].stageFlags, compute | fragment |
                                                          VK_SHADER_STAGE_VERTEX_BIT |
                                                          (drivers ? evaluation : 0));
        assert_int_equal(fake.bindings[2].stageFlags, fragment);
        assert_int_equal(pgs_push_constant_stages(&device, control | fragment),
                         fragment | (drivers ? control : 0));
        pgs_DestroyDescriptorSetLayout(VK_NULL_HANDLE, layout, NULL);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_ours, tear_down_tessellation)
#define BESIDE(name) cmocka_unit_test_setup_teardown(name, set_up_drivers, tear_down_tessellation)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(fuses_vertex_and_control_shader),
        TEST(goes_on_with_both_shaders),
        TEST(control_shaders_know_of_restart_indices),
        TEST(runs_all_stages_as_compute),
        TEST(leaves_out_what_only_copies),
        TEST(merges_what_both_shaders_say),
        TEST(makes_what_an_inline_draw_takes),
        TEST(feeds_geometry_shaders),
        TEST(keeps_dynamic_state_from_the_driver),
        TEST(refuses_what_is_beyond_the_limits),
        TEST(every_failure_leaves_nothing),
        TEST(layouts_say_nothing_of_stages_that_are_ours),
        BESIDE(patches_that_restart_are_emulated_alone),
        BESIDE(leaves_nothing_of_pipelines_for_restart),
        BESIDE(leaves_no_entry_for_restart),
        BESIDE(stays_the_drivers),
        BESIDE(shaders_with_effects_run_once),
        BESIDE(draws_what_it_cannot_count),
        BESIDE(every_failure_beside_the_driver_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
