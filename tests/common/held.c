/* SPDX-License-Identifier: MIT */
#include "common/held.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double clock_s(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

double held_time_s(void)
{
    return clock_s(CLOCK_MONOTONIC);
}

double held_cpu_s(void)
{
    return clock_s(CLOCK_PROCESS_CPUTIME_ID);
}

static long status_of(const char *name)
{
    char line[256];
    long value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof(line), file))
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), ": %ld", &value);
    if (file)
        fclose(file);
    return value;
}

static long count_files(void)
{
    long count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
/* Also hands back what malloc keeps, which would count as resident. */
static long used_KiB(void)
{
    const struct mallinfo2 info = mallinfo2();
    malloc_trim(0);
    return (long)((info.uordblks + info.hblkhd) / 1024);
}
#else
static long used_KiB(void)
{
    return 0;
}
#endif

struct held held_now(void)
{
    const long used = used_KiB();
    return (struct held){status_of("VmRSS"), used, status_of("Threads"), count_files()};
}
