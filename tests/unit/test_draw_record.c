/* SPDX-License-Identifier: MIT
 *
 * What the kernels are told of the application's bindings: addresses, bounds, robustness against
 * what is not there.
 */
#include "draw/record.h"
#include "fake_memory.h"
#include "memory/memory.h"
#include "pipeline/record_inputs.h"
#include "poly_gs/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct pgs_vertex_attribute vec3_at_4 = {
    .location = 1, .offset_B = 4, .size_B = 12, .format = 77};

/* Elements within the bound range of a buffer of 100 bytes at address 1000. */
static struct pgs_attribute fill(VkDeviceSize offset_B, VkDeviceSize size_B, uint32_t stride_B)
{
    const struct pgs_vertex_binding_state binding = {.divisor = 3, .instance_rate = true};
    const struct pgs_vertex_buffer bound = {.offset_B = offset_B, .size_B = size_B};
    const struct pgs_buffer_info buffer = {.size_B = 100, .address = 1000};
    struct pgs_attribute out;
    pgs_attribute_fill(&out, &vec3_at_4, &binding, stride_B, &bound, &buffer);
    assert_int_equal(out.stride_B, stride_B);
    assert_int_equal(out.divisor, 3);
    assert_int_equal(out.format, 77);
    assert_int_equal(out.flags, PGS_ATTRIBUTE_INSTANCE);
    return out;
}

static void counts_whole_elements_of_the_bound_range(void **state)
{
    (void)state;
    struct pgs_attribute a = fill(0, VK_WHOLE_SIZE, 16);
    assert_int_equal(a.address, 1004);
    assert_int_equal(a.element_count_el, 6); /* the seventh would end at 112 */
    assert_int_equal(fill(20, VK_WHOLE_SIZE, 16).element_count_el, 5);
    assert_int_equal(fill(20, VK_WHOLE_SIZE, 16).address, 1024);
    assert_int_equal(fill(0, 16, 16).element_count_el, 1);
    assert_int_equal(fill(0, 32, 16).element_count_el, 2);
    assert_int_equal(fill(0, 31, 16).element_count_el, 1);
    assert_int_equal(fill(0, 1000, 16).element_count_el, 6); /* not beyond the buffer */
    assert_int_equal(fill(0, 32, 17).element_count_el, 1);
    assert_int_equal(fill(0, 33, 17).element_count_el, 2);
    assert_int_equal(fill(0, 16, 0).element_count_el, UINT32_MAX);
    assert_int_equal(fill(0, 16, UINT32_MAX).element_count_el, 1);
}

static void gives_no_address_where_nothing_fits(void **state)
{
    (void)state;
    static const VkDeviceSize cases[][2] = {
        {0, 15}, {0, 0}, {85, VK_WHOLE_SIZE}, {100, VK_WHOLE_SIZE}, {UINT64_MAX, VK_WHOLE_SIZE}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        assert_int_equal(fill(cases[i][0], cases[i][1], 16).element_count_el, 0);
        assert_int_equal(fill(cases[i][0], cases[i][1], 0).address, 0);
    }
    const struct pgs_vertex_binding_state binding = {.divisor = 1};
    struct pgs_attribute out;
    pgs_attribute_fill(&out, &vec3_at_4, &binding, 16, &(struct pgs_vertex_buffer){0}, NULL);
    assert_int_equal(out.address, 0);
    assert_int_equal(out.element_count_el, 0);
    assert_int_equal(out.flags, 0);
    const struct pgs_buffer_info external = {.size_B = 100, .address = 0};
    pgs_attribute_fill(&out, &vec3_at_4, &binding, 16,
                       &(struct pgs_vertex_buffer){.size_B = VK_WHOLE_SIZE}, &external);
    assert_int_equal(out.element_count_el, 0);
}

static struct pgs_physical_device physical = {.api_version = VK_API_VERSION_1_1};
static struct pgs_device device = {
    .physical = &physical,
    .active = true,
    .vk = {FAKE_MEMORY_DISPATCH},
};

/* The hooks find the device by its handle; here there is only one. */
struct pgs_device *pgs_device_from_handle(const void *dispatchable)
{
    (void)dispatchable;
    return &device;
}

#include "vulkan/hooks.h"

static VkBuffer index_buffer(VkDeviceSize size_B)
{
    VkBuffer buffer;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size_B,
                                     .usage = VK_BUFFER_USAGE_INDEX_BUFFER_BIT};
    assert_int_equal(pgs_CreateBuffer(VK_NULL_HANDLE, &info, NULL, &buffer), VK_SUCCESS);
    assert_int_equal(info.size, size_B); /* the application's struct is as it was */
    assert_int_equal(fake_memories.last_B % 4, 0);
    assert_true(fake_memories.last_usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    return buffer;
}

