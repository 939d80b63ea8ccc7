/* SPDX-License-Identifier: MIT */
#include "module_input.h"

#include "spirv/ir/operands.h"
#include "target.h"

#include <string.h>

#define HEADER_W 5u
#define MOST_W (1u << 16)

/* -- the module -- */

/* Words of an instruction; at least one, and none beyond the end. */
static size_t length_at(const uint32_t *words, size_t count, size_t at)
{
    const size_t length = words[at] >> 16 ? words[at] >> 16 : 1;
    return length < count - at ? length : count - at;
}

/* Stage and name of the first entry point, which the application would know. */
static void find_entry(struct module_input *module)
{
    strcpy(module->entry, "main");
    for (size_t at = HEADER_W; at < module->count;
         at += length_at(module->words, module->count, at)) {
        const uint32_t *ins = module->words + at;
        const size_t length = length_at(module->words, module->count, at);
        if ((ins[0] & 0xFFFF) != SpvOpEntryPoint || length < 4)
            continue;
        const size_t room_B = sizeof(module->entry), said_B = 4 * (length - 3);
        memcpy(module->entry, ins + 3, said_B < room_B ? said_B : room_B);
        module->entry[(said_B < room_B ? said_B : room_B) - 1] = 0;
        module->stage =
            ins[1] <= SpvExecutionModelFragment ? (enum pgs_spv_stage)ins[1] : PGS_SPV_GEOMETRY;
        return;
    }
}

bool module_input_read(const uint8_t *data, size_t size_B, struct module_input *module)
{
    *module = (struct module_input){.words = (const uint32_t *)(const void *)data,
                                    .count = size_B / 4,
                                    .stage = PGS_SPV_GEOMETRY};
    if (module->count > MOST_W)
        return false;
    find_entry(module);
    module->choice = module->count > 2 ? module->words[2] : 0;
    return true;
}

/* -- changes -- */

static uint32_t state;

static uint32_t random_below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return limit ? state % limit : 0;
}

/* Where an instruction at random begins. */
static size_t any_instruction(const uint32_t *words, size_t count)
{
    size_t found = HEADER_W;
    uint32_t seen = 0;
    for (size_t at = HEADER_W; at < count; at += length_at(words, count, at))
        if (random_below(++seen) == 0)
            found = at;
    return found;
}

