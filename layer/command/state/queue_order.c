/* SPDX-License-Identifier: MIT */
#include "command/state/queue_order.h"

#include "base/log.h"
#include "command/state/buffer.h"
#include "vulkan/chain.h"

#include <pthread.h>

#define MAX_QUEUES 64

/* A submission that waits for its turn at the gate of its queue. */
struct gated {
    uint64_t number;                     /* of `ready` and `gate` */
    uint64_t done;                       /* the value of `done` behind it */
    struct pgs_command_buffer **buffers; /* owned */
    uint32_t buffer_count;
};

struct pgs_ordered_queue {
    struct pgs_queue_order *order;
    VkQueue handle;
    VkSemaphore done;      /* the queue has come so far */
    VkSemaphore ready;     /* gated submission n could run */
    VkSemaphore gate;      /* it may */
    uint64_t done_value;   /* that the last submission signals */
    uint64_t unsure_value; /* when `done` has it, all waits so far are over that might never end */
    uint64_t gated_count, let_count;
    PGS_ARRAY(struct gated) gated; /* those that are not let through yet, oldest first */
    pthread_t thread;              /* lets them through; made with the first one */
    bool has_thread, stops;
};

struct pgs_queue_order {
    struct pgs_device *dev;
    pthread_mutex_t lock; /* guards all that follows, and pgs_memory_use */
    pthread_cond_t change;
    struct pgs_map timelines; /* VkSemaphore -> any */
    uint32_t count;
    struct pgs_ordered_queue queues[];
};

/* -- memory that is shared -- */

static bool holds_memory(const struct pgs_command_buffer *cb)
{
    return cb->batches.count || cb->queries.memory;
}

static bool is_shared(const struct pgs_command_buffer *cb)
{
    return cb &&
           ((cb->memory_use.simultaneous && holds_memory(cb)) || cb->memory_use.secondaries.count);
}

void pgs_queue_order_note_secondary(struct pgs_command_buffer *cb,
                                    struct pgs_command_buffer *secondary)
{
    struct pgs_memory_use *use = &cb->memory_use;
    if (!cb->dev->commands->order)
        return;
    if (secondary->memory_use.simultaneous && holds_memory(secondary) &&
        !pgs_array_push(&use->secondaries, secondary))
        pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
    for (size_t i = 0; i < secondary->memory_use.secondaries.count; i++)
        if (!pgs_array_push(&use->secondaries, secondary->memory_use.secondaries.items[i]))
            pgs_recorder_latch(&cb->recorder, VK_ERROR_OUT_OF_HOST_MEMORY);
}

/* Values to wait for; of binary semaphores they mean nothing. */
struct waits {
    VkSemaphore *semaphores;
    uint64_t *values;
    uint32_t count;
};

/* What other queues signal when they have executed what the next submission shares. */
struct turn {
    struct waits waits; /* points to the arrays */
    VkSemaphore semaphores[MAX_QUEUES];
    uint64_t values[MAX_QUEUES];
};

static void wait_for(struct turn *turn, const struct pgs_ordered_queue *queue, uint64_t value)
{
    uint32_t i = 0;
    while (i < turn->waits.count && turn->semaphores[i] != queue->done)
        i++;
    if (i == turn->waits.count) {
        turn->semaphores[i] = queue->done;
        turn->values[i] = 0;
        turn->waits.count++;
    }
    if (turn->values[i] < value)
        turn->values[i] = value;
}

/* The memory that the buffer shares; calls `visit` for each. */
static void each_use(struct pgs_command_buffer *cb,
                     void (*visit)(struct pgs_memory_use *use, struct pgs_ordered_queue *queue,
                                   void *context),
                     struct pgs_ordered_queue *queue, void *context)
{
    if (!is_shared(cb))
        return;
    if (cb->memory_use.simultaneous)
        visit(&cb->memory_use, queue, context);
    for (size_t i = 0; i < cb->memory_use.secondaries.count; i++)
        visit(&cb->memory_use.secondaries.items[i]->memory_use, queue, context);
}

static void find_turn(struct pgs_memory_use *use, struct pgs_ordered_queue *queue, void *turn)
{
    if (use->queue && use->queue != queue)
        wait_for(turn, use->queue, use->value);
}

