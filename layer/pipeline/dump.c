/* SPDX-License-Identifier: MIT
 *
 * VK_POLY_GS_DUMP: every generated module goes to a file.
 */
#include "pipeline/room.h"

#include "base/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

uint32_t pgs_dump_next_serial(const struct pgs_device *dev)
{
    return atomic_fetch_add(&dev->pipelines->dump_serial, 1);
}

void pgs_dump_module(const struct pgs_device *dev, uint32_t serial, const char *stage,
                     const struct pgs_spv_blob *blob)
{
    const char *dir = dev->physical->instance->settings.dump_dir;
    if (!dir)
        return;
    char path[4096];
    const int length = snprintf(path, sizeof(path), "%s/%04u-%s.spv", dir, (unsigned)serial, stage);
    if (length < 0 || (size_t)length >= sizeof(path))
        return;
    FILE *file = fopen(path, "wb");
    if (!file) {
        pgs_log(PGS_LOG_WARN, "cannot write %s: %s", path, strerror(errno));
        return;
    }
    const bool written = fwrite(blob->words, 4, blob->word_count, file) == blob->word_count;
    if (fclose(file) || !written)
        pgs_log(PGS_LOG_WARN, "cannot write %s", path);
}
