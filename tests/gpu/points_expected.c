/* SPDX-License-Identifier: MIT */
#include "gpu/points_expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rasterizers round places to sixteenths of a pixel, or less. */
#define NEAR_PX 0.07f
#define TOLERANCE 3

static const float places[POINTS_SAMPLES][2] = {
    {0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}};

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static uint32_t byte_of(float value)
{
    return (uint32_t)(fminf(fmaxf(value, 0), 1) * 255 + 0.5f);
}

/* The result of the fragment shader for a pixel: x and y from the upper left corner of the point.
 */
static uint32_t value_of(const struct points_canvas *canvas, uint32_t vertex, uint32_t instance,
                         uint32_t primitive, const float coord[2])
{
    if (canvas->kind == POINTS_BITS)
        return bits_of((float)(vertex % 4) * 0.0625f) ^ bits_of((float)instance * 0.0625f) << 1 ^
               bits_of((float)(vertex % 7)) << 2 ^ bits_of((float)vertex) << 3 ^ 1;
    if (canvas->kind == POINTS_COORDS)
        return byte_of(coord[0]) | byte_of(coord[1]) << 8 | byte_of(1 - coord[1]) << 16 |
               255u << 24;
    return (vertex + 1) | instance << 16 | primitive << 8 | 0x80000000u;
}

void points_canvas_draw(struct points_canvas *canvas, const struct push *push, uint32_t vertex,
                        uint32_t instance, uint32_t primitive)
{
    const VkViewport *v = &canvas->viewport;
    const float band = (float)instance;
    const float at[2] = {11.25f + 24 * (float)(vertex % 10) + 3.125f * band,
                         9.5f + 37 * (float)(vertex / 10) + 11.5f * band +
                             3 * (float)(vertex * vertex % 3)};
    const float ndc[2] = {(at[0] / 128 - 1) * push->reach, (at[1] / 128 - 1) * push->reach};
    const float size = fmaxf(push->size + 1.25f * (float)(vertex % 4), 1);
    const float left = v->x + (ndc[0] + 1) * v->width / 2 - size / 2;
    const float top = v->y + (ndc[1] + 1) * v->height / 2 - size / 2;
    if (!canvas->beside && (fabsf(ndc[0]) > 1 || fabsf(ndc[1]) > 1))
        return;
    for (uint32_t i = 0; i < POINTS_SIDE_PX * POINTS_SIDE_PX * canvas->samples; i++) {
        const uint32_t pixel = i / canvas->samples, s = i % canvas->samples;
        const float px = (float)(pixel % POINTS_SIDE_PX), py = (float)(pixel / POINTS_SIDE_PX);
        const bool single = canvas->samples == 1;
        const float x = px + (single ? 0.5f : places[s][0]) - left;
        const float y = py + (single ? 0.5f : places[s][1]) - top;
        const float inside = fminf(fminf(x, size - x), fminf(y, size - y));
        const float coord[2] = {(px + 0.5f - left) / size, (py + 0.5f - top) / size};
        if (inside <= -NEAR_PX)
            continue;
        canvas->values[pixel][s] = value_of(canvas, vertex, instance, primitive, coord);
        canvas->unsure[pixel][s] = inside < NEAR_PX;
    }
}

static bool pixel_differs(const struct points_canvas *canvas, uint32_t pixel, uint32_t got)
{
    for (uint32_t s = 0; s < canvas->samples; s++)
        if (canvas->unsure[pixel][s])
            return false;
    if (canvas->kind != POINTS_COORDS)
        return canvas->values[pixel][0] != got;
    for (uint32_t byte = 0; byte < 4; byte++) {
        uint32_t sum = 0;
        for (uint32_t s = 0; s < canvas->samples; s++)
            sum += canvas->values[pixel][s] >> 8 * byte & 255;
        if (abs((int)(sum / canvas->samples) - (int)(got >> 8 * byte & 255)) > TOLERANCE)
            return true;
    }
    return false;
}

uint32_t points_canvas_differs(const struct points_canvas *canvas, const uint32_t *pixels)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < POINTS_SIDE_PX * POINTS_SIDE_PX; i++)
        count += pixel_differs(canvas, i, pixels[i]);
    return count;
}
