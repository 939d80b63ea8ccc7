/* SPDX-License-Identifier: MIT */
#include "common/vkt_results.h"

#include "common/vkt.h"

void vkt_dump_buffer(struct vkt *t, const char *name, const void *bytes, size_t size_B)
{
    if (!t->dump)
        return;
    fprintf(t->dump, "buffer %s %zu\n", name, size_B);
    if (fwrite(bytes, 1, size_B, t->dump) != size_B)
        vkt_die("cannot write %s", t->options.dump_path);
}

void vkt_dump_image(struct vkt *t, const char *name, const void *texels, uint32_t width_px,
                    uint32_t height_px, uint32_t texel_size_B)
{
    if (!t->dump)
        return;
    const size_t size_B = (size_t)width_px * height_px * texel_size_B;
    fprintf(t->dump, "image %s %zu %u %u %u\n", name, size_B, width_px, height_px, texel_size_B);
    if (fwrite(texels, 1, size_B, t->dump) != size_B)
        vkt_die("cannot write %s", t->options.dump_path);
}

uint32_t vkt_drawn(const void *texels, uint32_t count)
{
    uint32_t drawn = 0;
    for (uint32_t i = 0; i < count; i++)
        drawn += ((const uint32_t *)texels)[i] != 0;
    return drawn;
}
