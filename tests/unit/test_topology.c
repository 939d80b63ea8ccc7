/* SPDX-License-Identifier: MIT
 *
 * Every topology against the table of the specification, written out by hand for runs of 0 to 9
 * vertices (strips with adjacency to 14, where each of their rules has been met at an even and at
 * an odd place).
 */
#include "../../shaders/lib/topology.glsl"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MAX_VALUES 64

struct expectation {
    pgs_u32 topology, vertices_per_primitive;
    pgs_u32 primitives[10];     /* for 0..9 vertices */
    pgs_u32 inputs[MAX_VALUES]; /* of the primitives of 9 vertices, one after the other */
};

static const struct expectation table[] = {
    {PGS_POINT_LIST, 1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
    {PGS_LINE_LIST, 2, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7}},
    {PGS_LINE_STRIP,
     2,
     {0, 0, 1, 2, 3, 4, 5, 6, 7, 8},
     {0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8}},
    {PGS_TRIANGLE_LIST, 3, {0, 0, 0, 1, 1, 1, 2, 2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
    {PGS_TRIANGLE_STRIP, 3, {0, 0, 0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5,
                                                             4, 4, 5, 6, 5, 7, 6, 6, 7, 8}},
    {PGS_TRIANGLE_FAN, 3, {0, 0, 0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5,
                                                           0, 5, 6, 0, 6, 7, 0, 7, 8, 0}},
    {PGS_LINE_LIST_ADJACENCY, 4, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}},
    {PGS_LINE_STRIP_ADJACENCY, 4, {0, 0, 0, 0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 1, 2, 3, 4,
                                                                   2, 3, 4, 5, 3, 4, 5, 6,
                                                                   4, 5, 6, 7, 5, 6, 7, 8}},
    {PGS_TRIANGLE_LIST_ADJACENCY, 6, {0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5}},
    {PGS_TRIANGLE_STRIP_ADJACENCY,
     6,
     {0, 0, 0, 0, 0, 0, 1, 1, 2, 2},
     {0, 1, 2, 6, 4, 3, 2, 5, 6, 7, 4, 0}},
};

/* The inputs where they differ with the last vertex provoking. */
static const struct {
    pgs_u32 topology, inputs[MAX_VALUES];
} turned[] = {
    {PGS_TRIANGLE_STRIP, {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 4, 5, 6, 6, 5, 7, 6, 7, 8}},
    {PGS_TRIANGLE_FAN, {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 6, 0, 6, 7, 0, 7, 8}},
    {PGS_TRIANGLE_STRIP_ADJACENCY, {0, 1, 2, 6, 4, 3, 4, 0, 2, 5, 6, 7}},
};

static void check_inputs(pgs_u32 topology, pgs_u32 vertices_per_primitive, pgs_u32 count,
                         bool provoking_last, const pgs_u32 *expected)
{
    const pgs_u32 primitives = pgs_topology_primitives(topology, count);
    for (pgs_u32 i = 0; i < primitives; i++) {
        for (pgs_u32 k = 0; k < vertices_per_primitive; k++) {
            const pgs_u32 vertex =
                pgs_topology_vertex(topology, i, k, i + 1 == primitives, provoking_last);
            if (vertex != expected[i * vertices_per_primitive + k])
                fail_msg("topology %u, %u vertices, primitive %u, input %u: %u, not %u", topology,
                         count, i, k, vertex, expected[i * vertices_per_primitive + k]);
        }
    }
}

static void check_all(const struct expectation *e, pgs_u32 count)
{
    const pgs_u32 *last = e->inputs;
    for (size_t t = 0; t < sizeof(turned) / sizeof(turned[0]); t++)
        last = turned[t].topology == e->topology ? turned[t].inputs : last;
    check_inputs(e->topology, e->vertices_per_primitive, count, false, e->inputs);
    check_inputs(e->topology, e->vertices_per_primitive, count, true, last);
}

static void test_counts(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
        for (pgs_u32 count = 0; count < 10; count++)
            assert_int_equal(pgs_topology_primitives(table[t].topology, count),
                             table[t].primitives[count]);
    }
    assert_int_equal(pgs_topology_primitives(PGS_LINE_STRIP, 0xFFFFFFFFu), 0xFFFFFFFEu);
    assert_int_equal(pgs_topology_primitives(10u, 9u), 0);
}

static void test_inputs(void **state)
{
    (void)state;
    for (size_t t = 0; t < sizeof(table) / sizeof(table[0]); t++) {
        for (pgs_u32 count = 0; count < 10; count++) {
            /* Up to nine vertices only strips with adjacency depend on the length of the run. */
            if (table[t].topology != PGS_TRIANGLE_STRIP_ADJACENCY)
                check_all(&table[t], count);
        }
        check_all(&table[t], 9);
    }
}

