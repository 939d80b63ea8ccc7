/* SPDX-License-Identifier: MIT */
#include "vulkan/own_uuid.h"

#include "base/build_id.h"

void pgs_own_uuid(uint8_t uuid[VK_UUID_SIZE])
{
    unsigned char id[PGS_BUILD_ID_MAX_B];
    const size_t size_B = pgs_build_id(id);
    for (size_t i = 0; i < size_B; i++)
        uuid[i % VK_UUID_SIZE] ^= id[i];
    uuid[0] ^= 0x70; /* other than the driver's without an id, too */
}
