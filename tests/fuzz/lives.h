/* SPDX-License-Identifier: MIT
 *
 * What run.c knows of a case, and the words for command pools, pipelines and queries that come and
 * go (gen_lives.py).
 */
#ifndef FUZZ_LIVES_H
#define FUZZ_LIVES_H

#include "common/vkt.h"
#include "raster.h"

#include <stdbool.h>
#include <stdio.h>

#define MAX_PIPELINES 8
#define MAX_SPEC 8
#define MAX_ATTRIBUTES 8
#define MAX_RANGES 4
#define MAX_QUERIES 32
#define MAX_POOLS 4
#define MAX_KEPT 16 /* command buffers of a pool */
#define QUERY_WORDS 2

struct script {
    FILE *file;
    const char *path;
};

/* Of pipelines with patches: what stands behind "patch". */
struct fuzz_patch {
    uint32_t points;
    bool lower_left, points_are_dynamic;
};

/* The first word of "pipeline": all shaders of the case; none of them; without the geometry shader;
 * without those of patches. */
enum fuzz_kind { FUZZ_WHOLE, FUZZ_NATIVE, FUZZ_SHORT, FUZZ_PLAIN, FUZZ_KINDS };

/* The words of "pipeline", from which it can be made again. */
struct fuzz_pipeline {
    uint32_t words[7];
    uint32_t spec_values[MAX_SPEC];
    struct fuzz_raster raster;
    struct fuzz_patch patch;
    VkPipeline handle;
};

struct fuzz_pool {
    VkCommandPool handle;
    VkCommandBuffer kept[MAX_KEPT]; /* that may be recorded anew */
    uint32_t kept_count;
};

struct fuzz {
    struct vkt *t;
    const char *folder;
    struct script in;
    uint32_t stream;                      /* number */
    struct vkt_code vs, tcs, tes, gs, fs; /* all but the first and last may be absent */
    struct vkt_code short_tes, plain_vs;  /* of kinds of pipelines, likewise */
    struct vkt_target target;
    uint32_t views; /* of the target; 0: it has no layers */
    struct vkt_buffer log, data, vertices, indices, arguments;
    VkDeviceSize arguments_used_B;
    VkDescriptorSet set;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkVertexInputBindingDescription bindings[MAX_ATTRIBUTES];
    VkVertexInputAttributeDescription attributes[MAX_ATTRIBUTES];
    VkPushConstantRange ranges[MAX_RANGES];
    VkSpecializationMapEntry spec_entries[MAX_SPEC];
    uint32_t spec_values[MAX_SPEC];
    uint32_t binding_count, attribute_count, range_count, spec_count, pipeline_count;
    struct fuzz_raster raster; /* of the next pipelines */
    struct fuzz_patch patch;   /* likewise */
    struct fuzz_pipeline pipelines[MAX_PIPELINES];
    VkCommandBuffer primary, cmd; /* cmd: where draws go, the primary or a secondary */
    bool recording, sums;         /* the last: fragments write to the log, sums for each pixel */
    /* Transform feedback: [region][buffer][REGION_B], and a counter for each. */
    struct vkt_buffer capture, counters;
    uint32_t region_count, region, ranges_used; /* the last: a mask of buffers */
    struct fuzz_pool pools[MAX_POOLS];
    uint32_t pool, pool_count; /* the one that is recorded from; 0: one that nothing is said of */
    VkQueryPool queries;
    VkQueryType query_type;
    uint32_t query_count, asked; /* the last: a mask of queries of what is recorded */
    uint64_t results[MAX_QUERIES][QUERY_WORDS];
};

/* run.c */
bool fuzz_word(struct script *in, char word[32]);
uint32_t fuzz_u32(struct script *in);
uint32_t fuzz_index(struct script *in, uint32_t limit);
VkPipeline fuzz_make_pipeline(struct fuzz *f, const struct fuzz_pipeline *which);

/* A command buffer of the current pool, the last one that became free or a new one. */
VkCommandBuffer fuzz_commands(struct fuzz *f, VkCommandBufferLevel level);
/* What follows when the work of a command buffer is done. */
void fuzz_read_queries(struct fuzz *f);
/* The words below; false: none of them. */
bool fuzz_read_life(struct fuzz *f, const char *word);
void fuzz_begin(struct fuzz *f);
/* What was recorded, asked and read is forgotten. */
void fuzz_renew(struct fuzz *f);
void fuzz_finish(struct fuzz *f);

#endif
