/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "host.h"

#include "starve.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#include <stdlib.h>

#if defined(__GLIBC__) && !defined(IS_SANITIZED)
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

/* In place of libc's for all libraries. */
#define OVER_LIBC __attribute__((visibility("default")))

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

/* The code of the layer. */
static uintptr_t code_begin, code_end;

static _Atomic int64_t left; /* until the first one fails; at most 0: it has */
static _Atomic uint32_t chosen_seed, failures;
static atomic_bool is_on;

static uint32_t mixed(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

static bool must_fail(const void *caller)
{
    if (!atomic_load_explicit(&is_on, memory_order_relaxed) || (uintptr_t)caller < code_begin ||
        (uintptr_t)caller >= code_end)
        return false;
    const int64_t number = atomic_fetch_sub(&left, 1) - 1;
    const uint32_t seed = atomic_load(&chosen_seed);
    const bool fails = number == 0 || (number < 0 && seed && (mixed((uint32_t)number ^ seed) & 1));
    if (fails)
        atomic_fetch_add(&failures, 1);
    return fails;
}

OVER_LIBC void *malloc(size_t size)
{
    return must_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

OVER_LIBC void *calloc(size_t count, size_t size)
{
    return must_fail(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

OVER_LIBC void *realloc(void *block, size_t size)
{
    return must_fail(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

static int look_at(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "libVkLayer_poly_gs.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X) {
            code_begin = info->dlpi_addr + segment->p_vaddr;
            code_end = code_begin + segment->p_memsz;
        }
    }
    return 1;
}

bool host_find_layer(void)
{
    return dl_iterate_phdr(look_at, NULL) != 0 && code_end != 0;
}

void host_begin(const struct starve_plan *plan)
{
    atomic_store(&is_on, false);
    atomic_store(&left, plan->n);
    atomic_store(&chosen_seed, plan->seed);
    atomic_store(&failures, 0);
    atomic_store(&is_on, plan->n != 0);
}

bool host_has_reached(void)
{
    return atomic_load(&left) <= 0;
}

uint32_t host_failures(const char **first)
{
    *first = atomic_load(&failures) ? "an allocation of the layer" : NULL;
    return atomic_load(&failures);
}
#else
bool host_find_layer(void)
{
    return false;
}

void host_begin(const struct starve_plan *plan)
{
    (void)plan;
}

bool host_has_reached(void)
{
    return false;
}

uint32_t host_failures(const char **first)
{
    *first = NULL;
    return 0;
}
#endif