static void test_strip_with_adjacency(void **state)
{
    (void)state;
    static const struct {
        pgs_u32 count;
        pgs_u32 inputs[30], provoking_last[30];
    } runs[] = {
        {6, {0, 1, 2, 5, 4, 3}, {0, 1, 2, 5, 4, 3}},
        {7, {0, 1, 2, 5, 4, 3}, {0, 1, 2, 5, 4, 3}},
        {8, {0, 1, 2, 6, 4, 3, 2, 5, 6, 7, 4, 0}, {0, 1, 2, 6, 4, 3, 4, 0, 2, 5, 6, 7}},
        {9, {0, 1, 2, 6, 4, 3, 2, 5, 6, 7, 4, 0}, {0, 1, 2, 6, 4, 3, 4, 0, 2, 5, 6, 7}},
        {10,
         {0, 1, 2, 6, 4, 3, 2, 5, 6, 8, 4, 0, 4, 2, 6, 9, 8, 7},
         {0, 1, 2, 6, 4, 3, 4, 0, 2, 5, 6, 8, 4, 2, 6, 9, 8, 7}},
        {12,
         {0, 1, 2, 6, 4, 3, 2, 5, 6, 8, 4, 0, 4, 2, 6, 10, 8, 7, 6, 9, 10, 11, 8, 4},
         {0, 1, 2, 6, 4, 3, 4, 0, 2, 5, 6, 8, 4, 2, 6, 10, 8, 7, 8, 4, 6, 9, 10, 11}},
        {14,
         {0,  1, 2, 6, 4, 3,  2,  5, 6, 8, 4, 0,  4,  2,  6,
          10, 8, 7, 6, 9, 10, 12, 8, 4, 8, 6, 10, 13, 12, 11},
         {0,  1, 2, 6, 4, 3, 4, 0,  2,  5, 6, 8,  4,  2,  6,
          10, 8, 7, 8, 4, 6, 9, 10, 12, 8, 6, 10, 13, 12, 11}},
    };
    for (size_t r = 0; r < sizeof(runs) / sizeof(runs[0]); r++) {
        check_inputs(PGS_TRIANGLE_STRIP_ADJACENCY, 6, runs[r].count, false, runs[r].inputs);
        check_inputs(PGS_TRIANGLE_STRIP_ADJACENCY, 6, runs[r].count, true, runs[r].provoking_last);
    }
}

/* What a rasterizer draws of 9 vertices, by hand: the provoking vertex (tables of the
 * specification) first or last, the winding that of the inputs. */
static void test_main_vertices(void **state)
{
    static const struct {
        pgs_u32 topology, vertices_per_primitive;
        pgs_u32 first[9], last[9]; /* the first three primitives */
    } expected[] = {
        {PGS_POINT_LIST, 1, {0, 1, 2}, {0, 1, 2}},
        {PGS_LINE_LIST, 2, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}},
        {PGS_LINE_STRIP, 2, {0, 1, 1, 2, 2, 3}, {0, 1, 1, 2, 2, 3}},
        {PGS_TRIANGLE_LIST, 3, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
        {PGS_TRIANGLE_STRIP, 3, {0, 1, 2, 1, 3, 2, 2, 3, 4}, {0, 1, 2, 2, 1, 3, 2, 3, 4}},
        {PGS_TRIANGLE_FAN, 3, {1, 2, 0, 2, 3, 0, 3, 4, 0}, {0, 1, 2, 0, 2, 3, 0, 3, 4}},
        {PGS_LINE_LIST_ADJACENCY, 2, {1, 2, 5, 6, 9, 10}, {1, 2, 5, 6, 9, 10}},
        {PGS_LINE_STRIP_ADJACENCY, 2, {1, 2, 2, 3, 3, 4}, {1, 2, 2, 3, 3, 4}},
        {PGS_TRIANGLE_LIST_ADJACENCY,
         3,
         {0, 2, 4, 6, 8, 10, 12, 14, 16},
         {0, 2, 4, 6, 8, 10, 12, 14, 16}},
        {PGS_TRIANGLE_STRIP_ADJACENCY, 3, {0, 2, 4, 2, 6, 4, 4, 6, 8}, {0, 2, 4, 4, 2, 6, 4, 6, 8}},
    };
    (void)state;
    for (size_t t = 0; t < sizeof(expected) / sizeof(expected[0]); t++) {
        for (pgs_u32 n = 0; n < 3 * expected[t].vertices_per_primitive; n++) {
            const pgs_u32 topology = expected[t].topology;
            const pgs_u32 i = n / expected[t].vertices_per_primitive,
                          k = n % expected[t].vertices_per_primitive;
            const pgs_u32 input = pgs_topology_main(topology, k);
            assert_int_equal(pgs_topology_vertex(topology, i, input, i == 2, false),
                             expected[t].first[n]);
            assert_int_equal(pgs_topology_vertex(topology, i, input, i == 2, true),
                             expected[t].last[n]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_main_vertices),
        cmocka_unit_test(test_strip_with_adjacency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
