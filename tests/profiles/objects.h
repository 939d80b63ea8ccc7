/* SPDX-License-Identifier: MIT
 *
 * What a device remembers of an object: a table by handle. From any thread.
 */
#ifndef PROFILES_OBJECTS_H
#define PROFILES_OBJECTS_H

#include <pthread.h>
#include <stdint.h>

#define OBJECT_BUCKETS 1024

struct objects {
    pthread_mutex_t lock;
    struct object *buckets[OBJECT_BUCKETS];
};

void objects_init(struct objects *objects);
/* Frees all data. */
void objects_finish(struct objects *objects);
/* Takes the data, which malloc made. */
void objects_add(struct objects *objects, uint64_t handle, void *data);
/* NULL: not known. */
void *objects_find(struct objects *objects, uint64_t handle);
/* Frees the data, if there is any. */
void objects_remove(struct objects *objects, uint64_t handle);

#endif
