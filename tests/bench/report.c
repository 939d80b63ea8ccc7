/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <stdlib.h>

struct bench_report {
    FILE *json; /* NULL: not wanted */
    uint32_t rows;
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
    printf("%-6s %9s %6s %7s %12s %12s %5s %14s %14s  %s\n", "", "size", "draws", "ratio",
           "native us", "emulated us", "clock", "record native", "record emul.", "note");
    return r;
}

void bench_report_row(struct bench_report *r, const struct bench_row *row)
{
    const double ratio = row->time_us[0] > 0 ? row->time_us[1] / row->time_us[0] : 0;
    const char *clock = row->clock ? row->clock : "";
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

void bench_report_destroy(struct bench_report *r)
{
    if (r && r->json) {
        fputs("\n]}\n", r->json);
        if (fclose(r->json) != 0)
            vkt_die("cannot write the JSON file");
    }
    free(r);
}
