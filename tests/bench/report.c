/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <stdlib.h>

/* The columns of the table. */
enum columns { NONE, FRAMES, COSTS };

struct bench_report {
    FILE *json; /* NULL: not wanted */
    uint32_t rows;
    enum columns columns; /* whose names were printed last */
};

struct bench_report *bench_report_create(const char *json_path, const char *device)
{
    struct bench_report *r = calloc(1, sizeof(*r));
    if (!r)
        vkt_die("out of memory");
    if (json_path) {
        r->json = fopen(json_path, "w");
        if (!r->json)
            vkt_die("cannot write %s", json_path);
        fprintf(r->json, "{\"device\": \"%s\", \"rows\": [", device);
    }
    printf("%s\n", device);
    return r;
}

static void print_columns(struct bench_report *r, enum columns columns)
{
    if (r->columns == columns)
        return;
    r->columns = columns;
    if (columns == FRAMES)
        printf("%-6s %9s %6s %7s %12s %12s %5s %14s %14s  %s\n", "", "size", "draws", "ratio",
               "native us", "emulated us", "clock", "record native", "record emul.", "note");
    else
        printf("%-15s %-7s %7s %6s %9s %12s %12s %9s %12s %12s %11s %11s  %s\n", "", "", "size",
               "count", "ratio", "native us", "emulated us", "CPU ratio", "native CPU", "emul. CPU",
               "native each", "emul. each", "note");
}

void bench_report_row(struct bench_report *r, const struct bench_row *row)
{
    const double ratio = row->time_us[0] > 0 ? row->time_us[1] / row->time_us[0] : 0;
    const char *clock = row->clock ? row->clock : "";
    print_columns(r, FRAMES);
    printf("%-6s %9u %6u %7.3f %12.1f %12.1f %5s %14.1f %14.1f  %s\n", row->workload, row->size,
           row->draws, ratio, row->time_us[0], row->time_us[1], clock, row->record_us[0],
           row->record_us[1], row->note);
    fflush(stdout);
    if (!r->json)
        return;
    fprintf(r->json,
            "%s\n  {\"workload\": \"%s\", \"size\": %u, \"draws\": %u, \"ratio\": %.4f, "
            "\"native_us\": %.2f, "
            "\"emulated_us\": %.2f, \"clock\": \"%s\", \"native_record_us\": %.2f, "
            "\"emulated_record_us\": %.2f, "
            "\"note\": \"%s\"}",
            r->rows++ ? "," : "", row->workload, row->size, row->draws, ratio, row->time_us[0],
            row->time_us[1], clock, row->record_us[0], row->record_us[1], row->note);
}

void bench_cost_add(struct bench_cost *cost, struct bench_clock start, uint32_t times)
{
    const struct bench_clock now = bench_clock_now();
    cost->wall_us[cost->runs] = (now.wall_us - start.wall_us) / times;
    cost->cpu_us[cost->runs++] =
        (cost->of_thread ? now.thread_us - start.thread_us : now.cpu_us - start.cpu_us) / times;
}

void bench_cost_note(struct bench_cost_row *row, struct bench_device *const devices[2])
{
    snprintf(row->note, sizeof(row->note), "%s",
             devices[0] && devices[0]->by_hand ? "native: by hand" : "");
}

void bench_report_cost(struct bench_report *r, struct bench_cost_row *row)
{
    double wall_us[2], cpu_us[2];
    for (uint32_t i = 0; i < 2; i++) {
        wall_us[i] = bench_median(row->costs[i].wall_us, row->costs[i].runs);
        cpu_us[i] = bench_median(row->costs[i].cpu_us, row->costs[i].runs);
    }
    const double ratio = wall_us[0] > 0 ? wall_us[1] / wall_us[0] : 0;
    const double cpu_ratio = cpu_us[0] > 0 ? cpu_us[1] / cpu_us[0] : 0;
    print_columns(r, COSTS);
    printf("%-15s %-7s %7u %6u %9.2f %12.1f %12.1f %9.2f %12.1f %12.1f %11.2f %11.2f  %s\n",
           row->workload, row->what, row->size, row->count, ratio, wall_us[0], wall_us[1],
           cpu_ratio, cpu_us[0], cpu_us[1], cpu_us[0] / row->count, cpu_us[1] / row->count,
           row->note);
    fflush(stdout);
    if (!r->json)
        return;
    fprintf(r->json,
            "%s\n  {\"workload\": \"%s\", \"case\": \"%s\", \"size\": %u, \"count\": %u, "
            "\"ratio\": %.4f, \"native_us\": %.2f, \"emulated_us\": %.2f, \"clock\": \"wall\", "
            "\"cpu_ratio\": %.4f, \"native_cpu_us\": %.2f, \"emulated_cpu_us\": %.2f, "
            "\"note\": \"%s\"}",
            r->rows++ ? "," : "", row->workload, row->what, row->size, row->count, ratio,
            wall_us[0], wall_us[1], cpu_ratio, cpu_us[0], cpu_us[1], row->note);
}

void bench_report_destroy(struct bench_report *r)
{
    if (r && r->json) {
        fputs("\n]}\n", r->json);
        if (fclose(r->json) != 0)
            vkt_die("cannot write the JSON file");
    }
    free(r);
}
