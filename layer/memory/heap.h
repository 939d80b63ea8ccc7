/* SPDX-License-Identifier: MIT
 *
 * The blocks of device memory behind every pgs_linear. Thread-safe; no lock is held while the
 * driver is called.
 */
#ifndef PGS_MEMORY_HEAP_H
#define PGS_MEMORY_HEAP_H

#include "vulkan/device.h"

/* A range of a buffer of the layer. */
struct pgs_range {
    VkBuffer buffer;
    VkDeviceSize offset_B, size_B;
    VkDeviceAddress address; /* address of the range, not of the buffer */
    void *mapped;            /* start of the range; NULL for device-only memory */
};

/* Upload: host-visible records, device-local if the host can see such memory, so the words that
 * kernels write need no copy. Queries: likewise, but never in a buffer that draws have bound: reset
 * and copy write it by transfers, and validation layers take each bound buffer for read as a whole.
 * Scratch: device-local. */
enum pgs_memory_kind {
    PGS_MEMORY_UPLOAD,
    PGS_MEMORY_QUERIES,
    PGS_MEMORY_SCRATCH,
    PGS_MEMORY_KINDS,
};

/* Sets dev->heap. Allocates no device memory yet. Out of host memory leaves it NULL. Destroy it
 * after all linears. */
VkResult pgs_heap_create(struct pgs_device *dev);
void pgs_heap_destroy(struct pgs_device *dev);

struct pgs_block;

/* A part of a block, lent to one pgs_linear. Sizes are multiples of the kind's chunk size. */
struct pgs_chunk {
    struct pgs_block *block;
    enum pgs_memory_kind kind;
    struct pgs_range range;
};

/* Size of a block, unless a request is larger. Blocks are handed out in multiples of the chunk
 * size, so that many small command buffers share one. */
#define PGS_SCRATCH_BLOCK_B (UINT64_C(64) << 20)
#define PGS_SCRATCH_CHUNK_B (UINT64_C(1) << 20)
#define PGS_UPLOAD_BLOCK_B (UINT64_C(1) << 20)
#define PGS_UPLOAD_CHUNK_B (UINT64_C(64) << 10)
#define PGS_QUERIES_BLOCK_B (UINT64_C(256) << 10)
#define PGS_QUERIES_CHUNK_B (UINT64_C(16) << 10)
#define PGS_IDLE_GIVES 1024
#define PGS_IDLE_SUBMITS 4

/* Every driver allows a buffer of this size. */
#define PGS_ALLOWED_BUFFER_B (UINT64_C(1) << 30)

/* Whoever takes memory can do with less, or loses a draw. */
enum pgs_need { PGS_NEED_SOME, PGS_NEED_ALL };

/* Takes at least size_B (not 0). PGS_NEED_SOME gets nothing beyond the limit of the device's memory
 * for the layer (pgs_memory_limit_B) nor beyond what VK_EXT_memory_budget leaves to the process;
 * PGS_NEED_ALL does if it must, and the log says so once. Errors: out of host or device memory;
 * nothing is taken then. */
VkResult pgs_heap_take(struct pgs_device *dev, enum pgs_memory_kind kind, VkDeviceSize size_B,
                       enum pgs_need need, struct pgs_chunk *chunk);

/* Returns a chunk; the GPU must be done with it. An empty block is kept for the next taker, since a
 * program that records the same frame again must not allocate each time. It is freed after
 * PGS_IDLE_GIVES returned chunks without use, or when memory is short. */
void pgs_heap_give(struct pgs_device *dev, const struct pgs_chunk *chunk);

/* Frees all empty blocks now. */
void pgs_heap_trim(struct pgs_device *dev);

/* Something was submitted. A program that goes on without emulated draws returns no chunks, by
 * which empty blocks grow old, so each PGS_IDLE_SUBMITS submissions count as one. Quick; nothing
 * without dev->heap. */
void pgs_heap_note_submit(struct pgs_device *dev);

/* What a chunk has that is taken for so many bytes. */
VkDeviceSize pgs_heap_chunk_size(enum pgs_memory_kind kind, VkDeviceSize size_B);
VkDeviceSize pgs_heap_block_size(const struct pgs_device *dev, enum pgs_memory_kind kind);

/* Bytes that are lent to linears. */
uint64_t pgs_heap_lent_B(const struct pgs_device *dev);

/* What may still be taken until the limit is reached; UINT64_MAX: there is none. Another thread may
 * take it. */
uint64_t pgs_heap_left_B(const struct pgs_device *dev);

#endif
