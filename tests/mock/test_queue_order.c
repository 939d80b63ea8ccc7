/* SPDX-License-Identifier: MIT
 *
 * Several queues of a family, on a driver whose queues are threads: each executes its batches one
 * after the other, and waits and signals as Vulkan says. Memory that command buffers share is never
 * in use on two queues at once, and everything ends, also where one queue waits for what another
 * one signals later.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fake_device.h"

#include "command/state/buffer.h"
#include "command/state/queue_order.h"
#include "pipeline/device.h"

#define QUEUES 3
#define MAX_BATCHES 4096
#define MAX_WAITS 8
#define MEMORIES 8
#define TIMEOUT_S 20

/* -- the driver -- */

struct semaphore {
    bool timeline;
    uint64_t value; /* of a binary one: 0 or 1 */
};

struct wait {
    struct semaphore *semaphore;
    uint64_t value;
};

struct batch {
    struct wait waits[MAX_WAITS], signals[MAX_WAITS];
    uint32_t wait_count, signal_count;
    uint32_t memories; /* mask of what its command buffers use */
    bool works;        /* has command buffers */
};

static struct sim_queue {
    struct fake_object object;
    pthread_t thread;
    struct batch *batches;
    uint32_t submitted, executed;
} sim_queues[QUEUES];

static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool ends;
    uint32_t users[MEMORIES]; /* queues that use it now */
    uint32_t clashes, worked;
    uint32_t own_batches; /* without commands */
    uint32_t ring;        /* batches that a queue holds; a submission of more waits. 0: no limit */
    VkResult submit_result;
    int semaphores;
} sim = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, .submit_result = VK_SUCCESS};

static bool waits_are_over(const struct batch *batch)
{
    for (uint32_t i = 0; i < batch->wait_count; i++)
        if (batch->waits[i].semaphore->value < batch->waits[i].value)
            return false;
    return true;
}

static void use(uint32_t memories, bool begin)
{
    for (uint32_t i = 0; i < MEMORIES; i++) {
        if (!(memories >> i & 1))
            continue;
        sim.clashes += begin && sim.users[i] > 0;
        sim.users[i] += begin ? 1u : UINT32_MAX;
    }
}

static void execute(const struct batch *batch)
{
    for (uint32_t i = 0; i < batch->wait_count; i++)
        if (!batch->waits[i].semaphore->timeline)
            batch->waits[i].semaphore->value = 0;
    if (batch->works) {
        use(batch->memories, true);
        pthread_mutex_unlock(&sim.lock);
        usleep(200);
        pthread_mutex_lock(&sim.lock);
        use(batch->memories, false);
        sim.worked++;
    }
    for (uint32_t i = 0; i < batch->signal_count; i++) {
        struct semaphore *semaphore = batch->signals[i].semaphore;
        semaphore->value = semaphore->timeline ? batch->signals[i].value : 1;
    }
}

static void *run_queue(void *context)
{
    struct sim_queue *queue = context;
    pthread_mutex_lock(&sim.lock);
    while (!sim.ends) {
        if (queue->executed == queue->submitted ||
            !waits_are_over(&queue->batches[queue->executed])) {
            pthread_cond_wait(&sim.change, &sim.lock);
            continue;
        }
        execute(&queue->batches[queue->executed]);
        queue->executed++;
        pthread_cond_broadcast(&sim.change);
    }
    pthread_mutex_unlock(&sim.lock);
    return NULL;
}

/* What the command buffer uses is told by the number of its batches, and by its secondaries. */
static uint32_t memories_of(const struct pgs_command_buffer *cb)
{
    uint32_t memories = cb->batches.count ? 1u << (cb->batches.count - 1) : 0;
    for (size_t i = 0; i < cb->memory_use.secondaries.count; i++)
        memories |= memories_of(cb->memory_use.secondaries.items[i]);
    return memories;
}

static struct wait waited(VkSemaphore handle, uint64_t value)
{
    struct semaphore *semaphore = (struct semaphore *)handle;
    return (struct wait){semaphore, semaphore->timeline ? value : 1};
}

/* With the lock. Fails if nothing changes. */
static void wait_for_change(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += TIMEOUT_S;
    if (pthread_cond_timedwait(&sim.change, &sim.lock, &until))
        abort();
}

