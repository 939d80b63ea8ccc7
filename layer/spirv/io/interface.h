/* SPDX-License-Identifier: MIT
 *
 * Inside of the spirv room: what a stage reads and writes, taken apart into leaves (scalars and
 * vectors).
 */
#ifndef PGS_SPIRV_INTERFACE_H
#define PGS_SPIRV_INTERFACE_H

#include "spirv/ir/module.h"

#define PGS_SPV_MAX_PATH 8
#define PGS_SPV_NO_BUILTIN 0xFFFFFFFFu
#define PGS_SPV_MAX_LEAF_WORDS 8
#define PGS_SPV_NO_BUFFER 0xFFFFFFFFu

struct pgs_spv_leaf {
    uint32_t variable;
    uint32_t path[PGS_SPV_MAX_PATH]; /* constant indices into it, after the vertex index */
    uint32_t depth;
    uint32_t elements;     /* bit: that index is one of an array or matrix, not of a struct */
    uint32_t vertices;     /* length of the per-vertex array around it; 0: none */
    uint32_t type, scalar; /* ids */
    uint32_t count, width_bits;
    bool is_float, is_signed;
    uint32_t builtin;             /* SpvBuiltIn or PGS_SPV_NO_BUILTIN */
    uint32_t element;             /* of a built-in array */
    uint32_t location, component; /* without builtin */
    uint32_t stream;              /* of an output */
    bool touched;                 /* functions name it, or something around it */
    bool captured;                /* by transform feedback; the rest says where it goes */
    uint32_t buffer, offset_B;
    uint32_t stride_B; /* 0: nobody said */
};

struct pgs_spv_leaves {
    struct pgs_spv_leaf *items;
    uint32_t count, capacity;
};

/* Leaves of all variables of a class that the functions touch; of a block of built-ins, only the
 * members that they touch. With untouched, user variables (not built-ins) also when nothing touches
 * them. Outputs that the entry point captures are there in any case. per_vertex: the outermost
 * dimension of arrays is the vertex, where it can be (geometry inputs; what tessellation shaders do
 * not have once per patch). */
struct pgs_spv_scope {
    uint32_t storage_class;
    bool per_vertex, untouched;
};
void pgs_spv_collect_leaves(struct pgs_spv_module *m, struct pgs_spv_scope scope,
                            struct pgs_spv_leaves *leaves);

/* Built-ins that languages leave on stream 0 whatever is rasterized: those of that stream go with
 * the vertices of each. (The rules of rasterizationStream do not name them.) */
bool pgs_spv_goes_with_any_stream(uint32_t builtin);

/* Those of one stream. */
struct pgs_spv_leaves pgs_spv_leaves_of_stream(struct pgs_spv_module *m,
                                               const struct pgs_spv_leaves *leaves,
                                               uint32_t stream);

/* Where their components go. Elements of an array are equally far apart. False: too many. */
bool pgs_spv_make_layout(const struct pgs_spv_leaves *leaves, struct pgs_spv_layout *layout);
/* One with all that either has. */
void pgs_spv_merge_layouts(const struct pgs_spv_layout *a, const struct pgs_spv_layout *b,
                           struct pgs_spv_layout *layout);

/* Words of a leaf in a stored vertex, PGS_NO_WORD where the layout has no room for a component.
 * Returns how many. */
uint32_t pgs_spv_leaf_words(const struct pgs_spv_leaf *leaf, const struct pgs_spv_layout *layout,
                            uint16_t words[PGS_SPV_MAX_LEAF_WORDS]);

/* effects.c. Do the functions write memory that others see? */
bool pgs_spv_has_side_effects(const struct pgs_spv_module *m);
/* Or use images at all? */
bool pgs_spv_uses_images(const struct pgs_spv_module *m);
/* Where a pointer leads: SpvStorageClass, or UINT32_MAX for what is no pointer that we know. */
uint32_t pgs_spv_storage_class_of(const struct pgs_spv_module *m, uint32_t pointer);

/* feedback.c. What the captured ones of `outputs` come to, each in the layout of its stream. */
void pgs_spv_make_feedback(struct pgs_spv_module *m, const struct pgs_spv_leaves *outputs,
                           const struct pgs_spv_layout *layouts, struct pgs_spv_feedback *feedback);

/* Nothing of transform feedback stays, nor what says which stream an output belongs to. */
void pgs_spv_drop_feedback(struct pgs_spv_module *m);
/* A storage class whose structs have a layout in memory. */
bool pgs_spv_is_buffer(uint32_t storage_class);
/* The struct that a variable or pointer type leads to, maybe through arrays; NULL: none. */
const uint32_t *pgs_spv_held_struct(const struct pgs_spv_module *m, const uint32_t *ins);

