/* SPDX-License-Identifier: MIT
 *
 * Records of draws that repeat the one before: what is written of them, and from which buffers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw_triangles.h"

static const struct pgs_draw *replaced; /* the last draw */

static int set_up(void **unused)
{
    (void)unused;
    bind_triangles_in_buffers();
    pipeline.packs = true; /* so calls are not chained, which is for test_draw_chain.c */
    return open_batch(64);
}

static void add_call_like(struct pgs_draw_call call)
{
    struct pgs_replacement *replacement;
    if (pgs_batch_add_next(batch, &state, &call.direct))
        return;
    assert_int_equal(pgs_batch_add(batch, &state, &call, true, &replacement), VK_SUCCESS);
    if (replacement)
        replaced = replacement->draw;
}

static void add(uint32_t first)
{
    add_call_like((struct pgs_draw_call){.count = 6, .instance_count = 1, .first = first});
}

static void add_indexed(uint32_t first, int32_t vertex_offset)
{
    add_call_like((struct pgs_draw_call){.indexed = true,
                                         .count = 6,
                                         .instance_count = 1,
                                         .first = first,
                                         .vertex_offset = vertex_offset});
}

static void draw_inline(uint32_t primitives)
{
    fake_variant(&variants, PGS_VARIANT_INLINE, 13);
    pipeline.inline_is_exact = pipeline.prefers_inline = true;
    pipeline.gs.pattern =
        (struct pgs_spv_emit_pattern){.is_known = true, .primitives = {primitives}};
}

/* Likewise those of copies, whose arrays of inline draws may end within a line. */
static void records_of_copies_begin_lines(void **unused)
{
    (void)unused;
    draw_inline(2);
    for (uint32_t i = 0; i < 11; i++) /* one, four, and six of the last draw */
        add(i);
    const struct pgs_draw_call other = {.count = 9, .instance_count = 1};
    add_call_like(other);
    pgs_batch_next_pass(batch);
    add_call_like(other); /* takes memory for six, as many as followed each other on average */
    assert_int_equal(replaced->inline_root.size_B, 6 * sizeof(struct pgs_inline_draw));
    assert_int_equal(replaced->records.offset_B % PGS_RECORD_LINE_B, 0);
}

/* The GPU reads no other line in front of the push constants, and the bus takes none for nothing.
 */
static void records_of_inline_draws_have_few_lines(void **unused)
{
    (void)unused;
    draw_inline(2);
    pipeline.uses_push_constants = true, pipeline.push_B = 4;
    state.push[0] = 7;
    add(0);
    add(1); /* takes memory for those to come */
    const struct pgs_draw *draw = replaced;
    unsigned char *bytes = (unsigned char *)draw->records.mapped + draw->record_stride_B;
    assert_int_equal(draw->records.offset_B % PGS_RECORD_LINE_B, 0);
    assert_int_equal(draw->inline_root.offset_B % PGS_RECORD_LINE_B, 0);
    assert_int_equal(draw->record_stride_B % PGS_RECORD_LINE_B, 0);
    memset(bytes, 0xEE, draw->record_stride_B);
    assert_true(pgs_batch_add_next(
        batch, &state, &(struct pgs_direct_call){.count = 6, .instance_count = 1, .first = 2}));
    for (size_t line = 0; line < draw->record_stride_B / PGS_RECORD_LINE_B; line++) {
        const bool written =
            line == 0 || line == PGS_RECORD_PUSH_B / PGS_RECORD_LINE_B ||
            line == offsetof(struct pgs_draw_record, attributes) / PGS_RECORD_LINE_B;
        bool whole = true;
        for (size_t i = 0; i < PGS_RECORD_LINE_B; i++)
            whole &= bytes[line * PGS_RECORD_LINE_B + i] == 0xEE;
        assert_int_equal(whole, !written);
    }
    const size_t begin_B = offsetof(struct pgs_draw_record, index_address);
    assert_memory_equal(bytes + begin_B, (unsigned char *)draw->records.mapped + begin_B,
                        offsetof(struct pgs_draw_record, first_vertex) - begin_B);
    assert_true(record(draw, 1)->self == record(draw, 0)->self + draw->record_stride_B);
    assert_int_equal(record(draw, 1)->first_vertex, 2);
    assert_int_equal(record(draw, 1)->vertex_count, 6);
    assert_int_equal(record(draw, 1)->primitive_count, 2);
    assert_int_equal(record(draw, 1)->push[0], 7);
    assert_int_equal(record(draw, 1)->attributes[0].address, ADDRESS(VERTICES));
    record_batch(batch, PGS_BATCH_FIRST);
    expect(""); /* no kernel reads it */
}

