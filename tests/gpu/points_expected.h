/* SPDX-License-Identifier: MIT
 *
 * What the specification says of points, for those of shaders/points.vert: which samples they
 * cover, gl_PointCoord, and that inputs are what the vertex has. lavapipe of Mesa 22.3 is wrong
 * beside viewports, where pixels have several samples, and by a rounding with perspective.
 */
#ifndef PGS_TESTS_GPU_POINTS_EXPECTED_H
#define PGS_TESTS_GPU_POINTS_EXPECTED_H

#include <volk.h>

#include <stdbool.h>

struct push {
    float depth, w, reach, size;
};

#define POINTS_SIDE_PX 256u
#define POINTS_SAMPLES 4u

/* What shaders/points.frag makes of a pixel: its KIND 1, 4 or 5. */
enum points_values { POINTS_NUMBERS, POINTS_COORDS, POINTS_BITS };

/* Pixels that are drawn to. */
struct points_canvas {
    uint32_t samples; /* of a pixel, 1 or 4 */
    enum points_values kind;
    bool beside; /* centres of points may lie beside the viewport */
    VkViewport viewport;
    uint32_t values[POINTS_SIDE_PX * POINTS_SIDE_PX][POINTS_SAMPLES];
    bool unsure[POINTS_SIDE_PX * POINTS_SIDE_PX][POINTS_SAMPLES]; /* too near to a border */
};

/* Draws the point of a vertex and instance. primitive: gl_PrimitiveID. */
void points_canvas_draw(struct points_canvas *canvas, const struct push *push, uint32_t vertex,
                        uint32_t instance, uint32_t primitive);

/* How many pixels of an image are something else. */
uint32_t points_canvas_differs(const struct points_canvas *canvas, const uint32_t *pixels);

#endif
