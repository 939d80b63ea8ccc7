/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
    "usage: pgs-bench [--workloads NAME,NAME,...] [--sizes N,N,...] [--runs N] [--draws N]\n"
    "                 [--indirect-draws 0|1] [--edges N] [--record-draws N] [--starts N]\n"
    "                 [--pipelines N] [--threads N] [--only native|emulated] [--layer-path DIR]\n"
    "                 [--json FILE] [--help]\n"
    "Workloads: w1,...,w5 and t1,...,t3 frames, x1,...,x6 captures, create, link, objects,\n"
    "first_frame, record_emulated, record.\n"
    "Each size is a number of input primitives, shared by all draws of a frame; with\n"
    "--indirect-draws 1 one call draws those of w1,...,t3 from a buffer. Of 1000 edges w3 draws\n"
    "about --edges, 500 if not set. create and first_frame are\n"
    "run --starts times, each time on a new device. create makes --pipelines that share shaders,\n"
    "and pipelines in --threads. The layer is looked for in VK_ADD_LAYER_PATH or\n"
    "--layer-path. Disk caches of the driver are switched off, unless MESA_SHADER_CACHE_DISABLE\n"
    "or __GL_SHADER_DISK_CACHE is set.\n";

static double clock_us(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

double bench_now_us(void)
{
    return clock_us(CLOCK_MONOTONIC);
}

struct bench_clock bench_clock_now(void)
{
    return (struct bench_clock){
        .wall_us = clock_us(CLOCK_MONOTONIC),
        .cpu_us = clock_us(CLOCK_PROCESS_CPUTIME_ID),
        .thread_us = clock_us(CLOCK_THREAD_CPUTIME_ID),
    };
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double bench_median(double *values, uint32_t count)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof(*values), compare_doubles);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

bool bench_selected(const struct bench_options *options, const char *name)
{
    const char *at = options->workloads;
    const size_t length = strlen(name);
    if (!at)
        return true;
    while ((at = strstr(at, name)) != NULL) {
        if ((at == options->workloads || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
            return true;
        at += length;
    }
    return false;
}

static void parse_sizes(struct bench_options *options, const char *list)
{
    options->size_count = 0;
    while (*list && options->size_count < VKT_COUNT(options->sizes)) {
        char *end;
        options->sizes[options->size_count++] = (uint32_t)strtoul(list, &end, 10);
        list = *end == ',' ? end + 1 : end;
        if (end == list && *list)
            vkt_die("%s", usage);
    }
}

static uint32_t number(const char *text, uint32_t greatest)
{
    const unsigned long value = strtoul(text, NULL, 10);
    if (value == 0 || value > greatest)
        vkt_die("%s", usage);
    return (uint32_t)value;
}

static void parse_option(struct bench_options *options, const char *name, const char *value)
{
    if (strcmp(name, "--workloads") == 0)
        options->workloads = value;
    else if (strcmp(name, "--sizes") == 0)
        parse_sizes(options, value);
    else if (strcmp(name, "--runs") == 0)
        options->runs = number(value, BENCH_MAX_RUNS);
    else if (strcmp(name, "--draws") == 0)
        options->draws = number(value, 4096);
    else if (strcmp(name, "--indirect-draws") == 0)
        options->indirect = strcmp(value, "0") != 0;
    else if (strcmp(name, "--edges") == 0)
        options->edges = number(value, 1000);
    else if (strcmp(name, "--record-draws") == 0)
        options->record_draws = number(value, 1u << 20);
    else if (strcmp(name, "--starts") == 0)
        options->starts = number(value, BENCH_MAX_RUNS);
    else if (strcmp(name, "--pipelines") == 0)
        options->pipelines = number(value, 1000);
    else if (strcmp(name, "--threads") == 0)
        options->threads = number(value, BENCH_MAX_THREADS);
    else if (strcmp(name, "--json") == 0)
        options->json_path = value;
    else if (strcmp(name, "--layer-path") == 0)
        setenv("VK_ADD_LAYER_PATH", value, 1);
    else if (strcmp(name, "--only") == 0 && strcmp(value, "native") == 0)
        options->emulated = false;
    else if (strcmp(name, "--only") == 0 && strcmp(value, "emulated") == 0)
        options->native = false;
    else
        vkt_die("%s", usage);
}

int main(int argc, char **argv)
{
    struct bench_options options = {
        .base = vkt_parse("pgs-bench", argc, argv),
        .sizes = {1000, 10000},
        .size_count = 2,
        .runs = 21,
        .draws = 1,
        .edges = 500,
        .record_draws = 2000,
        .starts = 7,
        .pipelines = 24,
        .threads = 4,
        .native = true,
        .emulated = true,
    };
    if (vkt_flag(&options.base, "--help")) {
        fputs(usage, stdout);
        return 0;
    }
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
    setenv("__GL_SHADER_DISK_CACHE", "0", 0);
    setenv("VK_POLY_GS_CACHE", "0", 0);
    for (int i = 0; i < options.base.rest_count; i += 2) {
        if (i + 1 == options.base.rest_count)
            vkt_die("%s", usage);
        parse_option(&options, options.base.rest[i], options.base.rest[i + 1]);
    }
    struct bench_report *report = NULL;
    bench_workloads(&options, &report);
    bench_captures(&options, &report);
    bench_create(&options, &report);
    bench_link(&options, &report);
    bench_objects(&options, &report);
    bench_first_frame(&options, &report);
    bench_record_emulated(&options, &report);
    bench_report_destroy(report);
    if (bench_selected(&options, "record"))
        bench_record(&options);
    bench_instances_finish();
    return 0;
}