static void take_turn(struct pgs_memory_use *use, struct pgs_ordered_queue *queue, void *value)
{
    use->queue = queue;
    use->value = *(const uint64_t *)value;
}

/* -- what the application submits -- */

static struct pgs_command_buffer *buffer_of(const struct pgs_submits *submits, uint32_t submit,
                                            uint32_t i)
{
    return pgs_command_buffer_peek(
        submits->infos ? submits->infos[submit].pCommandBuffers[i]
                       : submits->infos2[submit].pCommandBufferInfos[i].commandBuffer);
}

static uint32_t buffer_count(const struct pgs_submits *submits, uint32_t submit)
{
    return submits->infos ? submits->infos[submit].commandBufferCount
                          : submits->infos2[submit].commandBufferInfoCount;
}

static bool shares(const struct pgs_submits *submits, uint32_t submit)
{
    for (uint32_t i = 0; i < buffer_count(submits, submit); i++)
        if (is_shared(buffer_of(submits, submit, i)))
            return true;
    return false;
}

/* True if a submission is kept at a gate. */
static bool keeps_any(const struct pgs_queue_order *order)
{
    for (uint32_t i = 0; i < order->count; i++)
        if (order->queues[i].let_count != order->queues[i].gated_count)
            return true;
    return false;
}

/* True if the wait is over, or nothing keeps the signal from coming. The signal of a binary
 * semaphore has been submitted with all that it depends on
 * (VUID-vkQueueSubmit-pWaitSemaphores-03238), which may be kept at a gate. With the lock. */
static bool surely_ends(struct pgs_queue_order *order, VkSemaphore semaphore, uint64_t value)
{
    uint64_t now;
    if (!pgs_map_find(&order->timelines, (uint64_t)semaphore))
        return !keeps_any(order);
    return order->dev->vk.GetSemaphoreCounterValue(order->dev->handle, semaphore, &now) ==
               VK_SUCCESS &&
           now >= value;
}

static bool all_surely_end(struct pgs_queue_order *order, const void *chain, uint32_t count,
                           const VkSemaphore *semaphores)
{
    const VkTimelineSemaphoreSubmitInfo *timeline =
        pgs_chain_find(chain, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
    for (uint32_t i = 0; i < count; i++) {
        const bool valued = timeline && i < timeline->waitSemaphoreValueCount;
        if (!surely_ends(order, semaphores[i], valued ? timeline->pWaitSemaphoreValues[i] : 0))
            return false;
    }
    return true;
}

static bool waits_surely_end(struct pgs_queue_order *order, const struct pgs_submits *submits,
                             uint32_t submit)
{
    if (submits->infos) {
        const VkSubmitInfo *info = &submits->infos[submit];
        return all_surely_end(order, info->pNext, info->waitSemaphoreCount, info->pWaitSemaphores);
    }
    const VkSubmitInfo2 *info = &submits->infos2[submit];
    for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++)
        if (!surely_ends(order, info->pWaitSemaphoreInfos[i].semaphore,
                         info->pWaitSemaphoreInfos[i].value))
            return false;
    return true;
}

static VkResult forward(const struct pgs_device *dev, VkQueue queue,
                        const struct pgs_submits *submits, uint32_t first, uint32_t count,
                        VkFence fence)
{
    if (submits->infos2)
        return dev->vk.QueueSubmit2(queue, count, submits->infos2 + first, fence);
    return dev->vk.QueueSubmit(queue, count, count ? submits->infos + first : NULL, fence);
}

/* -- what the layer submits -- */

/* A batch without commands. What is submitted later waits, too, and the signal, unless it is
 * VK_NULL_HANDLE, comes after all that was submitted before. */
static VkResult submit_own(const struct pgs_ordered_queue *queue, const struct waits *waits,
                           VkSemaphore signal, uint64_t value, VkFence fence)
{
    const uint32_t wait_count = waits ? waits->count : 0, signal_count = signal ? 1 : 0;
    VkPipelineStageFlags *stages = pgs_calloc(wait_count, sizeof(*stages));
    if (wait_count && !stages)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < wait_count; i++)
        stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = wait_count,
        .pWaitSemaphoreValues = waits ? waits->values : NULL,
        .signalSemaphoreValueCount = signal_count,
        .pSignalSemaphoreValues = &value,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = wait_count,
        .pWaitSemaphores = waits ? waits->semaphores : NULL,
        .pWaitDstStageMask = stages,
        .signalSemaphoreCount = signal_count,
        .pSignalSemaphores = &signal,
    };
    const VkResult result = queue->order->dev->vk.QueueSubmit(queue->handle, 1, &info, fence);
    pgs_free(stages);
    return result;
}

