/* SPDX-License-Identifier: MIT */
#include "entry/settings.h"

#include "base/alloc.h"
#include "base/files.h"
#include "base/log.h"
#include "base/workers.h"
#include "entry/driver_features.h"
#include "entry/entry.h"
#include "entry/layer_settings_ext.h"
#include "entry/system_property.h"
#include "entry/user_values.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define PREFIX "poly_gs."
#define FILE_NAME "vk_layer_settings.txt"
#define PATH_MAX_B 4096
#define LINE_MAX_B 4096
#define PGS_DEFAULT_POOL_MIB 64

/* -- values -- */

static void warn_value(const char *key, const char *value)
{
    pgs_log(PGS_LOG_WARN, "setting %s%s: \"%s\" is not a valid value; see docs/settings.md", PREFIX,
            key, value);
}

/* Reads a word for yes or no. False: it is neither. */
static bool read_switch(const char *value, bool *on)
{
    static const char *const words[] = {"false", "0", "off", "no", "true", "1", "on", "yes"};
    for (unsigned i = 0; i < 8; i++) {
        if (strcasecmp(value, words[i]) == 0) {
            *on = i >= 4;
            return true;
        }
    }
    return false;
}

/* Reads a whole number of this range, and nothing behind it. False: it is none. */
static bool read_number(const char *value, uint32_t least, uint32_t most, uint32_t *number)
{
    char *end = NULL;
    const unsigned long long found = strtoull(value, &end, 10);
    if (!isdigit((unsigned char)value[0]) || *end != '\0' || found < least || found > most)
        return false;
    *number = (uint32_t)found;
    return true;
}

static VkResult set_force(struct pgs_settings *settings, const char *key, const char *value)
{
    bool all = strcasecmp(value, "all") == 0;
    const bool geometry = strcasecmp(value, "geometry") == 0;
    const bool xfb = strcasecmp(value, "feedback") == 0;
    const bool tessellation = strcasecmp(value, "tessellation") == 0;
    if (all || geometry || xfb || tessellation || read_switch(value, &all)) {
        settings->force_geometry = all || geometry;
        settings->force_xfb = all || xfb;
        settings->force_tessellation = all || tessellation;
    } else {
        warn_value(key, value);
    }
    return VK_SUCCESS;
}

static VkResult set_xfb(struct pgs_settings *settings, const char *key, const char *value)
{
    if (!read_switch(value, &settings->xfb))
        warn_value(key, value);
    return VK_SUCCESS;
}

static VkResult set_tessellation(struct pgs_settings *settings, const char *key, const char *value)
{
    if (!read_switch(value, &settings->tessellation))
        warn_value(key, value);
    return VK_SUCCESS;
}

static VkResult set_missing(struct pgs_settings *settings, const char *key, const char *value)
{
    if (!pgs_features_parse(value, &settings->missing_features, &settings->present_features))
        warn_value(key, value);
    return VK_SUCCESS;
}

/* Which of the words the value is; if it is none, what it was. */
static uint32_t read_word(const char *key, const char *value, const char *const words[],
                          size_t count, uint32_t now)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcasecmp(value, words[i]) == 0)
            return i;
    warn_value(key, value);
    return now;
}

static VkResult set_plan(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {[PGS_PLAN_AUTO] = "auto",
                                        [PGS_PLAN_COMPUTE] = "compute",
                                        [PGS_PLAN_VERTEX] = "vertex",
                                        [PGS_PLAN_STORED] = "stored"};
    settings->plan = (enum pgs_plan)read_word(key, value, words, COUNT(words), settings->plan);
    return VK_SUCCESS;
}

static VkResult set_layers(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {[PGS_LAYERS_AUTO] = "auto", [PGS_LAYERS_REPLAY] = "replay"};
    settings->layers =
        (enum pgs_layers)read_word(key, value, words, COUNT(words), settings->layers);
    return VK_SUCCESS;
}