static int set_up(void **state)
{
    (void)state;
    fakes_reset(32);
    return pgs_buffer_table_create(&device) == VK_SUCCESS ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_buffer_table_destroy(&device);
    return 0;
}

static void fills_indexed_draws(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = {
        .gs = {.input_vertices = 3, .output_kind = 2, .max_vertices = 33, .invocations = 2},
        .uses_push_constants = true,
        .push_B = 256};
    struct pgs_graphics_state state = {.pipeline = &pipeline,
                                       .index_buffer = index_buffer(101),
                                       .index_offset_B = 10,
                                       .index_size_B = VK_WHOLE_SIZE,
                                       .index_type = VK_INDEX_TYPE_UINT16,
                                       .push = {[63] = 42}};
    struct pgs_draw_call call = {.indexed = true,
                                 .count = 7,
                                 .instance_count = 3,
                                 .first = 5,
                                 .first_instance = 9,
                                 .vertex_offset = -4};
    const struct pgs_draw_plan plan = {.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                       .stages = PGS_STAGES_RESTART | PGS_STAGE_BIT(GEOMETRY),
                                       .primitives = 5};
    const struct pgs_draw_ranges ranges = {.vertices = {.address = 1}};
    struct pgs_draw_record r;
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan, &ranges);
    assert_int_equal(r.flags, PGS_DRAW_INDEXED | PGS_DRAW_RESTART);
    assert_int_equal(r.index_address, 0x100000000 + 10 + 5 * 2);
    assert_int_equal(r.index_size_B, 2);
    assert_int_equal(r.index_bound_el, (101 - 10) / 2 - 5); /* of the application's 101 bytes */
    assert_int_equal(r.vertex_count, 7);
    assert_int_equal(r.first_vertex, (uint32_t)-4);
    assert_int_equal(r.instance_count, 3);
    assert_int_equal(r.first_instance, 9);
    assert_int_equal(r.topology, 4);
    assert_int_equal(r.primitive_count, 5);
    assert_int_equal(r.packed_vertices, 0);
    assert_int_equal(r.push[63], 42);

    call.first = 46; /* beyond the end */
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan, &ranges);
    assert_int_equal(r.index_bound_el, 0);
    assert_int_equal(r.index_address, 0);
    state.index_type = VK_INDEX_TYPE_UINT8_EXT;
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan, &ranges);
    assert_int_equal(r.index_size_B, 1);
    assert_int_equal(r.index_bound_el, 91 - 46);
    state.index_type = VK_INDEX_TYPE_UINT32;
    call.first = 0;
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan, &ranges);
    assert_int_equal(r.index_bound_el, 22);
    state.index_buffer = VK_NULL_HANDLE;
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan, &ranges);
    assert_int_equal(r.index_bound_el, 0);
    pgs_DestroyBuffer(VK_NULL_HANDLE, (VkBuffer)(uintptr_t)0x5000, NULL);
}

/* What the layout has, or all that there is room for. */
static void writes_the_push_constants_of_the_layout(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = {.push_B = 8};
    const struct pgs_draw_record from = {.push = {[1] = 2, [16] = 3}};
    struct pgs_draw_record to = {.push = {[16] = 9}}; /* in the next line */
    assert_int_equal(pgs_record_push_size(&pipeline), 0);
    pipeline.uses_push_constants = true;
    pgs_record_write(&to, &from, sizeof(to), pgs_record_push_size(&pipeline));
    assert_int_equal(to.push[1], 2);
    assert_int_equal(to.push[16], 9);
    pipeline.push_B = 512;
    assert_int_equal(pgs_record_push_size(&pipeline), sizeof(to.push));
}

static void fills_plain_draws(void **unused)
{
    (void)unused;
    const struct pgs_emulated_pipeline pipeline = {
        .gs = {.input_vertices = 1, .output_kind = 1, .max_vertices = 32, .invocations = 1}};
    const struct pgs_graphics_state state = {.pipeline = &pipeline};
    const struct pgs_draw_call call = {
        .count = 7, .instance_count = 1, .first = 11, .vertex_offset = 77};
    const struct pgs_draw_plan plan = {.stages = PGS_STAGE_BIT(GEOMETRY), .primitives = 7};
    struct pgs_draw_record r;
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan,
                         &(struct pgs_draw_ranges){0});
    assert_int_equal(r.flags, 0);
    assert_int_equal(r.first_vertex, 11);
    assert_int_equal(r.index_size_B, 0);
}