/* -- submissions that have to wait at the gate -- */

static VkResult wait_on_host(const struct pgs_device *dev, const struct waits *waits)
{
    const VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = waits->count,
        .pSemaphores = waits->semaphores,
        .pValues = waits->values,
    };
    return waits->count ? dev->vk.WaitSemaphores(dev->handle, &info, UINT64_MAX) : VK_SUCCESS;
}

/* With the lock, which it releases while it waits for semaphores. */
static void let_through(struct pgs_ordered_queue *queue, struct gated *gated)
{
    const struct pgs_device *dev = queue->order->dev;
    struct turn turn = {.waits = {turn.semaphores, turn.values, 0}};
    pthread_mutex_unlock(&queue->order->lock);
    VkResult result = wait_on_host(dev, &(struct waits){&queue->ready, &gated->number, 1});
    pthread_mutex_lock(&queue->order->lock);
    for (uint32_t i = 0; i < gated->buffer_count; i++)
        each_use(gated->buffers[i], find_turn, queue, &turn);
    for (uint32_t i = 0; i < gated->buffer_count; i++)
        each_use(gated->buffers[i], take_turn, queue, &gated->done);
    queue->let_count = gated->number;
    pthread_mutex_unlock(&queue->order->lock);
    if (result == VK_SUCCESS)
        result = wait_on_host(dev, &turn.waits);
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
        .semaphore = queue->gate,
        .value = gated->number,
    };
    if (result == VK_SUCCESS)
        result = dev->vk.SignalSemaphore(dev->handle, &signal);
    if (result != VK_SUCCESS)
        pgs_log(PGS_LOG_ERROR, "a submission that waits for its turn is lost (VkResult %d)",
                (int)result);
    pthread_mutex_lock(&queue->order->lock);
}

static void *run_gate(void *context)
{
    struct pgs_ordered_queue *queue = context;
    struct pgs_queue_order *order = queue->order;
    pthread_mutex_lock(&order->lock);
    while (queue->gated.count || !queue->stops) {
        if (!queue->gated.count) {
            pthread_cond_wait(&order->change, &order->lock);
            continue;
        }
        struct gated first = queue->gated.items[0];
        let_through(queue, &first);
        queue->gated.count--;
        for (size_t i = 0; i < queue->gated.count; i++)
            queue->gated.items[i] = queue->gated.items[i + 1];
        pgs_free(first.buffers);
    }
    pthread_mutex_unlock(&order->lock);
    return NULL;
}

static bool reserve_gate(struct pgs_ordered_queue *queue)
{
    if (!pgs_array_reserve(&queue->gated, 1))
        return false;
    if (!queue->has_thread)
        queue->has_thread = !pthread_create(&queue->thread, NULL, run_gate, queue);
    return queue->has_thread;
}

static uint32_t wait_count(const struct pgs_submits *submits, uint32_t submit)
{
    return submits->infos ? submits->infos[submit].waitSemaphoreCount
                          : submits->infos2[submit].waitSemaphoreInfoCount;
}

/* Fills arrays of that length. */
static void copy_waits(const struct pgs_submits *submits, uint32_t submit, struct waits *waits)
{
    const VkTimelineSemaphoreSubmitInfo *timeline =
        submits->infos ? pgs_chain_find(submits->infos[submit].pNext,
                                        VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO)
                       : NULL;
    const uint32_t value_count = timeline ? timeline->waitSemaphoreValueCount : 0;
    for (uint32_t i = 0; i < waits->count; i++) {
        const VkSemaphoreSubmitInfo *info2 =
            submits->infos ? NULL : &submits->infos2[submit].pWaitSemaphoreInfos[i];
        waits->semaphores[i] = info2 ? info2->semaphore : submits->infos[submit].pWaitSemaphores[i];
        waits->values[i] = info2             ? info2->value
                           : i < value_count ? timeline->pWaitSemaphoreValues[i]
                                             : 0;
    }
}

