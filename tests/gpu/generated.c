/* SPDX-License-Identifier: MIT
 *
 * VK_EXT_device_generated_commands between emulated draws: the GPU chooses pipelines, pushes
 * constants, binds vertices and draws, preprocessed or not, and dispatches. What it cannot draw is
 * not reported.
 */
#include "row.h"

#include "generated_comp.h"
#include "generated_frag.h"
#include "maintenance5_geom.h"
#include "maintenance5_vert.h"
#include "value_frag.h"

#include <string.h>

#ifdef VK_EXT_device_generated_commands

#define SEQUENCES 3u
#define EXECUTIONS 6u
#define WORDS 64u
#define DRAWN_STAGES (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT)
#define PUSH_STAGES (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT)

/* What the GPU reads for a draw, and for a dispatch. */
struct draw_sequence {
    uint32_t pipeline;
    struct row_push push;
    VkBindVertexBufferIndirectCommandEXT vertices;
    VkDrawIndirectCommand draw;
};
struct dispatch_sequence {
    uint32_t first, value;
    VkDispatchIndirectCommand dispatch;
};

enum { PLAIN, TINTED, EMULATED, PIPELINES };

static struct suite {
    struct vkt t;
    struct vkt_buffer places, draws, dispatches, words;
    VkBuffer scratch; /* that of preprocessing */
    VkDeviceAddress scratch_address;
    VkDeviceSize scratch_size_B; /* of one execution */
    uint32_t executions;         /* so far */
    VkPipelineLayout layout, compute_layout;
    VkDescriptorSet set;
    VkPipeline pipelines[PIPELINES], compute;
    VkIndirectExecutionSetEXT chosen;
    VkIndirectCommandsLayoutEXT drawn, preprocessed, dispatched;
    struct vkt_target target;
} s;

/* -- objects -- */

static void destroy_layout(struct vkt *t, uint64_t handle)
{
    vkDestroyIndirectCommandsLayoutEXT(t->device, (VkIndirectCommandsLayoutEXT)handle, NULL);
}

static void destroy_set(struct vkt *t, uint64_t handle)
{
    vkDestroyIndirectExecutionSetEXT(t->device, (VkIndirectExecutionSetEXT)handle, NULL);
}

static VkDeviceAddress address_of(VkBuffer buffer)
{
    return vkGetBufferDeviceAddress(
        s.t.device, &(VkBufferDeviceAddressInfo){
                        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer});
}

static const VkPipelineCreateFlags2CreateInfoKHR bindable = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO_KHR,
    .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};

/* No set can have what the layer must draw, though no property says so. */
static void try_adjacency(void)
{
    const bool layer = vkt_has_layer(&s.t.options, "poly_gs");
    for (int set = 0; set < 2; set++) {
        struct vkt_pipeline_info info = row_pipeline(s.layout, s.target.pass);
        VkPipeline pipeline;
        info.vs = VKT_CODE(maintenance5_vert);
        info.fs = VKT_CODE(value_frag);
        info.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
        info.next = set ? &bindable : NULL;
        const VkResult result = vkt_pipeline_try(&s.t, &info, &pipeline);
        VKT_EXPECT(&s.t, result == (set && layer ? VK_ERROR_UNKNOWN : VK_SUCCESS),
                   "adjacency%s: VkResult %d", set ? " in a set" : "", (int)result);
        if (result == VK_SUCCESS)
            vkDestroyPipeline(s.t.device, pipeline, NULL);
    }
}

static void make_pipelines(void)
{
    static const VkDynamicState stride = VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
    for (int i = 0; i < PIPELINES; i++) {
        struct vkt_pipeline_info info = row_pipeline(s.layout, s.target.pass);
        info.vs = VKT_CODE(maintenance5_vert);
        info.fs = i == TINTED ? VKT_CODE(generated_frag) : VKT_CODE(value_frag);
        info.dynamic = &stride;
        info.dynamic_count = 1;
        if (i == EMULATED)
            info.gs = VKT_CODE(maintenance5_geom);
        else
            info.next = &bindable;
        s.pipelines[i] = vkt_pipeline(&s.t, &info);
    }
    s.compute = vkt_compute_pipeline(&s.t, VKT_CODE(generated_comp), s.compute_layout);
}

static VkIndirectCommandsLayoutEXT layout_of(VkIndirectCommandsLayoutUsageFlagsEXT flags,
                                             VkShaderStageFlags stages, VkPipelineLayout pipeline,
                                             uint32_t stride_B,
                                             const VkIndirectCommandsLayoutTokenEXT *tokens,
                                             uint32_t count)
{
    const VkIndirectCommandsLayoutCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
        .flags = flags,
        .shaderStages = stages,
        .indirectStride = stride_B,
        .pipelineLayout = pipeline,
        .tokenCount = count,
        .pTokens = tokens};
    VkIndirectCommandsLayoutEXT layout;
    VKT_CALL(vkCreateIndirectCommandsLayoutEXT(s.t.device, &info, NULL, &layout));
    vkt_defer(&s.t, destroy_layout, (uint64_t)layout);
    return layout;
}