static void takes_streams_and_provoking_vertices_where_they_are(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = {
        .raster_stream = 2,
        .provoking_last = true,
        .gs = {.input_vertices = 1, .output_kind = 1, .max_vertices = 32, .invocations = 1}};
    struct pgs_graphics_state state = {.pipeline = &pipeline, .raster_stream = 3};
    const struct pgs_draw_call call = {.count = 7, .instance_count = 1, .draw_index = 5};
    const struct pgs_draw_plan plan = {.stages = PGS_STAGE_BIT(GEOMETRY), .primitives = 7};
    const struct pgs_draw_ranges ranges = {0};
    struct pgs_draw_record r;
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan, &ranges);
    assert_int_equal(r.raster_stream, 2);
    assert_int_equal(r.flags, PGS_DRAW_PROVOKING_LAST);
    assert_int_equal(r.draw_index, 5);
    pipeline.dynamic = PGS_DYNAMIC_STREAM | PGS_DYNAMIC_PROVOKING;
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan, &ranges);
    assert_int_equal(r.raster_stream, 3);
    assert_int_equal(r.flags, 0);
    pipeline.provoking_last = false;
    state.provoking_last = true;
    pgs_record_fill_draw(&r, &device, &pipeline, &state, &call, &plan, &ranges);
    assert_int_equal(r.flags, PGS_DRAW_PROVOKING_LAST);
}

static VkVertexInputAttributeDescription2EXT described(uint32_t location, uint32_t binding,
                                                       VkFormat format, uint32_t offset_B)
{
    return (VkVertexInputAttributeDescription2EXT){
        .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
        .location = location,
        .binding = binding,
        .format = format,
        .offset = offset_B};
}

/* A pipeline that reads locations 1, 2, 5 and 7; described are 1, 2 and 7, but nothing reads the
 * format of 7, and 9, which the pipeline does not read. */
static void takes_dynamic_vertex_input(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = {
        .dynamic = PGS_DYNAMIC_VERTEX_INPUT,
        .attribute_count = 4,
        .attributes = {{.location = 1}, {.location = 2}, {.location = 5}, {.location = 7}}};
    struct pgs_graphics_state state = {
        .pipeline = &pipeline,
        .vertex = {[3] = {index_buffer(100), 4, VK_WHOLE_SIZE, 20}},
        .vertex_input = {
            .binding_count = 2,
            .bindings = {{.binding = 3, .stride = 16, .divisor = 1},
                         {.binding = 6,
                          .stride = 8,
                          .inputRate = VK_VERTEX_INPUT_RATE_INSTANCE,
                          .divisor = 4}},
            .attribute_count = 4,
            .attributes = {described(9, 3, VK_FORMAT_R8_UNORM, 0),
                           described(2, 6, VK_FORMAT_R16G16_SINT, 2),
                           described(1, 3, VK_FORMAT_R32G32B32_SFLOAT, 12),
                           described(7, 3, VK_FORMAT_BC1_RGB_UNORM_BLOCK, 0)},
        }};
    state.vertex[6] = state.vertex[3];
    struct pgs_draw_record r;
    memset(&r, 0xee, sizeof(r)); /* of a former call */
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    const struct pgs_attribute *one = &r.attributes[1], *two = &r.attributes[2];
    assert_int_equal(one->format, PGS_FORMAT_MAKE(PGS_LAYOUT_32, 3, PGS_KIND_SFLOAT));
    assert_int_equal(one->stride_B, 16);
    assert_int_equal(one->flags, 0);
    assert_int_equal(one->address, 0x100000000 + 4 + 12);
    assert_int_equal(one->element_count_el, 5); /* the sixth would end at 108 */
    assert_int_equal(two->format, PGS_FORMAT_MAKE(PGS_LAYOUT_16, 2, PGS_KIND_SINT));
    assert_int_equal(two->stride_B, 8);
    assert_int_equal(two->divisor, 4);
    assert_int_equal(two->flags, PGS_ATTRIBUTE_INSTANCE);
    assert_int_equal(r.attributes[5].address | r.attributes[5].element_count_el, 0);
    assert_int_equal(r.attributes[7].address | r.attributes[7].element_count_el, 0);
    assert_int_equal(r.attributes[5].format, PGS_FORMAT_ZEROS);
    assert_int_equal(r.attributes[7].format, PGS_FORMAT_ZEROS);

    /* Words at any byte; others are anyway. */
    state.vertex_input.attributes[2].offset = 11;
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    assert_int_equal(one->format,
                     PGS_FORMAT_MAKE(PGS_LAYOUT_32, 3, PGS_KIND_SFLOAT) | PGS_FORMAT_UNALIGNED);
    assert_int_equal(one->address, 0x100000000 + 4 + 11);
    assert_int_equal(two->format, PGS_FORMAT_MAKE(PGS_LAYOUT_16, 2, PGS_KIND_SINT));
    state.vertex_input.attributes[2].offset = 12;
    state.vertex_input.bindings[0].stride = 17;
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    assert_true(one->format & PGS_FORMAT_UNALIGNED);
    state.vertex_input.bindings[0].stride = 16;

    state.vertex_input.strided_since = 1 << 3; /* of no concern to this pipeline */
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    assert_int_equal(one->stride_B, 16);
    pipeline.dynamic |= PGS_DYNAMIC_STRIDE;
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    assert_int_equal(one->stride_B, 20);
    assert_int_equal(two->stride_B, 8);
    state.vertex_input.strided_since = 0;
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    assert_int_equal(one->stride_B, 16);
    state.vertex_input.attributes[1].binding = 5; /* which is not described */
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    assert_int_equal(two->address | two->element_count_el, 0);
    pgs_DestroyBuffer(VK_NULL_HANDLE, state.vertex[3].buffer, NULL);
}