/* Submits the waits of the application's submission, and what keeps the rest of it behind. */
static VkResult submit_gate(struct pgs_ordered_queue *queue, const struct pgs_submits *submits,
                            uint32_t submit, uint64_t number)
{
    struct waits waits = {.count = wait_count(submits, submit)};
    waits.semaphores = pgs_calloc(waits.count, sizeof(*waits.semaphores));
    waits.values = pgs_calloc(waits.count, sizeof(*waits.values));
    VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!waits.count || (waits.semaphores && waits.values)) {
        copy_waits(submits, submit, &waits);
        result = submit_own(queue, &waits, queue->ready, number, VK_NULL_HANDLE);
    }
    pgs_free(waits.semaphores);
    pgs_free(waits.values);
    if (result == VK_SUCCESS)
        result = submit_own(queue, &(struct waits){&queue->gate, &number, 1}, VK_NULL_HANDLE, 0,
                            VK_NULL_HANDLE);
    return result;
}

/* The submission without its waits. */
static VkResult submit_rest(struct pgs_ordered_queue *queue, const struct pgs_submits *submits,
                            uint32_t submit)
{
    VkSubmitInfo info = {.commandBufferCount = 0};
    VkSubmitInfo2 info2 = {.commandBufferInfoCount = 0};
    struct pgs_submits rest = {.count = 1};
    if (submits->infos2) {
        info2 = submits->infos2[submit];
        info2.waitSemaphoreInfoCount = 0;
        rest.infos2 = &info2;
    } else {
        info = submits->infos[submit];
        info.waitSemaphoreCount = 0;
        rest.infos = &info;
    }
    return forward(queue->order->dev, queue->handle, &rest, 0, 1, VK_NULL_HANDLE);
}

/* With the lock, which it releases while the driver takes the submission: a driver whose ring is
 * full waits there for what a gate has yet to let through. */
static VkResult submit_gated(struct pgs_ordered_queue *queue, const struct pgs_submits *submits,
                             uint32_t submit)
{
    const uint32_t count = buffer_count(submits, submit);
    struct pgs_command_buffer **buffers = pgs_calloc(count, sizeof(struct pgs_command_buffer *));
    if (!buffers || !reserve_gate(queue)) {
        pgs_free(buffers);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++)
        buffers[i] = buffer_of(submits, submit, i);
    const struct gated gated = {.number = queue->gated_count + 1,
                                .done = queue->done_value + 1,
                                .buffers = buffers,
                                .buffer_count = count};
    pthread_mutex_unlock(&queue->order->lock);
    VkResult result = submit_gate(queue, submits, submit, gated.number);
    if (result == VK_SUCCESS)
        result = submit_rest(queue, submits, submit);
    pthread_mutex_lock(&queue->order->lock);
    if (result != VK_SUCCESS) {
        pgs_free(buffers);
        return result;
    }
    queue->gated_count = gated.number;
    queue->gated.items[queue->gated.count++] = gated;
    pthread_cond_broadcast(&queue->order->change);
    return VK_SUCCESS;
}

/* -- the order -- */

/* True if nothing that was submitted to the queue before can keep it from going on. */
static bool surely_goes_on(const struct pgs_ordered_queue *queue)
{
    const struct pgs_device *dev = queue->order->dev;
    uint64_t now = 0;
    if (queue->let_count != queue->gated_count)
        return false;
    if (!queue->unsure_value)
        return true;
    return dev->vk.GetSemaphoreCounterValue(dev->handle, queue->done, &now) == VK_SUCCESS &&
           now >= queue->unsure_value;
}

/* Signals that the queue has come so far. */
static VkResult submit_done(struct pgs_ordered_queue *queue, VkFence fence)
{
    const VkResult result = submit_own(queue, NULL, queue->done, queue->done_value + 1, fence);
    if (result == VK_SUCCESS)
        queue->done_value++;
    return result;
}

