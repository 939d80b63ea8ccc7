/* SPDX-License-Identifier: MIT
 *
 * VK_KHR_shader_float_controls2 around geometry shaders: infinities and NaN count
 * where a shader says so, for all of its arithmetic or for single instructions, and whatever the
 * other shader says with which the layer may join it. The words are added here, since compilers of
 * GLSL have no way to write them.
 */
#include "common/vkt.h"

#include "float_controls2_geom.h"
#include "float_controls2_vert.h"
#include "value_frag.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_PX 32u
#define POINTS 64u

#ifdef VK_KHR_shader_float_controls2

enum how { PLAIN, BY_DEFAULT, BY_INSTRUCTION, HOW_COUNT };
static const char *const how_names[HOW_COUNT] = {"plain", "default", "decorated"};

/* Of SPIR-V. */
enum {
    OP_EXTENSION = 10,
    OP_ENTRY_POINT = 15,
    OP_CAPABILITY = 17,
    OP_TYPE_INT = 21,
    OP_TYPE_FLOAT = 22,
    OP_CONSTANT = 43,
    OP_DECORATE = 71,
    OP_FADD = 129,
    OP_FSUB = 131,
    OP_FMUL = 133,
    OP_MODE_ID = 331,
    OP_TYPE_VOID = 19,
    CAPABILITY_FLOAT_CONTROLS2 = 6029,
    MODE_FAST_MATH_DEFAULT = 6028,
    FAST_MATH_MODE = 40,
};

struct suite {
    struct vkt t;
    VkPipelineLayout layout;
    struct vkt_target target;
};

struct writer {
    uint32_t *words;
    size_t count;
};

static void put(struct writer *w, const uint32_t *words, size_t count)
{
    memcpy(w->words + w->count, words, count * sizeof(*words));
    w->count += count;
}

#define PUT(w, op, ...)                                                                            \
    do {                                                                                           \
        const uint32_t operands[] = {__VA_ARGS__};                                                 \
        const uint32_t head = (VKT_COUNT(operands) + 1) << 16 | (op);                              \
        put((w), &head, 1);                                                                        \
        put((w), operands, VKT_COUNT(operands));                                                   \
    } while (0)

static uint32_t op_of(const uint32_t *ins)
{
    return *ins & 0xFFFF;
}

/* The result of the first type that begins with these words. */
static uint32_t find_type(struct vkt_code code, uint32_t op, uint32_t operand)
{
    for (size_t at = 5; at < code.size_B / 4; at += code.words[at] >> 16)
        if (op_of(code.words + at) == op && code.words[at + 2] == operand)
            return code.words[at + 1];
    vkt_die("a shader lacks a type");
}

static void put_decorations(struct writer *w, struct vkt_code code)
{
    for (size_t at = 5; at < code.size_B / 4; at += code.words[at] >> 16) {
        const uint32_t *ins = code.words + at;
        if (op_of(ins) == OP_FADD || op_of(ins) == OP_FSUB || op_of(ins) == OP_FMUL)
            PUT(w, OP_DECORATE, ins[2], FAST_MATH_MODE, 0);
    }
}

/* Nothing may be assumed of values, nor reordered. The caller frees the words. */
static struct vkt_code make_exact(struct vkt_code code, enum how how)
{
    static const char extension[] = "SPV_KHR_float_controls2"; /* fills its words */
    struct writer w = {.words = malloc(code.size_B * 2 + 1024)};
    uint32_t name[sizeof(extension) / 4], entry = 0;
    bool extended = false, decorated = false, defined = false, has_mode = false;
    const uint32_t mask = code.words[3], float_type = find_type(code, OP_TYPE_FLOAT, 32),
                   uint_type = find_type(code, OP_TYPE_INT, 32);
    memcpy(name, extension, sizeof(extension));
    put(&w, code.words, 5);
    w.words[3]++;
    for (size_t at = 5; at < code.size_B / 4; at += code.words[at] >> 16) {
        const uint32_t *ins = code.words + at, op = op_of(ins);
        if (at == 5)
            PUT(&w, OP_CAPABILITY, CAPABILITY_FLOAT_CONTROLS2);
        if (op != OP_CAPABILITY && !extended) {
            extended = true;
            const uint32_t head = (1 + VKT_COUNT(name)) << 16 | OP_EXTENSION;
            put(&w, &head, 1);
            put(&w, name, VKT_COUNT(name));
        }
        if (entry && !has_mode && op != OP_ENTRY_POINT) {
            has_mode = true;
            if (how == BY_DEFAULT)
                PUT(&w, OP_MODE_ID, entry, MODE_FAST_MATH_DEFAULT, float_type, mask);
        }
        if ((op == OP_DECORATE || op == OP_TYPE_VOID) && !decorated) {
            decorated = true;
            if (how == BY_INSTRUCTION)
                put_decorations(&w, code);
        }
        put(&w, ins, *ins >> 16);
        if (op == OP_ENTRY_POINT)
            entry = ins[2];
        if (op == OP_TYPE_INT && ins[1] == uint_type && !defined) {
            defined = true;
            PUT(&w, OP_CONSTANT, uint_type, mask, 0);
        }
    }
    return (struct vkt_code){w.words, w.count * 4};
}

