/* SPDX-License-Identifier: MIT
 *
 * How large an interface may be: no more than the layer reports.
 */
#ifndef PGS_SPIRV_IO_IO_LIMITS_H
#define PGS_SPIRV_IO_IO_LIMITS_H

#define PGS_MAX_LOCATIONS 64 /* of varyings: 4 components each */

#define PGS_SPV_STREAMS 4

#define PGS_SPV_XFB_BUFFERS 4
#define PGS_SPV_XFB_DATA_B 512    /* of a vertex that go to one buffer */
#define PGS_SPV_XFB_STRIDE_B 2048 /* XfbStride at most */
#define PGS_SPV_CAPTURE_RUNS 512  /* all captured data in single words */

#endif