static uint32_t any_value(const uint32_t *words, size_t count)
{
    static const uint32_t edges[] = {
        0,  1,  2,  3,   4,   6,   7,   8,    16,     31,         32,         33,
        63, 64, 65, 127, 128, 255, 256, 1024, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
    switch (random_below(4)) {
    case 0:
        return edges[random_below(sizeof(edges) / sizeof(edges[0]))];
    case 1:
        return random_below(words[3] < 4096 ? words[3] + 1 : 4096); /* an id */
    case 2:
        return words[random_below((uint32_t)count)];
    default:
        return words[random_below((uint32_t)count)] + random_below(5) - 2;
    }
}

/* Another operand, or another opcode of the same length. */
static size_t change_word(uint32_t *words, size_t count, size_t most)
{
    const size_t at = any_instruction(words, count), length = length_at(words, count, at);
    (void)most;
    if (length > 1 && random_below(8))
        words[at + 1 + random_below((uint32_t)length - 1)] = any_value(words, count);
    else
        words[at] = (words[at] & 0xFFFF0000) | (words[any_instruction(words, count)] & 0xFFFF);
    return count;
}

static size_t drop_instruction(uint32_t *words, size_t count, size_t most)
{
    const size_t at = any_instruction(words, count), length = length_at(words, count, at);
    (void)most;
    memmove(words + at, words + at + length, 4 * (count - at - length));
    return count - length;
}

/* A copy of an instruction in front of another. */
static size_t copy_instruction(uint32_t *words, size_t count, size_t most)
{
    uint32_t copy[64];
    const size_t from = any_instruction(words, count), length = length_at(words, count, from);
    const size_t to = any_instruction(words, count);
    if (length > 64 || count + length > most)
        return count;
    memcpy(copy, words + from, 4 * length);
    memmove(words + to + length, words + to, 4 * (count - to));
    memcpy(words + to, copy, 4 * length);
    return count + length;
}

/* -- changes after which most modules are still taken -- */

#define TRIES 8

/* The words of the result type and of the result of an instruction, 0 where it has none. */
static void result_words(const uint32_t *words, size_t count, size_t at, uint32_t *type,
                         uint32_t *id)
{
    const size_t length = length_at(words, count, at);
    pgs_spv_result_words(words[at] & 0xFFFF, type, id);
    if (*type >= length || *id >= length)
        *type = *id = 0;
}

/* What two values have in common that can stand for each other: their type, or else their opcode.
 * 0: the instruction makes no value. */
static uint64_t kind_at(const uint32_t *words, size_t count, size_t at)
{
    uint32_t type, id;
    result_words(words, count, at, &type, &id);
    if (!id)
        return 0;
    return type ? (uint64_t)words[at + type] << 32 : (words[at] & 0xFFFF) + 1u;
}

/* Another value of that kind, at random; the id itself if there is none. */
static uint32_t other_of_kind(const uint32_t *words, size_t count, uint32_t id, uint64_t kind)
{
    uint32_t found = id, seen = 0;
    for (size_t at = HEADER_W; kind && at < count; at += length_at(words, count, at)) {
        uint32_t type_word, id_word;
        if (kind_at(words, count, at) != kind)
            continue;
        result_words(words, count, at, &type_word, &id_word);
        if (words[at + id_word] != id && random_below(++seen) == 0)
            found = words[at + id_word];
    }
    return found;
}

/* One that can stand for it. */
static uint32_t other_value(const uint32_t *words, size_t count, uint32_t id)
{
    for (size_t at = HEADER_W; at < count; at += length_at(words, count, at)) {
        uint32_t type_word, id_word;
        result_words(words, count, at, &type_word, &id_word);
        if (id_word && words[at + id_word] == id)
            return other_of_kind(words, count, id, kind_at(words, count, at));
    }
    return id;
}

/* Whether a word names what another instruction makes. */
static bool is_use(const uint32_t *words, size_t count, size_t at, uint32_t word)
{
    const uint32_t op = words[at] & 0xFFFF;
    uint32_t type_word, id_word;
    result_words(words, count, at, &type_word, &id_word);
    return words[at] >> 16 == length_at(words, count, at) && word != id_word &&
           op != SpvOpEntryPoint && pgs_spv_is_id(words + at, word);
}

/* From there on one of so many uses of a value names another. */
static void rename_uses(uint32_t *words, size_t count, size_t at, uint32_t from, uint32_t to,
                        uint32_t one_of)
{
    for (; at < count; at += length_at(words, count, at)) {
        for (uint32_t i = 1; i < length_at(words, count, at); i++) {
            if (words[at + i] == from && is_use(words, count, at, i) && random_below(one_of) == 0)
                words[at + i] = to;
        }
    }
}

/* Another operand of the same type. */
static size_t change_operand(uint32_t *words, size_t count, size_t most)
{
    (void)most;
    for (uint32_t n = 0; n < TRIES; n++) {
        const size_t at = any_instruction(words, count), length = length_at(words, count, at);
        const uint32_t word = length > 1 ? 1 + random_below((uint32_t)length - 1) : 0;
        if (!word || !is_use(words, count, at, word))
            continue;
        const uint32_t other = other_value(words, count, words[at + word]);
        if (other == words[at + word])
            continue;
        words[at + word] = other;
        break;
    }
    return count;
}

/* Another opcode with a result and operands of the same form. */
static size_t change_opcode(uint32_t *words, size_t count, size_t most)
{
    (void)most;
    for (uint32_t n = 0; n < TRIES; n++) {
        const size_t at = any_instruction(words, count);
        const uint32_t op = words[at] & 0xFFFF, other = op + random_below(9) - 4;
        if (op >= PGS_SPV_ID_OPCODES || other >= PGS_SPV_ID_OPCODES || other == op ||
            pgs_spv_opcode_results[op] != pgs_spv_opcode_results[other] ||
            pgs_spv_leading_ids[op] != pgs_spv_leading_ids[other])
            continue;
        words[at] = (words[at] & 0xFFFF0000) | other;
        break;
    }
    return count;
}

/* The last word of a constant, a decoration or a mode, which most often is a number. */
static size_t change_number(uint32_t *words, size_t count, size_t most)
{
    size_t found = 0;
    uint32_t seen = 0;
    (void)most;
    for (size_t at = HEADER_W; at < count; at += length_at(words, count, at)) {
        const uint32_t op = words[at] & 0xFFFF;
        const bool has_number = op == SpvOpConstant || op == SpvOpSpecConstant ||
                                op == SpvOpDecorate || op == SpvOpMemberDecorate ||
                                op == SpvOpExecutionMode;
        if (has_number && random_below(++seen) == 0)
            found = at + length_at(words, count, at) - 1;
    }
    if (found)
        words[found] =
            random_below(2) ? any_value(words, count) : words[found] + random_below(5) - 2;
    return count;
}

/* Makes a value twice; some of its uses take the second one. */
static size_t repeat_value(uint32_t *words, size_t count, size_t most)
{
    const size_t at = any_instruction(words, count), length = length_at(words, count, at);
    uint32_t type_word, id_word;
    result_words(words, count, at, &type_word, &id_word);
    if (!id_word || count + length > most)
        return count;
    const size_t second = at + length;
    memmove(words + second, words + at, 4 * (count - at));
    const uint32_t id = words[3]++;
    rename_uses(words, count + length, second + length, words[at + id_word], id, 2);
    words[second + id_word] = id;
    return count + length;
}

/* Drops a value; another stands for it. */
static size_t drop_value(uint32_t *words, size_t count, size_t most)
{
    const size_t at = any_instruction(words, count), length = length_at(words, count, at);
    uint32_t type_word, id_word;
    result_words(words, count, at, &type_word, &id_word);
    if (!id_word)
        return drop_instruction(words, count, most);
    const uint32_t id = words[at + id_word], other = other_value(words, count, id);
    rename_uses(words, count, HEADER_W, id, other, 1);
    memmove(words + at, words + at + length, 4 * (count - at - length));
    return count - length;
}

/* -- all changes -- */

/* Another pass. */
static size_t change_choice(uint32_t *words, size_t count, size_t most)
{
    (void)most;
    words[2] = random_below(1u << 10);
    return count;
}

static size_t mutate_bytes(uint32_t *words, size_t count, size_t most)
{
    return LLVMFuzzerMutate((uint8_t *)words, 4 * count, 4 * most) / 4;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_B, size_t most_B, unsigned int seed)
{
    static size_t (*const changes[])(uint32_t *, size_t, size_t) = {
        change_word,   change_word,      change_word,  change_operand, change_operand,
        change_opcode, change_number,    repeat_value, drop_value,     drop_instruction,
        mutate_bytes,  copy_instruction, change_choice};
    static uint32_t words[MOST_W];
    size_t count = size_B / 4;
    const size_t most = most_B / 4 < MOST_W ? most_B / 4 : MOST_W;
    if (count <= HEADER_W || count > most)
        return LLVMFuzzerMutate(data, size_B, most_B);
    memcpy(words, data, 4 * count);
    state = seed ? seed : 1;
    for (uint32_t n = 1 + random_below(4); n && count > HEADER_W; n--)
        count = changes[random_below(sizeof(changes) / sizeof(changes[0]))](words, count, most);
    memcpy(data, words, 4 * count);
    return 4 * count;
}
