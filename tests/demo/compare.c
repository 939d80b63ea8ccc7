/* SPDX-License-Identifier: MIT
 *
 * pgs-compare A.png B.png [--tolerance N] [--allow PERMILLE] [--side-by-side OUT.png]
 * Prints how many pixels differ at all, and how many by more than the tolerance in a channel. Fails
 * when more than PERMILLE thousandths of the pixels do the latter. The picture shows A, B and where
 * they differ.
 */
#include "common/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    const char *a, *b, *side_by_side;
    unsigned tolerance;
    double allow_permille;
};

static bool parse(struct arguments *args, int argc, char **argv)
{
    *args = (struct arguments){.tolerance = 16};
    for (int i = 1; i < argc; i++) {
        if (i + 1 < argc && strcmp(argv[i], "--side-by-side") == 0)
            args->side_by_side = argv[++i];
        else if (i + 1 < argc && strcmp(argv[i], "--tolerance") == 0)
            args->tolerance = (unsigned)strtoul(argv[++i], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--allow") == 0)
            args->allow_permille = strtod(argv[++i], NULL);
        else if (!args->a)
            args->a = argv[i];
        else if (!args->b)
            args->b = argv[i];
        else
            return false;
    }
    return args->a && args->b;
}

/* The largest difference of a channel. */
static unsigned difference(const uint8_t *a, const uint8_t *b)
{
    unsigned most = 0;
    for (int c = 0; c < 4; c++) {
        const unsigned d = (unsigned)abs(a[c] - b[c]);
        most = d > most ? d : most;
    }
    return most;
}

static bool write_side_by_side(const char *path, const struct picture *a, const struct picture *b)
{
    struct picture out;
    if (!picture_init(&out, a->width_px * 3, a->height_px))
        return false;
    const size_t row_B = (size_t)a->width_px * 4;
    for (uint32_t y = 0; y < a->height_px; y++) {
        uint8_t *row = out.rgba + y * row_B * 3;
        memcpy(row, a->rgba + y * row_B, row_B);
        memcpy(row + row_B, b->rgba + y * row_B, row_B);
        for (uint32_t x = 0; x < a->width_px; x++) {
            const size_t at = y * row_B + x * 4;
            const unsigned d = difference(a->rgba + at, b->rgba + at);
            const uint8_t shown = d == 0 ? 0 : (uint8_t)(d > 95 ? 255 : 64 + d * 2);
            memcpy(row + 2 * row_B + x * 4, (const uint8_t[4]){shown, shown, shown, 255}, 4);
        }
    }
    const bool ok = picture_write(&out, path);
    picture_finish(&out);
    return ok;
}

int main(int argc, char **argv)
{
    struct arguments args;
    if (!parse(&args, argc, argv)) {
        fputs("usage: pgs-compare A.png B.png [--tolerance N] [--allow PERMILLE] [--side-by-side "
              "OUT.png]\n",
              stderr);
        return 2;
    }
    struct picture a, b;
    if (!picture_read(&a, args.a) || !picture_read(&b, args.b)) {
        fprintf(stderr, "cannot read %s and %s\n", args.a, args.b);
        return 2;
    }
    if (a.width_px != b.width_px || a.height_px != b.height_px) {
        fputs("the pictures differ in size\n", stderr);
        return 1;
    }
    const size_t pixels = (size_t)a.width_px * a.height_px;
    size_t exact = 0, beyond = 0;
    for (size_t i = 0; i < pixels; i++) {
        const unsigned d = difference(a.rgba + 4 * i, b.rgba + 4 * i);
        exact += d != 0;
        beyond += d > args.tolerance;
    }
    printf("%zu of %zu pixels differ, %zu by more than %u\n", exact, pixels, beyond,
           args.tolerance);
    bool ok = (double)beyond * 1000.0 <= args.allow_permille * (double)pixels;
    if (args.side_by_side && !write_side_by_side(args.side_by_side, &a, &b)) {
        fprintf(stderr, "cannot write %s\n", args.side_by_side);
        ok = false;
    }
    picture_finish(&a);
    picture_finish(&b);
    return ok ? 0 : 1;
}
