/* SPDX-License-Identifier: MIT
 *
 * Every vertex format against a reference that knows nothing but the format's name: it says where
 * the components lie and what they mean.
 */
#include "../../shaders/lib/decode.glsl"
#include "pipeline/format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct named_format {
    VkFormat vk;
    const char *name;
};
#define F(name) {VK_FORMAT_##name, #name},
#define F6(prefix, suffix)                                                                         \
    F(prefix##_UNORM##suffix)                                                                      \
    F(prefix##_SNORM##suffix)                                                                      \
    F(prefix##_USCALED##suffix)                                                                    \
    F(prefix##_SSCALED##suffix) F(prefix##_UINT##suffix) F(prefix##_SINT##suffix)
#define F8(prefix, suffix) F6(prefix, suffix) F(prefix##_SRGB##suffix)
#define F16(prefix) F6(prefix, ) F(prefix##_SFLOAT)
#define F32(prefix) F(prefix##_UINT) F(prefix##_SINT) F(prefix##_SFLOAT)

static const struct named_format formats[] = {
    F(R4G4_UNORM_PACK8) F(R4G4B4A4_UNORM_PACK16) F(B4G4R4A4_UNORM_PACK16) F(A4R4G4B4_UNORM_PACK16)
        F(A4B4G4R4_UNORM_PACK16) F(R5G6B5_UNORM_PACK16) F(B5G6R5_UNORM_PACK16)
            F(R5G5B5A1_UNORM_PACK16) F(B5G5R5A1_UNORM_PACK16) F(A1R5G5B5_UNORM_PACK16) F8(R8, )
                F8(R8G8, ) F8(R8G8B8, ) F8(B8G8R8, ) F8(R8G8B8A8, ) F8(B8G8R8A8, )
                    F8(A8B8G8R8, _PACK32) F6(A2R10G10B10, _PACK32) F6(A2B10G10R10, _PACK32) F16(R16)
                        F16(R16G16) F16(R16G16B16) F16(R16G16B16A16) F32(R32) F32(R32G32)
                            F32(R32G32B32) F32(R32G32B32A32) F(B10G11R11_UFLOAT_PACK32)
                                F(E5B9G9R9_UFLOAT_PACK32)};
#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

enum kind { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, SRGB, UFLOAT, SFLOAT, KINDS };
static const char *const kind_names[KINDS] = {"UNORM", "SNORM", "USCALED", "SSCALED", "UINT",
                                              "SINT",  "SRGB",  "UFLOAT",  "SFLOAT"};

/* What a name says. offset and width in bits, in the element read as one little-endian number;
 * width 0: absent. exponent_width: of the shared exponent. */
struct description {
    unsigned offset[4], width[4], exponent_offset, exponent_width, size_B;
    enum kind kind;
};

static enum kind kind_of(const char *name)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (strncmp(name, kind_names[i], strlen(kind_names[i])) == 0)
            return (enum kind)i;
    }
    fail_msg("no kind: %s", name);
    return KINDS;
}

static void describe(const char *name, struct description *d)
{
    static const char channels[] = "RGBAE";
    unsigned order[5], widths[5], count = 0;
    memset(d, 0, sizeof(*d));
    while (*name != '_') {
        const char *channel = strchr(channels, *name);
        assert_non_null(channel);
        char *end;
        order[count] = (unsigned)(channel - channels);
        widths[count++] = (unsigned)strtoul(name + 1, &end, 10);
        name = end;
    }
    d->kind = kind_of(name + 1);
    const bool packed = strstr(name, "_PACK") != NULL;
    unsigned bits = 0;
    for (unsigned i = 0; i < count; i++) {
        /* The first channel of a packed name has the most significant bits, else the lowest
         * address. */
        const unsigned c = packed ? count - 1 - i : i;
        unsigned *offset = order[c] == 4 ? &d->exponent_offset : &d->offset[order[c]];
        unsigned *width = order[c] == 4 ? &d->exponent_width : &d->width[order[c]];
        *offset = bits;
        *width = widths[c];
        bits += widths[c];
    }
    d->size_B = bits / 8;
}

/* No field has more than 32 bits, nor does any cross the end of more than one word. */
static uint32_t field(const uint32_t words[4], unsigned offset, unsigned width)
{
    const unsigned word = offset / 32, shift = offset % 32;
    const uint64_t high = shift + width > 32 ? (uint64_t)words[word + 1] << 32 : 0;
    return (uint32_t)((high | words[word]) >> shift & ((1ull << width) - 1));
}

static double small_float(uint32_t bits, unsigned mantissa_bits)
{
    const int exponent = (int)(bits >> mantissa_bits & 31);
    const double mantissa = bits & ((1u << mantissa_bits) - 1);
    const double one = 1u << mantissa_bits;
    if (exponent == 31)
        return mantissa != 0 ? NAN : INFINITY;
    if (exponent == 0)
        return ldexp(mantissa / one, -14);
    return ldexp(1 + mantissa / one, exponent - 15);
}

static double to_real(const struct description *d, unsigned c, uint32_t bits,
                      const uint32_t words[4])
{
    const unsigned width = d->width[c];
    const double most = (double)((1ull << width) - 1);
    const double sint = (double)bits - (bits >> (width - 1) ? most + 1 : 0);
    if (d->exponent_width) {
        const uint32_t exponent = field(words, d->exponent_offset, d->exponent_width);
        return ldexp((double)bits, (int)exponent - 15 - 9);
    }
    if (d->kind == UNORM || (d->kind == SRGB && c == 3))
        return bits / most;
    if (d->kind == SNORM)
        return fmax(sint / ((most - 1) / 2), -1);
    if (d->kind == USCALED)
        return bits;
    if (d->kind == SSCALED)
        return sint;
    if (d->kind == SRGB)
        return bits / most <= 0.04045 ? bits / most / 12.92
                                      : pow((bits / most + 0.055) / 1.055, 2.4);
    if (d->kind == UFLOAT)
        return small_float(bits, width - 5);
    assert_true(d->kind == SFLOAT && width == 16);
    return (bits >> 15 ? -1 : 1) * small_float(bits & 0x7FFF, 10);
}

/* Everything but SRGB is within one unit in the last place, and what a float can hold exactly is
 * exact. */
static bool is_close(const struct description *d, float got, double expected)
{
    if (isnan(expected) || isinf(expected))
        return isnan(expected) ? isnan(got) != 0 : (double)got == expected;
    if ((double)(float)expected == expected)
        return (double)got == expected && (signbit(got) != 0) == (signbit(expected) != 0);
    const double tolerance = d->kind == SRGB ? 1e-6 : ldexp(fabs(expected), -23);
    return fabs((double)got - expected) <= tolerance;
}

static void check_component(const struct named_format *f, const struct description *d,
                            pgs_u32 format, unsigned c, const uint32_t words[4])
{
    const uint32_t got = pgs_decode(format, c, words[pgs_format_word(format, c)]);
    const bool integer = d->kind == UINT || d->kind == SINT;
    if (d->width[c] == 0) {
        const uint32_t one = integer ? 1u : 0x3F800000u;
        if (got != (c == 3 ? one : 0u))
            fail_msg("%s, missing component %u: %08x", f->name, c, got);
        return;
    }
    const uint32_t bits = field(words, d->offset[c], d->width[c]);
    if (integer || d->width[c] == 32) {
        uint32_t expected = bits;
        if (d->kind == SINT && bits >> (d->width[c] - 1))
            expected |= (uint32_t)(UINT64_MAX << d->width[c]);
        if (got != expected)
            fail_msg("%s, component %u of %08x %08x: %08x, not %08x", f->name, c, words[0],
                     words[1], got, expected);
        return;
    }
    const double expected = to_real(d, c, bits, words);
    if (!is_close(d, uintBitsToFloat(got), expected))
        fail_msg("%s, component %u of %08x %08x: %.9g, not %.9g", f->name, c, words[0], words[1],
                 (double)uintBitsToFloat(got), expected);
}

static uint32_t random_state = 4711;

static uint32_t random_u32(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return random_state ^ random_state >> 15;
}

static void check_words(const struct named_format *f, const struct description *d, pgs_u32 format,
                        uint32_t words[4])
{
    /* The decoder may rely on nothing beyond the element. */
    for (unsigned i = 0; i < 4; i++)
        check_component(f, d, format, i, words);
}

static void check_format(const struct named_format *f)
{
    struct description d;
    describe(f->name, &d);
    uint32_t size_B = 0;
    const pgs_u32 format = pgs_format_from_vk(f->vk, &size_B);
    if (format == 0 || size_B != d.size_B || pgs_format_size_B(format) != d.size_B)
        fail_msg("%s: %x, size %u and %u", f->name, format, size_B, pgs_format_size_B(format));

    static const uint32_t edges[] = {0u,          0xFFFFFFFFu, 0x80808080u, 0x7F7F7F7Fu,
                                     0x80008000u, 0x7FFF7FFFu, 0x00010001u, 0x01010101u,
                                     0x7C007C00u, 0x7C017C01u};
    for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
        uint32_t words[4] = {edges[i], edges[i], edges[i], edges[i]};
        check_words(f, &d, format, words);
    }
    /* All values of the low and of the high half of each word, the rest at random. With
     * PGS_TEST_EVERY, an odd number, one of so many, so that emulators and sanitizers need not take
     * a minute. */
    const char *every = getenv("PGS_TEST_EVERY");
    const uint32_t step = every ? (uint32_t)atoi(every) : 1;
    for (uint32_t value = 0; value < 65536; value += step) {
        uint32_t words[4];
        for (unsigned i = 0; i < 4; i++)
            words[i] =
                value & 1 ? value | random_u32() << 16 : value << 16 | (random_u32() & 0xFFFF);
        check_words(f, &d, format, words);
        for (unsigned i = 0; i < 4; i++)
            words[i] =
                value & 1 ? value << 16 | (random_u32() & 0xFFFF) : value | random_u32() << 16;
        check_words(f, &d, format, words);
    }
}

static void test_every_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        check_format(&formats[i]);
}