static VkResult set_viewports(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {[PGS_VIEWPORTS_AUTO] = "auto",
                                        [PGS_VIEWPORTS_REPLAY] = "replay",
                                        [PGS_VIEWPORTS_ONE] = "one"};
    settings->viewports =
        (enum pgs_viewport_choice)read_word(key, value, words, COUNT(words), settings->viewports);
    return VK_SUCCESS;
}

static enum pgs_bring read_bring(const char *key, const char *value, enum pgs_bring otherwise)
{
    static const char *const words[] = {[PGS_BRING_AUTO] = "auto", [PGS_BRING_EMULATE] = "emulate"};
    return (enum pgs_bring)read_word(key, value, words, COUNT(words), otherwise);
}

static VkResult set_fill(struct pgs_settings *settings, const char *key, const char *value)
{
    settings->fill = read_bring(key, value, settings->fill);
    return VK_SUCCESS;
}

static VkResult set_clip(struct pgs_settings *settings, const char *key, const char *value)
{
    settings->clip = read_bring(key, value, settings->clip);
    return VK_SUCCESS;
}

static VkResult set_lines(struct pgs_settings *settings, const char *key, const char *value)
{
    settings->lines = read_bring(key, value, settings->lines);
    return VK_SUCCESS;
}

static VkResult set_stores(struct pgs_settings *settings, const char *key, const char *value)
{
    settings->stores = read_bring(key, value, settings->stores);
    return VK_SUCCESS;
}

static VkResult set_fuse(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {
        [PGS_FUSE_AUTO] = "auto", [PGS_FUSE_ALWAYS] = "always", [PGS_FUSE_NEVER] = "never"};
    settings->fuse = (enum pgs_fuse)read_word(key, value, words, COUNT(words), settings->fuse);
    return VK_SUCCESS;
}

static VkResult set_cull(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {
        [PGS_CULL_AUTO] = "auto", [PGS_CULL_ALWAYS] = "always", [PGS_CULL_NEVER] = "never"};
    settings->cull = (enum pgs_cull)read_word(key, value, words, COUNT(words), settings->cull);
    return VK_SUCCESS;
}

static VkResult set_descriptors(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {[PGS_DESCRIPTORS_AUTO] = "auto",
                                        [PGS_DESCRIPTORS_WIDEN] = "widen",
                                        [PGS_DESCRIPTORS_MIRROR] = "mirror"};
    settings->descriptors =
        (enum pgs_descriptors)read_word(key, value, words, COUNT(words), settings->descriptors);
    return VK_SUCCESS;
}

static VkResult set_compile(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {[PGS_COMPILE_LAZY] = "lazy", [PGS_COMPILE_ALL] = "all"};
    settings->compile =
        (enum pgs_compile)read_word(key, value, words, COUNT(words), settings->compile);
    return VK_SUCCESS;
}

static VkResult set_draws(struct pgs_settings *settings, const char *key, const char *value)
{
    settings->draws = read_bring(key, value, settings->draws);
    return VK_SUCCESS;
}

static VkResult set_divisors(struct pgs_settings *settings, const char *key, const char *value)
{
    settings->divisors = read_bring(key, value, settings->divisors);
    return VK_SUCCESS;
}

static VkResult set_pushes(struct pgs_settings *settings, const char *key, const char *value)
{
    settings->pushes = read_bring(key, value, settings->pushes);
    return VK_SUCCESS;
}

static VkResult set_depth_clip(struct pgs_settings *settings, const char *key, const char *value)
{
    settings->depth_clip = read_bring(key, value, settings->depth_clip);
    return VK_SUCCESS;
}

static VkResult set_statistics(struct pgs_settings *settings, const char *key, const char *value)
{
    bool on;
    if (strcasecmp(value, "emulate") == 0)
        settings->statistics = PGS_STATISTICS_EMULATE;
    else if (read_switch(value, &on))
        settings->statistics = on ? PGS_STATISTICS_BRING : PGS_STATISTICS_DRIVER;
    else
        warn_value(key, value);
    return VK_SUCCESS;
}

