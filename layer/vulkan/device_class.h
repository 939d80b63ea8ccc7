/* SPDX-License-Identifier: MIT
 *
 * What kinds of devices like, and what their drivers need to be guarded from: one table of each in
 * device_class.c. Chosen once for each physical device and read by all modules.
 */
#ifndef PGS_VULKAN_DEVICE_CLASS_H
#define PGS_VULKAN_DEVICE_CLASS_H

#include "vulkan/costs.h"

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum pgs_device_kind {
    PGS_DEVICE_ANY = 0, /* not chosen: like PGS_DEVICE_IMMEDIATE */
    PGS_DEVICE_IMMEDIATE,
    PGS_DEVICE_CPU,
    PGS_DEVICE_SWIFTSHADER,
    PGS_DEVICE_POWERVR,
    PGS_DEVICE_BIFROST, /* Mali up to v8, and Midgard */
    PGS_DEVICE_VALHALL, /* Mali from v9 (G77, G57), with Arm's driver or PanVK */
    PGS_DEVICE_ADRENO,  /* with Qualcomm's driver */
    PGS_DEVICE_TURNIP,  /* Adreno with Mesa's */
    PGS_DEVICE_APPLE,
    PGS_DEVICE_V3D,
    PGS_DEVICE_KINDS
};

/* What a driver does wrong, so that the layer must not rely on it. */
enum pgs_guard {
    PGS_GUARD_SERIAL_PIPELINES = 1u << 0, /* its compiler is not thread-safe */
    PGS_GUARD_CLAMP_LAYER = 1u << 1,      /* a gl_Layer beyond the limit does harm */
    PGS_GUARD_NO_DISTANCES = 1u << 2,     /* shaders with clip or cull distances crash it */
    /* It takes memory for the shared memory of all workgroups of a direct dispatch, as if they ran
     * at once, and for an indirect one only for those that can. */
    PGS_GUARD_GROUP_MEMORY = 1u << 3,
    PGS_GUARDS_ALL = (1u << 4) - 1
};

/* The zero value: a GPU with memory of its own, of which no more is known. */
struct pgs_device_class {
    enum pgs_device_kind kind;
    struct pgs_costs costs;
    /* Most threads that compile ahead, unless the setting says; 0: as many as elsewhere. */
    uint32_t compile_threads;
    /* Bytes of vertices that the index range of one draw may span; 0: any. Some drivers allocate
     * for all of it, and shade it, whether or not there are indices in the gaps. */
    uint32_t index_range_B;
    /* Its hardware runs the part of a vertex shader that positions need for all vertices, and the
     * rest for those that are visible: what is stored for both lies apart. */
    bool splits_vertices;
    bool packs_vertices; /* the same gaps, below that size: output vertices are stored without */
    /* It fetches vertex attributes ahead of the vertex shader, which is quicker than loads there:
     * stored vertices are drawn as vertex buffers. */
    bool fetches_vertices;
    bool lists_primitives; /* slow with primitive restart, so strips become lists */
    /* Its loads and stores cost by their number, whatever their width, and take any address: words
     * are accessed in pairs (spirv/ir/pair_words.h). */
    bool pairs_words;
    /* Its compiler loads each member of a record by itself: the layer loads 16 bytes at once
     * (spirv/ir/join_loads.h). */
    bool joins_loads;
    /* It takes several times as long for words at an address as for those of a storage buffer:
     * large draws reach what they can by descriptors (poly_gs/bound.h). */
    bool binds_words;
    /* Direct draws that take longer inline are stored, also those of short shaders with few, static
     * emits that read several vertices. */
    bool stores_large;
    /* Triangles that cover no sample, or face away, are worth finding, and its rasterizer tells
     * apart as much as that supposes (poly_gs/coverage.h). */
    bool finds_uncovered;
    bool draws_directly; /* slower with arguments in memory, even if the CPU knows them */
    /* Stored vertices whose list would number them as they lie are drawn directly, without. */
    bool draws_in_order;
    /* Tiles of a draw up to which the kernel that lists its indices counts those of all tiles in
     * front of each; beyond it another kernel does. 0: PGS_COUNT_TILES_FREE. */
    uint32_t summed_tiles;
    /* Small draws are listed by their geometry shader, whose workgroups look for each other's sums
     * (poly_gs/listing.h): all of them soon run at once. */
    bool lists_at_once;
    bool keeps_passes; /* passes are queued from the start and never ended early */
    /* Bytes of working memory that direct draws of a device share: what stores more goes in rounds
     * (draw/rounds.h), each with a part of the pass; 0: any. */
    uint64_t heap_B;
    bool shares_memory; /* with CPU and programs, so that the layer takes little */
    uint32_t guards;    /* enum pgs_guard */
};

/* Settings. */
enum pgs_split_choice { PGS_SPLIT_AUTO = 0, PGS_SPLIT_NEEDED, PGS_SPLIT_NEVER };
#define PGS_RANGES_WIDE UINT32_MAX
#define PGS_HEAP_ANY UINT32_MAX
enum pgs_layout_choice { PGS_LAYOUT_AUTO = 0, PGS_LAYOUT_WHOLE, PGS_LAYOUT_SPLIT };
enum pgs_slots_choice { PGS_SLOTS_AUTO = 0, PGS_SLOTS_OWN, PGS_SLOTS_PACKED };
enum pgs_fetch_choice { PGS_FETCH_AUTO = 0, PGS_FETCH_STORAGE, PGS_FETCH_ATTRIBUTES };
enum pgs_arguments_choice { PGS_ARGUMENTS_AUTO = 0, PGS_ARGUMENTS_BUFFER, PGS_ARGUMENTS_DIRECT };
enum pgs_strips_choice { PGS_STRIPS_AUTO = 0, PGS_STRIPS_RESTART, PGS_STRIPS_LISTS };

struct pgs_class_settings {
    enum pgs_device_kind kind; /* PGS_DEVICE_ANY: by the driver */
    enum pgs_split_choice split;
    uint32_t index_range_KiB; /* 0: auto; PGS_RANGES_WIDE: any */
    uint32_t heap_MiB;        /* 0: auto; PGS_HEAP_ANY: any */
    enum pgs_layout_choice layout;
    enum pgs_slots_choice slots;
    enum pgs_fetch_choice fetch;
    enum pgs_strips_choice strips;
    enum pgs_arguments_choice arguments;
    bool chooses_guards; /* else by the driver */
    uint32_t guards;     /* with chooses_guards: enum pgs_guard */
    struct pgs_chosen_costs costs;
};

/* Reads "auto", "none", "all", or names of guards, separated by spaces or commas. False, and
 * nothing changes: it is none of these. */
bool pgs_guards_read(struct pgs_class_settings *settings, const char *text);

/* The class of a device. driver: 0 if it does not say. Pure. */
struct pgs_device_class pgs_device_class_of(const VkPhysicalDeviceProperties *properties,
                                            VkDriverId driver,
                                            const struct pgs_class_settings *settings);

/* As the setting and the log name it. */
const char *pgs_device_kind_name(enum pgs_device_kind kind);

/* One line of English for the log. text has PGS_DEVICE_CLASS_TEXT_B bytes. */
#define PGS_DEVICE_CLASS_TEXT_B 736
void pgs_device_class_describe(const struct pgs_device_class *of, char *text);

#endif
