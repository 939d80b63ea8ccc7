/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <string.h>

#include "starved_frag.h"
#include "starved_geom.h"
#include "starved_layers_geom.h"
#include "starved_tesc.h"
#include "starved_tese.h"
#include "starved_vert.h"

#define FORMAT VK_FORMAT_R8G8B8A8_UNORM
#define VERTICES 96
#define CAPTURED_VERTICES 696
/* In SCENE_INPUT. */
/* lavapipe 22.3 takes the indices of indirect draws from the start of their buffer. */
enum {
    INDEX_OFFSET_B = 0,
    VERTEX_OFFSET_B = 4096,
    ARGUMENTS_OFFSET_B = 8192,
    SHADES_OFFSET_B = 12288,
    LIST_OFFSET_B = 2048,
    INDICES = 200,
    LIST_INDICES = 240,
    MANY_INSTANCES = 3 /* more GS invocations than a tile of the layer has */
};

static struct scene_place failed_at; /* the innermost */

#define TRY(call)                                                                                  \
    do {                                                                                           \
        const VkResult result_ = (call);                                                           \
        if (result_ != VK_SUCCESS) {                                                               \
            failed_at = failed_at.function ? failed_at : (struct scene_place){__func__, __LINE__}; \
            return result_;                                                                        \
        }                                                                                          \
    } while (0)

struct scene_place scene_failed_at(void)
{
    return failed_at;
}

/* -- instance and device -- */

static VkResult make_instance(struct scene *s)
{
    char list[512];
    const char *names[8];
    uint32_t count = 0;
    char *state = NULL;
    snprintf(list, sizeof(list), "%s", s->options->layers ? s->options->layers : "");
    for (char *name = strtok_r(list, ":", &state); name && count < VKT_COUNT(names);
         name = strtok_r(NULL, ":", &state))
        names[count++] = name;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
        .enabledLayerCount = count,
        .ppEnabledLayerNames = names,
    };
    VkInstance made;
    TRY(vkCreateInstance(&info, NULL, &made));
    s->instance = made; /* on failure it is undefined */
    uint32_t physical_count = 1;
    const VkResult result = vkEnumeratePhysicalDevices(s->instance, &physical_count, &s->physical);
    TRY(result == VK_INCOMPLETE ? VK_SUCCESS : result);
    return VK_SUCCESS;
}

static VkResult make_device(struct scene *s)
{
    static const float priority = 1.0f;
    static const char *const extension = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME;
    VkPhysicalDeviceTransformFeedbackFeaturesEXT xfb = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
        .transformFeedback = VK_TRUE};
    const VkPhysicalDeviceFeatures features = {
        .geometryShader = VK_TRUE, .tessellationShader = VK_TRUE, .multiDrawIndirect = VK_TRUE};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &xfb,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = 1,
                                     .ppEnabledExtensionNames = &extension,
                                     .pEnabledFeatures = &features};
    VkDevice made;
    TRY(vkCreateDevice(s->physical, &info, NULL, &made));
    s->device = made;
    vkGetDeviceQueue(s->device, 0, 0, &s->queue);
    return VK_SUCCESS;
}

VkResult scene_open(struct scene *s, const struct vkt_options *options)
{
    *s = (struct scene){.options = options};
    failed_at = (struct scene_place){NULL, 0};
    TRY(make_instance(s));
    return make_device(s);
}

void scene_close(struct scene *s)
{
    if (s->device)
        vkDestroyDevice(s->device, NULL);
    if (s->instance)
        vkDestroyInstance(s->instance, NULL);
}

/* -- memory -- */

/* Memory of any type that will do. */
static VkResult take_memory(const struct scene *s, const VkMemoryRequirements *needs,
                            VkMemoryPropertyFlags want, VkDeviceMemory *memory)
{
    VkPhysicalDeviceMemoryProperties types;
    vkGetPhysicalDeviceMemoryProperties(s->physical, &types);
    uint32_t type = 0;
    while (type < types.memoryTypeCount && (!(needs->memoryTypeBits >> type & 1) ||
                                            (types.memoryTypes[type].propertyFlags & want) != want))
        type++;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs->size,
                                       .memoryTypeIndex = type};
    VkDeviceMemory made;
    TRY(vkAllocateMemory(s->device, &info, NULL, &made));
    *memory = made;
    return VK_SUCCESS;
}

