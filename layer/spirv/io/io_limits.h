/* SPDX-License-Identifier: MIT
 *
 * Limits on interfaces, equal to those that the layer reports.
 */
#ifndef PGS_SPIRV_IO_IO_LIMITS_H
#define PGS_SPIRV_IO_IO_LIMITS_H

#define PGS_MAX_LOCATIONS 64 /* of varyings: 4 components each */

#define PGS_SPV_STREAMS 4

#define PGS_SPV_XFB_BUFFERS 4
#define PGS_SPV_XFB_DATA_B 512    /* captured data of a vertex in one buffer */
#define PGS_SPV_XFB_STRIDE_B 2048 /* maximum XfbStride */
#define PGS_SPV_XFB_COPIES 512    /* reached if all captured data are single words */

#endif
