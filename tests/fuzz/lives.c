/* SPDX-License-Identifier: MIT */
#include "lives.h"

#include <string.h>

#define ARGUMENTS_B 65536u
#define ARGUMENTS_STRIDE_W 6u
#define MAX_DRAWS 8

/* -- command pools -- */

VkCommandBuffer fuzz_commands(struct fuzz *f, VkCommandBufferLevel level)
{
    struct fuzz_pool *pool = &f->pools[f->pool];
    if (level == VK_COMMAND_BUFFER_LEVEL_PRIMARY && pool->kept_count)
        return pool->kept[--pool->kept_count];
    const VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool->handle,
        .level = level,
        .commandBufferCount = 1,
    };
    VkCommandBuffer made;
    VKT_CALL(vkAllocateCommandBuffers(f->t->device, &info, &made));
    return made;
}

static void make_pool(struct fuzz *f, struct fuzz_pool *pool)
{
    const VkCommandPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = f->t->queue_family,
    };
    *pool = (struct fuzz_pool){0};
    VKT_CALL(vkCreateCommandPool(f->t->device, &info, NULL, &pool->handle));
}

/* "pools COUNT": before the first pass. */
static void read_pools(struct fuzz *f)
{
    f->pool_count = fuzz_index(&f->in, MAX_POOLS + 1);
    for (uint32_t i = 1; i < f->pool_count; i++) /* the first is there */
        make_pool(f, &f->pools[i]);
}

/* "again": what was submitted last. */
static void submit_again(struct fuzz *f)
{
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &f->primary,
    };
    VKT_CALL(vkQueueSubmit(f->t->queue, 1, &info, VK_NULL_HANDLE));
    VKT_CALL(vkQueueWaitIdle(f->t->queue));
}

/* "keep": the last command buffer may be recorded anew, without having been reset. */
static void keep(struct fuzz *f, VkCommandBuffer cmd)
{
    struct fuzz_pool *pool = &f->pools[f->pool];
    if (pool->kept_count < MAX_KEPT)
        pool->kept[pool->kept_count++] = cmd;
}

/* "drop HOW": what is being recorded is not submitted, but 0: recorded anew, 1: reset, 2: freed. */
static void read_drop(struct fuzz *f)
{
    const uint32_t how = fuzz_index(&f->in, 3);
    VKT_CALL(vkEndCommandBuffer(f->primary));
    f->recording = false;
    f->asked = 0;
    if (how == 2) {
        vkFreeCommandBuffers(f->t->device, f->pools[f->pool].handle, 1, &f->primary);
        return;
    }
    if (how == 1)
        VKT_CALL(vkResetCommandBuffer(f->primary, VK_COMMAND_BUFFER_RESET_RELEASE_RESOURCES_BIT));
    keep(f, f->primary);
}

/* "reset POOL HOW", between submissions. 0: reset, 1: and its resources released, 2: trimmed, 3:
 * destroyed and made anew. */
static void read_reset(struct fuzz *f)
{
    struct fuzz_pool *pool = &f->pools[fuzz_index(&f->in, f->pool_count)];
    const uint32_t how = fuzz_index(&f->in, 4);
    if (how < 2) {
        VKT_CALL(vkResetCommandPool(f->t->device, pool->handle,
                                    how ? VK_COMMAND_POOL_RESET_RELEASE_RESOURCES_BIT : 0));
    } else if (how == 2) {
        vkTrimCommandPool(f->t->device, pool->handle, 0);
    } else {
        vkDestroyCommandPool(f->t->device, pool->handle, NULL);
        make_pool(f, pool);
    }
}

/* -- pipelines -- */

/* "remake PIPELINE ORDER": destroyed and made again, or 1: made first. */
static void read_remake(struct fuzz *f)
{
    struct fuzz_pipeline *which = &f->pipelines[fuzz_index(&f->in, f->pipeline_count)];
    const VkPipeline old = which->handle;
    const bool first = fuzz_index(&f->in, 2);
    if (!first)
        vkDestroyPipeline(f->t->device, old, NULL);
    which->handle = fuzz_make_pipeline(f, which);
    if (first)
        vkDestroyPipeline(f->t->device, old, NULL);
}

/* -- queries -- */

/* "queries TYPE COUNT STATISTICS": before the first pass. */
static void read_query_pool(struct fuzz *f)
{
    f->query_type = (VkQueryType)fuzz_u32(&f->in);
    f->query_count = fuzz_index(&f->in, MAX_QUERIES + 1);
    const VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = f->query_type,
        .queryCount = f->query_count,
        .pipelineStatistics = fuzz_u32(&f->in),
    };
    if (f->query_type == VK_QUERY_TYPE_PIPELINE_STATISTICS &&
        !f->t->features.core.pipelineStatisticsQuery)
        return;
    VKT_CALL(vkCreateQueryPool(f->t->device, &info, NULL, &f->queries));
}

/* "ask QUERY" ... "answer QUERY", in a pass or around it; "forget QUERY" before, outside of it. */
static void read_query(struct fuzz *f, const char *word)
{
    const uint32_t query = fuzz_index(&f->in, f->query_count);
    const bool stream = f->query_type == VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT;
    const VkQueryControlFlags flags =
        f->query_type == VK_QUERY_TYPE_OCCLUSION ? VK_QUERY_CONTROL_PRECISE_BIT : 0;
    if (!f->queries)
        return;
    if (strcmp(word, "forget") == 0)
        vkCmdResetQueryPool(f->primary, f->queries, query, 1);
    else if (strcmp(word, "ask") == 0 && stream)
        vkCmdBeginQueryIndexedEXT(f->cmd, f->queries, query, 0, 0);
    else if (strcmp(word, "ask") == 0)
        vkCmdBeginQuery(f->cmd, f->queries, query, flags);
    else if (stream)
        vkCmdEndQueryIndexedEXT(f->cmd, f->queries, query, 0);
    else
        vkCmdEndQuery(f->cmd, f->queries, query);
    f->asked |= UINT32_C(1) << query;
}

