/* SPDX-License-Identifier: MIT
 *
 * Messages to stderr, and to logcat on Android. Only errors by default, since a layer is a guest in
 * the process. Thread-safe; each message is one write.
 */
#ifndef PGS_BASE_LOG_H
#define PGS_BASE_LOG_H

#include <stdatomic.h>
#include <stdbool.h>

enum pgs_log_level {
    PGS_LOG_OFF = 0,
    PGS_LOG_ERROR,
    PGS_LOG_WARN,
    PGS_LOG_INFO,
    PGS_LOG_DEBUG,
};

/* Process-wide. The default is PGS_LOG_ERROR. */
void pgs_log_set_level(enum pgs_log_level level);
extern __attribute__((visibility("hidden"))) _Atomic int pgs_log_level;
static inline bool pgs_log_enabled(enum pgs_log_level level) /* inline, for draws ask */
{
    return level != PGS_LOG_OFF &&
           (int)level <= atomic_load_explicit(&pgs_log_level, memory_order_relaxed);
}

/* The format ends without a newline. */
__attribute__((format(printf, 2, 3))) void pgs_log(enum pgs_log_level level, const char *format,
                                                   ...);

/* At most one message per call site and process. */
#define pgs_log_once(level, ...)                                                                   \
    do {                                                                                           \
        static atomic_flag pgs_log_said = ATOMIC_FLAG_INIT;                                        \
        if (pgs_log_enabled(level) && !atomic_flag_test_and_set(&pgs_log_said))                    \
            pgs_log(level, __VA_ARGS__);                                                           \
    } while (0)

#endif
