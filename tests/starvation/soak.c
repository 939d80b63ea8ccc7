/* SPDX-License-Identifier: MIT */
#include "soak.h"

#include <dirent.h>
#include <limits.h>
#include <malloc.h>
#include <string.h>
#include <time.h>

struct held {
    long resident_KiB, used_KiB, threads, files;
    double frame_ms; /* of the last frames */
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static long status_of(const char *name)
{
    char line[256];
    long value = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof(line), file))
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), ": %ld", &value);
    if (file)
        fclose(file);
    return value;
}

static long count_files(void)
{
    long count = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
long soak_used_KiB(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (long)((info.uordblks + info.hblkhd) / 1024);
}
#else
long soak_used_KiB(void)
{
    return 0;
}
#endif

long soak_most_used_KiB(const struct vkt *t)
{
    return strstr(t->properties.deviceName, "SwiftShader") ? LONG_MAX : 256;
}

static struct held look(double frame_ms)
{
    return (struct held){status_of("VmRSS"), soak_used_KiB(), status_of("Threads"), count_files(),
                         frame_ms};
}

static void draw(struct vkt *t, struct scene *s, const struct scene_results *usual)
{
    static struct scene_results results;
    VKT_CALL(scene_frame(s, &results));
    VKT_EXPECT(t, memcmp(&results, usual, sizeof(results)) == 0, "a frame is another one");
    scene_forget(s);
}

/* Frames until the time is over; returns what is held then. *frames goes on. */
static struct held draw_until(struct vkt *t, struct scene *s, const struct soak *how, double end_s,
                              uint32_t *frames)
{
    const double begun_s = now_s();
    const uint32_t before = *frames;
    do {
        if (*frames % how->life_frames == 0) {
            scene_close(s);
            VKT_CALL(scene_open(s, &t->options));
        }
        draw(t, s, how->usual);
        (*frames)++;
    } while (now_s() < end_s);
    return look((now_s() - begun_s) * 1e3 / (*frames - before));
}

void soak(struct vkt *t, const struct soak *how)
{
    const double begun_s = now_s();
    struct scene s = {0};
    uint32_t frames = 0;
    const struct held first = draw_until(t, &s, how, begun_s + how->seconds / 4, &frames);
    const struct held last = draw_until(t, &s, how, begun_s + how->seconds, &frames);
    scene_close(&s);
    printf(
        "%s: %u frames, %u on each device, in %.0f s; %ld KiB after a quarter and %ld at the end, "
        "of which %ld and %ld are in use, %ld and %ld threads, %ld and %ld files, %.1f and %.1f ms "
        "for a frame\n",
        t->options.name, frames, how->life_frames, now_s() - begun_s, first.resident_KiB,
        last.resident_KiB, first.used_KiB, last.used_KiB, first.threads, last.threads, first.files,
        last.files, first.frame_ms, last.frame_ms);
    VKT_EXPECT(t, last.files <= first.files && last.threads <= first.threads,
               "files or threads are left");
    VKT_EXPECT(t, last.resident_KiB - first.resident_KiB <= how->most_KiB,
               "memory grows by %ld KiB", last.resident_KiB - first.resident_KiB);
    VKT_EXPECT(t, last.used_KiB - first.used_KiB <= soak_most_used_KiB(t),
               "memory in use grows by %ld KiB", last.used_KiB - first.used_KiB);
}
