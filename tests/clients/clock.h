// SPDX-License-Identifier: MIT
// What the programs measure: the time that passes, or, with PGS_CLIENT_CPU=N in the environment,
// that of the processors, of all threads of the process. Frames are then timed N at once, as Wine
// counts such times in 10 ms.
#ifndef PGS_CLIENTS_CLOCK_H
#define PGS_CLIENTS_CLOCK_H

#include <stdlib.h>
#include <time.h>

#define MAX_FRAMES 5 // or as many times what is timed at once

static inline unsigned frames_at_once(void)
{
    const char *text = getenv("PGS_CLIENT_CPU");
    const int number = text ? atoi(text) : 0;
    return number > 0 ? (unsigned)number : 1;
}

#ifdef _WIN32
static inline double filetime_ms(const FILETIME *time)
{
    return 1e-4 * (4294967296.0 * time->dwHighDateTime + time->dwLowDateTime);
}

static inline double now_ms(void)
{
    LARGE_INTEGER ticks, frequency;
    FILETIME creation, exit, kernel, user;
    if (getenv("PGS_CLIENT_CPU")) {
        GetProcessTimes(GetCurrentProcess(), &creation, &exit, &kernel, &user);
        return filetime_ms(&kernel) + filetime_ms(&user);
    }
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&frequency);
    return 1e3 * (double)ticks.QuadPart / (double)frequency.QuadPart;
}
#else
static inline double now_ms(void)
{
    struct timespec now;
    clock_gettime(getenv("PGS_CLIENT_CPU") ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}
#endif

#endif
