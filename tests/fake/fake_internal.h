/* SPDX-License-Identifier: MIT
 *
 * Shared by the files of the fake driver.
 */
#ifndef FAKE_INTERNAL_H
#define FAKE_INTERNAL_H

#include "fake_driver.h"

/* What the loader calls a dispatchable object: the key first. */
struct fake_object {
    const void *key;
    struct fake_object *next; /* all that are alive, for fake_reset */
};

struct fake_state {
    struct fake_config config;
    struct fake_object *objects;
    size_t log_capacity;
    bool logs; /* since the first fake_reset */
};
extern struct fake_state fake;

_Noreturn void fake_die(const char *what);
struct fake_object *fake_new_object(const void *key); /* NULL: its own key */
void fake_free_object(void *handle);

#endif