/* streams.c. A geometry shader emits to one stream only, without naming it; outputs of others
 * become private. */
void pgs_spv_keep_stream(struct pgs_spv_module *m, uint32_t stream);

/* extract.c. Parses and reduces to the entry point. Spec constants stay unless fold. */
enum pgs_spv_result pgs_spv_open_stage(struct pgs_spv_module *m,
                                       const struct pgs_spv_shader *shader, bool fold);
/* Without the capabilities that the driver lacks, and what transform feedback declared. */
void pgs_spv_clean(struct pgs_spv_module *m, struct pgs_spv_lacks lacks);

/* Layer or viewport index outside of geometry shaders, by the extension that the device has
 * enabled. Its capability implies Geometry for SPIR-V, but no driver of the extension asks for
 * that. Those of SPIR-V 1.5 would take features that a device need not have enabled, or a version
 * that it need not know. */
void pgs_spv_need_views(struct pgs_spv_module *m);

/* Code for leaves goes to `list`; load and store are library functions, or there is a variable.
 * What has no load is not loaded, what has no store not stored. */
struct pgs_spv_port {
    struct pgs_spv_module *m;
    struct pgs_spv_list *list;
    const struct pgs_spv_layout *layout;
    uint32_t first_w;       /* added to all words of the layout */
    uint32_t offset;        /* id of what is added besides, a uint; 0: nothing. Of what has several
                               words a multiple of 4 */
    uint32_t load, load4;   /* (uint word) or (uint vertex, uint word) */
    uint32_t store, store4; /* (uint word, value) or (uint vertex, uint word, value) */
    uint32_t variable;      /* a vertex of its own: Private, uvec4[stride_w / 4]; 0: functions */
    uint32_t stored_class;  /* storage class of the variables that are stored */
};
/* Loads the leaf. vertex: id of the first argument, or 0. Result: id of a value of the leaf's type;
 * 0 = absent. */
uint32_t pgs_spv_load_leaf(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                           uint32_t vertex);
/* Stores a value of the leaf's type. vertex: as for pgs_spv_load_leaf. */
void pgs_spv_store_value(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                         uint32_t vertex, uint32_t value);
/* Stores what the leaf's variable holds. vertex: besides, as for pgs_spv_leaf_pointer. */
void pgs_spv_store_leaf(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                        uint32_t vertex);
/* Words of a leaf, as pgs_spv_leaf_words. Tessellation levels have a place of their own. */
uint32_t pgs_spv_port_words(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                            uint16_t words[PGS_SPV_MAX_LEAF_WORDS]);
/* Is it one of the tessellation levels? */
bool pgs_spv_is_level(const struct pgs_spv_leaf *leaf);

/* access.c. Inputs and outputs that stay in memory, where the shader loads and stores parts of them
 * that it chooses. */
struct pgs_spv_memory {
    struct pgs_spv_port vertex, single; /* what each vertex has, and the rest. Without a layout:
                                           that is elsewhere */
    uint32_t element;     /* library function uint(uint index, uint length, uint stride_w) */
    uint32_t held_values; /* a variable of so few that none is chosen from is not addressed */
};
/* What the functions do with a variable. */
enum {
    PGS_SPV_LOADED = 1,
    PGS_SPV_CHOSEN = 2,         /* elements or components that are only known at run time */
    PGS_SPV_USED_OTHERWISE = 4, /* or not laid out as it takes */
    PGS_SPV_ADDRESSED = 8,
};
/* By id of a variable that the leaves are of. NULL: the module has failed. */
const uint8_t *pgs_spv_find_uses(const struct pgs_spv_memory *memory,
                                 const struct pgs_spv_leaves *leaves);
/* Rewrites the functions for variables that can be ADDRESSED; these are no longer among the leaves.
 * None of the variables has another storage class yet. */
void pgs_spv_address(const struct pgs_spv_memory *memory, struct pgs_spv_leaves *leaves);
/* The words of a value of the leaf's type, as ids of uint values, 64-bit components low word first.
 * Returns how many. */
uint32_t pgs_spv_split_leaf(const struct pgs_spv_port *port, const struct pgs_spv_leaf *leaf,
                            uint32_t value, uint32_t values[PGS_SPV_MAX_LEAF_WORDS]);
/* capture.c. Code that captures a vertex of a stream. */
struct pgs_spv_capture {
    struct pgs_spv_port port; /* stores where `to` said, one word or an aligned four */
    uint32_t to;              /* library function bool(uint buffer, uint stride_B) */
    const struct pgs_spv_leaves *outputs;
    const struct pgs_spv_feedback *feedback;
    uint32_t stream;
    /* NULL: what the outputs hold, which are of the port's class; else what is in place `slot`, an
     * id, of their rings (pgs_spv_make_ring), which are as many as outputs. */
    const uint32_t *rings;
    uint32_t slot;
};
void pgs_spv_capture_outputs(const struct pgs_spv_capture *capture);

