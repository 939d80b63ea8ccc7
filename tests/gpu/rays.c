/* SPDX-License-Identifier: MIT
 *
 * Acceleration structures around geometry shaders: ray queries in vertex and geometry shaders, of
 * structures that are bound, pushed or pushed with a template, and a ray tracing pipeline that is
 * bound before a pass with emulated draws and traces after it.
 */
#include "common/vkt.h"

#include "rays_geom.h"
#include "rays_rchit.h"
#include "rays_rgen.h"
#include "rays_rmiss.h"
#include "rays_vert.h"
#include "value_frag.h"

#include <string.h>

#define SIDE_PX 32u
#define POINTS (SIDE_PX * SIDE_PX)
#define STRUCTURES 2u
#define ALL_STAGES                                                                                 \
    (VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT | VK_SHADER_STAGE_RAYGEN_BIT_KHR)

struct structure {
    struct vkt_buffer storage, scratch;
    VkAccelerationStructureKHR handle;
    VkDeviceAddress address;
};

static struct suite {
    struct vkt t;
    struct vkt_buffer results, table;
    struct structure meshes[STRUCTURES], scenes[STRUCTURES];
    VkDescriptorSetLayout bound_layout, pushed_layout;
    VkDescriptorSet set;
    VkPipelineLayout bound, pushed;
    VkDescriptorUpdateTemplate template;
    VkPipeline rays;
    VkStridedDeviceAddressRegionKHR regions[3]; /* ray generation, miss, hit */
    struct vkt_target target;
} s;

struct push {
    float step[2];
    uint32_t which;
};

static VkDeviceAddress address_of(const struct vkt_buffer *buffer)
{
    return vkGetBufferDeviceAddress(s.t.device,
                                    &(VkBufferDeviceAddressInfo){
                                        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                        .buffer = buffer->buffer,
                                    });
}

static struct vkt_buffer addressed(const void *data, VkDeviceSize size_B, VkBufferUsageFlags usage)
{
    const struct vkt_buffer buffer =
        vkt_buffer(&s.t, size_B, usage | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, 0);
    if (data)
        memcpy(buffer.map, data, size_B);
    return buffer;
}

static void destroy_structure(struct vkt *t, uint64_t handle)
{
    vkDestroyAccelerationStructureKHR(t->device, (VkAccelerationStructureKHR)handle, NULL);
}

static void build(struct structure *built, VkAccelerationStructureTypeKHR type,
                  const VkAccelerationStructureGeometryKHR *geometry, uint32_t primitives)
{
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = type,
        .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .geometryCount = 1,
        .pGeometries = geometry,
    };
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    vkGetAccelerationStructureBuildSizesKHR(
        s.t.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &info, &primitives, &sizes);
    built->storage = addressed(NULL, sizes.accelerationStructureSize,
                               VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
    built->scratch =
        addressed(NULL, sizes.buildScratchSize + 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    VKT_CALL(vkCreateAccelerationStructureKHR(
        s.t.device,
        &(VkAccelerationStructureCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
            .buffer = built->storage.buffer,
            .size = sizes.accelerationStructureSize,
            .type = type,
        },
        NULL, &built->handle));
    vkt_defer(&s.t, destroy_structure, (uint64_t)built->handle);
    info.dstAccelerationStructure = built->handle;
    info.scratchData.deviceAddress = (address_of(&built->scratch) + 255) & ~(uint64_t)255;
    const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = primitives},
                                                   *ranges = &range;
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBuildAccelerationStructuresKHR(cmd, 1, &info, &ranges);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    built->address = vkGetAccelerationStructureDeviceAddressKHR(
        s.t.device, &(VkAccelerationStructureDeviceAddressInfoKHR){
                        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
                        .accelerationStructure = built->handle,
                    });
}

