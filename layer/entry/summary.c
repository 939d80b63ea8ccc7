/* SPDX-License-Identifier: MIT */
#include "entry/summary.h"

#include "base/log.h"
#include "entry/driver_features.h"
#include "entry/entry.h"
#include "entry/extensions.h"
#include "entry/setting_values.h"
#include "pipeline/pipeline_device.h"
#include "vulkan/hooks.h"

#include <stdarg.h>
#include <stdio.h>

/* One line of the log. Text that does not fit is cut off. */
struct line {
    char text[900];
    size_t length;
    uint32_t item_count;
};

__attribute__((format(printf, 2, 3))) static void append(struct line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int added =
        vsnprintf(line->text + line->length, sizeof(line->text) - line->length, format, args);
    va_end(args);
    if (added > 0)
        line->length += (size_t)added;
    if (line->length >= sizeof(line->text))
        line->length = sizeof(line->text) - 1;
}

/* Appends an item of a list, with the reason for it, if there is one. */
static void append_item(struct line *line, const char *item, const char *reason)
{
    append(line, "%s%s", line->item_count++ ? ", " : "", item);
    if (reason)
        append(line, " (%s)", reason);
}

static const char *reason_of(bool forced, bool native, const char *otherwise)
{
    return forced ? "forced" : native ? otherwise : "the driver lacks it";
}

static bool lacks_captures(const struct pgs_physical_device *phys)
{
    return pgs_features_with(phys->lacks, PGS_REMEDY_CAPTURES, true);
}

static void append_emulated(struct line *line, const struct pgs_physical_entry *entry)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const struct pgs_settings *settings = &phys->instance->settings;
    if (phys->emulates_geometry)
        append_item(line, "geometryShader",
                    reason_of(settings->force_geometry, phys->features.geometryShader, NULL));
    if (phys->emulates_tessellation)
        append_item(line, "tessellationShader",
                    reason_of(settings->force_tessellation, phys->features.tessellationShader,
                              "the driver's lacks point sizes"));
    if (phys->emulates_fill)
        append_item(
            line, "fillModeNonSolid",
            reason_of(settings->fill == PGS_BRING_EMULATE, phys->features.fillModeNonSolid, NULL));
    const bool clips = phys->features.shaderClipDistance && phys->features.shaderCullDistance;
    if (phys->emulates_clip)
        append_item(line, "shaderClipDistance and shaderCullDistance",
                    reason_of(settings->clip == PGS_BRING_EMULATE, clips, "they crash the driver"));
    if (phys->emulates_lines)
        append_item(
            line, "wideLines",
            reason_of(settings->lines == PGS_BRING_EMULATE, phys->features.wideLines, NULL));
    if (phys->emulates_points)
        append_item(
            line, "largePoints",
            reason_of(settings->points == PGS_BRING_EMULATE, phys->features.largePoints, NULL));
    if (phys->emulates_stores)
        append_item(line, "vertexPipelineStoresAndAtomics",
                    reason_of(settings->stores == PGS_BRING_EMULATE,
                              phys->features.vertexPipelineStoresAndAtomics, NULL));
    if (phys->emulates_layer_output)
        append_item(line, "shaderOutputLayer",
                    reason_of(settings->layers == PGS_LAYERS_REPLAY,
                              !(phys->lacks & PGS_FEATURE_BIT(LAYER_OUTPUT)), NULL));
    if (phys->emulates_viewport_output)
        append_item(line, "shaderOutputViewportIndex",
                    reason_of(settings->viewports != PGS_VIEWPORTS_AUTO,
                              !(phys->lacks & PGS_FEATURE_BIT(VIEWPORT_OUTPUT)), NULL));
    const uint32_t lacks = phys->lacks;
    const bool draws = settings->draws == PGS_BRING_EMULATE;
    const bool divisors = settings->divisors == PGS_BRING_EMULATE;
    if (phys->emulates_views)
        append_item(line, "multiviewGeometryShader", "the driver lacks it");
    if (phys->splits_draws)
        append_item(line, "multiDrawIndirect",
                    reason_of(draws, phys->features.multiDrawIndirect, NULL));
    if (phys->counts_draws)
        append_item(line, "drawIndirectCount",
                    reason_of(draws, !(lacks & PGS_FEATURE_BIT(DRAW_COUNT)), NULL));
    if (phys->lacks_first_instance)
        append_item(line, "drawIndirectFirstInstance",
                    reason_of(draws, phys->features.drawIndirectFirstInstance, NULL));
    if (phys->lacks_zero_divisor)
        append_item(line, VK_EXT_VERTEX_ATTRIBUTE_DIVISOR_EXTENSION_NAME,
                    reason_of(divisors, !(lacks & PGS_FEATURE_BIT(ZERO_DIVISOR)), NULL));
    if (phys->keeps_pushes)
        append_item(line, VK_KHR_PUSH_DESCRIPTOR_EXTENSION_NAME,
                    reason_of(settings->pushes == PGS_BRING_EMULATE,
                              !(lacks & PGS_FEATURE_BIT(PUSH)), NULL));
    if (phys->brings_depth_clip)
        append_item(line, VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME,
                    reason_of(settings->depth_clip == PGS_BRING_EMULATE,
                              !(lacks & PGS_FEATURE_BIT(DEPTH_CLIP)), NULL));
    if (phys->brings_line_modes)
        append_item(line, VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
                    reason_of(settings->line_modes == PGS_BRING_EMULATE,
                              !(lacks & PGS_FEATURE_BIT(LINE_MODES)), NULL));
    if (phys->counts_statistics)
        append_item(line, "pipelineStatisticsQuery",
                    reason_of(settings->statistics == PGS_STATISTICS_EMULATE,
                              phys->features.pipelineStatisticsQuery, NULL));
    for (size_t i = 0; phys->emulates_xfb && i < pgs_emulated_extension_count; i++)
        append_item(line, pgs_emulated_extensions[i].name,
                    reason_of(settings->force_xfb,
                              entry->native_extensions & pgs_emulated_extensions[i].bit,
                              lacks_captures(phys) ? "the driver lacks a part"
                                                   : "the driver's cannot capture emulated draws"));
}

