/* SPDX-License-Identifier: MIT
 *
 * Members of a record that are loaded together.
 */
#include "spirv/ir/join_loads.h"

#include "spirv/ir/builder.h"
#include "spirv/ir/dead_values.h"
#include "spirv/ir/link.h"
#include "spirv/ir/operands.h"
#include "spirv/ir/rewrite.h"
#include "spirv/ir/values.h"

#include <string.h>

#define WORD_B 4u
#define QUAD_B 16u
#define MAX_DYNAMIC 2u

/* Where a load reads: the base, elements whose number a variable has, and bytes. */
struct place {
    uint32_t base; /* id of the pointer to the structure */
    uint32_t elements[MAX_DYNAMIC], strides_B[MAX_DYNAMIC];
    uint32_t element_count;
    uint32_t offset_B;
    uint32_t type; /* id of the structure */
};

struct load {
    uint32_t number; /* in FUNCTIONS */
    uint32_t block;
    struct place place;
    uint32_t quad;  /* number of the one that it is a part of */
    uint32_t count; /* of words */
};

struct quad {
    uint32_t block, first; /* number in FUNCTIONS of its first load */
    uint32_t load_count;
    uint32_t value; /* id, once it is loaded */
};

struct joining {
    struct pgs_spv_module *m;
    uint8_t *read_only; /* by id: structures of libraries that nobody writes */
    uint8_t *aligned;   /* by id: of those, the ones that begin at a multiple of 16 bytes */
    uint32_t *blocks;   /* by id: number of the block that makes it */
    struct load *loads;
    struct quad *quads;
    uint32_t load_count, quad_count;
    uint32_t quads_pointer, quad_pointer; /* types, once needed */
};

/* -- where a load reads -- */

/* Goes on from a type to a member or an element. False: the way is not known. */
static bool step(const struct pgs_spv_module *m, uint32_t index, uint32_t *type,
                 struct place *place)
{
    const uint32_t *def = pgs_spv_def(m, *type);
    uint32_t number = 0, part_B = 0;
    const bool constant = pgs_spv_constant(m, index, &number);
    if (!def)
        return false;
    switch (pgs_spv_op(def)) {
    case SpvOpTypeStruct:
        if (!constant || number + 2 >= pgs_spv_length(def) ||
            !pgs_spv_decoration(m, *type, (int32_t)number, SpvDecorationOffset, &part_B))
            return false;
        place->offset_B += part_B;
        *type = def[2 + number];
        return true;
    case SpvOpTypeArray:
    case SpvOpTypeRuntimeArray:
        if (!pgs_spv_decoration(m, *type, -1, SpvDecorationArrayStride, &part_B))
            return false;
        break;
    case SpvOpTypeVector:
        part_B = WORD_B;
        break;
    default:
        return false;
    }
    *type = def[2];
    if (constant) {
        place->offset_B += number * part_B;
        return true;
    }
    if (place->element_count == MAX_DYNAMIC || part_B % QUAD_B != 0)
        return false;
    place->elements[place->element_count] = index;
    place->strides_B[place->element_count++] = part_B;
    return true;
}

static uint32_t words_of(const struct pgs_spv_module *m, uint32_t type)
{
    const uint32_t *vector = pgs_spv_def_op(m, type, SpvOpTypeVector);
    const uint32_t *scalar = pgs_spv_def(m, vector ? vector[2] : type);
    if (!scalar || (pgs_spv_op(scalar) != SpvOpTypeInt && pgs_spv_op(scalar) != SpvOpTypeFloat) ||
        scalar[2] != 32)
        return 0;
    return vector ? vector[3] : 1;
}

/* The structure that a pointer points to, if a library has brought it and never writes it; else 0.
 */
static uint32_t structure_of(const struct joining *j, uint32_t pointer)
{
    const uint32_t *type = pgs_spv_def_op(j->m, pgs_spv_type_of(j->m, pointer), SpvOpTypePointer);
    return type && type[2] == SpvStorageClassPhysicalStorageBuffer && j->read_only[type[3]]
               ? type[3]
               : 0;
}

static bool find_load(const struct joining *j, const uint32_t *ins, struct load *load)
{
    const struct pgs_spv_module *m = j->m;
    if (pgs_spv_op(ins) != SpvOpLoad || pgs_spv_length(ins) != 6 ||
        ins[4] != SpvMemoryAccessAlignedMask)
        return false;
    const uint32_t *chain = pgs_spv_def(m, ins[3]);
    if (!chain || !pgs_spv_is_chain(pgs_spv_op(chain)))
        return false;
    load->place = (struct place){.base = chain[3], .type = structure_of(j, chain[3])};
    uint32_t type = load->place.type;
    for (uint32_t k = 4; type && k < pgs_spv_length(chain); k++)
        if (!step(m, chain[k], &type, &load->place))
            return false;
    load->count = type ? words_of(m, ins[1]) : 0;
    return load->count && load->place.offset_B % QUAD_B + load->count * WORD_B <= QUAD_B;
}