/* Two triangles in other places, and one or two instances of them. */
static void build_scene(uint32_t number)
{
    const float z = 2.0f + (float)number;
    const float corners[6][3] = {{-0.9f, -0.9f, z}, {0.1f, -0.9f, z},       {-0.9f, 0.1f, z},
                                 {0.3f, 0.3f, z},   {0.8f, 0.3f, z + 1.0f}, {0.3f, 0.8f, z}};
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
    const struct vkt_buffer vertices = addressed(corners, sizeof(corners), usage);
    build(&s.meshes[number], VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
          &(VkAccelerationStructureGeometryKHR){
              .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
              .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
              .geometry.triangles =
                  {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
                   .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                   .vertexData.deviceAddress = address_of(&vertices),
                   .vertexStride = sizeof(corners[0]),
                   .maxVertex = 5,
                   .indexType = VK_INDEX_TYPE_NONE_KHR},
              .flags = VK_GEOMETRY_OPAQUE_BIT_KHR,
          },
          2);
    VkAccelerationStructureInstanceKHR instances[2];
    memset(instances, 0, sizeof(instances));
    for (uint32_t i = 0; i < 2; i++) {
        instances[i].transform = (VkTransformMatrixKHR){
            {{1, 0, 0, (float)i * 0.4f}, {0, 1, 0, (float)i * -0.3f}, {0, 0, 1, (float)i * 2.0f}}};
        instances[i].mask = 0xff;
        instances[i].accelerationStructureReference = s.meshes[number].address;
    }
    const struct vkt_buffer input = addressed(instances, sizeof(instances), usage);
    build(&s.scenes[number], VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
          &(VkAccelerationStructureGeometryKHR){
              .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
              .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
              .geometry.instances =
                  {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                   .data.deviceAddress = address_of(&input)},
          },
          1 + number);
}

/* -- descriptors -- */

static void destroy_template(struct vkt *t, uint64_t handle)
{
    vkDestroyDescriptorUpdateTemplate(t->device, (VkDescriptorUpdateTemplate)handle, NULL);
}

static void destroy_set_layout(struct vkt *t, uint64_t handle)
{
    vkDestroyDescriptorSetLayout(t->device, (VkDescriptorSetLayout)handle, NULL);
}

static void make_layouts(void)
{
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, STRUCTURES, ALL_STAGES, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_RAYGEN_BIT_KHR, NULL}};
    const VkPushConstantRange ranges[2] = {
        {VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0, sizeof(struct push)},
        {VK_SHADER_STAGE_RAYGEN_BIT_KHR, 16, 8}};
    s.bound_layout = vkt_set_layout(&s.t, bindings, 2);
    s.set = vkt_set(&s.t, s.bound_layout, bindings, 2);
    s.bound = vkt_layout(&s.t, &s.bound_layout, 1, ranges, 2);
    VKT_CALL(vkCreateDescriptorSetLayout(
        s.t.device,
        &(VkDescriptorSetLayoutCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
            .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
            .bindingCount = 1,
            .pBindings = bindings,
        },
        NULL, &s.pushed_layout));
    vkt_defer(&s.t, destroy_set_layout, (uint64_t)s.pushed_layout);
    s.pushed = vkt_layout(&s.t, &s.pushed_layout, 1, ranges, 1);
    VkDescriptorUpdateTemplateEntry entries[STRUCTURES];
    for (uint32_t i = 0; i < STRUCTURES; i++)
        entries[i] = (VkDescriptorUpdateTemplateEntry){
            .dstArrayElement = i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR,
            .offset = i * sizeof(VkAccelerationStructureKHR),
        };
    VKT_CALL(vkCreateDescriptorUpdateTemplate(
        s.t.device,
        &(VkDescriptorUpdateTemplateCreateInfo){
            .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
            .descriptorUpdateEntryCount = STRUCTURES,
            .pDescriptorUpdateEntries = entries,
            .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_PUSH_DESCRIPTORS_KHR,
            .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
            .pipelineLayout = s.pushed,
        },
        NULL, &s.template));
    vkt_defer(&s.t, destroy_template, (uint64_t)s.template);
}

/* `first` scene, then the other one: to the set, or pushed. */
static void write_scenes(VkCommandBuffer cmd, uint32_t first)
{
    const VkAccelerationStructureKHR handles[STRUCTURES] = {s.scenes[first].handle,
                                                            s.scenes[1 - first].handle};
    const VkWriteDescriptorSetAccelerationStructureKHR structures = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR,
        .accelerationStructureCount = STRUCTURES,
        .pAccelerationStructures = handles};
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .pNext = &structures,
                                        .dstSet = cmd ? VK_NULL_HANDLE : s.set,
                                        .descriptorCount = STRUCTURES,
                                        .descriptorType =
                                            VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
    if (cmd && first)
        vkCmdPushDescriptorSetWithTemplateKHR(cmd, s.template, s.pushed, 0, handles);
    else if (cmd)
        vkCmdPushDescriptorSetKHR(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.pushed, 0, 1, &write);
    else
        vkUpdateDescriptorSets(s.t.device, 1, &write, 0, NULL);
}