static VkResult make_buffer(struct scene *s, enum scene_buffer which)
{
    static const VkBufferUsageFlags usages[SCENE_BUFFERS] = {
        [SCENE_INPUT] = VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
                        VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
        [SCENE_CAPTURED] =
            VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT,
        [SCENE_COUNTER] = VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT |
                          VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
        [SCENE_READ] = VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    };
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = SCENE_BUFFER_B,
                                     .usage = usages[which]};
    VkBuffer made;
    VkMemoryRequirements needs;
    void *map;
    TRY(vkCreateBuffer(s->device, &info, NULL, &made));
    s->buffers[which] = made;
    vkGetBufferMemoryRequirements(s->device, made, &needs);
    TRY(take_memory(s, &needs,
                    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                    &s->memories[which]));
    TRY(vkBindBufferMemory(s->device, made, s->memories[which], 0));
    TRY(vkMapMemory(s->device, s->memories[which], 0, VK_WHOLE_SIZE, 0, &map));
    s->maps[which] = map;
    memset(map, 0, SCENE_BUFFER_B);
    return VK_SUCCESS;
}

static void fill_input(uint8_t *input)
{
    float *place = (float *)(input + VERTEX_OFFSET_B);
    for (uint32_t i = 0; i < VERTICES; i++) {
        const float values[4] = {(float)(i * 7 % 31) / 16.0f - 0.9375f,
                                 (float)(i * 5 % 29) / 16.0f - 0.875f, 0.25f, (float)(i * 3 % 8)};
        memcpy(place + (size_t)i * 4, values, sizeof(values));
    }
    uint16_t *indices = (uint16_t *)(input + INDEX_OFFSET_B);
    for (uint32_t i = 0; i < INDICES; i++)
        indices[i] = i % 11 == 10 ? 0xffff : (uint16_t)(i * 13 % (VERTICES - 8));
    uint16_t *list = (uint16_t *)(input + LIST_OFFSET_B);
    for (uint32_t i = 0; i < LIST_INDICES; i++)
        list[i] = (uint16_t)(i * 11 % VERTICES);
    const VkDrawIndirectCommand draws[2] = {{5, 2, 3, 0}, {7, 1, 20, 1}};
    memcpy(input + ARGUMENTS_OFFSET_B, draws, sizeof(draws));
    const VkDrawIndexedIndirectCommand indexed[3] = {
        {30, 1, 4, 2, 0}, {0, 1, 0, 0, 0}, {21, 2, 60, -1, 0}};
    memcpy(input + ARGUMENTS_OFFSET_B + 256, indexed, sizeof(indexed));
    const float shades[16] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1};
    memcpy(input + SHADES_OFFSET_B, shades, sizeof(shades));
}

static VkResult make_image(struct scene *s)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = FORMAT,
        .extent = {SCENE_SIZE_PX, SCENE_SIZE_PX, 1},
        .mipLevels = 1,
        .arrayLayers = SCENE_LAYERS,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    VkMemoryRequirements needs;
    VkImage image;
    VkImageView view;
    TRY(vkCreateImage(s->device, &info, NULL, &image));
    s->image = image;
    vkGetImageMemoryRequirements(s->device, image, &needs);
    TRY(take_memory(s, &needs, 0, &s->image_memory));
    TRY(vkBindImageMemory(s->device, image, s->image_memory, 0));
    const VkImageViewCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = FORMAT,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, SCENE_LAYERS}};
    TRY(vkCreateImageView(s->device, &view_info, NULL, &view));
    s->view = view;
    return VK_SUCCESS;
}

/* -- passes and layouts -- */

