/* SPDX-License-Identifier: MIT
 *
 * Stored draws that reach their buffers by descriptors of the layer's own: what is pushed, and
 * which draws go by address. The driver is fake and writes down what it is told.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"
#include "poly_gs/bound.h"
#include "poly_gs/format.h"

#define FLOAT4 PGS_FORMAT_MAKE(PGS_LAYOUT_32, 4u, PGS_KIND_SFLOAT)

/* What was pushed last. */
static VkDescriptorBufferInfo pushed[PGS_BOUND_BUFFERS];

static void push(VkCommandBuffer cb, VkPipelineBindPoint point, VkPipelineLayout of, uint32_t set,
                 uint32_t count, const VkWriteDescriptorSet *writes)
{
    (void)cb;
    assert_int_equal(point, VK_PIPELINE_BIND_POINT_COMPUTE);
    assert_true(of == (VkPipelineLayout)(uintptr_t)(FAKE_LAYOUT + 1));
    assert_int_equal(count, PGS_BOUND_BUFFERS);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(writes[i].descriptorType, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
        assert_int_equal(writes[i].dstBinding, i);
        pushed[i] = *writes[i].pBufferInfo;
    }
    note("push set %u", set);
}

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    variants = (struct pgs_variants){0};
    fake_variant(&variants, PGS_VARIANT_FUSED, 11);
    fake_variant(&variants, PGS_VARIANT_BOUND, 12);
    fake_variant(&variants, PGS_VARIANT_STORED_0, 14);
    pipeline.attributes[0].format = FLOAT4;
    pipeline.gs.out_stride_w = 4;
    fake_physical.traits.binds_words = true;
    fake_physical.traits.costs.of[PGS_COST_BOUND_INVOCATIONS] = 10;
    fake_physical.properties.limits.minStorageBufferOffsetAlignment = 16;
    fake_physical.properties.limits.maxStorageBufferRange = 1 << 20;
    memset(pushed, 0, sizeof(pushed));
    memset(fake.bases, 0, sizeof(fake.bases));
    fake_bound_expected = 0;
    const int result = open_batch(64);
    fake_device.vk.CmdPushDescriptorSetKHR = push;
    return result;
}

static int leave(void **unused)
{
    fake_physical.traits.binds_words = false;
    fake_physical.traits.costs.of[PGS_COST_BOUND_INVOCATIONS] = 0;
    fake_physical.properties.limits = (VkPhysicalDeviceLimits){0};
    return tear_down(unused);
}

static struct pgs_draw *add(uint32_t triangles, bool indexed)
{
    return add_call((struct pgs_draw_call){
        .indexed = indexed, .count = 3 * triangles, .instance_count = 1, .first = 5});
}

/* Ends the pass. True if the shader of the draw has descriptors. */
static bool binds(struct pgs_draw *draw)
{
    assert_non_null(draw);
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    const bool found = strstr(event_log.text, "bind 12; ") != NULL;
    assert_true(found || strstr(event_log.text, "bind 11; "));
    assert_int_equal(found, strstr(event_log.text, "push set") != NULL);
    forget();
    pgs_batch_next_pass(batch);
    return found;
}

static void expect_range(uint32_t binding, uint32_t buffer, VkDeviceSize offset_B,
                         VkDeviceSize size_B)
{
    assert_true(pushed[binding].buffer == BUFFER(buffer));
    assert_int_equal(pushed[binding].offset, offset_B);
    assert_int_equal(pushed[binding].range, size_B);
    assert_int_equal(fake.bases[binding], (uint32_t)(buffers[buffer].address + offset_B));
}

