/* SPDX-License-Identifier: MIT
 *
 * Objects that the pipelines of a device share: shaders, driver's modules and pipelines, each found
 * by what it is made from. What is made once is not translated or compiled again. Internal to
 * pipeline/.
 *
 * Objects hold references to others; an object may only refer to what was made before it.
 */
#ifndef PGS_PIPELINE_SHARED_H
#define PGS_PIPELINE_SHARED_H

#include "base/map.h"
#include "vulkan/device.h"

/* Objects that nobody refers to, so that a program that destroys a pipeline and creates it again
 * compiles nothing. A pipeline of the driver has some 10 to 100 KiB. */
#define PGS_SHARED_UNUSED 64

struct pgs_shared;

/* What a kind of objects is. `object` is the head of one. */
struct pgs_shared_kind {
    size_t object_B;
    /* Makes the object, whose members after the head are zero. On failure it leaves nothing.
     * Errors are given to the caller of pgs_shared_get, and the object is not kept. */
    VkResult (*make)(struct pgs_device *dev, struct pgs_shared *object, void *context);
    /* Ends what `make` made, but does not free the object. */
    void (*finish)(struct pgs_device *dev, struct pgs_shared *object);
};

/* What an object is made from. */
struct pgs_shared_key {
    const void *bytes; /* copied; no pointers, except to objects that the object refers to */
    size_t size_B;
    /* More bytes, of which `bytes` has a hash. They are not copied: they must live as long as the
     * object that is made from them. Usually none. */
    const void *large;
    size_t large_B;
};

enum pgs_shared_state { PGS_SHARED_MAKING, PGS_SHARED_MADE, PGS_SHARED_FAILED };

/* The head of an object, its first member. Everything here is the table's. */
struct pgs_shared {
    struct pgs_shared_table *table;
    const struct pgs_shared_kind *kind;
    struct pgs_shared_key key; /* its bytes are aligned like malloc's memory */
    uint64_t hash;
    enum pgs_shared_state state;
    uint32_t refs;
    struct pgs_shared *next;          /* with the same hash */
    struct pgs_shared *newer, *older; /* in the list of unused ones */
};

struct pgs_shared_table {
    struct pgs_device *dev;
    pthread_mutex_t lock;               /* guards the rest, and the heads of all objects */
    pthread_cond_t changed;             /* an object is made, or failed */
    struct pgs_table objects;           /* hash -> first struct pgs_shared */
    struct pgs_shared *newest, *oldest; /* unused ones */
    uint32_t unused_count, unused_limit;
};

/* False: the system has no more locks. */
bool pgs_shared_table_init(struct pgs_shared_table *table, struct pgs_device *dev);

/* Ends all objects. Nobody may refer to any from outside the table. */
void pgs_shared_table_finish(struct pgs_shared_table *table);

/* Finds the object of this kind that was made from the same key, or makes it. If another thread
 * makes it, waits; if that fails, tries again. The caller owns a reference to *object; NULL on
 * failure. Errors: out of host memory, and those of kind->make. Thread-safe. */
VkResult pgs_shared_get(struct pgs_shared_table *table, const struct pgs_shared_kind *kind,
                        struct pgs_shared_key key, void *context, struct pgs_shared **object);

/* How far the object is that pgs_shared_get would find; PGS_SHARED_FAILED: there is none. *made is
 * a reference to one that is made, for the caller, or NULL; made itself may be NULL. Thread-safe.
 */
enum pgs_shared_state pgs_shared_look_up(struct pgs_shared_table *table,
                                         const struct pgs_shared_kind *kind,
                                         struct pgs_shared_key key, struct pgs_shared **made);

/* Another reference to a made object, which is returned. Thread-safe. */
struct pgs_shared *pgs_shared_acquire(struct pgs_shared *object);

/* Keeps the last PGS_SHARED_UNUSED objects that nobody refers to. object may be NULL. Thread-safe.
 */
void pgs_shared_release(struct pgs_shared *object);

#endif