static VkResult make_pass(struct scene *s, unsigned which)
{
    const bool load = which == 1;
    const VkAttachmentDescription color = {
        .format = FORMAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .initialLayout = load ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
    };
    const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
                                          .pColorAttachments = &reference};
    const VkPipelineStageFlags written = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
    const VkPipelineStageFlags both = written | VK_PIPELINE_STAGE_TRANSFER_BIT;
    const VkAccessFlags color_access =
        VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    const VkSubpassDependency dependencies[2] = {
        {VK_SUBPASS_EXTERNAL, 0, written, written, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
         color_access, 0},
        {0, VK_SUBPASS_EXTERNAL, written, both, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
         color_access | VK_ACCESS_TRANSFER_READ_BIT, 0}};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &color,
        .subpassCount = 1,
        .pSubpasses = &subpass,
        .dependencyCount = 2,
        .pDependencies = dependencies,
    };
    VkRenderPass made;
    TRY(vkCreateRenderPass(s->device, &info, NULL, &made));
    s->passes[which] = made;
    return VK_SUCCESS;
}

static VkResult make_framebuffer(struct scene *s)
{
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = s->passes[0],
        .attachmentCount = 1,
        .pAttachments = &s->view,
        .width = SCENE_SIZE_PX,
        .height = SCENE_SIZE_PX,
        .layers = SCENE_LAYERS,
    };
    VkFramebuffer made;
    TRY(vkCreateFramebuffer(s->device, &info, NULL, &made));
    s->framebuffer = made;
    return VK_SUCCESS;
}

static VkResult make_set(struct scene *s)
{
    const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                  VK_SHADER_STAGE_GEOMETRY_BIT, NULL};
    const VkDescriptorSetLayoutCreateInfo layout_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &binding};
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
    const VkDescriptorPoolCreateInfo pool_info = {.sType =
                                                      VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                  .maxSets = 1,
                                                  .poolSizeCount = 1,
                                                  .pPoolSizes = &size};
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    TRY(vkCreateDescriptorSetLayout(s->device, &layout_info, NULL, &layout));
    s->set_layout = layout;
    TRY(vkCreateDescriptorPool(s->device, &pool_info, NULL, &pool));
    s->set_pool = pool;
    const VkDescriptorSetAllocateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &layout};
    TRY(vkAllocateDescriptorSets(s->device, &set_info, &s->set));
    const VkDescriptorBufferInfo shades = {s->buffers[SCENE_INPUT], SHADES_OFFSET_B, 64};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = s->set,
                                        .descriptorCount = 1,
                                        .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                        .pBufferInfo = &shades};
    vkUpdateDescriptorSets(s->device, 1, &write, 0, NULL);
    return VK_SUCCESS;
}

static VkResult make_layout(struct scene *s)
{
    const VkPushConstantRange range = {VK_SHADER_STAGE_GEOMETRY_BIT, 0, 4};
    const VkPipelineLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &s->set_layout,
        .pushConstantRangeCount = 1,
        .pPushConstantRanges = &range,
    };
    VkPipelineLayout made;
    TRY(vkCreatePipelineLayout(s->device, &info, NULL, &made));
    s->layout = made;
    return VK_SUCCESS;
}

/* -- pipelines -- */

static const struct {
    VkShaderStageFlagBits stage;
    const uint32_t *words;
    size_t size_B;
    unsigned in; /* which pipelines, by bit */
} stages[SCENE_MODULES] = {
    {VK_SHADER_STAGE_VERTEX_BIT, starved_vert, sizeof(starved_vert), 7},
    {VK_SHADER_STAGE_FRAGMENT_BIT, starved_frag, sizeof(starved_frag), 7},
    {VK_SHADER_STAGE_GEOMETRY_BIT, starved_geom, sizeof(starved_geom), 1 << SCENE_GEOMETRY},
    {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, starved_tesc, sizeof(starved_tesc),
     1 << SCENE_TESSELLATION},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, starved_tese, sizeof(starved_tese),
     1 << SCENE_TESSELLATION},
    {VK_SHADER_STAGE_GEOMETRY_BIT, starved_layers_geom, sizeof(starved_layers_geom),
     1 << SCENE_LAYERED},
};

static VkResult make_modules(struct scene *s)
{
    for (int i = 0; i < SCENE_MODULES; i++) {
        const VkShaderModuleCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
            .codeSize = stages[i].size_B,
            .pCode = stages[i].words,
        };
        VkShaderModule made;
        TRY(vkCreateShaderModule(s->device, &info, NULL, &made));
        s->modules[i] = made;
    }
    return VK_SUCCESS;
}

