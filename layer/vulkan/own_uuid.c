/* SPDX-License-Identifier: MIT */
#include "vulkan/own_uuid.h"

#include "base/build_id.h"
#include "base/hash.h"
#include "vulkan/device.h"

#include <string.h>

void pgs_own_uuid(uint8_t uuid[VK_UUID_SIZE])
{
    unsigned char id[PGS_BUILD_ID_MAX_B];
    const size_t size_B = pgs_build_id(id);
    for (size_t i = 0; i < size_B; i++)
        uuid[i % VK_UUID_SIZE] ^= id[i];
    uuid[0] ^= 0x70; /* other than the driver's without an id, too */
}

static uint64_t hash_names(const char *names, uint64_t seed)
{
    return pgs_hash(names, names ? strlen(names) + 1 : 0, seed);
}

/* Of all that decides what is reported, but for the driver. */
static uint64_t hash_reported(const struct pgs_physical_device *p)
{
    const bool flags[] = {
        p->native_geometry,       p->native_tessellation,
        p->emulates_xfb,          p->fits_shader_objects,
        p->fits_narrow_varyings,  p->any_topology,
        p->replays_layers,        p->replays_viewports,
        p->one_viewport,          p->emulates_fill,
        p->emulates_lines,        p->emulates_clip,
        p->emulates_points,       p->emulates_stores,
        p->emulates_views,        p->splits_draws,
        p->counts_draws,          p->lacks_first_instance,
        p->lacks_divisors,        p->keeps_pushes,
        p->lacks_zero_divisor,    p->brings_depth_clip,
        p->brings_line_modes,     p->counts_statistics,
        p->emulates_layer_output, p->emulates_viewport_output,
    };
    const uint32_t words[] = {p->lacks, p->gaps, p->brought};
    uint64_t hash = pgs_hash(flags, sizeof(flags), 0);
    hash = pgs_hash(words, sizeof(words), hash);
    hash = hash_names(p->instance->settings.shown_extensions, hash);
    return hash_names(p->instance->settings.hidden_extensions, hash);
}

void pgs_reported_uuid(const struct pgs_physical_device *physical, uint8_t uuid[VK_UUID_SIZE])
{
    const uint64_t hash = hash_reported(physical);
    pgs_own_uuid(uuid);
    for (size_t i = 0; i < sizeof(hash); i++)
        uuid[i] ^= (uint8_t)(hash >> 8 * i);
}