static uint64_t bind_vertices(int buffer, uint64_t offset_B, uint64_t size_B)
{
    static uint32_t first;
    state.vertex[0] = (struct pgs_vertex_buffer){
        .buffer = BUFFER(buffer), .offset_B = offset_B, .size_B = size_B};
    state.data_version++;
    add(first++);
    return record(replaced, replaced->call_count - 1)->attributes[0].address;
}

/* Only what has changed is looked up. */
static void records_have_the_buffers_of_their_calls(void **unused)
{
    (void)unused;
    add(0);
    assert_int_equal(bind_vertices(VERTICES, 16, VK_WHOLE_SIZE), ADDRESS(VERTICES) + 16);
    assert_int_equal(bind_vertices(VERTICES, 16, VK_WHOLE_SIZE), ADDRESS(VERTICES) + 16);
    assert_int_equal(bind_vertices(SMALL, 16, VK_WHOLE_SIZE), ADDRESS(SMALL) + 16);
    assert_int_equal(bind_vertices(SMALL, 16, 8), 0);
    assert_int_equal(bind_vertices(NONE, 16, VK_WHOLE_SIZE), 0);
    assert_int_equal(bind_vertices(SMALL, 0, VK_WHOLE_SIZE), ADDRESS(SMALL));
    assert_int_equal(bind_vertices(BUFFER_COUNT, 0, VK_WHOLE_SIZE), 0); /* it is not known */
    assert_int_equal(bind_vertices(SMALL, 0, VK_WHOLE_SIZE), ADDRESS(SMALL));
    assert_int_equal(record(replaced, 8)->attributes[0].element_count_el, 16);
    state.version++; /* the next one is planned, with what is bound by then */
    state.vertex[0].buffer = BUFFER(VERTICES);
    add(0);
    assert_int_equal(bind_vertices(SMALL, 0, VK_WHOLE_SIZE), ADDRESS(SMALL));
    assert_int_equal(record(replaced, 0)->attributes[0].address, ADDRESS(VERTICES));
}

static void records_have_the_index_buffers_of_their_calls(void **unused)
{
    (void)unused;
    add_indexed(2, 7);
    const struct pgs_draw *draw = replaced;
    uint64_t *const numbers[2] = {&state.index_offset_B, &state.index_size_B};
    const uint64_t values[2] = {8, 40};
    for (uint32_t i = 0; i < 2; i++) {
        state.data_version++;
        add_indexed(2, 0);
        *numbers[i] = values[i];
        state.data_version++;
        add_indexed(2, 0);
    }
    state.index_type = VK_INDEX_TYPE_UINT16;
    state.data_version++;
    add_indexed(2, 0);
    state.index_buffer = BUFFER(SMALL);
    state.data_version++;
    add_indexed(2, 0);
    assert_int_equal(draw->call_count, 7);
    assert_int_equal(record(draw, 1)->index_address, ADDRESS(INDICES) + 8);
    assert_int_equal(record(draw, 2)->index_address, ADDRESS(INDICES) + 16);
    assert_int_equal(record(draw, 3)->index_bound_el, 60);
    assert_int_equal(record(draw, 4)->index_bound_el, 8);
    assert_int_equal(record(draw, 5)->index_address, ADDRESS(INDICES) + 12);
    assert_int_equal(record(draw, 5)->index_size_B, 2);
    assert_int_equal(record(draw, 6)->index_address, ADDRESS(SMALL) + 12);
}

static struct pgs_replacement *go_back(struct pgs_direct_call call)
{
    struct pgs_replacement *made;
    assert_int_equal(pgs_batch_add_back(batch, &state, &call, &made), VK_SUCCESS);
    return made;
}

/* Two pipelines in turn: each goes on where it was, with records of the same buffer. */
static void draws_go_back_to_their_pipeline(void **unused)
{
    (void)unused;
    const struct pgs_direct_call call = {.count = 6, .instance_count = 1, .first = 2};
    draw_inline(2);
    struct pgs_emulated_pipeline other = pipeline;
    other.number++;
    add(0);
    add(1); /* takes memory for those to come */
    const struct pgs_draw *draw = replaced;
    state.pipeline = &other, state.bind_count++;
    assert_null(go_back(call)); /* it has none */
    add(7);
    state.pipeline = &pipeline, state.bind_count++;
    assert_null(go_back((struct pgs_direct_call){.count = 9, .instance_count = 1}));
    const struct pgs_replacement *made = go_back(call);
    assert_non_null(made);
    assert_ptr_equal(made->draw, draw);
    assert_int_equal(made->first, 1);
    assert_int_equal(made->count, 1);
    assert_int_equal(record(draw, 1)->first_vertex, 2);
    assert_true(made->has_vertices);
    state.version++;
    assert_null(go_back(call));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(records_of_copies_begin_lines),
        TEST(records_of_inline_draws_have_few_lines),
        TEST(records_have_the_buffers_of_their_calls),
        TEST(records_have_the_index_buffers_of_their_calls),
        TEST(draws_go_back_to_their_pipeline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