static VkResult set_class(struct pgs_settings *settings, const char *key, const char *value)
{
    const char *words[PGS_DEVICE_KINDS];
    for (int i = 0; i < PGS_DEVICE_KINDS; i++)
        words[i] = pgs_device_kind_name((enum pgs_device_kind)i);
    settings->device_class.kind = (enum pgs_device_kind)read_word(
        key, value, words, PGS_DEVICE_KINDS, settings->device_class.kind);
    return VK_SUCCESS;
}

static VkResult set_split(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {
        [PGS_SPLIT_AUTO] = "auto", [PGS_SPLIT_NEEDED] = "needed", [PGS_SPLIT_NEVER] = "never"};
    settings->device_class.split = (enum pgs_split_choice)read_word(key, value, words, COUNT(words),
                                                                    settings->device_class.split);
    return VK_SUCCESS;
}

/* Most bytes have 32 bits. */
#define MAX_RANGE_KIB (1u << 21)

static VkResult set_ranges(struct pgs_settings *settings, const char *key, const char *value)
{
    uint32_t *range_KiB = &settings->device_class.index_range_KiB;
    if (strcasecmp(value, "auto") == 0)
        *range_KiB = 0;
    else if (strcasecmp(value, "wide") == 0)
        *range_KiB = PGS_RANGES_WIDE;
    else if (!read_number(value, 1, MAX_RANGE_KIB, range_KiB))
        warn_value(key, value);
    return VK_SUCCESS;
}

static VkResult set_layout(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {
        [PGS_LAYOUT_AUTO] = "auto", [PGS_LAYOUT_WHOLE] = "whole", [PGS_LAYOUT_SPLIT] = "split"};
    settings->device_class.layout = (enum pgs_layout_choice)read_word(
        key, value, words, COUNT(words), settings->device_class.layout);
    return VK_SUCCESS;
}

static VkResult set_slots(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {
        [PGS_SLOTS_AUTO] = "auto", [PGS_SLOTS_OWN] = "own", [PGS_SLOTS_PACKED] = "packed"};
    settings->device_class.slots = (enum pgs_slots_choice)read_word(key, value, words, COUNT(words),
                                                                    settings->device_class.slots);
    return VK_SUCCESS;
}

static VkResult set_fetch(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {[PGS_FETCH_AUTO] = "auto",
                                        [PGS_FETCH_STORAGE] = "storage",
                                        [PGS_FETCH_ATTRIBUTES] = "attributes"};
    settings->device_class.fetch = (enum pgs_fetch_choice)read_word(key, value, words, COUNT(words),
                                                                    settings->device_class.fetch);
    return VK_SUCCESS;
}

static VkResult set_arguments(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {[PGS_ARGUMENTS_AUTO] = "auto",
                                        [PGS_ARGUMENTS_BUFFER] = "buffer",
                                        [PGS_ARGUMENTS_DIRECT] = "direct"};
    settings->device_class.arguments = (enum pgs_arguments_choice)read_word(
        key, value, words, COUNT(words), settings->device_class.arguments);
    return VK_SUCCESS;
}

static VkResult set_strips(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {
        [PGS_STRIPS_AUTO] = "auto", [PGS_STRIPS_RESTART] = "restart", [PGS_STRIPS_LISTS] = "lists"};
    settings->device_class.strips = (enum pgs_strips_choice)read_word(
        key, value, words, COUNT(words), settings->device_class.strips);
    return VK_SUCCESS;
}

static VkResult set_guards(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {
        [PGS_GUARDS_AUTO] = "auto", [PGS_GUARDS_NONE] = "none", [PGS_GUARDS_ALL] = "all"};
    settings->device_class.guards = (enum pgs_guard_choice)read_word(
        key, value, words, COUNT(words), settings->device_class.guards);
    return VK_SUCCESS;
}

static uint32_t auto_threads(void)
{
    return pgs_workers_for(pgs_processors());
}

static VkResult set_threads(struct pgs_settings *settings, const char *key, const char *value)
{
    const bool automatic = strcasecmp(value, "auto") == 0;
    if (automatic) {
        settings->threads = auto_threads();
    } else if (!read_number(value, 0, PGS_WORKERS_MAX, &settings->threads)) {
        warn_value(key, value);
        return VK_SUCCESS;
    }
    settings->limits_threads = automatic;
    return VK_SUCCESS;
}