/* -- which loads go together -- */

static bool is_near(const struct place *a, const struct place *b)
{
    return a->base == b->base && a->offset_B / QUAD_B == b->offset_B / QUAD_B &&
           a->element_count == b->element_count &&
           memcmp(a->elements, b->elements, sizeof(a->elements)) == 0 &&
           memcmp(a->strides_B, b->strides_B, sizeof(a->strides_B)) == 0;
}

/* What the block that makes the base loads is there in all blocks that know the base. */
static bool reaches(const struct joining *j, const struct quad *quad, const struct load *load)
{
    return quad->block == load->block || quad->block == j->blocks[load->place.base];
}

static void add_load(struct joining *j, struct load *load)
{
    uint32_t i = j->load_count;
    while (i > 0 && !(is_near(&j->loads[i - 1].place, &load->place) &&
                      reaches(j, &j->quads[j->loads[i - 1].quad], load)))
        i--;
    load->quad = i > 0 ? j->loads[i - 1].quad : j->quad_count++;
    struct quad *quad = &j->quads[load->quad];
    if (i == 0)
        *quad = (struct quad){.block = load->block, .first = load->number};
    quad->load_count++;
    j->loads[j->load_count++] = *load;
}

static void collect(struct joining *j)
{
    const struct pgs_spv_list *list = &j->m->sections[PGS_SPV_FUNCTIONS];
    uint32_t block = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const uint32_t *ins = list->items[i], op = pgs_spv_op(ins);
        const uint32_t id_word = pgs_spv_result_word(ins);
        struct load load = {.number = i};
        /* Parameters belong to a function's first block, which no other one reaches. */
        block += op == SpvOpFunction ||
                 (op == SpvOpLabel && i > 0 && pgs_spv_ends_block(pgs_spv_op(list->items[i - 1])));
        if (id_word)
            j->blocks[ins[id_word]] = block;
        load.block = block;
        if (!find_load(j, ins, &load))
            continue;
        if (load.place.offset_B % QUAD_B == 0 && ins[5] % QUAD_B == 0)
            j->aligned[load.place.type] = 1;
        add_load(j, &load);
    }
}

/* -- writing -- */

/* A pointer to quads where the structure lies. */
static uint32_t point_to_quads(struct joining *j, struct pgs_spv_list *out, uint32_t base)
{
    struct pgs_spv_module *m = j->m;
    const uint32_t *def = pgs_spv_def(m, base);
    if (!j->quads_pointer) {
        const uint32_t uvec4 = pgs_spv_type_uvec(m, 4);
        const uint32_t array = pgs_spv_new_id(m), block = pgs_spv_new_id(m);
        struct pgs_spv_list *globals = &m->sections[PGS_SPV_GLOBALS];
        PGS_SPV_APPEND(m, globals, SpvOpTypeRuntimeArray, array, uvec4);
        PGS_SPV_APPEND(m, globals, SpvOpTypeStruct, block, array);
        PGS_SPV_DECORATE(m, array, SpvDecorationArrayStride, QUAD_B);
        pgs_spv_decorate(m, block, SpvDecorationBlock, NULL, 0);
        struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
        PGS_SPV_APPEND(m, annotations, SpvOpMemberDecorate, block, 0, SpvDecorationOffset, 0);
        PGS_SPV_APPEND(m, annotations, SpvOpMemberDecorate, block, 0, SpvDecorationNonWritable);
        const uint32_t class = SpvStorageClassPhysicalStorageBuffer;
        j->quads_pointer = pgs_spv_type_pointer(m, class, block);
        j->quad_pointer = pgs_spv_type_pointer(m, class, uvec4);
    }
    return PGS_SPV_VALUE(m, out, pgs_spv_op(def), j->quads_pointer, def[3]);
}

static uint32_t load_quad(struct joining *j, struct pgs_spv_list *out, const struct place *place)
{
    struct pgs_spv_module *m = j->m;
    const uint32_t uint = pgs_spv_type_uint(m);
    const uint32_t base = point_to_quads(j, out, place->base);
    uint32_t number = pgs_spv_uint(m, place->offset_B / QUAD_B);
    for (uint32_t i = 0; i < place->element_count; i++) {
        const uint32_t element = PGS_SPV_VALUE(m, out, SpvOpIMul, uint, place->elements[i],
                                               pgs_spv_uint(m, place->strides_B[i] / QUAD_B));
        number = PGS_SPV_VALUE(m, out, SpvOpIAdd, uint, element, number);
    }
    const uint32_t pointer =
        PGS_SPV_VALUE(m, out, SpvOpAccessChain, j->quad_pointer, base, pgs_spv_uint(m, 0), number);
    return PGS_SPV_VALUE(m, out, SpvOpLoad, pgs_spv_type_uvec(m, 4), pointer,
                         SpvMemoryAccessAlignedMask, QUAD_B);
}

