/* SPDX-License-Identifier: MIT
 *
 * A device under a profile, for the sources that enforce it.
 */
#ifndef PROFILES_DEVICE_INTERNAL_H
#define PROFILES_DEVICE_INTERNAL_H

#include "objects.h"
#include "profiles.h"

#include <stdatomic.h>

/* The commands that are looked at, under all of their names: vkName, vkNameKHR and vkNameEXT. */
#define PROFILE_COMMANDS(X)                                                                        \
    X(DestroyDevice)                                                                               \
    X(AllocateMemory)                                                                              \
    X(FreeMemory)                                                                                  \
    X(CreateBuffer)                                                                                \
    X(DestroyBuffer)                                                                               \
    X(CreateShaderModule)                                                                          \
    X(DestroyShaderModule)                                                                         \
    X(CreateComputePipelines)                                                                      \
    X(CreateGraphicsPipelines)                                                                     \
    X(CreateDescriptorSetLayout)                                                                   \
    X(DestroyDescriptorSetLayout)                                                                  \
    X(CreatePipelineLayout)                                                                        \
    X(CreateQueryPool)                                                                             \
    X(UpdateDescriptorSets)                                                                        \
    X(CreateDescriptorUpdateTemplate)                                                              \
    X(DestroyDescriptorUpdateTemplate)                                                             \
    X(UpdateDescriptorSetWithTemplate)                                                             \
    X(CmdPushConstants)                                                                            \
    X(CmdBindDescriptorSets)                                                                       \
    X(CmdBindVertexBuffers)                                                                        \
    X(CmdBindVertexBuffers2)                                                                       \
    X(CmdSetVertexInputEXT)                                                                        \
    X(CmdDispatch)                                                                                 \
    X(CmdDrawIndirect)                                                                             \
    X(CmdDrawIndexedIndirect)                                                                      \
    X(CmdSetViewport)                                                                              \
    X(CmdSetScissor)                                                                               \
    X(CmdPushDescriptorSetKHR)                                                                     \
    X(CmdPushDescriptorSetWithTemplateKHR)

struct profile_device {
    void *key; /* the loader's dispatch table, which all objects of the device share */
    const struct profile *profile;
    PFN_vkGetDeviceProcAddr next;
    VkPhysicalDeviceLimits limits; /* as reported */
    /* Of sets that may be updated while they are bound; zero where the device has none. */
    VkPhysicalDeviceDescriptorIndexingProperties indexing;
    VkPhysicalDeviceFeatures features; /* enabled ones */
    uint32_t version;
    uint32_t spirv_version; /* the latest that the driver takes, as in the header of a module */
    uint64_t max_allocation_B;
    char **extensions; /* enabled ones */
    uint32_t extension_count;
    struct objects objects; /* modules, buffers, set layouts, update templates, memory */
    atomic_uint_fast64_t memory_B, memory_peak_B;
    atomic_uint pipelines, with_geometry, with_tessellation; /* graphics pipelines */
#define X(name) PFN_vk##name name;
    struct {
        PROFILE_COMMANDS(X)
    } vk;
#undef X
};

/* Of any dispatchable object of it. */
struct profile_device *profile_device_of(const void *dispatchable);
/* Something exceeds what the profile reports: a line, and the end if the tests want that. Returns
 * what the command has to return. */
VkResult profile_exceeded(const struct profile_device *device, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define HANDLE(handle) (uint64_t)(handle)

/* enforce_*.c: the commands. */
#define X(name) __typeof__(vk##name) profile_##name;
PROFILE_COMMANDS(X)
#undef X

#endif
