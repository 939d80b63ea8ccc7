// SPDX-License-Identifier: MIT
// What the programs for Direct3D 11 and 12 share: their scenes and vertices, compiled shaders,
// pictures. The program includes the headers of its Direct3D before this one.
#ifndef PGS_CLIENTS_D3D_COMMON_H
#define PGS_CLIENTS_D3D_COMMON_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"

#define SIZE 256
#define MAX_LAYERS 3
#define MAX_VERTICES 256
#define MAX_CODE_B (1 << 16)

struct vertex {
    float at[4];
    float color[4];
};

// How a scene is drawn, but for its shaders. What is captured is drawn again: as much as that was,
// or as many vertices as it must be.
enum drawing { DRAW, DRAW_INDEXED, DRAW_INDIRECT, DRAW_PREDICATED, DRAW_CAPTURED, DRAW_STREAMED };

struct scene {
    const char *name, *vs, *hs, *ds, *gs;
    D3D_PRIMITIVE_TOPOLOGY topology;
    enum drawing drawing;
    unsigned vertices, per_primitive, layers, viewports;
};

static const struct scene scenes[] = {
    {"plain", "vs_plain", NULL, NULL, NULL, D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST, DRAW, 48, 3, 1, 1},
    {"quads", "vs_pass", NULL, NULL, "gs_quads", D3D_PRIMITIVE_TOPOLOGY_POINTLIST, DRAW, 200, 1, 1,
     1},
    {"indexed", "vs_pass", NULL, NULL, "gs_quads", D3D_PRIMITIVE_TOPOLOGY_POINTLIST, DRAW_INDEXED,
     200, 1, 1, 1},
    {"indirect", "vs_pass", NULL, NULL, "gs_quads", D3D_PRIMITIVE_TOPOLOGY_POINTLIST, DRAW_INDIRECT,
     200, 1, 1, 1},
    {"lines", "vs_plain", NULL, NULL, "gs_lines", D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST, DRAW, 96, 3,
     1, 1},
    {"strip", "vs_plain", NULL, NULL, "gs_lines", D3D_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP, DRAW, 32, 1,
     1, 1},
    {"adjacent", "vs_plain", NULL, NULL, "gs_adjacent", D3D_PRIMITIVE_TOPOLOGY_LINELIST_ADJ, DRAW,
     64, 4, 1, 1},
    {"viewports", "vs_plain", NULL, NULL, "gs_viewports", D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST, DRAW,
     48, 3, 1, 4},
    {"layers", "vs_plain", NULL, NULL, "gs_layers", D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST, DRAW, 96,
     3, 3, 1},
    {"slices", "vs_plain", NULL, NULL, "gs_slices", D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST, DRAW, 96,
     3, 3, 1},
    {"predicated", "vs_pass", NULL, NULL, "gs_quads", D3D_PRIMITIVE_TOPOLOGY_POINTLIST,
     DRAW_PREDICATED, 200, 1, 1, 1},
    {"streamed", "vs_pass", NULL, NULL, "gs_corners", D3D_PRIMITIVE_TOPOLOGY_POINTLIST,
     DRAW_STREAMED, 200, 1, 1, 1},
    {"captured", "vs_pass", NULL, NULL, "gs_corners", D3D_PRIMITIVE_TOPOLOGY_POINTLIST,
     DRAW_CAPTURED, 200, 1, 1, 1},
    {"tessellated", "vs_pass", "hs_quad", "ds_quad", NULL,
     D3D_PRIMITIVE_TOPOLOGY_4_CONTROL_POINT_PATCHLIST, DRAW, 16, 4, 1, 1},
    {"tessellated-lines", "vs_pass", "hs_quad", "ds_quad", "gs_lines",
     D3D_PRIMITIVE_TOPOLOGY_4_CONTROL_POINT_PATCHLIST, DRAW, 16, 4, 1, 1},
};

static inline void check(HRESULT result, const char *what)
{
    if (FAILED(result)) {
        fprintf(stderr, "%s: %08lx\n", what, (unsigned long)result);
        exit(1);
    }
}

// Reads FOLDER/ENTRY.dxbc and returns its size in bytes.
static inline size_t load_code(const char *folder, const char *entry, char code[MAX_CODE_B])
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s.dxbc", folder, entry);
    FILE *file = fopen(path, "rb");
    size_t size_B = file ? fread(code, 1, MAX_CODE_B, file) : 0;
    if (file)
        fclose(file);
    check(size_B && size_B < MAX_CODE_B ? S_OK : E_FAIL, path);
    return size_B;
}

static inline float next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / (float)(1 << 24);
}

// The vertices of a primitive lie around a place of its own, in a circle.
static inline void make_vertices(const struct scene *scene, struct vertex vertices[MAX_VERTICES])
{
    static const float circle[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
    unsigned state = 1;
    float x = 0, y = 0, radius = 0.2f;
    for (unsigned i = 0; i < scene->vertices; ++i) {
        unsigned corner = i % scene->per_primitive;
        if (corner == 0) {
            x = 1.6f * next_random(&state) - 0.8f;
            y = 1.6f * next_random(&state) - 0.8f;
        }
        struct vertex *v = &vertices[i];
        v->at[0] = x + (scene->per_primitive > 1 ? radius * circle[corner][0] : 0);
        v->at[1] = y + (scene->per_primitive > 1 ? radius * circle[corner][1] : 0);
        v->at[2] = 0.02f + 0.06f * next_random(&state);
        v->at[3] = (float)i;
        for (int c = 0; c < 3; ++c)
            v->color[c] = next_random(&state);
        v->color[3] = 1;
    }
}

// Writes FOLDER/SCENE-LAYER.ppm, from rows of pixels of four bytes.
static inline void write_picture(const char *folder, const char *scene, unsigned layer,
                                 const void *pixels, size_t row_B)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s-%u.ppm", folder, scene, layer);
    FILE *file = fopen(path, "wb");
    check(file ? S_OK : E_FAIL, path);
    fprintf(file, "P6\n%d %d\n255\n", SIZE, SIZE);
    for (size_t i = 0; i < (size_t)SIZE * SIZE; ++i)
        fwrite((const char *)pixels + i / SIZE * row_B + i % SIZE * 4, 1, 3, file);
    fclose(file);
}

// Whether the environment leaves the scene out: PGS_CLIENT_SKIP has names in commas, ",a,b,".
static inline bool is_skipped(const char *scene)
{
    char name[64];
    const char *skipped = getenv("PGS_CLIENT_SKIP");
    snprintf(name, sizeof(name), ",%s,", scene);
    return skipped && strstr(skipped, name);
}

#endif