#define TOKEN(kind, at)                                                                            \
    .sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT,                                 \
    .type = VK_INDIRECT_COMMANDS_TOKEN_TYPE_##kind##_EXT, .offset = (uint32_t)(at)

static void make_layouts(void)
{
    const VkIndirectCommandsExecutionSetTokenEXT set = {
        VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, DRAWN_STAGES};
    const VkIndirectCommandsPushConstantTokenEXT push = {{PUSH_STAGES, 0, sizeof(struct row_push)}};
    const VkIndirectCommandsPushConstantTokenEXT two = {{VK_SHADER_STAGE_COMPUTE_BIT, 0, 8}};
    const VkIndirectCommandsVertexBufferTokenEXT vertices = {0};
    const VkIndirectCommandsLayoutTokenEXT draws[] = {
        {TOKEN(EXECUTION_SET, offsetof(struct draw_sequence, pipeline)),
         .data.pExecutionSet = &set},
        {TOKEN(PUSH_CONSTANT, offsetof(struct draw_sequence, push)), .data.pPushConstant = &push},
        {TOKEN(VERTEX_BUFFER, offsetof(struct draw_sequence, vertices)),
         .data.pVertexBuffer = &vertices},
        {TOKEN(DRAW, offsetof(struct draw_sequence, draw))},
    };
    const VkIndirectCommandsLayoutTokenEXT dispatches[] = {
        {TOKEN(PUSH_CONSTANT, 0), .data.pPushConstant = &two},
        {TOKEN(DISPATCH, offsetof(struct dispatch_sequence, dispatch))},
    };
    s.drawn = layout_of(0, DRAWN_STAGES, s.layout, sizeof(struct draw_sequence), draws, 4);
    s.preprocessed = layout_of(VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT,
                               DRAWN_STAGES, s.layout, sizeof(struct draw_sequence), draws, 4);
    s.dispatched = layout_of(0, VK_SHADER_STAGE_COMPUTE_BIT, s.compute_layout,
                             sizeof(struct dispatch_sequence), dispatches, 2);
}

static void make_set(void)
{
    const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT,
        .initialPipeline = s.pipelines[PLAIN],
        .maxPipelineCount = 2};
    const VkIndirectExecutionSetCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
        .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
        .info.pPipelineInfo = &pipelines};
    const VkWriteIndirectExecutionSetPipelineEXT write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT,
        .index = 1,
        .pipeline = s.pipelines[TINTED]};
    VKT_CALL(vkCreateIndirectExecutionSetEXT(s.t.device, &info, NULL, &s.chosen));
    vkt_defer(&s.t, destroy_set, (uint64_t)s.chosen);
    vkUpdateIndirectExecutionSetPipelineEXT(s.t.device, s.chosen, 1, &write);
}

static void require(VkMemoryRequirements *all, VkIndirectExecutionSetEXT set,
                    VkIndirectCommandsLayoutEXT layout, const void *chain)
{
    const VkGeneratedCommandsMemoryRequirementsInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT,
        .pNext = (void *)chain,
        .indirectExecutionSet = set,
        .indirectCommandsLayout = layout,
        .maxSequenceCount = SEQUENCES};
    VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
    vkGetGeneratedCommandsMemoryRequirementsEXT(s.t.device, &info, &needs);
    if (all->size < needs.memoryRequirements.size)
        all->size = needs.memoryRequirements.size;
    if (all->alignment < needs.memoryRequirements.alignment)
        all->alignment = needs.memoryRequirements.alignment;
    all->memoryTypeBits &= needs.memoryRequirements.memoryTypeBits;
}

static VkGeneratedCommandsPipelineInfoEXT compute_chain(void)
{
    return (VkGeneratedCommandsPipelineInfoEXT){
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = s.compute};
}