/* Unsigned and signed normalised ends are exact in every width. */
static void test_norm_ends(void **state)
{
    (void)state;
    static const pgs_u32 unsigned_widths[] = {1, 2, 4, 5, 6, 8, 10, 16},
                         signed_widths[] = {2, 8, 10, 16};
    for (size_t i = 0; i < 8; i++) {
        const pgs_u32 most = (1u << unsigned_widths[i]) - 1;
        assert_int_equal(pgs_convert(PGS_KIND_UNORM, unsigned_widths[i], most), 0x3F800000u);
        assert_int_equal(pgs_convert(PGS_KIND_UNORM, unsigned_widths[i], 0), 0u);
    }
    for (size_t i = 0; i < 4; i++) {
        const pgs_u32 most = (1u << (signed_widths[i] - 1)) - 1, least = most + 1;
        assert_int_equal(pgs_convert(PGS_KIND_SNORM, signed_widths[i], most), 0x3F800000u);
        assert_int_equal(pgs_convert(PGS_KIND_SNORM, signed_widths[i], least), 0xBF800000u);
        assert_int_equal(pgs_convert(PGS_KIND_SNORM, signed_widths[i], least + 1), 0xBF800000u);
    }
}

static void test_wide_and_foreign(void **state)
{
    (void)state;
    uint32_t size_B;
    for (int i = 0; i < 12; i++) {
        const pgs_u32 format = pgs_format_from_vk((VkFormat)(VK_FORMAT_R64_UINT + i), &size_B);
        assert_int_equal(PGS_FORMAT_LAYOUT(format), PGS_LAYOUT_64);
        assert_int_equal(size_B, 8 * (i / 3 + 1));
        assert_int_equal(pgs_format_size_B(format), size_B);
    }
    static const VkFormat foreign[] = {VK_FORMAT_UNDEFINED, VK_FORMAT_D16_UNORM,
                                       VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_MAX_ENUM,
                                       VK_FORMAT_G8B8G8R8_422_UNORM};
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
        assert_int_equal(pgs_format_from_vk(foreign[i], &size_B), 0);
        assert_int_equal(size_B, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_format),
        cmocka_unit_test(test_norm_ends),
        cmocka_unit_test(test_wide_and_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
