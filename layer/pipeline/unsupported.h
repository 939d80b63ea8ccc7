/* SPDX-License-Identifier: MIT
 *
 * Pipelines that the layer cannot emulate. Internal to pipeline/.
 */
#ifndef PGS_PIPELINE_UNSUPPORTED_H
#define PGS_PIPELINE_UNSUPPORTED_H

#include "base/log.h"

#include <vulkan/vulkan.h>

/* Logs "emulation <what> is not supported yet" and returns the error. */
static inline VkResult pgs_unsupported(const char *what)
{
    pgs_log(PGS_LOG_ERROR, "cannot create a pipeline: emulation %s is not supported yet", what);
    return VK_ERROR_UNKNOWN;
}

#endif
