/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

#ifdef __ANDROID__
#include <android/log.h>
#endif

_Atomic int pgs_log_level = PGS_LOG_ERROR;

void pgs_log_set_level(enum pgs_log_level level)
{
    atomic_store_explicit(&pgs_log_level, (int)level, memory_order_relaxed);
}

/* On Android to both: applications have no stderr, programs in a terminal or a launcher no logcat.
 */
static void write_message(enum pgs_log_level level, const char *text)
{
#ifdef __ANDROID__
    static const int priorities[] = {
        [PGS_LOG_ERROR] = ANDROID_LOG_ERROR,
        [PGS_LOG_WARN] = ANDROID_LOG_WARN,
        [PGS_LOG_INFO] = ANDROID_LOG_INFO,
        [PGS_LOG_DEBUG] = ANDROID_LOG_DEBUG,
    };
    __android_log_write(priorities[level], "poly_gs", text);
#endif
    static const char *const names[] = {
        [PGS_LOG_ERROR] = "error",
        [PGS_LOG_WARN] = "warning",
        [PGS_LOG_INFO] = "info",
        [PGS_LOG_DEBUG] = "debug",
    };
    fprintf(stderr, "poly_gs %s: %s\n", names[level], text);
}

void pgs_log(enum pgs_log_level level, const char *format, ...)
{
    if (!pgs_log_enabled(level))
        return;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    write_message(level, text);
}
