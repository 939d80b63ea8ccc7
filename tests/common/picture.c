/* SPDX-License-Identifier: MIT */
#include "common/picture.h"

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#include <stdlib.h>

bool picture_init(struct picture *p, uint32_t width_px, uint32_t height_px)
{
    p->width_px = width_px;
    p->height_px = height_px;
    p->rgba = calloc((size_t)width_px * height_px, 4);
    return p->rgba != NULL;
}

bool picture_read(struct picture *p, const char *path)
{
    int width = 0, height = 0, channels = 0;
    p->rgba = stbi_load(path, &width, &height, &channels, 4);
    p->width_px = (uint32_t)width;
    p->height_px = (uint32_t)height;
    return p->rgba != NULL;
}

bool picture_write(const struct picture *p, const char *path)
{
    return stbi_write_png(path, (int)p->width_px, (int)p->height_px, 4, p->rgba,
                          (int)p->width_px * 4) != 0;
}

void picture_finish(struct picture *p)
{
    free(p->rgba);
    p->rgba = NULL;
}