/* shared.c. When all functions are written that use Workgroup memory: the Vulkan memory model takes
 * every access of it for private, and every barrier for one of execution alone, that does not say
 * otherwise. */
void pgs_spv_publish_shared(struct pgs_spv_module *m);

/* Id of a pointer to the leaf in its variable. vertex: id of the vertex index if it has one, else
 * 0. */
uint32_t pgs_spv_leaf_pointer(struct pgs_spv_module *m, struct pgs_spv_list *list,
                              const struct pgs_spv_leaf *leaf, uint32_t storage_class,
                              uint32_t vertex);
/* A vector of the leaf's type from its components (ids of the leaf's scalar type). */
uint32_t pgs_spv_join(struct pgs_spv_module *m, struct pgs_spv_list *list,
                      const struct pgs_spv_leaf *leaf, const uint32_t *parts);

/* outputs.c. All that stays are the variables with user outputs (without what streams say of them,
 * and with what transform feedback does only if wanted), types and constants. Built-ins go. */
void pgs_spv_keep_outputs(struct pgs_spv_module *m, const struct pgs_spv_leaves *outputs,
                          bool feedback);

/* frame.c: a function void() whose body runs where condition_function says true to the arguments
 * (uint constants). What begin returns goes to end. */
uint32_t pgs_spv_begin_guarded(struct pgs_spv_module *m, struct pgs_spv_list *list,
                               uint32_t function, uint32_t condition_function,
                               const uint32_t *arguments, uint32_t argument_count);
void pgs_spv_end_guarded(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t done);
/* for (counter = 0; counter < count; counter++), of uints; `control`: of OpLoopMerge. */
struct pgs_spv_loop {
    uint32_t counter;                   /* id of its value, in the loop */
    uint32_t header, step, after, next; /* of no concern to others */
};
void pgs_spv_begin_loop(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t count,
                        uint32_t control, struct pgs_spv_loop *loop);
void pgs_spv_end_loop(struct pgs_spv_module *m, struct pgs_spv_list *list,
                      const struct pgs_spv_loop *loop);
/* while (condition_function(argument)), which says true or false to a uint. */
void pgs_spv_begin_while(struct pgs_spv_module *m, struct pgs_spv_list *list,
                         uint32_t condition_function, uint32_t argument, struct pgs_spv_loop *loop);
void pgs_spv_end_while(struct pgs_spv_module *m, struct pgs_spv_list *list,
                       const struct pgs_spv_loop *loop);
/* The value of a new input variable, with one decoration that has one operand. */
uint32_t pgs_spv_load_input(struct pgs_spv_module *m, struct pgs_spv_list *list, uint32_t type,
                            uint32_t decoration, uint32_t operand);

/* rehome.c: what all stages share that become another one. Input variables become Private, Output
 * variables of the class output_class, their decorations go; with SpvStorageClassOutput both stay,
 * and a block that is input as well as output is UNSUPPORTED. */
void pgs_spv_rehome(struct pgs_spv_module *m, uint32_t output_class);
/* One that only an Input or Output may bear. */
bool pgs_spv_is_interface_decoration(uint32_t decoration);
/* Capabilities and extensions that only the stage had for its interface go. */
void pgs_spv_leave_stage(struct pgs_spv_module *m);
/* Capabilities, modes, entry point of a compute shader whose main function is `function`. */
void pgs_spv_make_compute(struct pgs_spv_module *m, uint32_t function, uint32_t group_el);
/* The same for a vertex shader that was a tessellation evaluation shader, or has left its stage. */
void pgs_spv_make_vertex(struct pgs_spv_module *m, uint32_t function);
/* An execution mode that says how floats behave, which stays. */
bool pgs_spv_is_float_mode(uint32_t mode);
/* A value for a built-in input that compute shaders have too; 0 if they have not. */
uint32_t pgs_spv_native_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                                const struct pgs_spv_leaf *leaf);
/* uint -> the leaf's 32-bit scalar type. */
uint32_t pgs_spv_from_uint(struct pgs_spv_module *m, struct pgs_spv_list *list,
                           const struct pgs_spv_leaf *leaf, uint32_t value);
/* Fills a built-in input, which is Private: with what one of the functions (uint()) says, or the
 * driver's own. UNSUPPORTED when there is none. */
struct pgs_spv_builtin_source {
    uint32_t builtin, function;
};
void pgs_spv_fill_builtin(struct pgs_spv_module *m, struct pgs_spv_list *list,
                          const struct pgs_spv_leaf *leaf,
                          const struct pgs_spv_builtin_source *sources, uint32_t source_count);

#endif