void fuzz_read_queries(struct fuzz *f)
{
    for (uint32_t i = 0; i < f->query_count; i++)
        if (f->asked >> i & 1)
            VKT_CALL(vkGetQueryPoolResults(f->t->device, f->queries, i, 1, sizeof(f->results[i]),
                                           f->results[i], sizeof(f->results[i]),
                                           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    f->asked = 0;
}

/* -- indirect draws -- */

/* Room for these words, which nobody used before. */
static uint32_t *next_arguments(struct fuzz *f, uint32_t words, VkDeviceSize *at_B)
{
    if (!f->arguments.map)
        f->arguments = vkt_buffer(f->t, ARGUMENTS_B, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0xee);
    *at_B = f->arguments_used_B;
    f->arguments_used_B += (VkDeviceSize)words * 4;
    if (f->arguments_used_B > ARGUMENTS_B)
        vkt_die("%s: too many indirect draws", f->in.path);
    return (uint32_t *)((char *)f->arguments.map + *at_B);
}

/* "indirect INDEXED DRAWS {4 or 5 words}"; counted: "counted COUNT INDEXED DRAWS {...}", where the
 * count is in a buffer, as far as the device has that. */
static void read_indirect(struct fuzz *f, bool counted)
{
    const uint32_t count = counted ? fuzz_u32(&f->in) : UINT32_MAX;
    const uint32_t indexed = fuzz_index(&f->in, 2), draws = fuzz_index(&f->in, MAX_DRAWS + 1);
    VkDeviceSize at_B, count_at_B;
    *next_arguments(f, 1, &count_at_B) = count;
    uint32_t *words = next_arguments(f, draws * ARGUMENTS_STRIDE_W, &at_B);
    for (uint32_t i = 0; i < draws; i++)
        for (uint32_t k = 0; k < 4 + indexed; k++)
            words[i * ARGUMENTS_STRIDE_W + k] = fuzz_u32(&f->in);
    const VkBuffer buffer = f->arguments.buffer;
    const uint32_t stride_B = ARGUMENTS_STRIDE_W * 4, fewer = count < draws ? count : draws;
    if (counted && f->t->features.indirect_count)
        (indexed ? vkCmdDrawIndexedIndirectCount : vkCmdDrawIndirectCount)(
            f->cmd, buffer, at_B, buffer, count_at_B, draws, stride_B);
    else
        (indexed ? vkCmdDrawIndexedIndirect : vkCmdDrawIndirect)(f->cmd, buffer, at_B, fewer,
                                                                 stride_B);
}

/* -- all of it -- */

bool fuzz_read_life(struct fuzz *f, const char *word)
{
    if (strcmp(word, "pools") == 0)
        read_pools(f);
    else if (strcmp(word, "pool") == 0) /* POOL: of the next command buffers */
        f->pool = fuzz_index(&f->in, f->pool_count);
    else if (strcmp(word, "again") == 0)
        submit_again(f);
    else if (strcmp(word, "keep") == 0)
        keep(f, f->primary);
    else if (strcmp(word, "drop") == 0)
        read_drop(f);
    else if (strcmp(word, "reset") == 0)
        read_reset(f);
    else if (strcmp(word, "remake") == 0)
        read_remake(f);
    else if (strcmp(word, "queries") == 0)
        read_query_pool(f);
    else if (strcmp(word, "forget") == 0 || strcmp(word, "ask") == 0 || strcmp(word, "answer") == 0)
        read_query(f, word);
    else if (strcmp(word, "indirect") == 0 || strcmp(word, "counted") == 0)
        read_indirect(f, strcmp(word, "counted") == 0);
    else
        return false;
    return true;
}

static uint32_t pool_count(const struct fuzz *f)
{
    return f->pool_count ? f->pool_count : 1;
}

void fuzz_begin(struct fuzz *f)
{
    make_pool(f, &f->pools[0]);
}

void fuzz_renew(struct fuzz *f)
{
    VKT_CALL(vkDeviceWaitIdle(f->t->device));
    if (!f->pool_count) {
        vkDestroyCommandPool(f->t->device, f->pools[0].handle, NULL);
        make_pool(f, &f->pools[0]);
    }
    f->recording = false;
    f->arguments_used_B = 0;
    f->asked = 0;
    memset(f->results, 0, sizeof(f->results));
}

/* What is destroyed first here is what was made last, or first, in turn. */
void fuzz_finish(struct fuzz *f)
{
    VKT_CALL(vkDeviceWaitIdle(f->t->device));
    if (f->pipeline_count % 2)
        for (uint32_t i = 0; i < pool_count(f); i++)
            vkDestroyCommandPool(f->t->device, f->pools[i].handle, NULL);
    vkDestroyQueryPool(f->t->device, f->queries, NULL);
    for (uint32_t i = 0; i < f->pipeline_count; i++)
        vkDestroyPipeline(f->t->device, f->pipelines[i].handle, NULL);
    if (f->pipeline_count % 2 == 0)
        for (uint32_t i = pool_count(f); i > 0; i--)
            vkDestroyCommandPool(f->t->device, f->pools[i - 1].handle, NULL);
}