static VkResult set_pool(struct pgs_settings *settings, const char *key, const char *value)
{
    if (read_number(value, 0, 4096, &settings->pool_MiB))
        settings->scales_pools = false;
    else
        warn_value(key, value);
    return VK_SUCCESS;
}

#define MAX_MEMORY_MIB 65536

static VkResult set_heap(struct pgs_settings *settings, const char *key, const char *value)
{
    uint32_t *heap_MiB = &settings->device_class.heap_MiB;
    if (strcasecmp(value, "auto") == 0)
        *heap_MiB = 0;
    else if (strcasecmp(value, "any") == 0)
        *heap_MiB = PGS_HEAP_ANY;
    else if (!read_number(value, 1, MAX_MEMORY_MIB, heap_MiB))
        warn_value(key, value);
    return VK_SUCCESS;
}

static VkResult set_costs(struct pgs_settings *settings, const char *key, const char *value)
{
    if (!pgs_costs_read(&settings->device_class.costs, value))
        warn_value(key, value);
    return VK_SUCCESS;
}

static VkResult set_memory(struct pgs_settings *settings, const char *key, const char *value)
{
    if (strcasecmp(value, "auto") == 0)
        settings->memory_MiB = 0;
    else if (!read_number(value, 1, MAX_MEMORY_MIB, &settings->memory_MiB))
        warn_value(key, value);
    return VK_SUCCESS;
}

/* Replaces *text, which is owned, by a copy; by NULL if the value is empty. */
static VkResult copy_text(const char *value, char **text)
{
    char *copy = NULL;
    if (value[0] != '\0') {
        copy = pgs_strdup(value);
        if (!copy)
            return VK_ERROR_OUT_OF_HOST_MEMORY;
    }
    pgs_free(*text);
    *text = copy;
    return VK_SUCCESS;
}

static VkResult set_show(struct pgs_settings *settings, const char *key, const char *value)
{
    pgs_log(PGS_LOG_WARN, "setting %s%s: the layer does not support %s", PREFIX, key, value);
    return copy_text(value, &settings->shown_extensions);
}

static VkResult set_hide(struct pgs_settings *settings, const char *key, const char *value)
{
    (void)key;
    return copy_text(value, &settings->hidden_extensions);
}

static VkResult set_dump(struct pgs_settings *settings, const char *key, const char *value)
{
    (void)key;
    return copy_text(value, &settings->dump_dir);
}

/* The XDG base directory specification's folder for this user's caches. A process with more rights
 * than its user has none. */
static VkResult find_cache(struct pgs_settings *settings)
{
    const char *cache = pgs_getenv("XDG_CACHE_HOME"), *home = pgs_getenv("HOME");
    char path[PATH_MAX_B];
    int length = 0;
    if (pgs_is_privileged())
        return VK_SUCCESS;
    if (cache && cache[0] == '/')
        length = snprintf(path, sizeof(path), "%s/poly_gs", cache);
    else if (home && home[0] == '/')
        length = snprintf(path, sizeof(path), "%s/.cache/poly_gs", home);
    return length > 0 && length < PATH_MAX_B ? copy_text(path, &settings->cache_dir) : VK_SUCCESS;
}

/* A path, or a word for yes or no: the user's cache folder, or none. */
static VkResult set_cache(struct pgs_settings *settings, const char *key, const char *value)
{
    bool on;
    (void)key;
    if (!read_switch(value, &on))
        return copy_text(value, &settings->cache_dir);
    pgs_free(settings->cache_dir);
    settings->cache_dir = NULL;
    return on ? find_cache(settings) : VK_SUCCESS;
}

static VkResult set_log(struct pgs_settings *settings, const char *key, const char *value)
{
    static const char *const words[] = {"off", "error", "warn", "info", "debug"};
    for (int i = PGS_LOG_OFF; i <= PGS_LOG_DEBUG; i++) {
        if (strcasecmp(value, words[i]) == 0) {
            settings->log_level = i;
            pgs_log_set_level((enum pgs_log_level)i);
            return VK_SUCCESS;
        }
    }
    warn_value(key, value);
    return VK_SUCCESS;
}

