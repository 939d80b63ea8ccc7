/* SPDX-License-Identifier: MIT
 *
 * The state of the fake driver: its objects, its log, and what fails.
 */
#include "fake_internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fake_state fake;
struct fake_objects fakes;
struct fake_call *fake_log;
size_t fake_log_count;

_Noreturn void fake_die(const char *what)
{
    fprintf(stderr, "fake driver: %s\n", what);
    abort();
}

/* -- state -- */

struct fake_config fake_default_config(void)
{
    static const VkQueueFlags families[] = {VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT |
                                            VK_QUEUE_TRANSFER_BIT};
    return (struct fake_config){
        .instance_version = VK_API_VERSION_1_3,
        .device_version = VK_API_VERSION_1_3,
        .physical_device_count = 1,
        .full_draw_index = true,
        .multi_draw_indirect = true,
        .draw_count = true,
        .buffer_device_address = true,
        .families = families,
        .family_count = 1,
        .queue_count = 1,
        .limits = {.maxVertexOutputComponents = 128,
                   .maxFragmentInputComponents = 128,
                   .maxStorageBufferRange = 1u << 30,
                   .maxPushConstantsSize = 128,
                   .nonCoherentAtomSize = 64,
                   .maxPerStageDescriptorSamplers = 1u << 20,
                   .maxPerStageDescriptorUniformBuffers = 1u << 20,
                   .maxPerStageDescriptorStorageBuffers = 1u << 20,
                   .maxPerStageDescriptorSampledImages = 1u << 20,
                   .maxPerStageDescriptorStorageImages = 1u << 20,
                   .maxPerStageResources = 1u << 20,
                   .maxComputeWorkGroupCount = {65535, 65535, 65535}},
    };
}

void fake_reset(const struct fake_config *config)
{
    while (fake.objects) {
        struct fake_object *next = fake.objects->next;
        free(fake.objects);
        fake.objects = next;
    }
    free(fake_log);
    fake_log = NULL;
    fake_log_count = 0;
    fake = (struct fake_state){.config = config ? *config : fake_default_config(), .logs = true};
    fakes_reset(4);
    fake_instance_created = fake_device_created = (struct fake_created){0};
}

void fake_change(const struct fake_config *config)
{
    fake.config = *config;
}

struct fake_object *fake_new_object(const void *key)
{
    struct fake_object *object = calloc(1, sizeof(*object));
    if (!object)
        fake_die("out of memory");
    object->key = key ? key : object;
    object->next = fake.objects;
    fake.objects = object;
    return object;
}

void fake_free_object(void *handle)
{
    for (struct fake_object **link = &fake.objects; *link; link = &(*link)->next) {
        if (*link == handle) {
            *link = (*link)->next;
            free(handle);
            return;
        }
    }
    fake_die("an object that is not alive was destroyed");
}

void fakes_reset(int handle_shift)
{
    memset(&fakes, 0, sizeof(fakes));
    fakes.handle_shift = handle_shift;
}

int fakes_alive(void)
{
    int all = 0;
    for (int kind = 0; kind < FAKE_KINDS; kind++)
        all += fakes.alive[kind];
    return all;
}

uint64_t fake_new_handle(enum fake_kind kind)
{
    fakes.alive[kind]++;
    return ++fakes.handles << fakes.handle_shift;
}

void fake_release_handle(enum fake_kind kind, uint64_t handle)
{
    fakes.alive[kind] -= handle != 0;
}

uint64_t fake_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* -- log and failures -- */

void fake_log_clear(void)
{
    fake_log_count = 0;
}

void fake_record(const char *name, unsigned count, const uint64_t *arguments)
{
    if (!fake.logs)
        return;
    if (count > FAKE_MAX_ARGUMENTS)
        fake_die("too many arguments");
    if (fake_log_count == fake.log_capacity) {
        fake.log_capacity = fake.log_capacity ? 2 * fake.log_capacity : 64;
        fake_log = realloc(fake_log, fake.log_capacity * sizeof(*fake_log));
        if (!fake_log)
            fake_die("out of memory");
    }
    struct fake_call *call = &fake_log[fake_log_count++];
    *call = (struct fake_call){.name = name, .count = count};
    memcpy(call->arguments, arguments, count * sizeof(*arguments));
}

const struct fake_call *fake_log_find(const char *name, size_t n)
{
    for (size_t i = 0; i < fake_log_count; i++) {
        if (strcmp(fake_log[i].name, name) == 0 && n-- == 0)
            return &fake_log[i];
    }
    return NULL;
}

size_t fake_log_count_of(const char *name)
{
    size_t count = 0;
    while (fake_log_find(name, count))
        count++;
    return count;
}

/* Threads of the layer create objects, too. */
static pthread_mutex_t failing = PTHREAD_MUTEX_INITIALIZER;

void fake_fail_half(unsigned n, VkResult result, uint32_t seed)
{
    pthread_mutex_lock(&failing);
    fakes.calls_until_failure = n;
    fakes.failure = result;
    fakes.failed = false;
    fakes.half_seed = seed;
    pthread_mutex_unlock(&failing);
}

void fake_fail_after(unsigned n, VkResult result)
{
    fake_fail_half(n, result, 0);
}

bool fake_has_failed(void)
{
    pthread_mutex_lock(&failing);
    const bool failed = fakes.failed;
    pthread_mutex_unlock(&failing);
    return failed;
}

static VkResult next_result(void)
{
    if (fakes.calls_until_failure == 0 || --fakes.calls_until_failure > 0)
        return VK_SUCCESS;
    fakes.failed = true;
    if (fakes.half_seed) { /* the next one, or a later one */
        const uint32_t bits = fakes.half_seed = (fakes.half_seed * 1664525u + 1013904223u) | 1;
        fakes.calls_until_failure = bits >> 16 & 1 ? 1 : bits >> 17 & 1 ? 2 : 3 + (bits >> 18 & 3);
    }
    return fakes.failure;
}

VkResult fake_result(void)
{
    pthread_mutex_lock(&failing);
    const VkResult result = next_result();
    pthread_mutex_unlock(&failing);
    return result;
}