static VkResult make_pipeline(struct scene *s, enum scene_pipeline which)
{
    static const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32A32_SFLOAT,
                                                                0};
    static const VkViewport viewport = {0, 0, SCENE_SIZE_PX, SCENE_SIZE_PX, 0, 1};
    static const VkRect2D scissor = {{0, 0}, {SCENE_SIZE_PX, SCENE_SIZE_PX}};
    static const VkPrimitiveTopology topologies[SCENE_PIPELINES] = {
        [SCENE_GEOMETRY] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        [SCENE_TESSELLATION] = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
        [SCENE_LAYERED] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
    };
    VkPipelineShaderStageCreateInfo infos[SCENE_MODULES];
    uint32_t count = 0;
    for (int i = 0; i < SCENE_MODULES; i++)
        if (stages[i].in >> which & 1)
            infos[count++] = (VkPipelineShaderStageCreateInfo){
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = stages[i].stage,
                .module = s->modules[i],
                .pName = "main",
            };
    const VkPipelineVertexInputStateCreateInfo input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
        .vertexBindingDescriptionCount = 1,
        .pVertexBindingDescriptions = &binding,
        .vertexAttributeDescriptionCount = 1,
        .pVertexAttributeDescriptions = &attribute};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = topologies[which],
        .primitiveRestartEnable = which == SCENE_GEOMETRY};
    const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .patchControlPoints = 1};
    const VkPipelineViewportStateCreateInfo viewports = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
        .viewportCount = 1,
        .pViewports = &viewport,
        .scissorCount = 1,
        .pScissors = &scissor};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1.0f};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 15};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
        .attachmentCount = 1,
        .pAttachments = &attachment};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
        .stageCount = count,
        .pStages = infos,
        .pVertexInputState = &input,
        .pInputAssemblyState = &assembly,
        .pTessellationState = which == SCENE_TESSELLATION ? &tessellation : NULL,
        .pViewportState = &viewports,
        .pRasterizationState = &raster,
        .pMultisampleState = &samples,
        .pColorBlendState = &blend,
        .layout = s->layout,
        .renderPass = s->passes[0],
        .basePipelineIndex = -1,
    };
    TRY(vkCreateGraphicsPipelines(s->device, VK_NULL_HANDLE, 1, &info, NULL, &s->pipelines[which]));
    return VK_SUCCESS;
}

/* -- the rest of the objects -- */

static VkResult make_commands(struct scene *s)
{
    const VkQueryPoolCreateInfo query_info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT,
        .queryCount = 2,
    };
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkQueryPool queries;
    VkCommandPool pool;
    VkFence fence;
    TRY(vkCreateQueryPool(s->device, &query_info, NULL, &queries));
    s->queries = queries;
    TRY(vkCreateCommandPool(s->device, &pool_info, NULL, &pool));
    s->pool = pool;
    TRY(vkCreateFence(s->device, &fence_info, NULL, &fence));
    s->fence = fence;
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .commandPool = pool,
                                        .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
                                        .commandBufferCount = 1};
    TRY(vkAllocateCommandBuffers(s->device, &info, &s->secondary));
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    TRY(vkAllocateCommandBuffers(s->device, &info, &s->primary));
    return VK_SUCCESS;
}

static VkResult make_objects(struct scene *s)
{
    TRY(make_modules(s));
    for (int i = 0; i < SCENE_BUFFERS; i++)
        TRY(make_buffer(s, i));
    fill_input(s->maps[SCENE_INPUT]);
    TRY(make_image(s));
    TRY(make_pass(s, 0));
    TRY(make_pass(s, 1));
    TRY(make_framebuffer(s));
    TRY(make_set(s));
    TRY(make_layout(s));
    for (int i = 0; i < SCENE_PIPELINES; i++)
        TRY(make_pipeline(s, i));
    return make_commands(s);
}

/* -- recording -- */

static void bind(const struct scene *s, VkCommandBuffer cb, enum scene_pipeline which)
{
    const VkDeviceSize offset_B = VERTEX_OFFSET_B;
    const uint32_t most = 3;
    vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipelines[which]);
    vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0, NULL);
    vkCmdPushConstants(cb, s->layout, VK_SHADER_STAGE_GEOMETRY_BIT, 0, 4, &most);
    vkCmdBindVertexBuffers(cb, 0, 1, &s->buffers[SCENE_INPUT], &offset_B);
}