static const struct setting {
    const char *key, *env;
    VkResult (*set)(struct pgs_settings *settings, const char *key, const char *value);
} known_settings[] = {
    {"log", "VK_POLY_GS_LOG", set_log},
    {"force", "VK_POLY_GS_FORCE", set_force},
    {"feedback", "VK_POLY_GS_FEEDBACK", set_xfb},
    {"tessellation", "VK_POLY_GS_TESSELLATION", set_tessellation},
    {"missing", "VK_POLY_GS_MISSING", set_missing},
    {"plan", "VK_POLY_GS_PLAN", set_plan},
    {"layers", "VK_POLY_GS_LAYERS", set_layers},
    {"viewports", "VK_POLY_GS_VIEWPORTS", set_viewports},
    {"fill", "VK_POLY_GS_FILL", set_fill},
    {"clip", "VK_POLY_GS_CLIP", set_clip},
    {"lines", "VK_POLY_GS_LINES", set_lines},
    {"stores", "VK_POLY_GS_STORES", set_stores},
    {"draws", "VK_POLY_GS_DRAWS", set_draws},
    {"divisors", "VK_POLY_GS_DIVISORS", set_divisors},
    {"pushes", "VK_POLY_GS_PUSHES", set_pushes},
    {"depth_clip", "VK_POLY_GS_DEPTH_CLIP", set_depth_clip},
    {"statistics", "VK_POLY_GS_STATISTICS", set_statistics},
    {"fuse", "VK_POLY_GS_FUSE", set_fuse},
    {"cull", "VK_POLY_GS_CULL", set_cull},
    {"compile", "VK_POLY_GS_COMPILE", set_compile},
    {"threads", "VK_POLY_GS_THREADS", set_threads},
    {"descriptors", "VK_POLY_GS_DESCRIPTORS", set_descriptors},
    {"class", "VK_POLY_GS_CLASS", set_class},
    {"split", "VK_POLY_GS_SPLIT", set_split},
    {"ranges", "VK_POLY_GS_RANGES", set_ranges},
    {"layout", "VK_POLY_GS_LAYOUT", set_layout},
    {"slots", "VK_POLY_GS_SLOTS", set_slots},
    {"fetch", "VK_POLY_GS_FETCH", set_fetch},
    {"strips", "VK_POLY_GS_STRIPS", set_strips},
    {"arguments", "VK_POLY_GS_ARGUMENTS", set_arguments},
    {"guards", "VK_POLY_GS_GUARDS", set_guards},
    {"heap", "VK_POLY_GS_HEAP", set_heap},
    {"costs", "VK_POLY_GS_COSTS", set_costs},
    {"memory", "VK_POLY_GS_MEMORY", set_memory},
    {"pool", "VK_POLY_GS_POOL", set_pool},
    {"cache", "VK_POLY_GS_CACHE", set_cache},
    {"dump", "VK_POLY_GS_DUMP", set_dump},
    {"show", "VK_POLY_GS_SHOW", set_show},
    {"hide", "VK_POLY_GS_HIDE", set_hide},
};
#define SETTING_COUNT (sizeof(known_settings) / sizeof(known_settings[0]))

static VkResult set_by_key(struct pgs_settings *settings, const char *key, const char *value)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        if (strcmp(known_settings[i].key, key) == 0)
            return known_settings[i].set(settings, key, value);
    }
    pgs_log(PGS_LOG_WARN, "unknown setting %s%s is ignored", PREFIX, key);
    return VK_SUCCESS;
}

/* -- VK_EXT_layer_settings -- */

