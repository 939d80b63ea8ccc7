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
#define BENCH_MAX_THREADS 64u

struct bench_options {
    uint32_t sizes[16];
    uint32_t size_count;
    uint32_t runs, draws, record_draws;
    bool indirect;                       /* the draws of w1,...,t3 come from a buffer */
    uint32_t edges;                      /* of 1000 edges of w3 so many are drawn */
    uint32_t starts, pipelines, threads; /* of `create` and `first_frame` */
    bool native, emulated;
    /* The native device need not have geometry shaders: the workload can do without. */
    bool by_hand;
    const char *json_path;
    const char *workloads; /* a list of names, NULL: all */
    struct vkt_options base;
};

/* A device of an instance with or without the layer. */
struct bench_device {
    const char *name;
    bool by_hand; /* has no geometry shaders: vertex shaders written by hand draw */
    struct vkt t;
    /* As a program that cares for speed calls it: without the loader's trampolines. */
    struct VolkDeviceTable vk;
    VkQueryPool timestamps;
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    VkRenderPass pass, load_pass; /* that clears, that keeps what the other left */
    VkFramebuffer framebuffer;
    struct vkt_buffer readback;
};

/* Sets VK_POLY_GS_FORCE before an instance is made: the layer reads it then, and nobody else does.
 * Devices with the same layer and force share an instance, which lives until
 * bench_instances_finish. */
void bench_device_init(struct bench_device *d, const char *name,
                       const struct bench_options *options, bool layer, bool force);
int bench_device_finish(struct bench_device *d);
void bench_instances_finish(void);
void bench_begin_pass(const struct bench_device *d, VkCommandBuffer cmd, bool load);
/* Copies the picture into readback.map: BENCH_LAYERS layers. */
void bench_read(struct bench_device *d);
uint32_t bench_differing_pixels(struct bench_device *a, struct bench_device *b);

/* Fresh devices for a row: what one leaves behind must not weigh on the next. devices[0] is native,
 * devices[1] goes through the layer; NULL where the options leave it out. Makes *report, too, where
 * that is still NULL. */
struct bench_report;
void bench_devices_init(struct bench_device *devices[2], const struct bench_options *options,
                        struct bench_report **report);
void bench_devices_finish(struct bench_device *devices[2]);

/* True if the devices of both sides have it. Makes *report, too, as above. */
bool bench_has_extension(const struct bench_options *options, struct bench_report **report,
                         const char *name);

/* Results. Times in microseconds, medians; [0] natively, [1] emulated. */
struct bench_row {
    const char *workload, *clock;
    uint32_t size, draws;
    double time_us[2], record_us[2];
    char note[64];
};
struct bench_report *bench_report_create(const char *json_path, const char *device);
void bench_report_row(struct bench_report *r, const struct bench_row *row);
void bench_report_destroy(struct bench_report *r);

/* What something costs by the wall's clock, and of the processor in all threads. */
struct bench_clock {
    double wall_us, cpu_us, thread_us; /* the last of the calling thread alone */
};
struct bench_clock bench_clock_now(void);
struct bench_cost {
    double wall_us[BENCH_MAX_RUNS], cpu_us[BENCH_MAX_RUNS];
    uint32_t runs;
    bool of_thread; /* cpu_us counts the calling thread alone */
};
/* One run more: from `start` until now, divided by `times`. */
void bench_cost_add(struct bench_cost *cost, struct bench_clock start, uint32_t times);
/* A case of a workload; [0] natively, [1] emulated. */
struct bench_cost_row {
    const char *workload, *what;
    uint32_t size;  /* input primitives; 0: does not matter */
    uint32_t count; /* draws or pipelines, not 0 */
    struct bench_cost costs[2];
    char note[64];
};
/* Says in the row where the native device draws by hand. */
void bench_cost_note(struct bench_cost_row *row, struct bench_device *const devices[2]);
/* Sorts the runs. */
void bench_report_cost(struct bench_report *r, struct bench_cost_row *row);

/* Frames of both devices in turn; their times go to the row. `record` gets what is in scenes[i]. */
typedef void bench_record_frame(const void *scene, VkCommandBuffer cmd);
void bench_run_frames(struct bench_row *row, const struct bench_options *options,
                      struct bench_device *const devices[2], bench_record_frame *record,
                      const void *const scenes[2]);

/* What is drawn: points at random, or a grid of triangles or quads that share vertices nearby. */
struct bench_vertex {
    float place[4], tint[4];
};
struct bench_mesh {
    struct bench_vertex *vertices;
    uint32_t *indices;
    uint32_t vertex_count, index_count;
};
struct bench_mesh bench_points(uint32_t count);
struct bench_mesh bench_grid(uint32_t primitives, uint32_t corners); /* 3 or 4 */
/* Changes the tints so that about so many of 1000 edges are drawn where the tints decide that. */
void bench_mesh_draw_edges(struct bench_mesh *m, uint32_t edges);
void bench_mesh_finish(struct bench_mesh *m);

double bench_now_us(void);

/* What first draws do without is compiled behind them, so nothing is measured for so long. */
#define BENCH_SETTLE_US 250e3
double bench_median(double *values, uint32_t count);

void bench_workloads(const struct bench_options *options, struct bench_report **report);
void bench_captures(const struct bench_options *options, struct bench_report **report);
void bench_create(const struct bench_options *options, struct bench_report **report);
void bench_link(const struct bench_options *options, struct bench_report **report);
void bench_objects(const struct bench_options *options, struct bench_report **report);
void bench_first_frame(const struct bench_options *options, struct bench_report **report);
void bench_record_emulated(const struct bench_options *options, struct bench_report **report);
void bench_record(const struct bench_options *options);
bool bench_selected(const struct bench_options *options, const char *name);

#endif