/* Every execution has its own part. */
static void make_scratch(void)
{
    const VkGeneratedCommandsPipelineInfoEXT compute = compute_chain();
    VkMemoryRequirements needs = {.memoryTypeBits = ~0u};
    require(&needs, s.chosen, s.drawn, NULL);
    require(&needs, s.chosen, s.preprocessed, NULL);
    require(&needs, VK_NULL_HANDLE, s.dispatched, &compute);
    if (!needs.size)
        return;
    s.scratch_size_B = (needs.size + needs.alignment - 1) / needs.alignment * needs.alignment;
    const VkBufferUsageFlags2CreateInfoKHR usage = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO_KHR,
        .usage = VK_BUFFER_USAGE_2_PREPROCESS_BUFFER_BIT_EXT |
                 VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT_KHR};
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = &usage,
                                     .size = s.scratch_size_B * EXECUTIONS};
    VKT_CALL(vkCreateBuffer(s.t.device, &info, NULL, &s.scratch));
    vkt_defer(&s.t, vkt_destroy_buffer, (uint64_t)s.scratch);
    VkMemoryRequirements own;
    vkGetBufferMemoryRequirements(s.t.device, s.scratch, &own);
    uint32_t type = 0;
    while (!((own.memoryTypeBits & needs.memoryTypeBits) >> type & 1))
        type++;
    const VkMemoryAllocateFlagsInfo addressed = {.sType =
                                                     VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                 .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .pNext = &addressed,
                                             .allocationSize = own.size,
                                             .memoryTypeIndex = type};
    VkDeviceMemory memory;
    VKT_CALL(vkAllocateMemory(s.t.device, &allocation, NULL, &memory));
    vkt_defer(&s.t, vkt_free_memory, (uint64_t)memory);
    VKT_CALL(vkBindBufferMemory(s.t.device, s.scratch, memory, 0));
    s.scratch_address = address_of(s.scratch);
}

/* -- commands -- */

static void draw(VkCommandBuffer cmd, uint32_t pipeline, uint32_t at)
{
    const VkDeviceSize zero = 0, stride_B = 8;
    const struct row_push push = row_push(at);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pipelines[pipeline]);
    vkCmdBindVertexBuffers2(cmd, 0, 1, &s.places.buffer, &zero, NULL, &stride_B);
    vkCmdPushConstants(cmd, s.layout, PUSH_STAGES, 0, sizeof(push), &push);
    if (pipeline != PLAIN)
        vkCmdDraw(cmd, ROW_VERTICES, 1, 0, 0);
}

static VkGeneratedCommandsInfoEXT commands_of(VkIndirectCommandsLayoutEXT layout,
                                              const struct vkt_buffer *sequences,
                                              VkDeviceSize offset_B, VkDeviceSize size_B)
{
    return (VkGeneratedCommandsInfoEXT){
        .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
        .shaderStages = DRAWN_STAGES,
        .indirectExecutionSet = s.chosen,
        .indirectCommandsLayout = layout,
        .indirectAddress = address_of(sequences->buffer) + offset_B,
        .indirectAddressSize = size_B,
        .preprocessAddress = s.scratch ? s.scratch_address + s.executions++ * s.scratch_size_B : 0,
        .preprocessSize = s.scratch_size_B,
        .maxSequenceCount = SEQUENCES};
}

static VkGeneratedCommandsInfoEXT draws_of(VkIndirectCommandsLayoutEXT layout, uint32_t half)
{
    const VkDeviceSize size_B = SEQUENCES * sizeof(struct draw_sequence);
    return commands_of(layout, &s.draws, half * size_B, size_B);
}

/* The initial state must be bound; what the tokens set is lost afterwards. */
static void run_draws(void)
{
    const VkGeneratedCommandsInfoEXT first = draws_of(s.drawn, 0);
    const VkGeneratedCommandsInfoEXT second = draws_of(s.preprocessed, 1);
    const VkCommandBuffer cmd = vkt_commands(&s.t), state = vkt_commands(&s.t);
    vkt_begin(state, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    draw(state, PLAIN, 0);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdPreprocessGeneratedCommandsEXT(cmd, &second, state);
    VKT_CALL(vkEndCommandBuffer(state));
    vkCmdPipelineBarrier(
        cmd, VK_PIPELINE_STAGE_COMMAND_PREPROCESS_BIT_EXT, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0,
        1,
        &(VkMemoryBarrier){.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                           .srcAccessMask = VK_ACCESS_COMMAND_PREPROCESS_WRITE_BIT_EXT,
                           .dstAccessMask = VK_ACCESS_INDIRECT_COMMAND_READ_BIT},
        0, NULL, 0, NULL);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    draw(cmd, EMULATED, 0);
    draw(cmd, PLAIN, 0);
    vkCmdExecuteGeneratedCommandsEXT(cmd, VK_FALSE, &first);
    draw(cmd, EMULATED, 4);
    draw(cmd, TINTED, 5);
    draw(cmd, PLAIN, 0);
    vkCmdExecuteGeneratedCommandsEXT(cmd, VK_TRUE, &second);
    draw(cmd, EMULATED, 9);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    row_expect(&s.t, &s.target, "draws", 900, 0);
    row_expect(&s.t, &s.target, "tinted", 60, 100000);
}

/* The compute work of the layer lies before the pass, and the dispatches between two of them. */
static void run_dispatches(void)
{
    const VkGeneratedCommandsPipelineInfoEXT chain = compute_chain();
    const VkDeviceSize size_B = SEQUENCES * sizeof(struct dispatch_sequence);
    VkGeneratedCommandsInfoEXT info[2];
    for (uint32_t i = 0; i < 2; i++) {
        info[i] = commands_of(s.dispatched, &s.dispatches, i * size_B, size_B);
        info[i].pNext = &chain;
        info[i].shaderStages = VK_SHADER_STAGE_COMPUTE_BIT;
        info[i].indirectExecutionSet = VK_NULL_HANDLE;
    }
    memset(s.words.map, 0, s.words.size_B);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.compute);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.compute_layout, 0, 1, &s.set, 0,
                            NULL);
    vkCmdExecuteGeneratedCommandsEXT(cmd, VK_FALSE, &info[0]);
    vkt_barrier_all(cmd);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    draw(cmd, EMULATED, 2);
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkCmdExecuteGeneratedCommandsEXT(cmd, VK_FALSE, &info[1]);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    row_expect(&s.t, &s.target, "between", 100, 0);
    const uint32_t *words = s.words.map;
    VKT_EXPECT(&s.t, words[0] == 11 && words[9] == 25 + 1 && words[39] == 7 + 7,
               "dispatches: %u, %u, %u", words[0], words[9], words[39]);
    vkt_dump_buffer(&s.t, "words", words, WORDS * 4);
}