static VkResult record_secondary(const struct scene *s)
{
    const VkCommandBuffer cb = s->secondary;
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .renderPass = s->passes[1]};
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherited,
    };
    TRY(vkBeginCommandBuffer(cb, &begin));
    bind(s, cb, SCENE_GEOMETRY);
    vkCmdBindIndexBuffer(cb, s->buffers[SCENE_INPUT], INDEX_OFFSET_B, VK_INDEX_TYPE_UINT16);
    vkCmdDraw(cb, 20, 2, 0, 0);
    vkCmdDrawIndexed(cb, 50, 1, 3, 1, 0);
    vkCmdDrawIndexedIndirect(cb, s->buffers[SCENE_INPUT], ARGUMENTS_OFFSET_B + 256, 3, 20);
    TRY(vkEndCommandBuffer(cb));
    return VK_SUCCESS;
}

static void record_captures(const struct scene *s)
{
    const VkCommandBuffer cb = s->primary;
    const VkDeviceSize offsets[2] = {0, 32768}, sizes[2] = {32768, 32768}, zero = 0;
    const VkBuffer captured[2] = {s->buffers[SCENE_CAPTURED], s->buffers[SCENE_CAPTURED]};
    bind(s, cb, SCENE_TESSELLATION);
    vkCmdBindTransformFeedbackBuffersEXT(cb, 0, 2, captured, offsets, sizes);
    vkCmdBeginTransformFeedbackEXT(cb, 0, 0, NULL, NULL);
    vkCmdDraw(cb, 12, 1, 0, 0);
    vkCmdDrawIndirect(cb, s->buffers[SCENE_INPUT], ARGUMENTS_OFFSET_B, 2, 16);
    vkCmdEndTransformFeedbackEXT(cb, 0, 1, &s->buffers[SCENE_COUNTER], &zero);
    vkCmdDraw(cb, 10, 2, 40, 0);
}

static void begin_pass(const struct scene *s, unsigned which, VkSubpassContents contents)
{
    const VkClearValue clear = {.color.float32 = {0.125f, 0.25f, 0.5f, 1.0f}};
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = s->passes[which],
        .framebuffer = s->framebuffer,
        .renderArea = {{0, 0}, {SCENE_SIZE_PX, SCENE_SIZE_PX}},
        .clearValueCount = 1,
        .pClearValues = &clear,
    };
    vkCmdBeginRenderPass(s->primary, &info, contents);
}

static void barrier(VkCommandBuffer cb, VkPipelineStageFlags from, VkAccessFlags written,
                    VkPipelineStageFlags to, VkAccessFlags read)
{
    const VkMemoryBarrier info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = written, .dstAccessMask = read};
    vkCmdPipelineBarrier(cb, from, to, 0, 1, &info, 0, NULL, 0, NULL);
}

/* Draws that the layer sifts, and one whose counts it reads later, if a setting or a GPU lets it.
 */
static void record_large(const struct scene *s)
{
    const VkCommandBuffer cb = s->primary;
    bind(s, cb, SCENE_LAYERED);
    vkCmdBindIndexBuffer(cb, s->buffers[SCENE_INPUT], LIST_OFFSET_B, VK_INDEX_TYPE_UINT16);
    vkCmdDraw(cb, VERTICES - 6, 1, 3, 0);
    vkCmdDrawIndexed(cb, LIST_INDICES, 1, 0, 0, 0);
    bind(s, cb, SCENE_GEOMETRY);
    vkCmdDraw(cb, VERTICES, MANY_INSTANCES, 0, 0);
}

