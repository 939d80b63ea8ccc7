/* SPDX-License-Identifier: MIT
 *
 * Variables of each thread.
 */
#ifndef PGS_BASE_TLS_H
#define PGS_BASE_TLS_H

/* In glibc small variables always fit into the static TLS block, which saves a call per access. */
#ifdef __GLIBC__
#define PGS_FAST_TLS __attribute__((tls_model("initial-exec")))
#else
#define PGS_FAST_TLS
#endif

#endif