static void check_report(void)
{
    VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT limits = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &limits};
    vkGetPhysicalDeviceProperties2(s.t.physical, &properties);
    const VkShaderStageFlags all = limits.supportedIndirectCommandsShaderStages |
                                   limits.supportedIndirectCommandsShaderStagesPipelineBinding |
                                   limits.supportedIndirectCommandsShaderStagesShaderBinding;
    VKT_EXPECT(&s.t, (all & DRAWN_STAGES) == DRAWN_STAGES, "stages %x", all);
    if (vkt_has_layer(&s.t.options, "poly_gs"))
        VKT_EXPECT(
            &s.t,
            !(all & (VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                     VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT)) &&
                !limits.deviceGeneratedCommandsTransformFeedback,
            "stages %x, or captures", all);
}

static void make_sequences(void)
{
    static const VkDispatchIndirectCommand one = {1, 1, 1}, two = {2, 1, 1};
    const struct dispatch_sequence dispatches[2 * SEQUENCES] = {
        {0, 10, one}, {8, 20, two}, {32, 7, two}, {0, 1, one}, {8, 4, one}, {16, 3, one}};
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    const VkBindVertexBufferIndirectCommandEXT vertices = {address_of(s.places.buffer),
                                                           sizeof(struct row_places), 8};
    struct draw_sequence draws[2 * SEQUENCES];
    memset(draws, 0, sizeof(draws)); /* its padding, too */
    for (uint32_t i = 0; i < 2 * SEQUENCES; i++) {
        draws[i].pipeline = i % 2;
        draws[i].push = row_push(i < SEQUENCES ? 1 + i : 3 + i);
        draws[i].vertices = vertices;
        draws[i].draw = (VkDrawIndirectCommand){ROW_VERTICES - 3 * (i % 3), 1, 0, 0};
    }
    s.draws = vkt_buffer_from(&s.t, draws, sizeof(draws), usage);
    s.dispatches = vkt_buffer_from(&s.t, dispatches, sizeof(dispatches), usage);
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
        .deviceGeneratedCommands = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME, &generated, 2}, {NULL, NULL, 0}};
    const VkPushConstantRange range = {PUSH_STAGES, 0, sizeof(struct row_push)};
    const VkPushConstantRange two = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 8};
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_COMPUTE_BIT, NULL};
    struct vkt_options options = vkt_parse("generated", argc, argv);
    options.extensions = extensions;
    options.addresses = true;
    options.maintenance = 5;
    vkt_init(&s.t, &options);
    const struct row_places row = row_places();
    s.places = vkt_buffer_from(&s.t, &row, sizeof(row),
                               VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                                   VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    s.words = vkt_buffer(&s.t, WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    s.layout = vkt_layout(&s.t, NULL, 0, &range, 1);
    const VkDescriptorSetLayout set_layout = vkt_set_layout(&s.t, &binding, 1);
    s.compute_layout = vkt_layout(&s.t, &set_layout, 1, &two, 1);
    s.set = vkt_set(&s.t, set_layout, &binding, 1);
    vkt_write_buffer(&s.t, s.set, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.words.buffer, 0,
                     VK_WHOLE_SIZE);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, ROW_SIDE_PX, ROW_SIDE_PX);
    make_sequences();
    make_pipelines();
    try_adjacency();
    make_layouts();
    make_set();
    make_scratch();
    check_report();
    run_draws();
    run_dispatches();
    return vkt_finish(&s.t);
}
#else
int main(int argc, char **argv)
{
    (void)vkt_parse("generated", argc, argv);
    vkt_skip("the Vulkan headers are older than VK_EXT_device_generated_commands");
}
#endif
