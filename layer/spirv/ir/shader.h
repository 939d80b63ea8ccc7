/* SPDX-License-Identifier: MIT
 *
 * Types that all functions of spirv/ take and return.
 */
#ifndef PGS_SPIRV_IR_SHADER_H
#define PGS_SPIRV_IR_SHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum pgs_spv_result {
    PGS_SPV_OK = 0,
    PGS_SPV_OUT_OF_MEMORY,
    PGS_SPV_INVALID,     /* not SPIR-V, or it breaks a rule that passes rely on */
    PGS_SPV_UNSUPPORTED, /* valid, but the layer cannot emulate it */
};

/* Execution models that the layer handles, with the values of SpvExecutionModel. Of the last ones
 * only entry points are extracted. */
enum pgs_spv_stage {
    PGS_SPV_VERTEX = 0,
    PGS_SPV_CONTROL = 1,    /* tessellation control */
    PGS_SPV_EVALUATION = 2, /* tessellation evaluation */
    PGS_SPV_GEOMETRY = 3,
    PGS_SPV_FRAGMENT = 4,
    PGS_SPV_COMPUTE = 5,
    PGS_SPV_RAY_GENERATION = 5313,
    PGS_SPV_INTERSECTION = 5314,
    PGS_SPV_ANY_HIT = 5315,
    PGS_SPV_CLOSEST_HIT = 5316,
    PGS_SPV_MISS = 5317,
    PGS_SPV_CALLABLE = 5318,
    PGS_SPV_TASK = 5364,
    PGS_SPV_MESH = 5365,
};

/* One specialization constant (same meaning as VkSpecializationMapEntry). */
struct pgs_spv_spec_entry {
    uint32_t constant_id;
    uint32_t offset_B;
    size_t size_B;
};

/* One shader stage as the application gives it: borrowed pointers, valid during the call. */
struct pgs_spv_shader {
    const uint32_t *words;
    size_t word_count;
    const char *entry_point;
    enum pgs_spv_stage stage;
    const struct pgs_spv_spec_entry *spec_entries;
    uint32_t spec_entry_count;
    const void *spec_data;
    size_t spec_data_B;
    bool int64;       /* what is made of it may use 64-bit integers (shaderInt64) */
    bool pairs_words; /* with int64: loads and stores words in pairs, at any address */
    bool joins_loads; /* loads what lies in the same 16 bytes of a record at once */
    /* Whoever makes something of it only wants to know whether that can be made: passes return the
     * same result, but no words, in a fraction of the time. Only a module that grows beyond
     * PGS_SPV_ID_LIMIT may still turn out to be too large. */
    bool is_trial;
    bool keeps_names; /* what is made of it has names, for readers; to carry them takes time */
};

#endif