static void record_passes(const struct scene *s)
{
    const VkCommandBuffer cb = s->primary;
    const VkDeviceSize colors_offset_B = SCENE_BUFFER_B / 2;
    vkCmdResetQueryPool(cb, s->queries, 0, 2);
    vkCmdBeginQueryIndexedEXT(cb, s->queries, 0, 0, 0);
    begin_pass(s, 0, VK_SUBPASS_CONTENTS_INLINE);
    record_captures(s);
    vkCmdEndRenderPass(cb);
    vkCmdEndQueryIndexedEXT(cb, s->queries, 0, 0);
    barrier(cb, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
            VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT |
                VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT,
            VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
            VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
    begin_pass(s, 1, VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
    vkCmdExecuteCommands(cb, 1, &s->secondary);
    vkCmdEndRenderPass(cb);
    begin_pass(s, 1, VK_SUBPASS_CONTENTS_INLINE);
    bind(s, cb, SCENE_GEOMETRY);
    vkCmdBindVertexBuffers(cb, 0, 1, &s->buffers[SCENE_CAPTURED], &colors_offset_B);
    if (!vkt_has_layer(s->options, "poly_gs"))
        vkCmdDraw(cb, CAPTURED_VERTICES, 1, 0, 0); /* lavapipe 22.3 draws the other one wrong */
    else
        vkCmdDrawIndirectByteCountEXT(cb, 1, 0, s->buffers[SCENE_COUNTER], 0, 0, 16);
    record_large(s);
    vkCmdEndRenderPass(cb);
}

static VkResult record_primary(const struct scene *s)
{
    const VkCommandBuffer cb = s->primary;
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkBufferImageCopy copy = {
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, SCENE_LAYERS},
        .imageExtent = {SCENE_SIZE_PX, SCENE_SIZE_PX, 1}};
    TRY(vkBeginCommandBuffer(cb, &begin));
    record_passes(s);
    vkCmdCopyImageToBuffer(cb, s->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                           s->buffers[SCENE_READ], 1, &copy);
    vkCmdCopyQueryPoolResults(cb, s->queries, 0, 1, s->buffers[SCENE_COUNTER], SCENE_QUERY_OFFSET_B,
                              16, VK_QUERY_RESULT_WAIT_BIT);
    barrier(cb, VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
            VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT |
                VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
            VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    TRY(vkEndCommandBuffer(cb));
    return VK_SUCCESS;
}

/* -- a frame -- */

VkResult scene_frame(struct scene *s, struct scene_results *results)
{
    static const enum scene_buffer read[3] = {SCENE_CAPTURED, SCENE_COUNTER, SCENE_READ};
    failed_at = (struct scene_place){NULL, 0};
    TRY(make_objects(s));
    TRY(record_secondary(s));
    TRY(record_primary(s));
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &s->primary};
    TRY(vkQueueSubmit(s->queue, 1, &info, s->fence));
    TRY(vkWaitForFences(s->device, 1, &s->fence, VK_TRUE, UINT64_MAX));
    for (int i = 0; i < 3; i++)
        memcpy(results->bytes[i], s->maps[read[i]], SCENE_BUFFER_B);
    return VK_SUCCESS;
}

static void forget_objects(const struct scene *s)
{
    const VkDevice d = s->device;
    vkDestroyPipelineLayout(d, s->layout, NULL);
    vkDestroyDescriptorPool(d, s->set_pool, NULL);
    vkDestroyDescriptorSetLayout(d, s->set_layout, NULL);
    vkDestroyFramebuffer(d, s->framebuffer, NULL);
    for (int i = 0; i < 2; i++)
        vkDestroyRenderPass(d, s->passes[i], NULL);
    vkDestroyImageView(d, s->view, NULL);
    vkDestroyImage(d, s->image, NULL);
    vkFreeMemory(d, s->image_memory, NULL);
    for (int i = 0; i < SCENE_BUFFERS; i++) {
        vkDestroyBuffer(d, s->buffers[i], NULL);
        vkFreeMemory(d, s->memories[i], NULL);
    }
    for (int i = 0; i < SCENE_MODULES; i++)
        vkDestroyShaderModule(d, s->modules[i], NULL);
}

void scene_forget(struct scene *s)
{
    const VkDevice d = s->device;
    if (!d)
        return;
    vkDeviceWaitIdle(d); /* what was submitted may run where the wait for it has failed */
    vkDestroyFence(d, s->fence, NULL);
    vkDestroyCommandPool(d, s->pool, NULL);
    for (int i = 0; i < SCENE_PIPELINES; i++)
        vkDestroyPipeline(d, s->pipelines[i], NULL);
    vkDestroyQueryPool(d, s->queries, NULL);
    forget_objects(s);
    *s = (struct scene){.options = s->options,
                        .instance = s->instance,
                        .physical = s->physical,
                        .device = d,
                        .queue = s->queue};
}
