/* SPDX-License-Identifier: MIT */
#include "vulkan/costs.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[PGS_COSTS] = {
    [PGS_COST_FUSE_RUNS] = "fuse_runs",
    [PGS_COST_FUSE_STEPS] = "fuse_steps",
    [PGS_COST_FUSE_CONTROL_STEPS] = "fuse_control_steps",
    [PGS_COST_FUSE_PATCHES] = "fuse_patches",
    [PGS_COST_INLINE_VERTICES] = "inline_vertices",
    [PGS_COST_INLINE_STEPS] = "inline_steps",
    [PGS_COST_INLINE_INVOCATIONS] = "inline_invocations",
    [PGS_COST_INLINE_PATCHES] = "inline_patches",
    [PGS_COST_INLINE_EVALUATIONS] = "inline_evaluations",
    [PGS_COST_PASS_EMITS] = "pass_emits",
    [PGS_COST_PASS_STEPS] = "pass_steps",
    [PGS_COST_PASS_BOTH] = "pass_both",
    [PGS_COST_PASS_DENSE] = "pass_dense",
    [PGS_COST_DENSE_SHARE] = "dense_share",
    [PGS_COST_SPREAD_INVOCATIONS] = "spread_invocations",
    [PGS_COST_CUT_INVOCATIONS] = "cut_invocations",
    [PGS_COST_SIFT_PRIMITIVES] = "sift_primitives",
    [PGS_COST_PICK_PRIMITIVES] = "pick_primitives",
    [PGS_COST_LINES_HEAP] = "lines_heap",
    [PGS_COST_CPU_STEPS] = "cpu_steps",
    [PGS_COST_CPU_KSTEPS] = "cpu_ksteps",
    [PGS_COST_SLICE_VERTICES] = "slice_vertices",
    [PGS_COST_BOUND_INVOCATIONS] = "bound_invocations",
};

const struct pgs_costs pgs_costs_usual = {{
    /* Shading a cheap vertex several times is faster than storing it and waiting for it. */
    [PGS_COST_FUSE_RUNS] = 8,
    /* A transformation and some lighting. On an H200 three runs of 350 instructions took as long as
     * one run and the store and load of its results. */
    [PGS_COST_FUSE_STEPS] = 250,
    /* Workgroups of a patch leave most of a subgroup idle, but a dispatch, a barrier and a shader
     * less count for more: of 100 to 100000 triangles and quads an H200 took 0.95 to 0.99 of the
     * time, with short vertex shaders. Longer ones were not measured. */
    [PGS_COST_FUSE_CONTROL_STEPS] = 250,
    [PGS_COST_FUSE_PATCHES] = PGS_COST_MOST,
    /* Up to here running the shaders for each drawn vertex is faster than running them once and
     * storing what they emit. It saves memory and the wait of raster work for compute work, some 10
     * us on an H200, and up to a few hundred instructions of a vertex shader are free there. With
     * 18 vertices (strips of 8) and 280 steps 1000, 10000 and 100000 invocations took 0.73, 0.89
     * and 0.95 of what the kernels do; with 3 vertices and 1060 steps 0.90, 0.86 and 0.93, with
     * 1960 steps 0.90, 0.87 and 1.12. With emits that are not static, strips of 4 to 64 vertices
     * took 3 to 6 times as long. */
    [PGS_COST_INLINE_VERTICES] = 18,
    [PGS_COST_INLINE_STEPS] = 1000,
    /* Up to here three more dispatches take longer than vertices that are evaluated several times:
     * of terrain with some 50 triangles for each patch an H200 took 111 us inline and 125 stored
     * for 300 patches, 245 and 203 for 1000. Patches of four triangles gain up to some 20000. */
    [PGS_COST_INLINE_PATCHES] = 512,
    /* For 5000 patches, of six triangles and seven vertices, an H200 takes 159 us inline and 177
     * stored; for 10000, which evaluate 110000 vertices more, 242 and 269, for 20000 461 and 444.
     * Of terrain, whose shader is longer, 500 patches take 168 and 182, with 72000 vertices more,
     * and 1000, with 143000, 245 and 203. */
    [PGS_COST_INLINE_EVALUATIONS] = 75000,
    /* Up to here each dispatch and barrier of a draw takes a CPU's driver longer than the
     * repetition: with lavapipe 25 a frame of 200 quads takes 0.37 ms inline and 0.77 ms stored. */
    [PGS_COST_CPU_STEPS] = 4000000,
    /* lavapipe runs some 30 to 40 steps in a microsecond. What a pipeline stores takes it 25 ms
     * and more to compile. */
    [PGS_COST_CPU_KSTEPS] = 1000000,
}};

void pgs_costs_print(const struct pgs_costs *costs, char *text)
{
    size_t length = 0;
    for (int i = 0; i < PGS_COSTS && length < PGS_COSTS_TEXT_B; i++)
        length += (size_t)snprintf(text + length, PGS_COSTS_TEXT_B - length, "%s%s=%u",
                                   i ? " " : "", names[i], costs->of[i]);
}

static const char *skip_separators(const char *text)
{
    return text + strspn(text, " ,\t");
}

/* Reads one NAME=NUMBER. NULL: it is none. */
static const char *read_one(struct pgs_chosen_costs *costs, const char *text)
{
    const size_t length = strcspn(text, "= ,\t");
    if (text[length] != '=' || !isdigit((unsigned char)text[length + 1]))
        return NULL;
    for (int i = 0; i < PGS_COSTS; i++) {
        if (strlen(names[i]) != length || strncmp(names[i], text, length) != 0)
            continue;
        char *end;
        errno = 0;
        const unsigned long long number = strtoull(text + length + 1, &end, 10);
        if (errno || number > PGS_COST_MOST || (*end && !strchr(" ,\t", *end)))
            return NULL;
        costs->values.of[i] = (uint32_t)number;
        costs->chosen |= UINT32_C(1) << i;
        return end;
    }
    return NULL;
}

bool pgs_costs_read(struct pgs_chosen_costs *costs, const char *text)
{
    struct pgs_chosen_costs read = *costs;
    for (text = skip_separators(text); text && *text; text = text ? skip_separators(text) : NULL)
        text = read_one(&read, text);
    if (!text)
        return false;
    *costs = read;
    return true;
}

void pgs_costs_choose(struct pgs_costs *costs, const struct pgs_chosen_costs *chosen)
{
    for (int i = 0; i < PGS_COSTS; i++)
        if (chosen->chosen >> i & 1)
            costs->of[i] = chosen->values.of[i];
}