/* Text of a setting's first value. False: of a type that none of the layer's settings has. */
static bool extension_value(const VkLayerSettingEXT *setting, char *text, size_t size_B)
{
    if (setting->valueCount == 0 || !setting->pValues)
        return false;
    switch (setting->type) {
    case VK_LAYER_SETTING_TYPE_BOOL32_EXT:
        snprintf(text, size_B, "%s", *(const VkBool32 *)setting->pValues ? "true" : "false");
        return true;
    case VK_LAYER_SETTING_TYPE_INT32_EXT:
    case VK_LAYER_SETTING_TYPE_UINT32_EXT:
        snprintf(text, size_B, "%d", (int)*(const int32_t *)setting->pValues);
        return true;
    case VK_LAYER_SETTING_TYPE_STRING_EXT: {
        const char *value = *(const char *const *)setting->pValues;
        return value && (size_t)snprintf(text, size_B, "%s", value) < size_B;
    }
    default:
        return false;
    }
}

static VkResult read_extension(struct pgs_settings *settings, const VkInstanceCreateInfo *info)
{
    for (const VkBaseInStructure *node = info->pNext; node; node = node->pNext) {
        if (node->sType != VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT)
            continue;
        const VkLayerSettingsCreateInfoEXT *list = (const VkLayerSettingsCreateInfoEXT *)node;
        for (uint32_t i = 0; i < list->settingCount; i++) {
            const VkLayerSettingEXT *setting = &list->pSettings[i];
            char text[PATH_MAX_B];
            if (strcmp(setting->pLayerName, PGS_LAYER_NAME) != 0)
                continue;
            if (!extension_value(setting, text, sizeof(text))) {
                pgs_log(PGS_LOG_WARN, "setting %s%s has a value of the wrong type and is ignored",
                        PREFIX, setting->pSettingName);
                continue;
            }
            const VkResult result = set_by_key(settings, setting->pSettingName, text);
            if (result != VK_SUCCESS)
                return result;
        }
    }
    return VK_SUCCESS;
}

/* -- vk_layer_settings.txt -- */

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

static VkResult read_line(struct pgs_settings *settings, char *line)
{
    char *key = trim(line);
    if (strncmp(key, PREFIX, strlen(PREFIX)) != 0) /* a comment or a setting of another layer */
        return VK_SUCCESS;
    char *equals = strchr(key, '=');
    if (!equals) {
        pgs_log(PGS_LOG_WARN, "vk_layer_settings.txt: \"%s\" has no \"= value\" and is ignored",
                key);
        return VK_SUCCESS;
    }
    *equals = '\0';
    return set_by_key(settings, trim(key) + strlen(PREFIX), trim(equals + 1));
}

static VkResult read_stream(struct pgs_settings *settings, FILE *file)
{
    char line[LINE_MAX_B];
    bool continued = false; /* within a line that is too long for any setting of the layer */
    while (fgets(line, sizeof(line), file)) {
        const bool skip = continued;
        continued = !strchr(line, '\n') && !feof(file);
        if (skip || continued)
            continue;
        const VkResult result = read_line(settings, line);
        if (result != VK_SUCCESS)
            return result;
    }
    return VK_SUCCESS;
}

/* named: this user named the file or its folder. */
static FILE *open_file(const char *folder, const char *rest, bool named)
{
    char path[PATH_MAX_B];
    if (!folder || !folder[0] ||
        (size_t)snprintf(path, sizeof(path), "%s%s", folder, rest) >= sizeof(path))
        return NULL;
    const int file = pgs_open_file(path, named);
    if (file < 0 && errno == EPERM)
        pgs_log(PGS_LOG_WARN,
                "%s is not read: it or a link to it belongs to another user, or everybody may "
                "write to it; VK_LAYER_SETTINGS_PATH can name files of others",
                path);
    FILE *stream = file < 0 ? NULL : fdopen(file, "r");
    if (!stream && file >= 0)
        close(file);
    return stream;
}

/* Opens the first that exists: what VK_LAYER_SETTINGS_PATH names (file or folder), the user's
 * settings folder, the working folder. */
static FILE *find_file(void)
{
    const char *named = pgs_getenv("VK_LAYER_SETTINGS_PATH");
    const char *data = pgs_getenv("XDG_DATA_HOME");
    const char *home = pgs_getenv("HOME");
    FILE *file = open_file(named, "", true);
    if (!file)
        file = open_file(named, "/" FILE_NAME, true);
    if (!file)
        file = data && data[0]
                   ? open_file(data, "/vulkan/settings.d/" FILE_NAME, false)
                   : open_file(home, "/.local/share/vulkan/settings.d/" FILE_NAME, false);
    if (!file)
        file = open_file(".", "/" FILE_NAME, false);
    return file;
}