static void large_draws_have_descriptors(void **unused)
{
    (void)unused;
    buffers[VERTICES].address += 64;
    state.vertex[0].offset_B = 100;
    state.vertex[0].size_B = 640;
    state.index_offset_B = 8;
    const struct pgs_draw *draw = add(20, true);
    buffers[VERTICES].address -= 64;
    assert_int_equal(pgs_batch_seal(batch), VK_SUCCESS);
    record_batch(batch, PGS_BATCH_FIRST);
    expect("barrier from raster; bind 12; push set 1; dispatch 1 x 1; "
           "bind expand; barrier; dispatch 1 x 1; barrier to raster");
    buffers[VERTICES].address += 64;
    expect_range(PGS_BOUND_ATTRIBUTES, VERTICES, 96, 644);
    buffers[VERTICES].address -= 64;
    expect_range(PGS_BOUND_INDICES, INDICES, 0, 256);
    const struct pgs_range *stored = &draw->subdraws[0].out_vertices;
    assert_true(pushed[PGS_BOUND_VERTICES].buffer == stored->buffer);
    assert_int_equal(pushed[PGS_BOUND_VERTICES].offset, stored->offset_B);
    assert_int_equal(pushed[PGS_BOUND_VERTICES].range, 20 * 3 * 16);
    assert_int_equal(fake.bases[PGS_BOUND_VERTICES], (uint32_t)record(draw, 0)->out_vertices);
}

/* What a draw has none of needs some buffer. */
static void absent_ones_have_any(void **unused)
{
    (void)unused;
    state.vertex[0].buffer = BUFFER(EXTERNAL);
    const struct pgs_draw *draw = add(20, false);
    assert_true(binds((struct pgs_draw *)draw));
    for (uint32_t i = 0; i < PGS_BOUND_BUFFERS; i++)
        assert_true(pushed[i].buffer == draw->subdraws[0].out_vertices.buffer);
}

static void small_draws_go_by_address(void **unused)
{
    (void)unused;
    assert_false(binds(add(9, false)));
    assert_true(binds(add(10, false)));
    fake_physical.traits.binds_words = false;
    assert_false(binds(add(10, false)));
    fake_physical.traits.binds_words = true;
    fake_physical.traits.costs.of[PGS_COST_BOUND_INVOCATIONS] = 0;
    assert_false(binds(add(10, false)));
}

static void a_thread_is_asked_for_the_shader(void **unused)
{
    (void)unused;
    atomic_store(&variants.made[PGS_VARIANT_BOUND], (VkPipeline)0);
    assert_false(binds(add(10, false)));
    assert_true(fake_bound_expected > 0);
    atomic_store(&variants.made[PGS_VARIANT_BOUND], (VkPipeline)(uintptr_t)12);
    assert_true(binds(add(10, false)));
    fake_variant(&variants, PGS_VARIANT_BOUND, 0);
    assert_false(binds(add(10, false)));
}

static void words_lie_at_multiples_of_4(void **unused)
{
    (void)unused;
    state.vertex[0].offset_B = 2;
    assert_false(binds(add(20, false)));
    state.vertex[0].offset_B = 4;
    assert_true(binds(add(20, false)));
    state.version++;
    pipeline.bindings[0].stride_B = 18;
    assert_false(binds(add(20, false)));
    state.version++;
    pipeline.attributes[0].format = PGS_FORMAT_MAKE(PGS_LAYOUT_8, 4u, PGS_KIND_UNORM);
    assert_true(binds(add(20, false))); /* nobody reads words */
    pipeline.attributes[0].format = FLOAT4;
    pipeline.bindings[0].stride_B = 16;
    state.version++;
    state.vertex[0] = (struct pgs_vertex_buffer){.buffer = BUFFER(ODD), .size_B = VK_WHOLE_SIZE};
    assert_true(binds(add(20, false)));
    assert_int_equal(pushed[PGS_BOUND_ATTRIBUTES].range, 100); /* of 103 */
}

/* An index of 16 bits may lie in the last word, of which the buffer has only a half. */
static void indices_lie_in_whole_words(void **unused)
{
    (void)unused;
    state.index_buffer = BUFFER(ODD);
    state.index_type = VK_INDEX_TYPE_UINT16;
    assert_false(binds(add(20, true)));
    state.index_size_B = 98;
    state.data_version++;
    assert_true(binds(add(20, true)));
    assert_int_equal(pushed[PGS_BOUND_INDICES].range, 100);
    assert_true(binds(add(20, false)));
}