/* -- the ray tracing pipeline -- */

static VkShaderModule module_of(struct vkt_code code)
{
    VkShaderModule module;
    VKT_CALL(vkCreateShaderModule(
        s.t.device,
        &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                    .codeSize = code.size_B,
                                    .pCode = code.words},
        NULL, &module));
    return module;
}

static void destroy_pipeline(struct vkt *t, uint64_t handle)
{
    vkDestroyPipeline(t->device, (VkPipeline)handle, NULL);
}

static void make_rays(void)
{
    static const VkShaderStageFlagBits stages[3] = {VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                    VK_SHADER_STAGE_MISS_BIT_KHR,
                                                    VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR};
    const struct vkt_code codes[3] = {VKT_CODE(rays_rgen), VKT_CODE(rays_rmiss),
                                      VKT_CODE(rays_rchit)};
    VkPipelineShaderStageCreateInfo infos[3];
    VkRayTracingShaderGroupCreateInfoKHR groups[3];
    for (uint32_t i = 0; i < 3; i++) {
        infos[i] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .stage = stages[i],
            .module = module_of(codes[i]),
            .pName = "main"};
        groups[i] = (VkRayTracingShaderGroupCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
            .type = i < 2 ? VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR
                          : VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR,
            .generalShader = i < 2 ? i : VK_SHADER_UNUSED_KHR,
            .closestHitShader = i < 2 ? VK_SHADER_UNUSED_KHR : i,
            .anyHitShader = VK_SHADER_UNUSED_KHR,
            .intersectionShader = VK_SHADER_UNUSED_KHR};
    }
    VKT_CALL(vkCreateRayTracingPipelinesKHR(
        s.t.device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1,
        &(VkRayTracingPipelineCreateInfoKHR){
            .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
            .stageCount = 3,
            .pStages = infos,
            .groupCount = 3,
            .pGroups = groups,
            .maxPipelineRayRecursionDepth = 1,
            .layout = s.bound},
        NULL, &s.rays));
    vkt_defer(&s.t, destroy_pipeline, (uint64_t)s.rays);
    for (uint32_t i = 0; i < 3; i++)
        vkDestroyShaderModule(s.t.device, infos[i].module, NULL);

    VkPhysicalDeviceRayTracingPipelinePropertiesKHR rays = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_PROPERTIES_KHR};
    vkGetPhysicalDeviceProperties2(
        s.t.physical, &(VkPhysicalDeviceProperties2){
                          .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &rays});
    const uint32_t handle_B = rays.shaderGroupHandleSize, base_B = rays.shaderGroupBaseAlignment,
                   stride_B = (handle_B + base_B - 1) / base_B * base_B;
    unsigned char handles[3 * 64];
    if (handle_B > 64)
        vkt_die("large group handles");
    VKT_CALL(vkGetRayTracingShaderGroupHandlesKHR(s.t.device, s.rays, 0, 3, 3 * handle_B, handles));
    s.table = addressed(NULL, 4 * stride_B, VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
    const VkDeviceAddress start = address_of(&s.table),
                          aligned = (start + base_B - 1) / base_B * base_B;
    for (uint32_t i = 0; i < 3; i++) {
        memcpy((char *)s.table.map + (aligned - start) + i * stride_B, handles + i * handle_B,
               handle_B);
        s.regions[i] =
            (VkStridedDeviceAddressRegionKHR){aligned + i * stride_B, stride_B, stride_B};
    }
}

static void trace(VkCommandBuffer cmd)
{
    const VkStridedDeviceAddressRegionKHR none = {0};
    vkCmdTraceRaysKHR(cmd, &s.regions[0], &s.regions[1], &s.regions[2], &none, SIDE_PX, SIDE_PX, 1);
}

/* -- draws -- */

static VkPipeline pipeline_of(VkPipelineLayout layout, bool geometry)
{
    return vkt_pipeline(&s.t, &(struct vkt_pipeline_info){
                                  .vs = VKT_CODE(rays_vert),
                                  .gs = geometry ? VKT_CODE(rays_geom) : (struct vkt_code){0},
                                  .fs = VKT_CODE(value_frag),
                                  .layout = layout,
                                  .pass = s.target.pass,
                                  .width_px = SIDE_PX,
                                  .height_px = SIDE_PX,
                                  .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                              });
}