static VkResult submit_in_turn(struct pgs_ordered_queue *queue, const struct pgs_submits *submits,
                               uint32_t submit)
{
    struct turn turn = {.waits = {turn.semaphores, turn.values, 0}};
    uint64_t done = queue->done_value + 1;
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < buffer_count(submits, submit); i++)
        each_use(buffer_of(submits, submit, i), find_turn, queue, &turn);
    if (turn.waits.count)
        result = submit_own(queue, &turn.waits, VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
    if (result == VK_SUCCESS)
        result = forward(queue->order->dev, queue->handle, submits, submit, 1, VK_NULL_HANDLE);
    for (uint32_t i = 0; result == VK_SUCCESS && i < buffer_count(submits, submit); i++)
        each_use(buffer_of(submits, submit, i), take_turn, queue, &done);
    return result;
}

/* With the lock, which it releases where the driver may wait for a gate. */
static VkResult submit_one(struct pgs_ordered_queue *queue, const struct pgs_submits *submits,
                           uint32_t submit, VkFence fence)
{
    const bool sure = waits_surely_end(queue->order, submits, submit);
    const bool shared = shares(submits, submit);
    VkResult result;
    if (sure && !shared) {
        pthread_mutex_unlock(&queue->order->lock);
        result = forward(queue->order->dev, queue->handle, submits, submit, 1, fence);
        pthread_mutex_lock(&queue->order->lock);
        return result;
    }
    if (!shared) {
        pthread_mutex_unlock(&queue->order->lock);
        result = forward(queue->order->dev, queue->handle, submits, submit, 1, VK_NULL_HANDLE);
        pthread_mutex_lock(&queue->order->lock);
    } else if (sure && surely_goes_on(queue))
        result = submit_in_turn(queue, submits, submit);
    else
        result = submit_gated(queue, submits, submit);
    pthread_mutex_unlock(&queue->order->lock);
    if (result == VK_SUCCESS)
        result = submit_done(queue, fence);
    pthread_mutex_lock(&queue->order->lock);
    if (result == VK_SUCCESS && !sure)
        queue->unsure_value = queue->done_value;
    return result;
}

static struct pgs_ordered_queue *find_queue(const struct pgs_device *dev, VkQueue handle)
{
    struct pgs_queue_order *order = dev->commands ? dev->commands->order : NULL;
    for (uint32_t i = 0; order && i < order->count; i++)
        if (order->queues[i].handle == handle)
            return &order->queues[i];
    return NULL;
}

/* With the lock. */
static bool is_plain(struct pgs_queue_order *order, const struct pgs_submits *submits)
{
    for (uint32_t i = 0; i < submits->count; i++)
        if (shares(submits, i) || !waits_surely_end(order, submits, i))
            return false;
    return true;
}

VkResult pgs_queue_order_submit(struct pgs_device *dev, VkQueue handle,
                                const struct pgs_submits *submits, VkFence fence)
{
    struct pgs_ordered_queue *queue = find_queue(dev, handle);
    VkResult result = VK_SUCCESS;
    if (!queue)
        return forward(dev, handle, submits, 0, submits->count, fence);
    pthread_mutex_lock(&queue->order->lock);
    const bool plain = is_plain(queue->order, submits);
    for (uint32_t i = 0; !plain && i < submits->count && result == VK_SUCCESS; i++)
        result = submit_one(queue, submits, i, i + 1 == submits->count ? fence : VK_NULL_HANDLE);
    pthread_mutex_unlock(&queue->order->lock);
    return plain ? forward(dev, handle, submits, 0, submits->count, fence) : result;
}

VkResult pgs_queue_order_note_sparse(struct pgs_device *dev, VkQueue handle, uint32_t count,
                                     const VkBindSparseInfo *infos)
{
    struct pgs_ordered_queue *queue = find_queue(dev, handle);
    VkResult result = VK_SUCCESS;
    bool sure = true;
    if (!queue)
        return VK_SUCCESS;
    pthread_mutex_lock(&queue->order->lock);
    for (uint32_t i = 0; i < count; i++)
        sure &= all_surely_end(queue->order, infos[i].pNext, infos[i].waitSemaphoreCount,
                               infos[i].pWaitSemaphores);
    if (!sure)
        result = submit_done(queue, VK_NULL_HANDLE);
    if (!sure && result == VK_SUCCESS)
        queue->unsure_value = queue->done_value;
    pthread_mutex_unlock(&queue->order->lock);
    return result;
}

