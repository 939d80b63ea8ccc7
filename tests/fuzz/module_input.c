/* SPDX-License-Identifier: MIT */
#include "module_input.h"

#include "target.h"

#include <spirv/unified1/spirv.h>
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
        change_word,      change_word,      change_word,  change_word,  change_word,
        drop_instruction, copy_instruction, mutate_bytes, change_choice};
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