static void draw(VkCommandBuffer cmd, VkPipelineLayout layout, uint32_t which, uint32_t first,
                 uint32_t count)
{
    const struct push push = {{0.25f, -0.125f}, which};
    vkCmdPushConstants(cmd, layout, VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT, 0,
                       sizeof(push), &push);
    vkCmdDraw(cmd, count, 1, first, 0);
}

static void expect_some(const char *name, const uint32_t *numbers)
{
    uint32_t different = 0;
    for (uint32_t i = 1; i < POINTS; i++)
        different += numbers[i] != numbers[i - 1];
    VKT_EXPECT(&s.t, different > 20, "%s: only %u changes", name, different);
}

static void dump(const char *name)
{
    const struct vkt_buffer pixels = vkt_image_read(&s.t, &s.target.color, 4);
    expect_some(name, pixels.map);
    vkt_dump_image(&s.t, name, pixels.map, SIDE_PX, SIDE_PX, 4);
}

/* The state of the ray tracing pipeline lies around that of the layer's dispatches. */
static void draw_bound(const char *name, bool geometry)
{
    const uint32_t pushes[2] = {0, 1};
    const VkPipeline pipeline = pipeline_of(s.bound, geometry);
    memset(s.results.map, 0, s.results.size_B);
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, s.rays);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, s.bound, 0, 1, &s.set, 0,
                            NULL);
    vkCmdPushConstants(cmd, s.bound, VK_SHADER_STAGE_RAYGEN_BIT_KHR, 16, sizeof(pushes), pushes);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s.bound, 0, 1, &s.set, 0, NULL);
    draw(cmd, s.bound, 0, 0, POINTS / 2);
    draw(cmd, s.bound, 1, POINTS / 2, POINTS / 2);
    vkCmdEndRenderPass(cmd);
    trace(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    dump(name);
    char traced[64];
    snprintf(traced, sizeof(traced), "traced/%s", name);
    expect_some(traced, s.results.map);
    vkt_dump_buffer(&s.t, traced, s.results.map, POINTS * 4);
}

static void draw_pushed(void)
{
    const VkPipeline pipelines[2] = {pipeline_of(s.pushed, true), pipeline_of(s.pushed, false)};
    const VkCommandBuffer cmd = vkt_commands(&s.t);
    vkt_begin(cmd, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    vkt_target_begin(cmd, &s.target, false, VK_SUBPASS_CONTENTS_INLINE);
    for (uint32_t i = 0; i < 4; i++) {
        vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i == 2]);
        write_scenes(cmd, i % 2);
        draw(cmd, s.pushed, i / 2, POINTS / 4 * i, POINTS / 4);
    }
    vkCmdEndRenderPass(cmd);
    vkt_barrier_all(cmd);
    vkt_submit(&s.t, cmd);
    dump("pushed");
}

int main(int argc, char **argv)
{
    VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
        .accelerationStructure = VK_TRUE};
    VkPhysicalDeviceRayQueryFeaturesKHR queries = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, .rayQuery = VK_TRUE};
    VkPhysicalDeviceRayTracingPipelineFeaturesKHR pipelines = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
        .rayTracingPipeline = VK_TRUE};
    const struct vkt_extension extensions[] = {
        {VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, NULL, 0},
        {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME, &structures, 5},
        {VK_KHR_RAY_QUERY_EXTENSION_NAME, &queries, 1},
        {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, &pipelines, 5},
        {NULL, NULL, 0}};
    struct vkt_options options = vkt_parse("rays", argc, argv);
    options.addresses = true;
    options.push_descriptors = true;
    options.extensions = extensions;
    vkt_init(&s.t, &options);
    s.target = vkt_target(&s.t, VK_FORMAT_R32_UINT, VK_FORMAT_UNDEFINED, SIDE_PX, SIDE_PX);
    s.results = vkt_buffer(&s.t, POINTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0);
    for (uint32_t i = 0; i < STRUCTURES; i++)
        build_scene(i);
    make_layouts();
    make_rays();
    write_scenes(VK_NULL_HANDLE, 0);
    vkt_write_buffer(&s.t, s.set, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, s.results.buffer, 0,
                     VK_WHOLE_SIZE);
    draw_bound("bound", true);
    write_scenes(VK_NULL_HANDLE, 1); /* mirrors follow */
    draw_bound("rewritten", true);
    draw_bound("native", false);
    draw_pushed();
    return vkt_finish(&s.t);
}
