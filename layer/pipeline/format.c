/* SPDX-License-Identifier: MIT */
#include "pipeline/format.h"

#include "poly_gs/format.h"

#include <stdbool.h>
#include <stddef.h>

#define PGS_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

static const uint8_t kinds_8[] = {PGS_KIND_UNORM,   PGS_KIND_SNORM, PGS_KIND_USCALED,
                                  PGS_KIND_SSCALED, PGS_KIND_UINT,  PGS_KIND_SINT,
                                  PGS_KIND_SRGB};
static const uint8_t kinds_16[] = {PGS_KIND_UNORM,   PGS_KIND_SNORM, PGS_KIND_USCALED,
                                   PGS_KIND_SSCALED, PGS_KIND_UINT,  PGS_KIND_SINT,
                                   PGS_KIND_SFLOAT};
static const uint8_t kinds_10[] = {PGS_KIND_UNORM,   PGS_KIND_SNORM, PGS_KIND_USCALED,
                                   PGS_KIND_SSCALED, PGS_KIND_UINT,  PGS_KIND_SINT};
static const uint8_t kinds_32[] = {PGS_KIND_UINT, PGS_KIND_SINT, PGS_KIND_SFLOAT};
static const uint8_t kinds_unorm[] = {PGS_KIND_UNORM};
static const uint8_t kinds_ufloat[] = {PGS_KIND_UFLOAT};

/* Formats with consecutive VkFormat values that differ in nothing but the kind. */
struct family {
    VkFormat first;
    const uint8_t *kinds;
    uint8_t kind_count, size_B;
    uint16_t base; /* the format without its kind */
};

#define FAMILY(vk, list, bytes, layout, components, extra)                                         \
    {                                                                                              \
        .first = VK_FORMAT_##vk, .kinds = kinds_##list, .kind_count = PGS_COUNT_OF(kinds_##list),  \
        .size_B = (bytes), .base = PGS_FORMAT_MAKE(PGS_LAYOUT_##layout, components, 0u) | (extra)  \
    }
#define RGB(vk, list, bytes, layout, components) FAMILY(vk, list, bytes, layout, components, 0u)
#define BGR(vk, list, bytes, layout, components)                                                   \
    FAMILY(vk, list, bytes, layout, components, PGS_FORMAT_SWAP_RB)

/* Sorted by the first one. */
static const struct family families[] = {
    RGB(R4G4_UNORM_PACK8, unorm, 1, R4G4, 2u),
    RGB(R4G4B4A4_UNORM_PACK16, unorm, 2, R4G4B4A4, 4u),
    BGR(B4G4R4A4_UNORM_PACK16, unorm, 2, R4G4B4A4, 4u),
    RGB(R5G6B5_UNORM_PACK16, unorm, 2, R5G6B5, 3u),
    BGR(B5G6R5_UNORM_PACK16, unorm, 2, R5G6B5, 3u),
    RGB(R5G5B5A1_UNORM_PACK16, unorm, 2, R5G5B5A1, 4u),
    BGR(B5G5R5A1_UNORM_PACK16, unorm, 2, R5G5B5A1, 4u),
    BGR(A1R5G5B5_UNORM_PACK16, unorm, 2, A1B5G5R5, 4u),
    RGB(R8_UNORM, 8, 1, 8, 1u),
    RGB(R8G8_UNORM, 8, 2, 8, 2u),
    RGB(R8G8B8_UNORM, 8, 3, 8, 3u),
    BGR(B8G8R8_UNORM, 8, 3, 8, 3u),
    RGB(R8G8B8A8_UNORM, 8, 4, 8, 4u),
    BGR(B8G8R8A8_UNORM, 8, 4, 8, 4u),
    RGB(A8B8G8R8_UNORM_PACK32, 8, 4, 8, 4u),
    BGR(A2R10G10B10_UNORM_PACK32, 10, 4, A2B10G10R10, 4u),
    RGB(A2B10G10R10_UNORM_PACK32, 10, 4, A2B10G10R10, 4u),
    RGB(R16_UNORM, 16, 2, 16, 1u),
    RGB(R16G16_UNORM, 16, 4, 16, 2u),
    RGB(R16G16B16_UNORM, 16, 6, 16, 3u),
    RGB(R16G16B16A16_UNORM, 16, 8, 16, 4u),
    RGB(R32_UINT, 32, 4, 32, 1u),
    RGB(R32G32_UINT, 32, 8, 32, 2u),
    RGB(R32G32B32_UINT, 32, 12, 32, 3u),
    RGB(R32G32B32A32_UINT, 32, 16, 32, 4u),
    RGB(R64_UINT, 32, 8, 64, 1u),
    RGB(R64G64_UINT, 32, 16, 64, 2u),
    RGB(R64G64B64_UINT, 32, 24, 64, 3u),
    RGB(R64G64B64A64_UINT, 32, 32, 64, 4u),
    RGB(B10G11R11_UFLOAT_PACK32, ufloat, 4, B10G11R11, 3u),
    RGB(E5B9G9R9_UFLOAT_PACK32, ufloat, 4, E5B9G9R9, 3u),
    BGR(A4R4G4B4_UNORM_PACK16, unorm, 2, A4B4G4R4, 4u),
    RGB(A4B4G4R4_UNORM_PACK16, unorm, 2, A4B4G4R4, 4u),
};

/* The last family that begins at the format or before. */
static const struct family *family_of(VkFormat format)
{
    size_t low = 0, high = PGS_COUNT_OF(families);
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if ((uint32_t)format < (uint32_t)families[middle].first)
            high = middle;
        else
            low = middle;
    }
    return &families[low];
}

uint32_t pgs_format_from_vk(VkFormat format, uint32_t *size_B)
{
    const struct family *family = family_of(format);
    const uint32_t kind = (uint32_t)format - (uint32_t)family->first;
    const bool known = kind < family->kind_count;
    *size_B = known ? family->size_B : 0;
    return known ? family->base | family->kinds[kind] : 0;
}