static void draw(struct suite *s, enum how vs, enum how gs, bool geometry)
{
    const struct {
        float infinity;
    } values = {INFINITY};
    const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
    const struct vkt_code vert = VKT_CODE(float_controls2_vert),
                          geom = VKT_CODE(float_controls2_geom),
                          exact_vert = vs ? make_exact(vert, vs) : vert,
                          exact_geom = gs ? make_exact(geom, gs) : geom;
    const struct vkt_pipeline_info info = {
        .vs = exact_vert,
        .gs = geometry ? exact_geom : (struct vkt_code){0},
        .fs = VKT_CODE(value_frag),
        .layout = s->layout,
        .pass = s->target.pass,
        .width_px = SIDE_PX,
        .height_px = SIDE_PX,
        .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
    };
    const VkPipeline pipeline = vkt_pipeline(&s->t, &info);
    const VkCommandBuffer cmd = vkt_commands(&s->t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s->target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdPushConstants(cmd, s->layout, stages, 0, sizeof(values), &values);
    vkCmdDraw(cmd, POINTS, 1, 0, 0);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s->t, cmd);
    const struct vkt_buffer pixels = vkt_image_read(&s->t, &s->target.color, 4);
    /* What a shader leaves open may differ. */
    const uint32_t known = (vs ? 3u : 0) | (gs && geometry ? 0xCu : 0), want = 0xFu & known;
    uint32_t *texels = pixels.map, covered = 0, wrong = 0;
    for (uint32_t i = 0; i < SIDE_PX * SIDE_PX; i++) {
        covered += texels[i] != 0;
        texels[i] &= known | 16;
        wrong += texels[i] && (texels[i] & 0xF) != want;
    }
    VKT_EXPECT(&s->t, !wrong && (covered || !vs), "%s, %s: %u of %u pixels are wrong",
               how_names[vs], geometry ? how_names[gs] : "none", wrong, covered);
    char name[64];
    snprintf(name, sizeof(name), "%s_%s", how_names[vs], geometry ? how_names[gs] : "none");
    vkt_dump_image(&s->t, name, texels, SIDE_PX, SIDE_PX, 4);
    if (vs)
        free((void *)exact_vert.words);
    if (gs)
        free((void *)exact_geom.words);
}

int main(int argc, char **argv)
{
    static struct suite s;
    VkPhysicalDeviceShaderFloatControls2FeaturesKHR features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT_CONTROLS_2_FEATURES_KHR,
        .shaderFloatControls2 = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_KHR_SHADER_FLOAT_CONTROLS_2_EXTENSION_NAME, &features, 1}, {NULL, NULL, 0}};
    const VkPushConstantRange range = {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                                       4};
    struct vkt_options options = vkt_parse("float_controls2", argc, argv);
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    for (int vs = 0; vs < HOW_COUNT; vs++) {
        draw(&s, (enum how)vs, PLAIN, false);
        for (int gs = 0; gs < HOW_COUNT; gs++)
            draw(&s, (enum how)vs, (enum how)gs, true);
    }
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("float_controls2", argc, argv);
    vkt_skip("the Vulkan headers are older than VK_KHR_shader_float_controls2");
}
#endif
