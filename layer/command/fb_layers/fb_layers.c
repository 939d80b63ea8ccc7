/* SPDX-License-Identifier: MIT */
#include "command/fb_layers/fb_layers.h"

#include "command/fb_layers/fb_layer_queries.h"
#include "command/fb_layers/fb_layer_replay.h"
#include "command/fb_layers/fb_layer_state.h"
#include "command/fb_layers/fb_layer_views.h"
#include "command/state/graphics_state.h"

#include <pthread.h>
#include <stddef.h>

/* -- state of a device and of a pass -- */

VkResult pgs_fb_layer_device_create(struct pgs_device *dev, struct pgs_fb_layer_device **fb_layers)
{
    *fb_layers = NULL;
    if ((!dev->geometry && !dev->native.geometry && !dev->layer_output) ||
        !dev->physical->replays_layers)
        return VK_SUCCESS;
    struct pgs_fb_layer_device *r = pgs_calloc(1, sizeof(*r));
    if (!r)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!pgs_map_init(&r->views))
        goto fail_views;
    if (!pgs_map_init(&r->framebuffers))
        goto fail_framebuffers;
    if (!pgs_map_init(&r->sliced_images))
        goto fail_images;
    if (pthread_mutex_init(&r->lock, NULL) != 0)
        goto fail_lock;
    r->noting_vk = dev->vk;
    pgs_fb_layer_state_dispatch_init(&r->noting_vk, &dev->vk);
    pgs_fb_layer_dispatch_init(&r->layer_vk, &r->noting_vk);
    pgs_fb_layer_scan_dispatch_init(&r->scan_vk);
    *fb_layers = r;
    return VK_SUCCESS;
fail_lock:
    pgs_map_finish(&r->sliced_images, NULL, NULL);
fail_images:
    pgs_map_finish(&r->framebuffers, NULL, NULL);
fail_framebuffers:
    pgs_map_finish(&r->views, NULL, NULL);
fail_views:
    pgs_free(r);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void pgs_fb_layer_device_destroy(struct pgs_device *dev, struct pgs_fb_layer_device *fb_layers)
{
    if (!fb_layers)
        return;
    pgs_fb_layer_views_destroy(dev, fb_layers);
    pgs_linear_destroy(fb_layers->memory);
    pthread_mutex_destroy(&fb_layers->lock);
    pgs_free(fb_layers);
}

/* What raster vertex shaders read about a layer (struct pgs_spv_raster_options): its number, and
 * how many further ones are drawn with it. The last layer of a pass also draws all numbers beyond
 * it, since applications write them, mainly with a single layer, and drivers draw them. */
struct layer_numbers {
    uint32_t inner[2], last[2];
};

/* Call it with the lock held. */
static VkResult make_numbers(struct pgs_device *dev, struct pgs_fb_layer_device *fb_layers)
{
    uint32_t count = dev->physical->properties.limits.maxFramebufferLayers;
    if (count == 0)
        count = 1;
    VkResult result = VK_SUCCESS;
    if (!fb_layers->memory)
        result = pgs_linear_create(dev, PGS_MEMORY_UPLOAD, &fb_layers->memory);
    if (result == VK_SUCCESS)
        result = pgs_linear_alloc(fb_layers->memory, count * sizeof(struct layer_numbers),
                                  sizeof(struct layer_numbers), &fb_layers->numbers);
    if (result != VK_SUCCESS) {
        fb_layers->numbers.buffer = VK_NULL_HANDLE;
        return result;
    }
    struct layer_numbers *numbers = fb_layers->numbers.mapped;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = (struct layer_numbers){.inner = {i, 0}, .last = {i, UINT32_MAX - i}};
    return VK_SUCCESS;
}

void pgs_fb_layers_note_framebuffer(struct pgs_command_buffer *cb, VkFramebuffer framebuffer)
{
    struct pgs_fb_layer_device *fb_layers = cb->dev->commands->fb_layers;
    if (fb_layers)
        cb->pass.layer_count = pgs_fb_layer_count(fb_layers, framebuffer);
}

void pgs_fb_layers_note_rendering(struct pgs_command_buffer *cb, const VkRenderingInfo *info)
{
    cb->pass.layer_count = info->viewMask ? 1 : info->layerCount;
}

bool pgs_fb_layers_note_draw(struct pgs_command_buffer *cb)
{
    if (!cb->graphics.pipeline || !cb->graphics.pipeline->by_layer)
        return false;
    struct pgs_fb_layer_device *fb_layers = cb->dev->commands->fb_layers;
    VkResult result = VK_SUCCESS;
    pthread_mutex_lock(&fb_layers->lock);
    if (!fb_layers->numbers.buffer)
        result = make_numbers(cb->dev, fb_layers);
    pthread_mutex_unlock(&fb_layers->lock);
    pgs_recorder_latch(&cb->recorder, result);
    cb->pass.by_layer = true;
    pgs_state_clobber_vertex(cb, 1 << 1);
    return true;
}

bool pgs_fb_layers_draw(VkCommandBuffer handle, bool by_layer)
{
    const struct pgs_command_buffer *cb = pgs_command_buffer_find(handle);
    if (!cb->fb_layers)
        return true;
    struct pgs_fb_layer_queries *queries = &cb->fb_layers->queries;
    if (queries->scanning) {
        queries->draws.all++;
        queries->draws.by_layer += by_layer;
        return false;
    }
    if (!by_layer)
        return cb->fb_layers->layer == 0;
    const struct pgs_range *numbers = &cb->dev->commands->fb_layers->numbers;
    const bool last = cb->fb_layers->layer + 1 >= cb->pass.layer_count;
    const VkDeviceSize offset_B =
        numbers->offset_B + cb->fb_layers->layer * sizeof(struct layer_numbers) +
        (last ? offsetof(struct layer_numbers, last) : offsetof(struct layer_numbers, inner));
    cb->dev->vk.CmdBindVertexBuffers(handle, 1, 1, &numbers->buffer, &offset_B);
    return true;
}

bool pgs_fb_layers_wanted(const struct pgs_command_buffer *cb)
{
    const struct pgs_pass *pass = &cb->pass;
    return cb->fb_layers && pass->by_layer && pass->layer_count > 1;
}

void pgs_fb_layers_replay(struct pgs_command_buffer *cb)
{
    struct pgs_fb_layer_state *state = cb->fb_layers;
    const uint32_t count = cb->pass.layer_count;
    pgs_fb_layer_queries_find(cb);
    pgs_fb_layer_queries_begin(cb);
    for (uint32_t layer = 0; layer < count; layer++) {
        state->layer = layer;
        if (layer) {
            pgs_fb_layer_state_restore(state, &cb->dev->vk, cb->handle);
            pgs_compute_state_restore(&cb->compute, &cb->dev->vk, cb->handle);
        }
        state->quiet = layer + 1 < count;
        pgs_queue_replay(&cb->queue, cb->handle, &cb->dev->commands->fb_layers->layer_vk, NULL);
    }
    pgs_fb_layer_queries_end(cb);
    state->layer = 0;
    state->quiet = false;
}
