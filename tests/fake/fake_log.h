/* SPDX-License-Identifier: MIT
 *
 * A log of events in words, with "; " between them; each thread has one. To be included, after
 * cmocka.h, by one file of a program.
 */
#ifndef FAKE_LOG_H
#define FAKE_LOG_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifndef FAKE_LOG_B
#define FAKE_LOG_B 8192
#endif

static _Thread_local struct {
    char text[FAKE_LOG_B];
    size_t length_B;
} event_log;

static inline void forget(void)
{
    event_log.length_B = 0;
    event_log.text[0] = 0;
}

/* Continues the last event. */
__attribute__((format(printf, 1, 2))) static inline void note_more(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    event_log.length_B +=
        (size_t)vsnprintf(event_log.text + event_log.length_B,
                          sizeof(event_log.text) - event_log.length_B, format, arguments);
    va_end(arguments);
    assert_true(event_log.length_B < sizeof(event_log.text));
}

#define note(...) (note_more(event_log.length_B ? "; " : ""), note_more(__VA_ARGS__))

/* Compares, and forgets. */
static inline void expect_events(const char *text)
{
    assert_string_equal(event_log.text, text);
    forget();
}

#endif
