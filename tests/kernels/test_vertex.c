/* SPDX-License-Identifier: MIT
 *
 * lib/vertex.glsl: fetch of every format at the alignments, strides, rates and bounds that are
 * allowed, also where elements lie beyond 4 GiB, index fetch, and the numbers of a vertex. The
 * decoder itself is the one under test in tests/unit; here it is the model.
 */
#include "../../shaders/lib/decode.glsl"
#include "harness.h"
#include "pipeline/format.h"
#include "vertex_test.h"

#include <stdbool.h>
#include <stdlib.h>

#define GUARD 0xA5A5A5A5u
#define OUT_STRIDE_W 20
#define DATA_B 2048
#define MAX_DIVISOR 4

struct draw {
    struct pgs_draw_record record;
    const uint8_t *data; /* what the attribute addresses point into */
    uint64_t data_address;
    const uint8_t *indices; /* of the first index */
};

static uint32_t index_at(const struct draw *d, uint32_t position)
{
    uint32_t index = 0;
    if (position < d->record.index_bound_el)
        memcpy(&index, d->indices + (size_t)position * d->record.index_size_B,
               d->record.index_size_B);
    return index;
}

/* The words of the element that an attribute has for this vertex; zeros where there is none. */
static void model_element(const struct draw *d, const struct pgs_attribute *a,
                          uint32_t vertex_index, uint32_t instance, uint32_t words[8])
{
    uint64_t element = vertex_index;
    memset(words, 0, 8 * sizeof(words[0]));
    if (a->flags & PGS_ATTRIBUTE_INSTANCE)
        element = d->record.first_instance + (a->divisor ? instance / a->divisor : 0);
    if (a->stride_B == 0)
        element = 0;
    if (a->address == 0 || element >= a->element_count_el)
        return;
    const uint64_t offset_B = a->address - d->data_address + element * a->stride_B;
    memcpy(words, d->data + offset_B, pgs_format_size_B(a->format));
}

static bool same_component(uint32_t format, uint32_t got, uint32_t expected)
{
    if (PGS_FORMAT_KIND(format) != PGS_KIND_SRGB)
        return got == expected;
    return fabsf(uintBitsToFloat(got) - uintBitsToFloat(expected)) < 1e-5f; /* pow is inexact */
}

static void check_vertex(struct gpu *gpu, const struct draw *d, uint32_t instance,
                         uint32_t position, const uint32_t *got)
{
    const struct pgs_draw_record *r = &d->record;
    uint32_t vertex = position;
    if (r->flags & PGS_DRAW_INDEXED)
        vertex = index_at(d, position);
    if ((r->flags & PGS_DRAW_RESTART) && vertex == 0xFFFFFFFFu >> (32 - 8 * r->index_size_B)) {
        if (got[0] != GUARD || got[12] != GUARD)
            gpu_fail(gpu, "a restart index made a vertex");
        return;
    }
    vertex += r->first_vertex;

    uint32_t words[8];
    const uint32_t format = r->attributes[0].format;
    model_element(d, &r->attributes[0], vertex, instance, words);
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t expected = pgs_decode(format, c, words[pgs_format_word(format, c)]);
        if (!same_component(format, got[c], expected))
            gpu_fail(gpu, "format %x stride %u, vertex %u component %u: %08x, not %08x", format,
                     r->attributes[0].stride_B, vertex, c, got[c], expected);
    }
    model_element(d, &r->attributes[1], vertex, instance, words);
    if (memcmp(got + 4, words, sizeof(words)) != 0)
        gpu_fail(gpu, "wide format %x, vertex %u differs", r->attributes[1].format, vertex);
    const uint32_t numbers[6] = {vertex,          r->first_instance + instance,
                                 r->first_vertex, r->first_instance,
                                 r->draw_index,   r->push[3]};
    if (memcmp(got + 12, numbers, sizeof(numbers)) != 0)
        gpu_fail(gpu, "vertex %u of instance %u is told %u %u %u %u %u %x", vertex, instance,
                 got[12], got[13], got[14], got[15], got[16], got[17]);
}

static uint32_t component_align_B(uint32_t format)
{
    switch (PGS_FORMAT_LAYOUT(format)) {
    case PGS_LAYOUT_8:
        return 1;
    case PGS_LAYOUT_16:
        return 2;
    case PGS_LAYOUT_32:
        return 4;
    case PGS_LAYOUT_64:
        return 8;
    default:
        return pgs_format_size_B(format);
    }
}

static struct pgs_attribute random_attribute(uint64_t data_address, uint32_t format)
{
    const uint32_t size_B = pgs_format_size_B(format), align_B = component_align_B(format);
    const uint32_t offset_B = gpu_random_below(40) * align_B;
    const uint32_t end_B = DATA_B - gpu_random_below(300); /* of the bound range */
    struct pgs_attribute a = {
        .address = data_address + offset_B,
        .stride_B = gpu_random_below(4) == 0 ? 0 : (size_B + gpu_random_below(9) * align_B),
        .divisor = gpu_random_below(MAX_DIVISOR),
        .format = format,
        .flags = gpu_random_below(3) == 0 ? PGS_ATTRIBUTE_INSTANCE : 0,
    };
    if (a.stride_B == 0)
        a.element_count_el = UINT32_MAX;
    else
        a.element_count_el = (end_B - offset_B - size_B) / a.stride_B + 1;
    if (gpu_random_below(16) == 0)
        a.address = a.element_count_el = 0;
    return a;
}

static void fill_random(void *map, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++)
        ((uint8_t *)map)[i] = (uint8_t)(gpu_random() >> 9);
}