/* A process with more rights than its user must not read the user's files. */
static VkResult read_file(struct pgs_settings *settings)
{
    FILE *file = pgs_is_privileged() ? NULL : find_file();
    if (!file)
        return VK_SUCCESS;
    const VkResult result = read_stream(settings, file);
    fclose(file);
    return result;
}

/* -- all sources -- */

static VkResult read_environment(struct pgs_settings *settings)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        const char *value = pgs_getenv(known_settings[i].env);
        if (!value || !value[0])
            continue;
        const VkResult result = known_settings[i].set(settings, known_settings[i].key, value);
        if (result != VK_SUCCESS)
            return result;
    }
    return VK_SUCCESS;
}

/* -- system properties -- */

#define PROPERTY_PREFIX "debug.vulkan." PREFIX
#define PROPERTY_MAX_B 92 /* of a value; those with longer ones cannot be set */
#define PROCESS_MAX_B 256

/* The value for this process, else that for all. */
static bool read_property(const char *process, const char *key, char value[PROPERTY_MAX_B])
{
    char name[PROCESS_MAX_B + 64];
    if (process[0]) {
        snprintf(name, sizeof(name), PROPERTY_PREFIX "%s.%s", process, key);
        if (pgs_system_property(name, value, PROPERTY_MAX_B))
            return true;
    }
    snprintf(name, sizeof(name), PROPERTY_PREFIX "%s", key);
    return pgs_system_property(name, value, PROPERTY_MAX_B);
}

/* Only the system and its user's shell set them, so privileged processes obey them, too. */
static VkResult read_properties(struct pgs_settings *settings, const char *process)
{
    for (size_t i = 0; i < SETTING_COUNT; i++) {
        char value[PROPERTY_MAX_B];
        if (!read_property(process, known_settings[i].key, value))
            continue;
        const VkResult result = known_settings[i].set(settings, known_settings[i].key, value);
        if (result != VK_SUCCESS)
            return result;
    }
    return VK_SUCCESS;
}

/* First, so that messages about the other settings obey it. */
static void read_log_level(struct pgs_settings *settings, const char *process)
{
    char property[PROPERTY_MAX_B];
    const char *log = pgs_getenv("VK_POLY_GS_LOG");
    if (log && log[0])
        set_log(settings, "log", log);
    else if (read_property(process, "log", property))
        set_log(settings, "log", property);
}

VkResult pgs_settings_init(struct pgs_settings *settings, const VkInstanceCreateInfo *info)
{
    *settings = (struct pgs_settings){
        .xfb = true,
        .tessellation = true,
        .threads = auto_threads(),
        .limits_threads = true,
        .pool_MiB = PGS_DEFAULT_POOL_MIB,
        .scales_pools = true,
        .log_level = PGS_LOG_ERROR,
    };
    pgs_log_set_level(PGS_LOG_ERROR);
    char process[PROCESS_MAX_B];
    pgs_process_name(process, sizeof(process));
    read_log_level(settings, process);
    VkResult result = find_cache(settings);
    if (result == VK_SUCCESS)
        result = read_extension(settings, info);
    if (result == VK_SUCCESS)
        result = read_file(settings);
    if (result == VK_SUCCESS)
        result = read_properties(settings, process);
    if (result == VK_SUCCESS)
        result = read_environment(settings);
    if (result != VK_SUCCESS)
        pgs_settings_finish(settings);
    return result;
}

void pgs_settings_finish(struct pgs_settings *settings)
{
    pgs_free(settings->dump_dir);
    settings->dump_dir = NULL;
    pgs_free(settings->cache_dir);
    settings->cache_dir = NULL;
    pgs_free(settings->shown_extensions);
    settings->shown_extensions = NULL;
    pgs_free(settings->hidden_extensions);
    settings->hidden_extensions = NULL;
}
