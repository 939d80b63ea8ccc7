/* SPDX-License-Identifier: MIT */
#include "entry/setting_values.h"

#include "base/alloc.h"
#include "base/files.h"
#include "base/log.h"
#include "base/workers.h"
#include "entry/driver_features.h"
#include "entry/user_values.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PATH_MAX_B 4096
#define DEFAULT_POOL_MIB 64
#define MAX_RANGE_KIB (1u << 21) /* most bytes have 32 bits */
#define MAX_MEMORY_MIB 65536

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

/* Which of the words the value is. False: it is none of them. */
static bool read_word(const char *value, const char *const words[], uint32_t *number)
{
    for (uint32_t i = 0; words[i]; i++) {
        if (strcasecmp(value, words[i]) == 0) {
            *number = i;
            return true;
        }
    }
    return false;
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

/* -- settings that are no word of a list, and no plain number -- */

static VkResult set_force(struct pgs_settings *settings, const char *value, bool *valid)
{
    bool all = strcasecmp(value, "all") == 0;
    const bool geometry = strcasecmp(value, "geometry") == 0;
    const bool xfb = strcasecmp(value, "feedback") == 0;
    const bool tessellation = strcasecmp(value, "tessellation") == 0;
    *valid = all || geometry || xfb || tessellation || read_switch(value, &all);
    if (*valid) {
        settings->force_geometry = all || geometry;
        settings->force_xfb = all || xfb;
        settings->force_tessellation = all || tessellation;
    }
    return VK_SUCCESS;
}

static VkResult set_missing(struct pgs_settings *settings, const char *value, bool *valid)
{
    *valid = pgs_features_parse(value, &settings->missing_features, &settings->present_features);
    return VK_SUCCESS;
}

static VkResult set_statistics(struct pgs_settings *settings, const char *value, bool *valid)
{
    bool on;
    if (strcasecmp(value, "emulate") == 0)
        settings->statistics = PGS_STATISTICS_EMULATE;
    else if ((*valid = read_switch(value, &on)))
        settings->statistics = on ? PGS_STATISTICS_BRING : PGS_STATISTICS_DRIVER;
    return VK_SUCCESS;
}

static VkResult set_class(struct pgs_settings *settings, const char *value, bool *valid)
{
    const char *words[PGS_DEVICE_KINDS + 1] = {NULL};
    uint32_t kind;
    for (int i = 0; i < PGS_DEVICE_KINDS; i++)
        words[i] = pgs_device_kind_name((enum pgs_device_kind)i);
    *valid = read_word(value, words, &kind);
    if (*valid)
        settings->device_class.kind = (enum pgs_device_kind)kind;
    return VK_SUCCESS;
}

static uint32_t auto_threads(void)
{
    return pgs_workers_for(pgs_processors());
}

static VkResult set_threads(struct pgs_settings *settings, const char *value, bool *valid)
{
    const bool automatic = strcasecmp(value, "auto") == 0;
    if (automatic)
        settings->threads = auto_threads();
    else
        *valid = read_number(value, 0, PGS_WORKERS_MAX, &settings->threads);
    if (*valid)
        settings->limits_threads = automatic;
    return VK_SUCCESS;
}

static VkResult set_pool(struct pgs_settings *settings, const char *value, bool *valid)
{
    *valid = read_number(value, 0, 4096, &settings->pool_MiB);
    if (*valid)
        settings->scales_pools = false;
    return VK_SUCCESS;
}

static VkResult set_costs(struct pgs_settings *settings, const char *value, bool *valid)
{
    *valid = pgs_costs_read(&settings->device_class.costs, value);
    return VK_SUCCESS;
}

static VkResult set_guards(struct pgs_settings *settings, const char *value, bool *valid)
{
    *valid = pgs_guards_read(&settings->device_class, value);
    return VK_SUCCESS;
}

static VkResult set_show(struct pgs_settings *settings, const char *value, bool *valid)
{
    (void)valid;
    pgs_log(PGS_LOG_WARN, "setting " PGS_SETTING_PREFIX "show: the layer does not support %s",
            value);
    return copy_text(value, &settings->shown_extensions);
}

static VkResult set_hide(struct pgs_settings *settings, const char *value, bool *valid)
{
    (void)valid;
    return copy_text(value, &settings->hidden_extensions);
}

static VkResult set_dump(struct pgs_settings *settings, const char *value, bool *valid)
{
    (void)valid;
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
static VkResult set_cache(struct pgs_settings *settings, const char *value, bool *valid)
{
    bool on;
    (void)valid;
    if (!read_switch(value, &on))
        return copy_text(value, &settings->cache_dir);
    pgs_free(settings->cache_dir);
    settings->cache_dir = NULL;
    return on ? find_cache(settings) : VK_SUCCESS;
}

static VkResult set_log(struct pgs_settings *settings, const char *value, bool *valid)
{
    static const char *const words[] = {
        [PGS_LOG_OFF] = "off",   [PGS_LOG_ERROR] = "error", [PGS_LOG_WARN] = "warn",
        [PGS_LOG_INFO] = "info", [PGS_LOG_DEBUG] = "debug", NULL};
    uint32_t level;
    *valid = read_word(value, words, &level);
    if (*valid) {
        settings->log_level = (int)level;
        pgs_log_set_level((enum pgs_log_level)level);
    }
    return VK_SUCCESS;
}

/* -- all settings -- */

/* Words by the number of what they choose. */
static const char *const plan_words[] = {[PGS_PLAN_AUTO] = "auto",
                                         [PGS_PLAN_COMPUTE] = "compute",
                                         [PGS_PLAN_VERTEX] = "vertex",
                                         [PGS_PLAN_STORED] = "stored",
                                         NULL};
static const char *const layers_words[] = {
    [PGS_LAYERS_AUTO] = "auto", [PGS_LAYERS_REPLAY] = "replay", NULL};
static const char *const viewports_words[] = {[PGS_VIEWPORTS_AUTO] = "auto",
                                              [PGS_VIEWPORTS_REPLAY] = "replay",
                                              [PGS_VIEWPORTS_ONE] = "one",
                                              NULL};
static const char *const bring_words[] = {
    [PGS_BRING_AUTO] = "auto", [PGS_BRING_EMULATE] = "emulate", NULL};
static const char *const fuse_words[] = {
    [PGS_FUSE_AUTO] = "auto", [PGS_FUSE_ALWAYS] = "always", [PGS_FUSE_NEVER] = "never", NULL};
static const char *const cull_words[] = {
    [PGS_CULL_AUTO] = "auto", [PGS_CULL_ALWAYS] = "always", [PGS_CULL_NEVER] = "never", NULL};
static const char *const compile_words[] = {
    [PGS_COMPILE_LAZY] = "lazy", [PGS_COMPILE_ALL] = "all", NULL};
static const char *const descriptors_words[] = {[PGS_DESCRIPTORS_AUTO] = "auto",
                                                [PGS_DESCRIPTORS_WIDEN] = "widen",
                                                [PGS_DESCRIPTORS_MIRROR] = "mirror",
                                                NULL};
static const char *const split_words[] = {
    [PGS_SPLIT_AUTO] = "auto", [PGS_SPLIT_NEEDED] = "needed", [PGS_SPLIT_NEVER] = "never", NULL};
static const char *const layout_words[] = {
    [PGS_LAYOUT_AUTO] = "auto", [PGS_LAYOUT_WHOLE] = "whole", [PGS_LAYOUT_SPLIT] = "split", NULL};
static const char *const slots_words[] = {
    [PGS_SLOTS_AUTO] = "auto", [PGS_SLOTS_OWN] = "own", [PGS_SLOTS_PACKED] = "packed", NULL};
static const char *const fetch_words[] = {[PGS_FETCH_AUTO] = "auto",
                                          [PGS_FETCH_STORAGE] = "storage",
                                          [PGS_FETCH_ATTRIBUTES] = "attributes",
                                          NULL};
static const char *const strips_words[] = {[PGS_STRIPS_AUTO] = "auto",
                                           [PGS_STRIPS_RESTART] = "restart",
                                           [PGS_STRIPS_LISTS] = "lists",
                                           NULL};
static const char *const arguments_words[] = {[PGS_ARGUMENTS_AUTO] = "auto",
                                              [PGS_ARGUMENTS_BUFFER] = "buffer",
                                              [PGS_ARGUMENTS_DIRECT] = "direct",
                                              NULL};

/* A word of a list, a number, a switch, or what a function makes of the value. */
struct known {
    struct pgs_setting name;
    size_t offset_B;          /* of the value in struct pgs_settings; not with `set` */
    const char *const *words; /* the value is the place of one of these, an enum */
    uint32_t most;            /* or a number from 1 on; "auto" is 0 */
    const char *any;          /* then this is UINT32_MAX, unless NULL */
    VkResult (*set)(struct pgs_settings *settings, const char *value, bool *valid);
};

#define NAME(key, env) .name = {key, "VK_POLY_GS_" env}
#define AT(member) .offset_B = offsetof(struct pgs_settings, member)

static const struct known known_settings[] = {
    {NAME("log", "LOG"), .set = set_log},
    {NAME("force", "FORCE"), .set = set_force},
    {NAME("feedback", "FEEDBACK"), AT(xfb)},
    {NAME("tessellation", "TESSELLATION"), AT(tessellation)},
    {NAME("missing", "MISSING"), .set = set_missing},
    {NAME("plan", "PLAN"), AT(plan), .words = plan_words},
    {NAME("layers", "LAYERS"), AT(layers), .words = layers_words},
    {NAME("viewports", "VIEWPORTS"), AT(viewports), .words = viewports_words},
    {NAME("fill", "FILL"), AT(fill), .words = bring_words},
    {NAME("clip", "CLIP"), AT(clip), .words = bring_words},
    {NAME("lines", "LINES"), AT(lines), .words = bring_words},
    {NAME("points", "POINTS"), AT(points), .words = bring_words},
    {NAME("stores", "STORES"), AT(stores), .words = bring_words},
    {NAME("draws", "DRAWS"), AT(draws), .words = bring_words},
    {NAME("divisors", "DIVISORS"), AT(divisors), .words = bring_words},
    {NAME("pushes", "PUSHES"), AT(pushes), .words = bring_words},
    {NAME("depth_clip", "DEPTH_CLIP"), AT(depth_clip), .words = bring_words},
    {NAME("line_modes", "LINE_MODES"), AT(line_modes), .words = bring_words},
    {NAME("statistics", "STATISTICS"), .set = set_statistics},
    {NAME("fuse", "FUSE"), AT(fuse), .words = fuse_words},
    {NAME("cull", "CULL"), AT(cull), .words = cull_words},
    {NAME("compile", "COMPILE"), AT(compile), .words = compile_words},
    {NAME("threads", "THREADS"), .set = set_threads},
    {NAME("descriptors", "DESCRIPTORS"), AT(descriptors), .words = descriptors_words},
    {NAME("class", "CLASS"), .set = set_class},
    {NAME("split", "SPLIT"), AT(device_class.split), .words = split_words},
    {NAME("ranges", "RANGES"), AT(device_class.index_range_KiB), .most = MAX_RANGE_KIB,
     .any = "wide"},
    {NAME("layout", "LAYOUT"), AT(device_class.layout), .words = layout_words},
    {NAME("slots", "SLOTS"), AT(device_class.slots), .words = slots_words},
    {NAME("fetch", "FETCH"), AT(device_class.fetch), .words = fetch_words},
    {NAME("strips", "STRIPS"), AT(device_class.strips), .words = strips_words},
    {NAME("arguments", "ARGUMENTS"), AT(device_class.arguments), .words = arguments_words},
    {NAME("guards", "GUARDS"), .set = set_guards},
    {NAME("heap", "HEAP"), AT(device_class.heap_MiB), .most = MAX_MEMORY_MIB, .any = "any"},
    {NAME("costs", "COSTS"), .set = set_costs},
    {NAME("memory", "MEMORY"), AT(memory_MiB), .most = MAX_MEMORY_MIB},
    {NAME("pool", "POOL"), .set = set_pool},
    {NAME("cache", "CACHE"), .set = set_cache},
    {NAME("dump", "DUMP"), .set = set_dump},
    {NAME("show", "SHOW"), .set = set_show},
    {NAME("hide", "HIDE"), .set = set_hide},
};
#define SETTING_COUNT (sizeof(known_settings) / sizeof(known_settings[0]))

_Static_assert(sizeof(enum pgs_plan) == sizeof(uint32_t), "words choose enums");
_Static_assert(PGS_RANGES_WIDE == UINT32_MAX && PGS_HEAP_ANY == UINT32_MAX, "see known.any");

/* The value as a number. False: it is not valid. */
static bool read_value(const struct known *known, const char *value, uint32_t *number)
{
    if (known->words)
        return read_word(value, known->words, number);
    *number = 0;
    if (strcasecmp(value, "auto") == 0)
        return true;
    *number = UINT32_MAX;
    if (known->any && strcasecmp(value, known->any) == 0)
        return true;
    return read_number(value, 1, known->most, number);
}

static VkResult set(const struct known *known, struct pgs_settings *settings, const char *value,
                    bool *valid)
{
    void *to = (char *)settings + known->offset_B;
    uint32_t number;
    if (known->set)
        return known->set(settings, value, valid);
    if (!known->words && !known->most) {
        *valid = read_switch(value, to);
        return VK_SUCCESS;
    }
    *valid = read_value(known, value, &number);
    if (*valid)
        memcpy(to, &number, sizeof(number));
    return VK_SUCCESS;
}

const struct pgs_setting *pgs_setting_at(size_t i)
{
    return i < SETTING_COUNT ? &known_settings[i].name : NULL;
}

static const struct known *find(const char *key)
{
    for (size_t i = 0; i < SETTING_COUNT; i++)
        if (strcmp(known_settings[i].name.key, key) == 0)
            return &known_settings[i];
    return NULL;
}

VkResult pgs_setting_set(struct pgs_settings *settings, const char *key, const char *value)
{
    const struct known *known = find(key);
    bool valid = true;
    if (!known) {
        pgs_log(PGS_LOG_WARN, "unknown setting " PGS_SETTING_PREFIX "%s is ignored", key);
        return VK_SUCCESS;
    }
    const VkResult result = set(known, settings, value, &valid);
    if (!valid)
        pgs_log(PGS_LOG_WARN,
                "setting " PGS_SETTING_PREFIX
                "%s: \"%s\" is not a valid value; see docs/settings.md",
                key, value);
    return result;
}

const char *pgs_setting_word(const struct pgs_settings *settings, const char *key)
{
    const struct known *known = find(key);
    uint32_t number;
    memcpy(&number, (const char *)settings + known->offset_B, sizeof(number));
    return known->words[number];
}

VkResult pgs_settings_default(struct pgs_settings *settings)
{
    *settings = (struct pgs_settings){
        .xfb = true,
        .tessellation = true,
        .threads = auto_threads(),
        .limits_threads = true,
        .pool_MiB = DEFAULT_POOL_MIB,
        .scales_pools = true,
        .log_level = PGS_LOG_ERROR,
    };
    pgs_log_set_level(PGS_LOG_ERROR);
    return find_cache(settings);
}