/* Moves the elements that a draw fetches beyond what 32 bits can say in bytes, and their begin as
 * far in front of the data, of which nothing is there. */
#define FAR_EL 0xC0000000u
static void move_far(struct pgs_draw_record *record)
{
    record->first_vertex = FAR_EL + 1 + gpu_random_below(14);
    record->first_instance += FAR_EL;
    for (uint32_t i = 0; i < 2; i++) {
        struct pgs_attribute *a = &record->attributes[i];
        a->address -= a->address ? (uint64_t)FAR_EL * a->stride_B : 0;
        a->element_count_el += a->address && a->stride_B ? FAR_EL : 0;
    }
}

static void run_draw(struct gpu *gpu, VkPipeline pipeline, uint32_t format, uint32_t wide_format)
{
    const uint32_t vertex_count = 1 + gpu_random_below(70),
                   instance_count = 1 + gpu_random_below(4);
    const uint32_t index_size_B = gpu_random() & 1 ? 1u << gpu_random_below(3) : 0;
    const uint32_t skip_B = gpu_random_below(5) * index_size_B;
    struct gpu_buffer *record = gpu_buffer(gpu, sizeof(struct pgs_draw_record), 0);
    struct gpu_buffer *data = gpu_buffer(gpu, DATA_B, 0);
    struct gpu_buffer *indices = gpu_buffer(gpu, skip_B + vertex_count * 4 + 4, 0);
    const size_t out_B = (size_t)vertex_count * instance_count * OUT_STRIDE_W * 4;
    struct gpu_buffer *vertices = gpu_buffer(gpu, out_B + 16, 0xA5);
    fill_random(data->map, DATA_B);
    fill_random(indices->map, indices->size_B);
    for (uint32_t i = 0; index_size_B == 4 && i < vertex_count;
         i++) /* mostly inside of the buffer */
        ((uint8_t *)indices->map)[skip_B + 4 * i + 2] =
            ((uint8_t *)indices->map)[skip_B + 4 * i + 3] = 0;
    if (index_size_B)
        memset((uint8_t *)indices->map + skip_B, 0xFF, index_size_B);

    struct draw draw = {
        .data = data->map,
        .data_address = data->address,
        .indices = (const uint8_t *)indices->map + skip_B,
        .record =
            {
                .flags =
                    index_size_B == 0 ? 0 : PGS_DRAW_INDEXED | (gpu_random() & PGS_DRAW_RESTART),
                .index_address = indices->address + skip_B,
                .index_size_B = index_size_B,
                .index_bound_el = gpu_random_below(3) ? vertex_count : vertex_count / 2,
                .vertices = vertices->address,
                .vertex_count = vertex_count,
                .first_vertex = gpu_random_below(20) - 5,
                .instance_count = instance_count,
                .first_instance = gpu_random_below(9),
                .draw_index = gpu_random(),
                .push = {1, 2, 3, gpu_random()},
                .attributes = {random_attribute(data->address, format),
                               random_attribute(data->address, wide_format)},
            },
    };
    if (gpu_random_below(4) == 0)
        move_far(&draw.record);
    memcpy(record->map, &draw.record, sizeof(draw.record));
    const uint32_t groups = gpu_div_up(vertex_count * instance_count, PGS_SHADER_GROUP_EL);
    gpu_run(gpu, &(struct gpu_dispatch){pipeline, groups}, 1, record->address);
    const uint32_t *out = vertices->map;
    for (uint32_t i = 0; i < vertex_count * instance_count; i++)
        check_vertex(gpu, &draw, i / vertex_count, i % vertex_count,
                     out + (size_t)i * OUT_STRIDE_W);
    if (out[out_B / 4] != GUARD)
        gpu_fail(gpu, "written beyond the last vertex");
    gpu_release_buffers(gpu);
}

static void check_driver_formats(struct gpu *gpu)
{
    for (uint32_t vk = 1; vk <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK + 2; vk++) {
        const uint32_t core = VK_FORMAT_ASTC_12x12_SRGB_BLOCK;
        const VkFormat format =
            (VkFormat)(vk <= core ? vk : VK_FORMAT_A4R4G4B4_UNORM_PACK16 + vk - core - 1);
        uint32_t size_B;
        VkFormatProperties properties;
        vkGetPhysicalDeviceFormatProperties(gpu->physical, format, &properties);
        if ((properties.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT) &&
            pgs_format_from_vk(format, &size_B) == 0)
            gpu_fail(gpu, "the driver fetches VkFormat %u, we do not", (unsigned)format);
    }
}

int main(void)
{
    struct gpu gpu;
    gpu_open(&gpu);
    const VkPipeline pipeline = gpu_pipeline(&gpu, vertex_test, sizeof(vertex_test) / 4);
    check_driver_formats(&gpu);
    uint32_t size_B, tried = 0;
    for (uint32_t vk = 1; vk < 130; vk++) {
        /* The last two stand for the formats of VK_EXT_4444_formats. */
        const uint32_t actual =
            vk < 128 ? vk : (uint32_t)VK_FORMAT_A4R4G4B4_UNORM_PACK16 + vk - 128;
        const uint32_t format = pgs_format_from_vk((VkFormat)actual, &size_B);
        if (format == 0 || PGS_FORMAT_LAYOUT(format) == PGS_LAYOUT_64)
            continue;
        const uint32_t wide =
            pgs_format_from_vk((VkFormat)(VK_FORMAT_R64_UINT + gpu_random_below(12)), &size_B);
        for (int i = 0; i < 12; i++)
            run_draw(&gpu, pipeline, format, wide);
        tried++;
    }
    if (tried != 113)
        gpu_fail(&gpu, "%u formats were tried", tried);
    return gpu_close(&gpu);
}
