/* SPDX-License-Identifier: MIT
 *
 * pgs-bench: how long geometry shaders take natively and through the layer, in one process, turn
 * about.
 */
#ifndef PGS_TESTS_BENCH_BENCH_H
#define PGS_TESTS_BENCH_BENCH_H

#include "common/vkt.h"

#define BENCH_SIDE_PX 1024u
#define BENCH_LAYERS 6u
#define BENCH_MAX_RUNS 512u

struct bench_options {
    uint32_t sizes[16];
    uint32_t size_count;
    uint32_t runs, draws, record_draws;
    bool native, emulated;
    const char *json_path;
    const char *workloads; /* a list of names, NULL: all */
    struct vkt_options base;
};

/* An instance and device of its own: with or without the layer. */
struct bench_device {
    const char *name;
    struct vkt t;
    struct VolkDeviceTable
        vk; /* as a program that cares for speed calls it: without the loader's trampolines */
    VkQueryPool timestamps;
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    VkRenderPass pass, load_pass; /* that clears, that keeps what the other left */
    VkFramebuffer framebuffer;
    struct vkt_buffer readback;
};

/* Sets VK_POLY_GS_FORCE before the instance is made: the layer reads it then, and nobody else does.
 */
void bench_device_init(struct bench_device *d, const char *name,
                       const struct bench_options *options, bool layer, bool force);
int bench_device_finish(struct bench_device *d);
void bench_begin_pass(const struct bench_device *d, VkCommandBuffer cmd, bool load);
/* Copies the picture into readback.map: BENCH_LAYERS layers. */
void bench_read(struct bench_device *d);

/* Results. Times in microseconds, medians. */
struct bench_report;
struct bench_report *bench_report_create(const char *json_path, const char *device);
void bench_report_row(struct bench_report *r, const char *workload, uint32_t size, uint32_t draws,
                      const char *clock, double native_us, double emulated_us,
                      double native_record_us, double emulated_record_us, const char *note);
void bench_report_destroy(struct bench_report *r);

double bench_now_us(void);
double bench_median(double *values, uint32_t count);

void bench_workloads(const struct bench_options *options);
void bench_record(const struct bench_options *options);
bool bench_selected(const struct bench_options *options, const char *name);

#endif