/* What the driver has but for parts: only what uses those is emulated. */
static void log_gaps(const struct pgs_physical_device *phys)
{
    const bool parts = phys->emulates_xfb && !phys->emulates_geometry && lacks_captures(phys) &&
                       !(phys->lacks & PGS_FEATURE_BIT(XFB));
    const uint32_t captures =
        parts ? pgs_features_with(phys->lacks, PGS_REMEDY_CAPTURES, false) : 0;
    const uint32_t shown = phys->gaps | captures;
    struct line line = {.length = 0};
    for (uint32_t i = 0; i < PGS_FEATURE_COUNT; i++)
        if (shown >> i & 1)
            append_item(&line, pgs_feature_rules[i].name, pgs_feature_rules[i].needed_by);
    if (shown)
        pgs_log(PGS_LOG_INFO, "%s: the driver lacks %s: emulates %s%s%s",
                phys->properties.deviceName, line.text, captures ? "all captures" : "",
                captures && phys->gaps ? ", and " : "",
                phys->gaps ? "pipelines that need the rest" : "");
}

static bool is_hidden(const struct pgs_physical_device *phys, const char *extension)
{
    return !pgs_extension_is_visible(phys, extension) &&
           !(phys->emulates_xfb && pgs_emulated_extension(extension));
}

static void log_hidden(const struct pgs_physical_device *phys, const VkExtensionProperties *list,
                       uint32_t count)
{
    enum { MOST_NAMES = 12 };
    struct line line = {.length = 0};
    uint32_t hidden = 0;
    if (pgs_is_later_version(phys->properties.apiVersion)) {
        append_item(&line, "Vulkan versions after", NULL);
        append(&line, " 1.%u", VK_API_VERSION_MINOR(PGS_CORE_VERSION));
    }
    for (uint32_t i = 0; i < count; i++) {
        if (is_hidden(phys, list[i].extensionName) && hidden++ < MOST_NAMES)
            append_item(&line, list[i].extensionName, NULL);
    }
    if (hidden > MOST_NAMES)
        append(&line, " and %u more", hidden - MOST_NAMES);
    if (line.item_count)
        pgs_log(PGS_LOG_INFO,
                "%s: hides %s: the layer does not support them where it emulates (docs/support.md)",
                phys->properties.deviceName, line.text);
}

static void append_ignored(struct line *line, enum pgs_bring setting, const char *name, bool works)
{
    if (setting == PGS_BRING_EMULATE && !works)
        append_item(line, name, NULL);
}

/* Settings that somebody has made in vain. */
static void log_ignored(const struct pgs_physical_device *phys)
{
    const struct pgs_settings *settings = &phys->instance->settings;
    struct line line = {.length = 0};
    append_ignored(&line, settings->fill, "FILL", phys->emulates_fill);
    append_ignored(&line, settings->clip, "CLIP", phys->emulates_clip);
    append_ignored(&line, settings->lines, "LINES", phys->emulates_lines);
    append_ignored(&line, settings->points, "POINTS", phys->emulates_points);
    append_ignored(&line, settings->stores, "STORES", phys->emulates_stores);
    append_ignored(&line, settings->draws, "DRAWS", phys->splits_draws);
    append_ignored(&line, settings->divisors, "DIVISORS", phys->lacks_zero_divisor);
    append_ignored(&line, settings->pushes, "PUSHES", phys->keeps_pushes);
    append_ignored(&line, settings->depth_clip, "DEPTH_CLIP", phys->brings_depth_clip);
    append_ignored(&line, settings->line_modes, "LINE_MODES", phys->brings_line_modes);
    if (line.item_count)
        pgs_log(PGS_LOG_WARN, "%s: these settings (VK_POLY_GS_) do nothing: %s: %s",
                phys->properties.deviceName, line.text,
                !phys->emulates ? "there is nothing else to emulate"
                : pgs_replaces_geometry(phys)
                    ? "the driver lacks what the layer needs for it"
                    : "the driver has geometry shaders, and takes no gl_Layer from vertex shaders");
}

