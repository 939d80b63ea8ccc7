/* SPDX-License-Identifier: MIT */
#include "entry/ignored_state.h"

#include <string.h>

static VKAPI_ATTR void VKAPI_CALL ignore_bool(VkCommandBuffer cmd, VkBool32 enable)
{
    (void)cmd, (void)enable;
}

static VKAPI_ATTR void VKAPI_CALL ignore_stream(VkCommandBuffer cmd, uint32_t stream)
{
    (void)cmd, (void)stream;
}

static VKAPI_ATTR void VKAPI_CALL ignore_modulation(VkCommandBuffer cmd,
                                                    VkCoverageModulationModeNV mode)
{
    (void)cmd, (void)mode;
}

static VKAPI_ATTR void VKAPI_CALL ignore_table(VkCommandBuffer cmd, uint32_t count,
                                               const float *table)
{
    (void)cmd, (void)count, (void)table;
}

static VKAPI_ATTR void VKAPI_CALL ignore_reduction(VkCommandBuffer cmd,
                                                   VkCoverageReductionModeNV mode)
{
    (void)cmd, (void)mode;
}

PFN_vkVoidFunction pgs_find_ignored_state(const struct pgs_device *dev, const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction fn;
    } commands[] = {
        {"vkCmdSetRasterizationStreamEXT", (PFN_vkVoidFunction)ignore_stream},
        {"vkCmdSetSampleLocationsEnableEXT", (PFN_vkVoidFunction)ignore_bool},
        {"vkCmdSetViewportWScalingEnableNV", (PFN_vkVoidFunction)ignore_bool},
        {"vkCmdSetCoverageModulationModeNV", (PFN_vkVoidFunction)ignore_modulation},
        {"vkCmdSetCoverageModulationTableEnableNV", (PFN_vkVoidFunction)ignore_bool},
        {"vkCmdSetCoverageModulationTableNV", (PFN_vkVoidFunction)ignore_table},
        {"vkCmdSetCoverageReductionModeNV", (PFN_vkVoidFunction)ignore_reduction},
        {"vkCmdSetShadingRateImageEnableNV", (PFN_vkVoidFunction)ignore_bool},
    };
    for (size_t i = 0; dev->object_state_count && i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].fn;
    return NULL;
}
