/* SPDX-License-Identifier: MIT
 *
 * Per-device state for command buffers.
 */
#include "command/command.h"

#include "command/fb_layers/fb_layers.h"
#include "command/pass/lifetime.h"
#include "command/pass/quiet.h"
#include "command/pass/render_pass.h"
#include "command/state/inline_dispatch.h"
#include "command/state/queue_order.h"

static void visit_left_pool(uint64_t key, void *value, void *context)
{
    (void)key, (void)context;
    pgs_command_pool_destroy(value);
}

static void visit_left_render_pass(uint64_t key, void *value, void *context)
{
    struct pgs_device *dev = context;
    struct pgs_render_pass *pass = value;
    (void)key;
    pgs_render_pass_finish(dev, pass);
    pgs_free(pass);
}

VkResult pgs_command_device_create(struct pgs_device *dev)
{
    struct pgs_command_device *commands = pgs_calloc(1, sizeof(*commands));
    if (!commands)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (!pgs_map_init(&commands->pools))
        goto fail_pools;
    if (!pgs_map_init(&commands->render_passes))
        goto fail_render_passes;
    if (!pgs_map_init(&commands->view_formats))
        goto fail_formats;
    if (pgs_fb_layer_device_create(dev, &commands->fb_layers) != VK_SUCCESS)
        goto fail_layers;
    pgs_quiet_init(commands);
    pgs_inline_dispatch_init(&commands->inline_vk,
                             commands->fb_layers ? &commands->fb_layers->noting_vk : &dev->vk);
    dev->commands = commands;
    return VK_SUCCESS;
fail_layers:
    pgs_map_finish(&commands->view_formats, NULL, NULL);
fail_formats:
    pgs_map_finish(&commands->render_passes, NULL, NULL);
fail_render_passes:
    pgs_map_finish(&commands->pools, NULL, NULL);
fail_pools:
    pgs_free(commands);
    return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult pgs_command_device_order(struct pgs_device *dev, const VkDeviceCreateInfo *info,
                                  uint64_t families)
{
    return pgs_queue_order_create(dev, info, families, &dev->commands->order);
}

void pgs_command_device_destroy(struct pgs_device *dev)
{
    if (!dev->commands)
        return;
    pgs_queue_order_destroy(dev, dev->commands->order);
    pgs_map_finish(&dev->commands->pools, visit_left_pool, NULL);
    pgs_map_finish(&dev->commands->render_passes, visit_left_render_pass, dev);
    pgs_map_finish(&dev->commands->view_formats, NULL, NULL);
    pgs_fb_layer_device_destroy(dev, dev->commands->fb_layers);
    pgs_free(dev->commands);
    dev->commands = NULL;
}