static VkResult add(VkQueue handle, const struct batch *batch)
{
    struct sim_queue *queue = (struct sim_queue *)handle;
    pthread_mutex_lock(&sim.lock);
    const VkResult result = sim.submit_result;
    while (sim.ring && queue->submitted - queue->executed >= sim.ring)
        wait_for_change();
    if (result == VK_SUCCESS) {
        assert_true(queue->submitted < MAX_BATCHES);
        queue->batches[queue->submitted++] = *batch;
        sim.own_batches += !batch->works;
    }
    pthread_cond_broadcast(&sim.change);
    pthread_mutex_unlock(&sim.lock);
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count,
                                                   const VkSubmitInfo *infos, VkFence fence)
{
    (void)fence;
    VkResult result = VK_SUCCESS;
    for (uint32_t n = 0; n < count && result == VK_SUCCESS; n++) {
        const VkSubmitInfo *info = &infos[n];
        const VkTimelineSemaphoreSubmitInfo *timeline = info->pNext;
        struct batch batch = {.wait_count = info->waitSemaphoreCount,
                              .signal_count = info->signalSemaphoreCount,
                              .works = info->commandBufferCount > 0};
        for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
            batch.waits[i] =
                waited(info->pWaitSemaphores[i], timeline ? timeline->pWaitSemaphoreValues[i] : 0);
        for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
            batch.signals[i] = waited(info->pSignalSemaphores[i],
                                      timeline ? timeline->pSignalSemaphoreValues[i] : 0);
        for (uint32_t i = 0; i < info->commandBufferCount; i++)
            batch.memories |= memories_of(pgs_command_buffer_find(info->pCommandBuffers[i]));
        result = add(queue, &batch);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL queue_submit2(VkQueue queue, uint32_t count,
                                                    const VkSubmitInfo2 *infos, VkFence fence)
{
    (void)fence;
    VkResult result = VK_SUCCESS;
    for (uint32_t n = 0; n < count && result == VK_SUCCESS; n++) {
        const VkSubmitInfo2 *info = &infos[n];
        struct batch batch = {.wait_count = info->waitSemaphoreInfoCount,
                              .signal_count = info->signalSemaphoreInfoCount,
                              .works = info->commandBufferInfoCount > 0};
        for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++)
            batch.waits[i] =
                waited(info->pWaitSemaphoreInfos[i].semaphore, info->pWaitSemaphoreInfos[i].value);
        for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++)
            batch.signals[i] = waited(info->pSignalSemaphoreInfos[i].semaphore,
                                      info->pSignalSemaphoreInfos[i].value);
        for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
            batch.memories |=
                memories_of(pgs_command_buffer_find(info->pCommandBufferInfos[i].commandBuffer));
        result = add(queue, &batch);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL queue_bind_sparse(VkQueue queue, uint32_t count,
                                                        const VkBindSparseInfo *infos,
                                                        VkFence fence)
{
    (void)fence;
    VkResult result = VK_SUCCESS;
    for (uint32_t n = 0; n < count && result == VK_SUCCESS; n++) {
        const VkTimelineSemaphoreSubmitInfo *timeline = infos[n].pNext;
        struct batch batch = {.wait_count = infos[n].waitSemaphoreCount};
        for (uint32_t i = 0; i < infos[n].waitSemaphoreCount; i++)
            batch.waits[i] = waited(infos[n].pWaitSemaphores[i], timeline->pWaitSemaphoreValues[i]);
        result = add(queue, &batch);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL create_semaphore(VkDevice device,
                                                       const VkSemaphoreCreateInfo *info,
                                                       const VkAllocationCallbacks *allocator,
                                                       VkSemaphore *made)
{
    (void)device, (void)allocator;
    const VkSemaphoreTypeCreateInfo *type = info->pNext;
    struct semaphore *semaphore = calloc(1, sizeof(*semaphore));
    semaphore->timeline = type && type->semaphoreType == VK_SEMAPHORE_TYPE_TIMELINE;
    *made = (VkSemaphore)semaphore;
    sim.semaphores++;
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy_semaphore(VkDevice device, VkSemaphore semaphore,
                                                    const VkAllocationCallbacks *allocator)
{
    (void)device, (void)allocator;
    sim.semaphores -= semaphore != VK_NULL_HANDLE;
    free((void *)semaphore);
}

static VKAPI_ATTR VkResult VKAPI_CALL counter_value(VkDevice device, VkSemaphore semaphore,
                                                    uint64_t *value)
{
    (void)device;
    assert_true(((struct semaphore *)semaphore)->timeline);
    pthread_mutex_lock(&sim.lock);
    *value = ((struct semaphore *)semaphore)->value;
    pthread_mutex_unlock(&sim.lock);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL wait_semaphores(VkDevice device,
                                                      const VkSemaphoreWaitInfo *info,
                                                      uint64_t timeout_ns)
{
    (void)device, (void)timeout_ns;
    pthread_mutex_lock(&sim.lock);
    for (uint32_t i = 0; i < info->semaphoreCount; i++)
        while (((struct semaphore *)info->pSemaphores[i])->value < info->pValues[i])
            pthread_cond_wait(&sim.change, &sim.lock);
    pthread_mutex_unlock(&sim.lock);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL signal_semaphore(VkDevice device,
                                                       const VkSemaphoreSignalInfo *info)
{
    (void)device;
    pthread_mutex_lock(&sim.lock);
    ((struct semaphore *)info->semaphore)->value = info->value;
    pthread_cond_broadcast(&sim.change);
    pthread_mutex_unlock(&sim.lock);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL get_queue(VkDevice device, uint32_t family, uint32_t number,
                                            VkQueue *queue)
{
    (void)device;
    assert_int_equal(family, 1);
    *queue = (VkQueue)&sim_queues[number];
}

/* -- a program -- */

#define QUEUE(i) ((VkQueue)&sim_queues[i])

static VkCommandPool pool;

/* The device, with so many queues of family 1. */
static void open_queues(uint32_t count)
{
    const float priorities[QUEUES] = {1, 1, 1};
    const VkDeviceQueueCreateInfo queues[2] = {
        {.queueFamilyIndex = 0, .queueCount = 2, .pQueuePriorities = priorities},
        {.queueFamilyIndex = 1, .queueCount = count, .pQueuePriorities = priorities},
    };
    const VkDeviceCreateInfo info = {.queueCreateInfoCount = 2, .pQueueCreateInfos = queues};
    for (uint32_t i = 0; i < QUEUES; i++) {
        sim_queues[i] = (struct sim_queue){
            .object = device_object,
            .batches = calloc(MAX_BATCHES, sizeof(struct batch)),
        };
        assert_int_equal(pthread_create(&sim_queues[i].thread, NULL, run_queue, &sim_queues[i]), 0);
    }
    assert_int_equal(pgs_command_device_order(&dev, &info, 1u << 1), VK_SUCCESS);
}

/* Fails if something does not end. */
static void finish_queues(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += TIMEOUT_S;
    int error = 0;
    pthread_mutex_lock(&sim.lock);
    for (uint32_t i = 0; i < QUEUES; i++)
        while (sim_queues[i].executed < sim_queues[i].submitted && !error)
            error = pthread_cond_timedwait(&sim.change, &sim.lock, &until);
    pthread_mutex_unlock(&sim.lock);
    if (error) /* threads wait for what never comes */
        abort();
    assert_int_equal(sim.clashes, 0);
}

static int set_up(void **state)
{
    (void)state;
    static struct pgs_pipeline_device pipelines; /* none of which draws */
    dev = (struct pgs_device){.active = true, .vk = {FAKE_POOL_DISPATCH}, .pipelines = &pipelines};
    dev.vk.QueueSubmit = queue_submit;
    dev.vk.QueueSubmit2 = queue_submit2;
    dev.vk.QueueBindSparse = queue_bind_sparse;
    dev.vk.CreateSemaphore = create_semaphore;
    dev.vk.DestroySemaphore = destroy_semaphore;
    dev.vk.GetSemaphoreCounterValue = counter_value;
    dev.vk.WaitSemaphores = wait_semaphores;
    dev.vk.SignalSemaphore = signal_semaphore;
    dev.vk.GetDeviceQueue = get_queue;
    sim.ends = false;
    sim.clashes = sim.worked = sim.own_batches = sim.ring = 0;
    if (open_device() != 0)
        return -1;
    pool = new_pool();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pgs_DestroyCommandPool(dev.handle, pool, NULL);
    close_device();
    pthread_mutex_lock(&sim.lock);
    sim.ends = true;
    pthread_cond_broadcast(&sim.change);
    pthread_mutex_unlock(&sim.lock);
    for (uint32_t i = 0; i < QUEUES; i++) {
        if (sim_queues[i].batches)
            pthread_join(sim_queues[i].thread, NULL);
        free(sim_queues[i].batches);
        sim_queues[i].batches = NULL;
    }
    return sim.semaphores == 0 ? 0 : -1;
}

/* Command buffers, with memory of that number; 0: none. */
static VkCommandBuffer buffers[16];
static uint32_t buffer_count;
static struct pgs_batch *no_batches[MEMORIES];

static VkCommandBuffer make(uint32_t memory, bool simultaneous)
{
    const VkCommandBuffer handle = new_buffer_of(pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    begin(handle, simultaneous ? VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT : 0);
    struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    cb->batches.items = no_batches;
    cb->batches.count = memory;
    return buffers[buffer_count++] = handle;
}

static void execute_in(VkCommandBuffer primary, VkCommandBuffer secondary)
{
    pgs_queue_order_note_secondary(pgs_command_buffer_find(primary),
                                   pgs_command_buffer_find(secondary));
}

static void drop_all(void)
{
    while (buffer_count) {
        struct pgs_command_buffer *cb = pgs_command_buffer_find(buffers[--buffer_count]);
        cb->batches.items = NULL;
        cb->batches.count = 0;
        pgs_FreeCommandBuffers(dev.handle, pool, 1, &buffers[buffer_count]);
    }
}

static VkSemaphore new_semaphore(bool timeline)
{
    const VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = timeline ? &type : NULL};
    VkSemaphore made;
    assert_int_equal(pgs_CreateSemaphore(dev.handle, &info, NULL, &made), VK_SUCCESS);
    return made;
}

/* A submission of up to one command buffer, wait and signal each, with the older or the newer
 * command. */
struct submission {
    VkCommandBuffer cb;
    VkSemaphore wait, signal;
    uint64_t wait_value, signal_value;
    bool newer;
};

static VkResult try_submit(uint32_t queue, const struct submission *s)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = s->wait ? 1 : 0,
        .pWaitSemaphoreValues = &s->wait_value,
        .signalSemaphoreValueCount = s->signal ? 1 : 0,
        .pSignalSemaphoreValues = &s->signal_value,
    };
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = s->wait ? 1 : 0,
        .pWaitSemaphores = &s->wait,
        .pWaitDstStageMask = &stage,
        .commandBufferCount = s->cb ? 1 : 0,
        .pCommandBuffers = &s->cb,
        .signalSemaphoreCount = s->signal ? 1 : 0,
        .pSignalSemaphores = &s->signal,
    };
    const VkSemaphoreSubmitInfo wait = {.semaphore = s->wait,
                                        .value = s->wait_value,
                                        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkSemaphoreSubmitInfo signal = {.semaphore = s->signal,
                                          .value = s->signal_value,
                                          .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
    const VkCommandBufferSubmitInfo cb = {.commandBuffer = s->cb};
    const VkSubmitInfo2 info2 = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = s->wait ? 1 : 0,
        .pWaitSemaphoreInfos = &wait,
        .commandBufferInfoCount = s->cb ? 1 : 0,
        .pCommandBufferInfos = &cb,
        .signalSemaphoreInfoCount = s->signal ? 1 : 0,
        .pSignalSemaphoreInfos = &signal,
    };
    return s->newer ? pgs_QueueSubmit2(QUEUE(queue), 1, &info2, VK_NULL_HANDLE)
                    : pgs_QueueSubmit(QUEUE(queue), 1, &info, VK_NULL_HANDLE);
}

#define SUBMIT(queue, ...)                                                                         \
    assert_int_equal(try_submit((queue), &(struct submission){.cb = __VA_ARGS__}), VK_SUCCESS)

/* -- tests -- */

static void one_queue_has_no_order(void **state)
{
    (void)state;
    open_queues(1);
    assert_null(dev.commands->order);
    const VkCommandBuffer cb = make(1, true);
    SUBMIT(0, cb);
    finish_queues();
    assert_int_equal(sim.own_batches, 0);
    drop_all();
}

/* Memory of their own, or no memory: the driver gets what the program submits, and no more. */
static void others_are_left_alone(void **state)
{
    (void)state;
    open_queues(QUEUES);
    const VkCommandBuffer none = make(0, true), once[2] = {make(1, false), make(2, false)};
    for (int i = 0; i < 10; i++) {
        SUBMIT(0, none);
        SUBMIT(1, none, .newer = true);
        SUBMIT(0, once[0]);
        SUBMIT(1, once[1]);
    }
    finish_queues();
    assert_int_equal(sim.own_batches, 0);
    assert_int_equal(sim.worked, 40);
    drop_all();
}

static void queues_take_turns(void **state)
{
    (void)state;
    open_queues(QUEUES);
    const VkCommandBuffer cb = make(1, true), other = make(2, true);
    for (uint32_t i = 0; i < 60; i++) {
        SUBMIT(i % QUEUES, cb, .newer = i % 2);
        SUBMIT(i / 2 % QUEUES, other);
    }
    finish_queues();
    assert_int_equal(sim.worked, 120);
    drop_all();
}

/* A secondary in two primaries, directly and in another secondary. */
static void secondaries_are_shared(void **state)
{
    (void)state;
    open_queues(QUEUES);
    const VkCommandBuffer secondary = make(3, true), middle = make(0, true),
                          primaries[2] = {make(1, false), make(2, false)};
    execute_in(middle, secondary);
    execute_in(primaries[0], secondary);
    execute_in(primaries[1], middle);
    for (uint32_t i = 0; i < 40; i++)
        SUBMIT(i % 2, primaries[i % 2]);
    finish_queues();
    assert_int_equal(sim.worked, 40);
    drop_all();
}

/* The first queue waits for what the second one signals behind its turn: in the submission itself,
 * in one before, or when it binds memory. */
static void waits_may_come_before_signals(void **state)
{
    (void)state;
    open_queues(QUEUES);
    const VkCommandBuffer cb = make(1, true), plain = make(0, false);
    const VkSemaphore semaphore = new_semaphore(true);
    uint64_t value = 0;
    for (int newer = 0; newer < 2; newer++) {
        value++;
        SUBMIT(0, cb, .wait = semaphore, .wait_value = value, .newer = newer);
        SUBMIT(0, cb);
        SUBMIT(1, cb);
        SUBMIT(1, cb, .newer = newer);
        SUBMIT(1, plain, .signal = semaphore, .signal_value = value);
        finish_queues();
        value++;
        SUBMIT(0, plain, .wait = semaphore, .wait_value = value, .newer = newer);
        SUBMIT(0, cb);
        SUBMIT(1, cb);
        SUBMIT(1, plain, .signal = semaphore, .signal_value = value);
        finish_queues();
        value++;
        const VkTimelineSemaphoreSubmitInfo timeline = {
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .waitSemaphoreValueCount = 1,
            .pWaitSemaphoreValues = &value,
        };
        const VkBindSparseInfo sparse = {
            .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
            .pNext = &timeline,
            .waitSemaphoreCount = 1,
            .pWaitSemaphores = &semaphore,
        };
        assert_int_equal(pgs_QueueBindSparse(QUEUE(0), 1, &sparse, VK_NULL_HANDLE), VK_SUCCESS);
        SUBMIT(0, cb);
        SUBMIT(1, cb);
        SUBMIT(1, plain, .signal = semaphore, .signal_value = value);
        finish_queues();
    }
    assert_int_equal(sim.worked, 2 * 12);
    pgs_DestroySemaphore(dev.handle, semaphore, NULL);
    drop_all();
}

/* A driver waits in vkQueueSubmit until its queue has room, which a gate makes. */
static void full_rings_are_emptied(void **state)
{
    (void)state;
    open_queues(2);
    sim.ring = 16;
    const VkCommandBuffer cb = make(1, true);
    const VkSemaphore semaphore = new_semaphore(true);
    for (uint64_t value = 1; value <= 50; value++) {
        SUBMIT(0, cb, .wait = semaphore, .wait_value = value);
        SUBMIT(0, cb);
        SUBMIT(1, cb);
        SUBMIT(1, NULL, .signal = semaphore, .signal_value = value);
    }
    finish_queues();
    assert_int_equal(sim.worked, 3 * 50);
    pgs_DestroySemaphore(dev.handle, semaphore, NULL);
    drop_all();
}

/* Two queues are stuck, and the host lets them go on, in the reverse order. */
static void the_host_may_signal(void **state)
{
    (void)state;
    open_queues(QUEUES);
    const VkCommandBuffer cb = make(1, true);
    const VkSemaphore semaphores[2] = {new_semaphore(true), new_semaphore(true)};
    for (uint64_t value = 1; value < 6; value++) {
        for (uint32_t i = 0; i < 2; i++)
            SUBMIT(i, cb, .wait = semaphores[i], .wait_value = value);
        SUBMIT(2, cb);
        for (uint32_t i = 2; i-- > 0;) {
            const VkSemaphoreSignalInfo info = {.semaphore = semaphores[i], .value = value};
            usleep(500);
            assert_int_equal(dev.vk.SignalSemaphore(dev.handle, &info), VK_SUCCESS);
        }
        finish_queues();
    }
    assert_int_equal(sim.worked, 15);
    for (int i = 0; i < 2; i++)
        pgs_DestroySemaphore(dev.handle, semaphores[i], NULL);
    drop_all();
}

/* Binary semaphores from one queue to the next, also where turns go the other way. */
static void binary_semaphores_are_used_up(void **state)
{
    (void)state;
    open_queues(QUEUES);
    const VkCommandBuffer cb = make(1, true);
    const VkSemaphore binary = new_semaphore(false), timeline = new_semaphore(true);
    for (uint64_t i = 1; i < 20; i++) {
        SUBMIT(2, NULL, .signal = timeline, .signal_value = i, .wait = timeline,
               .wait_value = i - 1);
        SUBMIT(0, cb, .wait = timeline, .wait_value = i, .signal = binary);
        SUBMIT(1, cb, .wait = binary);
        finish_queues();
    }
    assert_int_equal(sim.worked, 38);
    pgs_DestroySemaphore(dev.handle, binary, NULL);
    pgs_DestroySemaphore(dev.handle, timeline, NULL);
    drop_all();
}

/* What was not submitted keeps nobody waiting. */
static void failures_are_forgotten(void **state)
{
    (void)state;
    open_queues(QUEUES);
    const VkCommandBuffer cb = make(1, true);
    const VkSemaphore semaphore = new_semaphore(true);
    const struct submission plain = {.cb = cb},
                            waits = {.cb = cb, .wait = semaphore, .wait_value = 9};
    SUBMIT(0, cb);
    finish_queues();
    sim.submit_result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    assert_int_equal(try_submit(1, &plain), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    assert_int_equal(try_submit(2, &waits), VK_ERROR_OUT_OF_DEVICE_MEMORY);
    sim.submit_result = VK_SUCCESS;
    SUBMIT(0, cb);
    SUBMIT(1, cb);
    SUBMIT(2, cb);
    finish_queues();
    assert_int_equal(sim.worked, 4);
    pgs_DestroySemaphore(dev.handle, semaphore, NULL);
    drop_all();
}

static void anything_ends(void **state)
{
    (void)state;
    open_queues(QUEUES);
    const VkCommandBuffer cbs[4] = {make(1, true), make(2, true), make(3, true), make(4, false)};
    execute_in(cbs[3], cbs[0]);
    execute_in(cbs[3], cbs[1]);
    const VkSemaphore semaphore = new_semaphore(true);
    uint32_t random = 1, worked = 0;
    uint64_t signalled = 0, asked = 0;
    for (int round = 0; round < 300; round++) {
        random = random * 1664525u + 1013904223u;
        const uint32_t queue = random >> 8 & 1; /* the third one signals */
        const bool early = asked < signalled + 3 && (random >> 12 & 3) == 0;
        asked += early;
        SUBMIT(queue, cbs[random >> 16 & 3], .wait = early ? semaphore : VK_NULL_HANDLE,
               .wait_value = asked, .newer = random >> 20 & 1);
        worked++;
        if (asked > signalled && (random >> 24 & 3) < 2) {
            SUBMIT(2, cbs[random >> 26 & 3], .signal = semaphore, .signal_value = ++signalled);
            worked++;
        }
        if (round % 50 == 49) {
            while (signalled < asked)
                SUBMIT(2, NULL, .signal = semaphore, .signal_value = ++signalled);
            finish_queues();
        }
    }
    assert_int_equal(sim.worked, worked);
    pgs_DestroySemaphore(dev.handle, semaphore, NULL);
    drop_all();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(one_queue_has_no_order),
        TEST(others_are_left_alone),
        TEST(queues_take_turns),
        TEST(secondaries_are_shared),
        TEST(waits_may_come_before_signals),
        TEST(full_rings_are_emptied),
        TEST(the_host_may_signal),
        TEST(binary_semaphores_are_used_up),
        TEST(failures_are_forgotten),
        TEST(anything_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