static void descriptors_have_limits(void **unused)
{
    (void)unused;
    state.vertex[0].buffer = BUFFER(LARGE);
    assert_false(binds(add(20, false)));
    state.data_version++;
    state.vertex[0].size_B = 1 << 20;
    assert_true(binds(add(20, false)));
    state.data_version++;
    state.vertex[0].size_B = (1 << 20) + 4;
    assert_false(binds(add(20, false)));
    state.data_version++;
    state.vertex[0].size_B = 8; /* less than an element that is not there is read as */
    assert_false(binds(add(20, false)));
    state.data_version++;
    state.vertex[0].size_B = 1 << 20;
    fake_physical.properties.limits.maxStorageBufferRange = (1 << 20) - 4;
    assert_false(binds(add(20, false)));
    state.vertex[0].size_B = 256;
    state.data_version++;
    fake_physical.properties.limits.maxStorageBufferRange = 20 * 3 * 16;
    assert_true(binds(add(20, false)));
    fake_physical.properties.limits.maxStorageBufferRange = 20 * 3 * 16 - 4; /* what is stored */
    assert_false(binds(add(20, false)));
}

static void attributes_lie_in_one_buffer(void **unused)
{
    (void)unused;
    pipeline.attribute_count = 2;
    pipeline.attributes[1] = pipeline.attributes[0];
    pipeline.attributes[1].location = pipeline.attributes[1].binding = 1;
    pipeline.bindings[1].stride_B = 16;
    state.vertex[0].offset_B = 512;
    state.vertex[1] =
        (struct pgs_vertex_buffer){.buffer = BUFFER(VERTICES), .offset_B = 32, .size_B = 160};
    assert_true(binds(add(20, false)));
    assert_int_equal(pushed[PGS_BOUND_ATTRIBUTES].offset, 32);
    assert_int_equal(pushed[PGS_BOUND_ATTRIBUTES].range, 1000 - 32);
    state.vertex[1].buffer = BUFFER(SMALL);
    state.data_version++;
    assert_false(binds(add(20, false)));
    pipeline.attributes[1].format = PGS_FORMAT_MAKE(PGS_LAYOUT_16, 4u, PGS_KIND_SFLOAT);
    state.version++;
    assert_true(binds(add(20, false))); /* those of the other buffer are read by address */
}

/* Neither the driver nor layers below need to tell two sets apart that are pushed. */
static void those_who_push_are_let_alone(void **unused)
{
    (void)unused;
    atomic_store(&fake_device.pushed_sets, true);
    assert_false(binds(add(20, false)));
    atomic_store(&fake_device.pushed_sets, false);
    assert_true(binds(add(20, false)));
}

/* A draw that stands for several has one dispatch, and they may have other buffers. */
static void several_calls_go_by_address(void **unused)
{
    (void)unused;
    struct pgs_draw *first = add(20, false), *second = add(20, false);
    assert_int_equal(first->call_count + (second == first ? 0 : second->call_count), 2);
    assert_int_equal(binds(first), second != first);
    assert_true(binds(add(20, false)));
}

/* A draw that is a copy of one in an earlier pass has descriptors of its own. */
static void copies_have_their_own(void **unused)
{
    (void)unused;
    assert_true(binds(add(20, false)));
    assert_true(pushed[PGS_BOUND_ATTRIBUTES].buffer == BUFFER(VERTICES));
    state.vertex[0].buffer = BUFFER(SMALL);
    state.data_version++;
    assert_true(binds(add(20, false)));
    assert_true(pushed[PGS_BOUND_ATTRIBUTES].buffer == BUFFER(SMALL));
    state.vertex[0].buffer = BUFFER(LARGE);
    state.data_version++;
    assert_false(binds(add(20, false)));
    state.vertex[0].buffer = BUFFER(VERTICES);
    state.data_version++;
    assert_true(binds(add(30, true))); /* of another size */
    assert_true(pushed[PGS_BOUND_ATTRIBUTES].buffer == BUFFER(VERTICES));
    assert_true(pushed[PGS_BOUND_INDICES].buffer == BUFFER(INDICES));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, leave)
    const struct CMUnitTest tests[] = {
        TEST(large_draws_have_descriptors), TEST(absent_ones_have_any),
        TEST(small_draws_go_by_address),    TEST(a_thread_is_asked_for_the_shader),
        TEST(words_lie_at_multiples_of_4),  TEST(indices_lie_in_whole_words),
        TEST(descriptors_have_limits),      TEST(attributes_lie_in_one_buffer),
        TEST(those_who_push_are_let_alone), TEST(several_calls_go_by_address),
        TEST(copies_have_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
