/* SPDX-License-Identifier: MIT
 *
 * Writes records to where the GPU reads them. In line, since programs make one for each draw.
 * Internal to draw/.
 */
#ifndef PGS_DRAW_RECORD_WRITE_H
#define PGS_DRAW_RECORD_WRITE_H

#include "base/branch.h"
#include "base/numbers.h"
#include "draw/draw.h"
#include "pipeline/record_inputs.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Index data as it is bound. */
struct pgs_bound_indices {
    VkDeviceAddress address; /* 0: nothing is bound, or the layer cannot access it */
    uint64_t bound_el;
    uint32_t size_B; /* of one index */
};

/* What records of the calls of one draw have in common (repeat.h). */
struct pgs_record_lines {
    bool first_only;       /* of the lines in front of push, the GPU reads but the first */
    uint32_t next_end_B;   /* those that it reads of further calls end here: 1, 3 or 4 lines */
    uint32_t push_end_B;   /* the lines with push constants end here */
    uint32_t record_end_B; /* those with attributes */
    /* What the words of the lines in front of push grow by from call to call. No carry leaves a
     * member. */
    uint64_t steps[PGS_RECORD_PUSH_B / 8];
    uint32_t stepped; /* mask of pairs of words in which pgs_record_set_step lets something grow */
};

/* Stores two words at once: they will be loaded so when the record is written. */
static inline void pgs_record_store_pair(void *to, uint64_t first, uint64_t second)
{
    typedef uint64_t pair __attribute__((vector_size(16)));
    const pair both = {first, second};
    memcpy(to, &both, sizeof(both));
}

/* Likewise, by halves. */
static inline void pgs_record_store_quad(void *to, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    typedef uint32_t quad __attribute__((vector_size(16)));
    const quad all = {a, b, c, d};
    memcpy(to, &all, sizeof(all));
}

/* 0: every index reads as 0. */
static inline uint32_t pgs_record_index_bound(const struct pgs_direct_call *call,
                                              const struct pgs_bound_indices *indices)
{
    return indices->address && indices->bound_el > call->first
               ? pgs_clamp_to_u32(indices->bound_el - call->first)
               : 0;
}

static inline VkDeviceAddress pgs_record_index_address(const struct pgs_direct_call *call,
                                                       const struct pgs_bound_indices *indices,
                                                       uint32_t bound)
{
    return bound ? indices->address + (VkDeviceSize)call->first * indices->size_B : 0;
}

/* Loads two words at once. */
static inline uint64_t pgs_record_load_words(const uint32_t *first)
{
    uint64_t both;
    memcpy(&both, first, sizeof(both));
    return both;
}

/* Without the asm, the compiler turns the loop into a call of memcpy, which costs more than the
 * copy and need not write in order. */
static inline void pgs_record_copy_lines(unsigned char *to, const void *record, size_t begin_B,
                                         size_t end_B)
{
    const unsigned char *from = record;
    for (size_t at_B = begin_B; at_B < end_B; at_B += PGS_RECORD_LINE_B) {
        memcpy(to + at_B, from + at_B, PGS_RECORD_LINE_B);
        __asm__("" : "+r"(at_B));
    }
}

/* Writes what lies behind the members that are words of a step. */
static inline void pgs_record_write_data(void *mapped, const struct pgs_draw_record *record,
                                         const struct pgs_record_lines *lines)
{
    pgs_record_copy_lines(mapped, record, PGS_RECORD_PUSH_B, lines->push_end_B);
    pgs_record_copy_lines(mapped, record, offsetof(struct pgs_draw_record, attributes),
                          lines->record_end_B);
}