/* Gives the load's id to its words of the quad. */
static void take_words(struct joining *j, struct pgs_spv_list *out, const struct load *load,
                       const uint32_t *ins)
{
    struct pgs_spv_module *m = j->m;
    const uint32_t words = pgs_spv_type_uvec(m, load->count), quad = j->quads[load->quad].value;
    const uint32_t first = load->place.offset_B % QUAD_B / WORD_B;
    const uint32_t id = ins[1] == words ? ins[2] : pgs_spv_new_id(m);
    uint32_t part[4 + 4] = {words, id, quad, quad};
    if (load->count == 1)
        PGS_SPV_APPEND(m, out, SpvOpCompositeExtract, words, id, quad, first);
    else {
        for (uint32_t i = 0; i < load->count; i++)
            part[4 + i] = first + i;
        pgs_spv_append(m, out, SpvOpVectorShuffle, part, 4 + load->count);
    }
    if (id != ins[2])
        PGS_SPV_APPEND(m, out, SpvOpBitcast, ins[1], ins[2], id);
}

/* A cast says how to make another pointer. */
static bool is_cast(const struct pgs_spv_module *m, uint32_t id)
{
    const uint32_t *def = pgs_spv_def(m, id);
    return def && (pgs_spv_op(def) == SpvOpBitcast || pgs_spv_op(def) == SpvOpConvertUToPtr);
}

static void write_joined(struct joining *j)
{
    struct pgs_spv_module *m = j->m;
    struct pgs_spv_list *list = &m->sections[PGS_SPV_FUNCTIONS], out = {0};
    const struct load *load = j->loads, *end = j->loads + j->load_count;
    for (uint32_t i = 0; i < list->count && m->result == PGS_SPV_OK; i++) {
        if (load == end || load->number != i) {
            pgs_spv_push(m, &out, list->items[i]);
            continue;
        }
        struct quad *quad = &j->quads[load->quad];
        if (quad->load_count > 1 && j->aligned[load->place.type] && is_cast(m, load->place.base)) {
            if (quad->first == i)
                quad->value = load_quad(j, &out, &load->place);
            take_words(j, &out, load, list->items[i]);
        } else {
            pgs_spv_push(m, &out, list->items[i]);
        }
        load++;
    }
    if (m->result == PGS_SPV_OK)
        *list = out;
}

/* Of modules that are the layer's as a whole every structure, of others those of libraries. */
static void find_read_only(struct joining *j, bool is_own)
{
    for (uint32_t id = 0; is_own && id < j->m->bound; id++)
        j->read_only[id] = pgs_spv_def_op(j->m, id, SpvOpTypeStruct) != NULL;
    if (!is_own)
        pgs_spv_mark_copied(j->m, SpvOpTypeStruct, j->read_only);
    for (uint32_t id = 0; id < j->m->bound; id++)
        if (j->read_only[id])
            j->read_only[id] = pgs_spv_decoration(j->m, id, 0, SpvDecorationNonWritable, NULL);
}

static void join(struct pgs_spv_module *m, bool is_own)
{
    const uint32_t count = m->sections[PGS_SPV_FUNCTIONS].count;
    struct joining j = {.m = m};
    j.read_only = pgs_spv_zalloc(m, m->bound, 1);
    j.aligned = pgs_spv_zalloc(m, m->bound, 1);
    j.blocks = pgs_spv_zalloc(m, m->bound, sizeof(*j.blocks));
    j.loads = pgs_spv_alloc(m, count, sizeof(*j.loads));
    j.quads = pgs_spv_alloc(m, count, sizeof(*j.quads));
    if (m->result != PGS_SPV_OK)
        return;
    find_read_only(&j, is_own);
    collect(&j);
    write_joined(&j);
}

void pgs_spv_join_loads(struct pgs_spv_module *m)
{
    join(m, false);
}

/* Each member of a record is reached by an address of its own, so equal ones come first. */
enum pgs_spv_result pgs_spv_join_kernel(const uint32_t *words, size_t word_count,
                                        struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    enum pgs_spv_result result = pgs_spv_parse(&m, words, word_count);
    if (result == PGS_SPV_OK && pgs_spv_can_rename(&m)) {
        pgs_spv_number_values(&m);
        join(&m, true);
        pgs_spv_drop_dead_code(&m);
    }
    if (result == PGS_SPV_OK)
        result = pgs_spv_write(&m, out);
    pgs_spv_finish(&m);
    return result;
}