void pgs_summary_log_physical(const struct pgs_physical_entry *entry,
                              const VkExtensionProperties *list, uint32_t count)
{
    const struct pgs_physical_device *phys = &entry->shared;
    const char *name = phys->properties.deviceName;
    log_ignored(phys);
    if (!pgs_log_enabled(PGS_LOG_INFO))
        return;
    if (!phys->emulates) {
        pgs_log(PGS_LOG_INFO, "%s: emulates nothing: the driver has geometryShader%s", name,
                phys->instance->settings.xfb ? " and VK_EXT_transform_feedback"
                                             : ", and VK_POLY_GS_FEEDBACK is off");
        return;
    }
    struct line line = {.length = 0};
    append_emulated(&line, entry);
    pgs_log(PGS_LOG_INFO, "%s: emulates %s", name, line.text);
    log_gaps(phys);
    log_hidden(phys, list, count);
}

/* What the driver's limits decide is said with its reason. */
static void append_ways(struct line *line, const struct pgs_device *dev)
{
    const struct pgs_physical_device *phys = dev->physical;
    const struct pgs_settings *settings = &phys->instance->settings;
    const bool widens = pgs_pipeline_widens_set_layouts(dev);
    append(line, "plan=%s, fuse=%s, cull=%s, descriptors=%s", pgs_setting_word(settings, "plan"),
           pgs_setting_word(settings, "fuse"), pgs_setting_word(settings, "cull"),
           widens ? "widen" : "mirror");
    if (settings->descriptors == PGS_DESCRIPTORS_AUTO)
        append(line, widens ? " (the driver's limits are high)"
                            : " (a limit for one stage is below 65536)");
    if (phys->replays_layers)
        append(line, ", layers=replay (%s)",
               phys->has_shader_output_layer ? "VK_POLY_GS_LAYERS"
                                             : "the driver takes no gl_Layer from vertex shaders");
    if (phys->replays_viewports)
        append(line, ", viewports=%s (%s)", phys->one_viewport ? "one" : "replay",
               !phys->has_shader_output_viewport_index
                   ? "the driver takes no gl_ViewportIndex from vertex shaders"
               : !phys->features.multiViewport ? "the driver lacks multiViewport"
                                               : "VK_POLY_GS_VIEWPORTS");
    if (dev->physical->address == PGS_ADDRESS_EXT)
        append(line, ", addresses by VK_EXT_buffer_device_address");
}

void pgs_summary_log_device(const struct pgs_device *dev)
{
    if (!pgs_log_enabled(PGS_LOG_INFO))
        return;
    struct line emulated = {.length = 0}, ways = {.length = 0};
    if (dev->geometry)
        append_item(&emulated, "geometryShader", NULL);
    if (dev->tessellation)
        append_item(&emulated, "tessellationShader", NULL);
    if (dev->fill)
        append_item(&emulated, "fillModeNonSolid", NULL);
    if (dev->clip)
        append_item(&emulated, "clip and cull distances", NULL);
    if (dev->lines)
        append_item(&emulated, "wideLines", NULL);
    if (dev->points)
        append_item(&emulated, "largePoints", NULL);
    if (dev->stores)
        append_item(&emulated, "vertexPipelineStoresAndAtomics", NULL);
    if (dev->splits_draws)
        append_item(&emulated, "multiDrawIndirect", NULL);
    if (dev->counts_draws)
        append_item(&emulated, "drawIndirectCount", NULL);
    if (dev->first_instances)
        append_item(&emulated, "drawIndirectFirstInstance", NULL);
    if (dev->divisors)
        append_item(&emulated, "vertex attribute divisors", NULL);
    if (dev->keeps_pushes)
        append_item(&emulated, "push descriptors", NULL);
    if (dev->depth_clip)
        append_item(&emulated, "depth clip", NULL);
    if (dev->line_modes)
        append_item(&emulated, "line modes", NULL);
    if (dev->layer_output)
        append_item(&emulated, "shaderOutputLayer", NULL);
    if (dev->viewport_output)
        append_item(&emulated, "shaderOutputViewportIndex", NULL);
    if (dev->xfb)
        append_item(&emulated, "transform feedback and queries", NULL);
    for (uint32_t i = 0; i < PGS_FEATURE_COUNT; i++)
        if (dev->gaps >> i & 1)
            append_item(&emulated, pgs_feature_rules[i].name, NULL);
    append_ways(&ways, dev);
    char traits[PGS_DEVICE_CLASS_TEXT_B];
    pgs_device_class_describe(&dev->physical->traits, traits);
    pgs_log(PGS_LOG_INFO, "%s: a device with emulated %s: %s", dev->physical->properties.deviceName,
            emulated.text, ways.text);
    pgs_log(PGS_LOG_INFO, "%s: %s", dev->physical->properties.deviceName, traits);
    char costs[PGS_COSTS_TEXT_B];
    pgs_costs_print(&dev->physical->traits.costs, costs);
    pgs_log(PGS_LOG_INFO, "%s: costs (VK_POLY_GS_COSTS): %s", dev->physical->properties.deviceName,
            costs);
}
