/* SPDX-License-Identifier: MIT */
#include "pipeline/dump.h"

#include "base/alloc.h"
#include "base/files.h"
#include "base/log.h"
#include "pipeline/decompile.h"
#include "pipeline/device.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

uint32_t pgs_dump_next_serial(const struct pgs_device *dev)
{
    return atomic_fetch_add(&dev->pipelines->dump_serial, 1);
}

struct dump {
    const char *dir, *stage;
    uint32_t serial;
};

static void write_file(const struct dump *dump, const char *ending, const void *data, size_t size_B)
{
    char name[64];
    const struct pgs_bytes bytes = {data, size_B};
    const int length =
        snprintf(name, sizeof(name), "%04u-%s.%s", (unsigned)dump->serial, dump->stage, ending);
    if (length < 0 || (size_t)length >= sizeof(name))
        return;
    const int folder = pgs_open_folder(dump->dir, false);
    if (folder < 0 || !pgs_write_file(folder, name, 0666, &bytes, 1))
        pgs_log(PGS_LOG_WARN, "cannot write %s/%s: %s", dump->dir, name, strerror(errno));
    if (folder >= 0)
        close(folder);
}

void pgs_dump_module(const struct pgs_device *dev, uint32_t serial, const char *stage,
                     const struct pgs_spv_blob *blob)
{
    const struct dump dump = {dev->physical->instance->settings.dump_dir, stage, serial};
    if (!dump.dir)
        return;
    write_file(&dump, "spv", blob->words, blob->word_count * sizeof(blob->words[0]));
    char *glsl = pgs_decompile(blob);
    if (glsl)
        write_file(&dump, "glsl", glsl, strlen(glsl));
    pgs_free(glsl);
}
