/* SPDX-License-Identifier: MIT */
#include "soak.h"

#include "common/held.h"

#include <limits.h>
#include <string.h>

struct look {
    struct held held;
    double frame_ms; /* of the last frames */
};

long soak_used_KiB(void)
{
    return held_now().used_KiB;
}

long soak_most_used_KiB(const struct vkt *t)
{
    return strstr(t->properties.deviceName, "SwiftShader") ? LONG_MAX : 256;
}

static void draw(struct vkt *t, struct scene *s, const struct scene_results *usual)
{
    static struct scene_results results;
    VKT_CALL(scene_frame(s, &results));
    VKT_EXPECT(t, memcmp(&results, usual, sizeof(results)) == 0, "a frame is another one");
    scene_forget(s);
}

/* Frames until the time is over; returns what is held then. *frames goes on. */
static struct look draw_until(struct vkt *t, struct scene *s, const struct soak *how, double end_s,
                              uint32_t *frames)
{
    const double begun_s = held_time_s();
    const uint32_t before = *frames;
    do {
        if (*frames % how->life_frames == 0) {
            scene_close(s);
            VKT_CALL(scene_open(s, &t->options));
        }
        draw(t, s, how->usual);
        (*frames)++;
    } while (held_time_s() < end_s);
    return (struct look){held_now(), (held_time_s() - begun_s) * 1e3 / (*frames - before)};
}

void soak(struct vkt *t, const struct soak *how)
{
    const double begun_s = held_time_s();
    struct scene s = {0};
    uint32_t frames = 0;
    const struct look first = draw_until(t, &s, how, begun_s + how->seconds / 4, &frames);
    const struct look last = draw_until(t, &s, how, begun_s + how->seconds, &frames);
    scene_close(&s);
    printf(
        "%s: %u frames, %u on each device, in %.0f s; %ld KiB after a quarter and %ld at the end, "
        "of which %ld and %ld are in use, %ld and %ld threads, %ld and %ld files, %.1f and %.1f ms "
        "for a frame\n",
        t->options.name, frames, how->life_frames, held_time_s() - begun_s, first.held.resident_KiB,
        last.held.resident_KiB, first.held.used_KiB, last.held.used_KiB, first.held.threads,
        last.held.threads, first.held.files, last.held.files, first.frame_ms, last.frame_ms);
    VKT_EXPECT(t, last.held.files <= first.held.files && last.held.threads <= first.held.threads,
               "files or threads are left");
    VKT_EXPECT(t, last.held.resident_KiB - first.held.resident_KiB <= how->most_KiB,
               "memory grows by %ld KiB", last.held.resident_KiB - first.held.resident_KiB);
    VKT_EXPECT(t, last.held.used_KiB - first.held.used_KiB <= soak_most_used_KiB(t),
               "memory in use grows by %ld KiB", last.held.used_KiB - first.held.used_KiB);
}
