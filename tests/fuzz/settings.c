/* SPDX-License-Identifier: MIT
 *
 * Settings: a file, a value of the environment or one of VK_EXT_layer_settings. The first byte of
 * the input says which, and whether the layer says what it thinks of them.
 */
#include "entry/settings.h"
#include "entry/entry.h"
#include "entry/layer_settings_ext.h"
#include "entry/setting_values.h"
#include "scratch_folder.h"
#include "target.h"

#include "vulkan/costs.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const char *const fuzz_words[] = {"poly_gs.",
                                  "VK_POLY_GS_",
                                  "\n",
                                  "=",
                                  " = ",
                                  "log",
                                  "force",
                                  "missing",
                                  "plan",
                                  "statistics",
                                  "threads",
                                  "class",
                                  "ranges",
                                  "heap",
                                  "costs",
                                  "memory",
                                  "pool",
                                  "cache",
                                  "dump",
                                  "show",
                                  "hide",
                                  "auto",
                                  "emulate",
                                  "true",
                                  "off",
                                  "all",
                                  "debug",
                                  "4096",
                                  "-1",
                                  "4294967295",
                                  "wide",
                                  "any",
                                  "geometryShader",
                                  "multiViewport",
                                  "-",
                                  ",",
                                  ";",
                                  "fuse_runs=",
                                  "cpu_ksteps=",
                                  "slice_vertices=",
                                  "#",
                                  "18446744073709551616",
                                  "adreno",
                                  "bifrost",
                                  "stored",
                                  "VK_KHR_swapchain",
                                  NULL};

#define MOST_B 4096u /* of an input */

extern char **environ;

static int file = -1;
static size_t written_B;
/* The whole environment, since each setting is looked for in it, and setenv keeps what it is given.
 */
static char variable[MOST_B + 64], level[] = "VK_POLY_GS_LOG=warn";
static char *variables[] = {NULL, NULL, NULL};

static void begin(void)
{
    scratch_folder();
    file = open("vk_layer_settings.txt", O_RDWR | O_CREAT, 0600);
    if (file < 0)
        fuzz_die("cannot make a file");
    environ = variables;
}

static void write_settings(const uint8_t *data, size_t size_B)
{
    if (!size_B && !written_B)
        return;
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size_B, 0) != (ssize_t)size_B)
        fuzz_die("cannot write to a file");
    written_B = size_B;
}

/* What holds after any settings. */
static void check(const struct pgs_settings *settings)
{
    static const char *const words[] = {"plan",    "layers",      "viewports", "fill",   "clip",
                                        "lines",   "stores",      "draws",     "fuse",   "cull",
                                        "compile", "descriptors", "split",     "layout", "slots",
                                        "fetch",   "strips",      "arguments"};
    char text[PGS_COSTS_TEXT_B];
    struct pgs_chosen_costs again = {.chosen = 0};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (!pgs_setting_word(settings, words[i]))
            fuzz_die("a setting that is none of its words");
    if ((settings->memory_MiB > 65536) || settings->pool_MiB > 4096)
        fuzz_die("a setting out of its range");
    if (settings->device_class.guards & ~(uint32_t)PGS_GUARDS_ALL ||
        (settings->device_class.guards && !settings->device_class.chooses_guards))
        fuzz_die("guards that are none");
    if (!settings->device_class.costs.chosen)
        return;
    pgs_costs_print(&settings->device_class.costs.values, text);
    if (!pgs_costs_read(&again, text) ||
        memcmp(&again.values, &settings->device_class.costs.values, sizeof(again.values)) != 0)
        fuzz_die("costs that are not read as they are printed");
}

static void read_all(const VkInstanceCreateInfo *info)
{
    struct pgs_settings settings;
    if (pgs_settings_init(&settings, info) == VK_SUCCESS)
        check(&settings);
    pgs_settings_finish(&settings);
}

/* With a name and value of the input: text up to a zero each. */
static void read_extension(uint8_t how, char *text, size_t size_B)
{
    const size_t name_B = strlen(text) < size_B ? strlen(text) + 1 : size_B;
    const char *string = text + name_B;
    uint32_t word = 0;
    memcpy(&word, string, size_B - name_B < 4 ? size_B - name_B : 4);
    const VkLayerSettingTypeEXT type =
        how & 1 ? VK_LAYER_SETTING_TYPE_STRING_EXT : (VkLayerSettingTypeEXT)(how >> 1 & 7);
    const bool is_string = type == VK_LAYER_SETTING_TYPE_STRING_EXT;
    const VkLayerSettingEXT setting = {.pLayerName = PGS_LAYER_NAME,
                                       .pSettingName = text,
                                       .type = type,
                                       .valueCount = 1,
                                       .pValues = is_string ? (const void *)&string : &word};
    const VkLayerSettingsCreateInfoEXT list = {.sType =
                                                   VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                                               .settingCount = 1,
                                               .pSettings = &setting};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = &list};
    read_all(&info);
}

static void read_variable(uint8_t how, const char *value)
{
    static size_t count;
    while (pgs_setting_at(count))
        count++;
    snprintf(variable, sizeof(variable), "%s=%s", pgs_setting_at(how % count)->env, value);
    variables[0] = variable;
}

void fuzz_one(const uint8_t *data, size_t size_B)
{
    static const VkInstanceCreateInfo plain = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    if (file < 0)
        begin();
    if (!size_B || size_B > MOST_B)
        return;
    const uint8_t how = data[0], *rest = data + 1;
    char text[MOST_B + 4] = "";
    memcpy(text, rest, size_B - 1);
    memset(variables, 0, sizeof(variables));
    write_settings(rest, how & 0x80 ? size_B - 1 : 0);
    if (!(how & 0xC0))
        read_variable(how, text);
    if (how % 16 == 15) /* much of it would cost time */
        variables[variables[0] != NULL] = level;
    if ((how & 0xC0) == 0x40)
        read_extension(how, text, size_B - 1);
    else
        read_all(&plain);
}