static void joined_attributes_are_there_together(void **unused)
{
    (void)unused;
    const uint32_t words = PGS_FORMAT_MAKE(PGS_LAYOUT_32, 1, PGS_KIND_UINT);
    const uint32_t wide = PGS_FORMAT_MAKE(PGS_LAYOUT_64, 1, PGS_KIND_UINT);
    struct pgs_emulated_pipeline pipeline = {
        .attribute_count = 4,
        .attributes = {{.location = 4, .offset_B = 12, .size_B = 4, .format = words, .leader = 4},
                       {.location = 7, .offset_B = 4, .size_B = 4, .format = words, .leader = 7},
                       {.location = 2, .offset_B = 0, .size_B = 8, .format = wide, .leader = 2},
                       {.location = 1, .binding = 1, .size_B = 4, .format = words, .leader = 1}},
        .bindings = {{.stride_B = 16}, {.stride_B = 16}}};
    struct pgs_graphics_state state = {.pipeline = &pipeline,
                                       .vertex = {{index_buffer(76), 0, VK_WHOLE_SIZE, 0}}};
    struct pgs_draw_record r = {.flags = 0};
    state.vertex[1] = state.vertex[0];
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    assert_int_equal(r.attributes[4].element_count_el, 4);
    assert_int_equal(r.attributes[7].element_count_el, 5);
    assert_int_equal(pgs_record_attributes(&pipeline), 1 << 1 | 1 << 2 | 1 << 4 | 1 << 7);

    pgs_record_join_attributes(&pipeline);
    pgs_record_fill_data(&r, &device, &pipeline, &state);
    assert_int_equal(r.attributes[4].element_count_el, 4);
    assert_int_equal(r.attributes[7].element_count_el, 4);
    assert_int_equal(r.attributes[2].element_count_el, 5); /* wide ones are alone */
    assert_int_equal(r.attributes[1].element_count_el, 5);
    assert_int_equal(pgs_record_attributes(&pipeline), 1 << 1 | 1 << 2 | 1 << 7);
    struct pgs_spv_vertex_options options = {.format = {0}};
    pgs_record_near(&pipeline, &options);
    assert_true(options.reads_near);
    assert_int_equal(options.near[4], 7);
    assert_int_equal(options.near_B[4], 8);
    assert_int_equal(options.near[7], 7);
    assert_int_equal(options.near_B[7], 0);
    assert_int_equal(options.near[1], 1);
    pgs_DestroyBuffer(VK_NULL_HANDLE, state.vertex[0].buffer, NULL);
}

static void parts_cover_the_gs_invocations_once(void **unused)
{
    (void)unused;
    const struct pgs_draw_plan plan = {
        .gs_invocations = 25, .subdraw_gs_invocations = 10, .subdraw_count = 3};
    const struct pgs_subdraw_ranges ranges = {.out_vertices = {.address = 16},
                                              .indices = {.offset_B = 4096, .address = 32}};
    struct pgs_draw_record r = {0};
    static const uint32_t bounds[] = {10, 10, 5};
    for (uint32_t i = 0; i < 3; i++) {
        pgs_record_fill_subdraw(&r, &plan, i, &ranges);
        assert_int_equal(r.gs_invocation_first, i * 10);
        assert_int_equal(r.gs_invocation_bound, bounds[i]);
        assert_int_equal(r.first_index, 1024);
        assert_int_equal(r.out_vertices, 16);
    }
}

