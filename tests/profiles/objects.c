/* SPDX-License-Identifier: MIT */
#include "objects.h"

#include <stdio.h>
#include <stdlib.h>

struct object {
    struct object *next;
    uint64_t handle;
    void *data;
};

void objects_init(struct objects *objects)
{
    *objects = (struct objects){0};
    pthread_mutex_init(&objects->lock, NULL);
}

void objects_finish(struct objects *objects)
{
    for (unsigned i = 0; i < OBJECT_BUCKETS; i++)
        while (objects->buckets[i]) {
            struct object *object = objects->buckets[i];
            objects->buckets[i] = object->next;
            free(object->data);
            free(object);
        }
    pthread_mutex_destroy(&objects->lock);
}

static struct object **bucket(struct objects *objects, uint64_t handle)
{
    return &objects->buckets[(handle * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
}

/* Under the lock: the link to the object, or to NULL. */
static struct object **find(struct objects *objects, uint64_t handle)
{
    struct object **link = bucket(objects, handle);
    while (*link && (*link)->handle != handle)
        link = &(*link)->next;
    return link;
}

void objects_add(struct objects *objects, uint64_t handle, void *data)
{
    objects_remove(objects, handle); /* drivers may give equal handles for equal objects */
    struct object *object = malloc(sizeof(*object));
    if (!object || !data) {
        fprintf(stderr, "profiles: out of memory\n");
        abort();
    }
    pthread_mutex_lock(&objects->lock);
    struct object **first = bucket(objects, handle);
    *object = (struct object){*first, handle, data};
    *first = object;
    pthread_mutex_unlock(&objects->lock);
}

void *objects_find(struct objects *objects, uint64_t handle)
{
    pthread_mutex_lock(&objects->lock);
    const struct object *object = *find(objects, handle);
    pthread_mutex_unlock(&objects->lock);
    return object ? object->data : NULL;
}

void objects_remove(struct objects *objects, uint64_t handle)
{
    pthread_mutex_lock(&objects->lock);
    struct object **link = find(objects, handle), *object = *link;
    if (object)
        *link = object->next;
    pthread_mutex_unlock(&objects->lock);
    if (object)
        free(object->data);
    free(object);
}
