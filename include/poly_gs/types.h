/* SPDX-License-Identifier: MIT
 *
 * Scalar types and struct macros of the records that C and GLSL share. A record uses only these
 * types, natural alignment and C comments.
 */
#ifndef PGS_TYPES_H
#define PGS_TYPES_H

#ifdef GL_core_profile
#define PGS_GLSL 1
#endif

/* pgs_address is a 64-bit buffer device address. In GLSL it is a uvec2 (x = low word), so that the
 * driver need not support shaderInt64. PGS_ABI_END checks the size in C. */
#ifdef PGS_GLSL
#define pgs_u32 uint
#define pgs_address uvec2
#define PGS_ABI_STRUCT(name) struct name
#define PGS_ABI_TYPE(name) name
#define PGS_ABI_END(name, size_B)
/* The invocation in its workgroup, all of which have one dimension. lavapipe computes gl_LocalInvocationIndex from all three, with
 * divisions that take long to compile. */
#define PGS_LOCAL_ID gl_LocalInvocationID.x
#else
#include <assert.h>
#include <stdint.h>
typedef uint32_t pgs_u32;
typedef uint64_t pgs_address;
#define PGS_ABI_STRUCT(name) struct name
#define PGS_ABI_TYPE(name) struct name
#define PGS_ABI_END(name, size_B) static_assert(sizeof(struct name) == (size_B), "GPU record size");
#endif

#endif
