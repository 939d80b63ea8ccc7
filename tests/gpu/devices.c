/* SPDX-License-Identifier: MIT
 *
 * 60 devices in one process, one after the other, each with a draw of a geometry shader: nothing of
 * them is left. Half of them share an instance, the others have one of their own.
 */
#include "common/vkt.h"

#include "lazy_frag.h"
#include "lazy_geom.h"
#include "lazy_vert.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#define DEVICES 60u
#define SIDE_PX 64u
/* What drivers, the loader and the C library keep for good, they take with the first devices. */
#define WARM 10u

/* As in lazy.vert. */
struct push {
    float shift[2], depth;
    uint32_t tint;
};

struct left {
    uint32_t files, threads, mappings;
};

/* SwiftShader keeps one of these each time that it is loaded. */
static bool is_drivers(const char *folder, const char *entry)
{
    char path[300], target[256] = "";
    snprintf(path, sizeof(path), "%s/%s", folder, entry);
    return readlink(path, target, sizeof(target) - 1) > 0 && strstr(target, "swiftshader_jit");
}

static uint32_t count_entries(const char *path)
{
    DIR *folder = opendir(path);
    uint32_t count = 0;
    if (!folder)
        vkt_skip("no /proc");
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += !is_drivers(path, entry->d_name);
    closedir(folder);
    return count;
}

static struct left count_left(void)
{
    struct left left = {count_entries("/proc/self/fd"), count_entries("/proc/self/task"), 0};
    FILE *maps = fopen("/proc/self/maps", "r");
    if (!maps)
        vkt_skip("no /proc");
    for (int c = getc(maps); c != EOF; c = getc(maps))
        left.mappings += c == '\n';
    fclose(maps);
    return left;
}

static void draw(struct vkt *t, const char *name)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT, 0, sizeof(struct push)};
    const VkPipelineLayout layout = vkt_layout(t, NULL, 0, &range, 1);
    const struct vkt_target target =
        vkt_target(t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    const struct vkt_pipeline_info info = {
        .vs = VKT_CODE(lazy_vert),
        .gs = VKT_CODE(lazy_geom),
        .fs = VKT_CODE(lazy_frag),
        .layout = layout,
        .pass = target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    const VkPipeline pipeline = vkt_pipeline(t, &info);
    const struct push push = {.tint = 5};
    VkCommandBuffer cmd = vkt_commands(t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(cmd, layout, range.stageFlags, 0, sizeof(push), &push);
    vkCmdDraw(cmd, 3, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_submit(t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(t, &target.color, 4);
    vkt_dump_image(t, "image", pixels.map, SIDE_PX, SIDE_PX, 4); /* the last device's stays */
    const uint32_t drawn = vkt_drawn(pixels.map, SIDE_PX * SIDE_PX);
    VKT_EXPECT(t, drawn > 100, "%s: %u pixels", name, drawn);
}

static int run(const struct vkt_options *options, const char *name)
{
    struct left warm = {0};
    int status = 0;
    for (uint32_t i = 0; i < DEVICES / 2; i++) {
        struct vkt t;
        vkt_init(&t, options);
        draw(&t, name);
        if (vkt_finish(&t))
            status = VKT_EXIT_FAIL;
        if (i + 1 == WARM)
            warm = count_left();
    }
    const struct left now = count_left();
    printf("%s: %u files, %u threads, %u mappings after %u devices; %u, %u, %u after %u\n", name,
           warm.files, warm.threads, warm.mappings, WARM, now.files, now.threads, now.mappings,
           DEVICES / 2);
    /* Heaps grow by mappings, but not by one for each device. */
    if (now.files > warm.files || now.threads > warm.threads ||
        now.mappings > warm.mappings + (DEVICES / 2 - WARM) / 2)
        status = VKT_EXIT_FAIL;
    return status;
}

int main(int argc, char **argv)
{
    struct vkt_options options = vkt_parse("gpu-devices", argc, argv);
    options.instance = vkt_instance(&options);
    const int shared = run(&options, "one instance");
    vkDestroyInstance(options.instance, NULL);
    options.instance = VK_NULL_HANDLE;
    fflush(stdout); /* a driver may now be found no more, which ends the program */
    const int alone = run(&options, "an instance each");
    return shared ? shared : alone;
}
