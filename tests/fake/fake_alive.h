/* SPDX-License-Identifier: MIT
 *
 * Objects of a fake driver: how many of each kind are alive, handles, and creations that fail. Unit
 * and mock tests build their drivers of it. To be included by one file of a program.
 */
#ifndef FAKE_ALIVE_H
#define FAKE_ALIVE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <vulkan/vulkan.h>

enum fake_kind {
    FAKE_BUFFER,
    FAKE_MEMORY,
    FAKE_IMAGE,
    FAKE_VIEW,
    FAKE_FRAMEBUFFER,
    FAKE_PASS,
    FAKE_MODULE,
    FAKE_LAYOUT,
    FAKE_SET_LAYOUT,
    FAKE_DESCRIPTOR_POOL,
    FAKE_PIPELINE,
    FAKE_KINDS
};

static struct {
    _Atomic int alive[FAKE_KINDS];
    int calls_until_failure;  /* 0: none fails */
    _Atomic uint64_t handles; /* the last one, shifted by handle_shift */
    int handle_shift;
} fakes;

static inline void fakes_reset(int handle_shift)
{
    memset(&fakes, 0, sizeof(fakes));
    fakes.handle_shift = handle_shift;
}

static inline int fakes_alive(void)
{
    int all = 0;
    for (int kind = 0; kind < FAKE_KINDS; kind++)
        all += fakes.alive[kind];
    return all;
}

static inline bool fake_fails(void)
{
    return fakes.calls_until_failure && --fakes.calls_until_failure == 0;
}

static inline uint64_t fake_new(enum fake_kind kind)
{
    fakes.alive[kind]++;
    return ++fakes.handles << fakes.handle_shift;
}

/* A VkResult; *made is a handle. */
#define FAKE_MAKE(kind, made)                                                                      \
    (fake_fails() ? VK_ERROR_OUT_OF_DEVICE_MEMORY                                                  \
                  : (*(made) = (void *)(uintptr_t)fake_new(kind), VK_SUCCESS))

#define FAKE_CREATES(name, kind, Info, Handle)                                                     \
    static inline VkResult name(VkDevice d, const Info *info,                                      \
                                const VkAllocationCallbacks *allocator, Handle *made)              \
    {                                                                                              \
        (void)d, (void)info, (void)allocator;                                                      \
        return FAKE_MAKE(kind, made);                                                              \
    }
#define FAKE_DESTROYS(name, kind, Handle)                                                          \
    static inline void name(VkDevice d, Handle gone, const VkAllocationCallbacks *allocator)       \
    {                                                                                              \
        (void)d, (void)allocator;                                                                  \
        fakes.alive[kind] -= gone != VK_NULL_HANDLE;                                               \
    }

FAKE_DESTROYS(fake_destroy_buffer, FAKE_BUFFER, VkBuffer)
FAKE_DESTROYS(fake_destroy_image, FAKE_IMAGE, VkImage)
FAKE_DESTROYS(fake_destroy_view, FAKE_VIEW, VkImageView)
FAKE_DESTROYS(fake_destroy_framebuffer, FAKE_FRAMEBUFFER, VkFramebuffer)
FAKE_DESTROYS(fake_destroy_pass, FAKE_PASS, VkRenderPass)
FAKE_DESTROYS(fake_destroy_module, FAKE_MODULE, VkShaderModule)
FAKE_DESTROYS(fake_destroy_layout, FAKE_LAYOUT, VkPipelineLayout)
FAKE_DESTROYS(fake_destroy_set_layout, FAKE_SET_LAYOUT, VkDescriptorSetLayout)
FAKE_DESTROYS(fake_destroy_descriptor_pool, FAKE_DESCRIPTOR_POOL, VkDescriptorPool)
FAKE_DESTROYS(fake_destroy_pipeline, FAKE_PIPELINE, VkPipeline)
FAKE_CREATES(fake_create_image, FAKE_IMAGE, VkImageCreateInfo, VkImage)
FAKE_CREATES(fake_create_layout, FAKE_LAYOUT, VkPipelineLayoutCreateInfo, VkPipelineLayout)
FAKE_CREATES(fake_create_descriptor_pool, FAKE_DESCRIPTOR_POOL, VkDescriptorPoolCreateInfo,
             VkDescriptorPool)

#endif
