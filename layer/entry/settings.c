/* SPDX-License-Identifier: MIT */
#include "entry/settings.h"

#include "base/alloc.h"
#include "base/files.h"
#include "base/log.h"
#include "entry/entry.h"
#include "entry/layer_settings_ext.h"
#include "entry/setting_values.h"
#include "entry/system_property.h"
#include "entry/user_values.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "vk_layer_settings.txt"
#define PATH_MAX_B 4096
#define LINE_MAX_B 4096

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
                pgs_log(PGS_LOG_WARN,
                        "setting " PGS_SETTING_PREFIX "%s is ignored: a value of the wrong type",
                        setting->pSettingName);
                continue;
            }
            const VkResult result = pgs_setting_set(settings, setting->pSettingName, text);
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
    if (strncmp(key, PGS_SETTING_PREFIX, strlen(PGS_SETTING_PREFIX)) !=
        0) /* a comment or a setting of another layer */
        return VK_SUCCESS;
    char *equals = strchr(key, '=');
    if (!equals) {
        pgs_log(PGS_LOG_WARN, "vk_layer_settings.txt: \"%s\" has no \"= value\" and is ignored",
                key);
        return VK_SUCCESS;
    }
    *equals = '\0';
    return pgs_setting_set(settings, trim(key) + strlen(PGS_SETTING_PREFIX), trim(equals + 1));
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
    const struct pgs_setting *setting;
    for (size_t i = 0; (setting = pgs_setting_at(i)); i++) {
        const char *value = pgs_getenv(setting->env);
        if (!value || !value[0])
            continue;
        const VkResult result = pgs_setting_set(settings, setting->key, value);
        if (result != VK_SUCCESS)
            return result;
    }
    return VK_SUCCESS;
}

/* -- system properties -- */

#define PROPERTY_PREFIX "debug.vulkan." PGS_SETTING_PREFIX
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
    const struct pgs_setting *setting;
    for (size_t i = 0; (setting = pgs_setting_at(i)); i++) {
        char value[PROPERTY_MAX_B];
        if (!read_property(process, setting->key, value))
            continue;
        const VkResult result = pgs_setting_set(settings, setting->key, value);
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
        pgs_setting_set(settings, "log", log);
    else if (read_property(process, "log", property))
        pgs_setting_set(settings, "log", property);
}

VkResult pgs_settings_init(struct pgs_settings *settings, const VkInstanceCreateInfo *info)
{
    char process[PROCESS_MAX_B];
    pgs_process_name(process, sizeof(process));
    VkResult result = pgs_settings_default(settings);
    read_log_level(settings, process);
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
