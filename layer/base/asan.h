/* SPDX-License-Identifier: MIT
 *
 * Whether AddressSanitizer watches the memory of the process.
 */
#ifndef PGS_BASE_ASAN_H
#define PGS_BASE_ASAN_H

#if defined(__SANITIZE_ADDRESS__)
#define PGS_HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PGS_HAS_ASAN 1
#endif
#endif
#ifndef PGS_HAS_ASAN
#define PGS_HAS_ASAN 0
#endif

#endif