static void first_index_fits_in_any_block(void **unused)
{
    (void)unused;
    static const uint64_t offsets[] = {0, 4096, UINT64_C(1) << 33, (UINT64_C(1) << 34) + 64,
                                       (UINT64_C(7) << 33) - 16};
    const struct pgs_draw_plan plan = {
        .gs_invocations = 1, .subdraw_gs_invocations = 1, .subdraw_count = 1};
    for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
        const struct pgs_subdraw_ranges ranges = {.indices = {.offset_B = offsets[i]}};
        struct pgs_draw_record r = {0};
        pgs_record_fill_subdraw(&r, &plan, 0, &ranges);
        const uint64_t bind_B = pgs_index_bind_offset(&ranges.indices);
        assert_true(bind_B + (uint64_t)r.first_index * 4 == offsets[i]);
        assert_true(offsets[i] >= UINT64_C(1) << 33 || bind_B == 0);
    }
}

/* What is filled again, from other places, other buffers or none, is what would be filled. */
static void refills_as_it_fills(void **unused)
{
    (void)unused;
    const VkBuffer buffers[] = {VK_NULL_HANDLE, index_buffer(100), index_buffer(4099),
                                index_buffer(UINT64_C(1) << 32), index_buffer(UINT64_C(5) << 30)};
    static const uint32_t strides_B[] = {0, 1, 16, 17, 28};
    uint32_t random = 1;
    for (size_t i = 0; i < sizeof(strides_B) / sizeof(strides_B[0]); i++) {
        struct pgs_emulated_pipeline pipeline = {
            .attribute_count = 3,
            .attributes = {{.location = 2,
                            .offset_B = 4,
                            .size_B = 12,
                            .format = PGS_FORMAT_MAKE(PGS_LAYOUT_32, 3, PGS_KIND_UINT)},
                           {.location = 0, .offset_B = 9, .size_B = 4, .format = 77},
                           {.location = 5, .binding = 3, .offset_B = 40, .size_B = 8, .format = 5}},
            .bindings = {
                {.stride_B = strides_B[i], .divisor = 1}, [3] = {.stride_B = 12, .divisor = 1}}};
        struct pgs_graphics_state state = {.pipeline = &pipeline};
        struct pgs_record_source source = {0};
        struct pgs_draw_record again = {0};
        pgs_record_fill_data(&again, &device, &pipeline, &state);
        for (uint32_t turn = 0; turn < 300; turn++) {
            struct pgs_draw_record filled = {0};
            for (uint32_t binding = 0; binding < 4; binding += 3) {
                random = random * 1664525 + 1013904223;
                state.vertex[binding] =
                    (struct pgs_vertex_buffer){.buffer = buffers[(random >> 28) % 5],
                                               .offset_B = random >> 16 & 127,
                                               .size_B = random & 64 ? 50 : VK_WHOLE_SIZE};
            }
            pgs_record_refill_data(&again, &device, &pipeline, &state, &source);
            pgs_record_fill_data(&filled, &device, &pipeline, &state);
            assert_memory_equal(again.attributes, filled.attributes, sizeof(filled.attributes));
        }
    }
}

static void records_end_after_the_last_attribute(void **unused)
{
    (void)unused;
    struct pgs_emulated_pipeline pipeline = {0};
    const size_t bare_B = offsetof(struct pgs_draw_record, attributes);
    assert_int_equal(pgs_record_size(&pipeline), bare_B);
    pipeline.attribute_count = 2;
    pipeline.attributes[0].location = 31;
    pipeline.attributes[1].location = 3;
    assert_int_equal(pgs_record_size(&pipeline), sizeof(struct pgs_draw_record));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_whole_elements_of_the_bound_range),
        cmocka_unit_test(gives_no_address_where_nothing_fits),
        cmocka_unit_test_setup_teardown(fills_indexed_draws, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fills_plain_draws, set_up, tear_down),
        cmocka_unit_test(takes_streams_and_provoking_vertices_where_they_are),
        cmocka_unit_test_setup_teardown(takes_dynamic_vertex_input, set_up, tear_down),
        cmocka_unit_test(writes_the_push_constants_of_the_layout),
        cmocka_unit_test_setup_teardown(joined_attributes_are_there_together, set_up, tear_down),
        cmocka_unit_test(parts_cover_the_gs_invocations_once),
        cmocka_unit_test(first_index_fits_in_any_block),
        cmocka_unit_test_setup_teardown(refills_as_it_fills, set_up, tear_down),
        cmocka_unit_test(records_end_after_the_last_attribute),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