#define MEMBER(name) offsetof(struct pgs_draw_record, name)
static_assert(MEMBER(self) == 0 && MEMBER(view_index) == 8 && MEMBER(gs_invocation_first) == 12 &&
                  MEMBER(index_address) == 16 && MEMBER(index_size_B) == 24 &&
                  MEMBER(index_bound_el) == 28 && MEMBER(flags) == 32 &&
                  MEMBER(first_vertex) == 36 && MEMBER(instance_count) == 40 &&
                  MEMBER(primitive_count) == 44 && MEMBER(topology) == 48 &&
                  MEMBER(first_instance) == 52 && MEMBER(vertex_count) == 56 &&
                  MEMBER(draw_index) == 60,
              "pgs_record_write_first_line");

/* By pairs of words: few stores are faster than many where memory lies behind a bus. */
PGS_INLINE void pgs_record_write_words(unsigned char *to, const struct pgs_draw_record *record,
                                       const struct pgs_direct_call *call,
                                       VkDeviceAddress index_address, uint32_t index_size_B,
                                       uint32_t index_bound_el, uint32_t first_vertex)
{
    pgs_record_store_pair(to, record->self, pgs_record_load_words(&record->view_index));
    pgs_record_store_pair(to + MEMBER(index_address), index_address,
                          index_size_B | (uint64_t)index_bound_el << 32);
    pgs_record_store_quad(to + MEMBER(flags), record->flags, first_vertex, record->instance_count,
                          record->primitive_count);
    pgs_record_store_quad(to + MEMBER(topology), record->topology, call->first_instance,
                          record->vertex_count, call->draw_index);
}

PGS_INLINE void pgs_record_write_first_line(unsigned char *to, const struct pgs_draw_record *record,
                                            const struct pgs_direct_call *call,
                                            const struct pgs_bound_indices *indices)
{
    if (!call->indexed) {
        pgs_record_write_words(to, record, call, 0, 0, 0, call->first);
        return;
    }
    const uint32_t bound = pgs_record_index_bound(call, indices);
    pgs_record_write_words(to, record, call, pgs_record_index_address(call, indices, bound),
                           indices->size_B, bound, (uint32_t)call->vertex_offset);
}

/* Writes two words of the next record: an addition of vectors to compilers. */
PGS_INLINE void pgs_record_grow_pair(unsigned char *restrict to, unsigned char *restrict record,
                                     const uint64_t *restrict steps, size_t first)
{
    uint64_t words[2];
    memcpy(words, record + 8 * first, sizeof(words));
    words[0] += steps[first];
    words[1] += steps[first + 1];
    memcpy(record + 8 * first, words, sizeof(words));
    memcpy(to + 8 * first, words, sizeof(words));
}

/* Writes a line of the next record. */
PGS_INLINE void pgs_record_grow_line(unsigned char *to, unsigned char *record,
                                     const uint64_t *steps, size_t line)
{
    const size_t first = line * PGS_RECORD_LINE_B / 8;
    _Static_assert(PGS_RECORD_LINE_B == 64, "pairs of a line");
    pgs_record_grow_pair(to, record, steps, first);
    pgs_record_grow_pair(to, record, steps, first + 2);
    pgs_record_grow_pair(to, record, steps, first + 4);
    pgs_record_grow_pair(to, record, steps, first + 6);
}

/* Writes the record of the next call. *record is that of the call before it, and grows by a step.
 * What pgs_record_fill_call fills is neither read nor filled there. `indices`: as there. Pure. */
PGS_INLINE void pgs_record_write_next(void *mapped, struct pgs_draw_record *record,
                                      const struct pgs_record_lines *lines,
                                      const struct pgs_direct_call *call,
                                      const struct pgs_bound_indices *indices)
{
    record->self += lines->steps[0];
    pgs_record_write_first_line(mapped, record, call, indices);
    if (lines->next_end_B > PGS_RECORD_LINE_B) {
        pgs_record_grow_line(mapped, (void *)record, lines->steps, 1);
        pgs_record_grow_line(mapped, (void *)record, lines->steps, 2);
    }
    if (lines->next_end_B > 3 * PGS_RECORD_LINE_B)
        pgs_record_grow_line(mapped, (void *)record, lines->steps, 3);
    pgs_record_write_data(mapped, record, lines);
}

#undef MEMBER

#endif
