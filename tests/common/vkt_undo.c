/* SPDX-License-Identifier: MIT */
#include "common/vkt_undo.h"

#include <stdlib.h>

struct vkt_cleanup {
    struct vkt_cleanup *next;
    void (*destroy)(struct vkt *t, uint64_t handle);
    uint64_t handle;
};

void vkt_defer(struct vkt *t, void (*destroy)(struct vkt *, uint64_t), uint64_t handle)
{
    struct vkt_cleanup *entry = malloc(sizeof(*entry));
    if (!entry)
        vkt_die("out of memory");
    *entry = (struct vkt_cleanup){.next = t->cleanup, .destroy = destroy, .handle = handle};
    t->cleanup = entry;
}

void vkt_undo(struct vkt *t, const struct vkt_cleanup *lasting)
{
    VKT_CALL(vkDeviceWaitIdle(t->device));
    vkt_undo_idle(t, lasting);
}

void vkt_undo_idle(struct vkt *t, const struct vkt_cleanup *lasting)
{
    while (t->cleanup != lasting) {
        struct vkt_cleanup *entry = t->cleanup;
        t->cleanup = entry->next;
        entry->destroy(t, entry->handle);
        free(entry);
    }
}
