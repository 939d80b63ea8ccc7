/* SPDX-License-Identifier: MIT
 *
 * One execution of a target, within its limits: 1 s of CPU time and 256 MiB at a time. Prints at
 * the end what the most was.
 */
#include "target.h"

#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#ifdef PGS_FUZZ_COUNTS_MEMORY
#include <sanitizer/allocator_interface.h>
#endif

#define MOST_B (256ll << 20)
#define MOST_US 1000000ll

static struct {
    long long executions, slowest_us, largest_B;
    long long live_B, peak_B; /* of the execution */
    int running;
} meter;

static FILE *report; /* stderr, which libFuzzer may close for what the layer says there */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    const int copy = dup(STDERR_FILENO);
    report = copy < 0 ? NULL : fdopen(copy, "w");
    return 0;
}

_Noreturn void fuzz_die(const char *reason)
{
    fprintf(report ? report : stderr, "%s\n", reason);
    fflush(report);
    abort();
}

/* Freed blocks are kept for a while, in less memory than usual: what does not fit the CPU's caches
 * takes most of the time of small inputs. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4:malloc_context_size=4";
}

static long long cpu_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return now.tv_sec * 1000000ll + now.tv_nsec / 1000;
}

static void print_most(void)
{
    fprintf(report ? report : stderr,
            "fuzz: %lld executions, the slowest %.3f s, the largest %.1f MiB\n", meter.executions,
            (double)meter.slowest_us / 1e6, (double)meter.largest_B / (1 << 20));
}

#ifdef PGS_FUZZ_COUNTS_MEMORY
static void note_malloc(const volatile void *block, size_t size_B)
{
    (void)block;
    if (!meter.running)
        return;
    meter.live_B += (long long)size_B;
    if (meter.live_B > meter.peak_B)
        meter.peak_B = meter.live_B;
}

static void note_free(const volatile void *block)
{
    if (meter.running && block)
        meter.live_B -= (long long)__sanitizer_get_allocated_size(block);
}
#endif

static void begin(void)
{
    if (!meter.executions) {
#ifdef PGS_FUZZ_COUNTS_MEMORY
        if (!__sanitizer_install_malloc_and_free_hooks(note_malloc, note_free))
            fuzz_die("cannot count memory");
#endif
        atexit(print_most);
    }
    meter.live_B = meter.peak_B = 0;
    meter.running = 1;
}

static void end(long long begun_us)
{
    const long long took_us = cpu_us() - begun_us;
    meter.running = 0;
    meter.executions++;
    if (took_us > meter.slowest_us)
        meter.slowest_us = took_us;
    if (meter.peak_B > meter.largest_B)
        meter.largest_B = meter.peak_B;
    if (pgs_alloc_live() != 0)
        fuzz_die("blocks leaked");
    if (took_us > MOST_US)
        fuzz_die("more than a second");
    if (meter.peak_B > MOST_B)
        fuzz_die("more than 256 MiB");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
    begin();
    const long long begun_us = cpu_us();
    fuzz_one(data, size_B);
    end(begun_us);
    return 0;
}