/* -- semaphores of the application -- */

VkResult pgs_queue_order_note_semaphore(struct pgs_queue_order *order,
                                        const VkSemaphoreCreateInfo *info, VkSemaphore semaphore)
{
    const VkSemaphoreTypeCreateInfo *type =
        pgs_chain_find(info->pNext, VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
    if (!type || type->semaphoreType != VK_SEMAPHORE_TYPE_TIMELINE)
        return VK_SUCCESS;
    return pgs_map_insert(&order->timelines, (uint64_t)semaphore, order)
               ? VK_SUCCESS
               : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_queue_order_forget_semaphore(struct pgs_queue_order *order, VkSemaphore semaphore)
{
    pgs_map_remove(&order->timelines, (uint64_t)semaphore);
}

/* -- life -- */

static VkResult make_semaphore(const struct pgs_device *dev, VkSemaphore *semaphore)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    return dev->vk.CreateSemaphore(dev->handle, &info, NULL, semaphore);
}

/* Queues of the families; several infos may be for one family. */
static uint32_t count_queues(const VkDeviceCreateInfo *info, uint64_t families)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++)
        if (families >> info->pQueueCreateInfos[i].queueFamilyIndex & 1)
            count += info->pQueueCreateInfos[i].queueCount;
    return count;
}

static VkResult open_queue(struct pgs_queue_order *order, uint32_t family, uint32_t number)
{
    struct pgs_device *dev = order->dev;
    struct pgs_ordered_queue *queue = &order->queues[order->count++];
    queue->order = order;
    dev->vk.GetDeviceQueue(dev->handle, family, number, &queue->handle);
    VkResult result = make_semaphore(dev, &queue->done);
    if (result == VK_SUCCESS)
        result = make_semaphore(dev, &queue->ready);
    return result == VK_SUCCESS ? make_semaphore(dev, &queue->gate) : result;
}

VkResult pgs_queue_order_create(struct pgs_device *dev, const VkDeviceCreateInfo *info,
                                uint64_t families, struct pgs_queue_order **made)
{
    const uint32_t count = count_queues(info, families);
    *made = NULL;
    if (count < 2)
        return VK_SUCCESS;
    if (count > MAX_QUEUES)
        return VK_ERROR_INITIALIZATION_FAILED;
    struct pgs_queue_order *order =
        pgs_calloc(1, sizeof(*order) + count * sizeof(order->queues[0]));
    if (!order)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    order->dev = dev;
    if (!pgs_map_init(&order->timelines)) {
        pgs_free(order);
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    pthread_mutex_init(&order->lock, NULL);
    pthread_cond_init(&order->change, NULL);
    VkResult result = VK_SUCCESS;
    for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
        const VkDeviceQueueCreateInfo *queues = &info->pQueueCreateInfos[i];
        for (uint32_t k = 0; families >> queues->queueFamilyIndex & 1 && k < queues->queueCount &&
                             result == VK_SUCCESS;
             k++)
            result = open_queue(order, queues->queueFamilyIndex, k);
    }
    if (result != VK_SUCCESS)
        pgs_queue_order_destroy(dev, order);
    else
        *made = order;
    return result;
}

static void close_queue(const struct pgs_device *dev, struct pgs_ordered_queue *queue)
{
    if (queue->has_thread) {
        pthread_mutex_lock(&queue->order->lock);
        queue->stops = true;
        pthread_cond_broadcast(&queue->order->change);
        pthread_mutex_unlock(&queue->order->lock);
        pthread_join(queue->thread, NULL);
    }
    pgs_array_finish(&queue->gated);
    dev->vk.DestroySemaphore(dev->handle, queue->done, NULL);
    dev->vk.DestroySemaphore(dev->handle, queue->ready, NULL);
    dev->vk.DestroySemaphore(dev->handle, queue->gate, NULL);
}

void pgs_queue_order_destroy(struct pgs_device *dev, struct pgs_queue_order *order)
{
    if (!order)
        return;
    for (uint32_t i = 0; i < order->count; i++)
        close_queue(dev, &order->queues[i]);
    pgs_map_finish(&order->timelines, NULL, NULL);
    pthread_cond_destroy(&order->change);
    pthread_mutex_destroy(&order->lock);
    pgs_free(order);
}
