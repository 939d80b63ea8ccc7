/* SPDX-License-Identifier: MIT */
#include "common/held.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
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
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static double earlier_s, last_s; /* of the clocks before this one; of this one */
    pthread_mutex_lock(&lock);
    const double now_s = clock_s(CLOCK_PROCESS_CPUTIME_ID);
    if (now_s < last_s)
        earlier_s += last_s;
    last_s = now_s;
    const double all_s = earlier_s + now_s;
    pthread_mutex_unlock(&lock);
    return all_s;
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
