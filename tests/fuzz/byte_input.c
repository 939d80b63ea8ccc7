/* SPDX-License-Identifier: MIT
 *
 * Changes of inputs that are bytes: any, or a word of the target's in any place.
 */
#include "target.h"

#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size_B, size_t most_B, unsigned int seed)
{
    size_t count = 0;
    while (fuzz_words[count])
        count++;
    if (!count || seed & 1)
        return LLVMFuzzerMutate(data, size_B, most_B);
    const char *word = fuzz_words[(seed >> 2) % count];
    const size_t length = strlen(word), at = size_B ? (seed >> 12) % (size_B + 1) : 0;
    const size_t over = seed & 2 ? length : 0; /* in place of as many bytes */
    const size_t end = at + over < size_B ? at + over : size_B;
    if (at + length + (size_B - end) > most_B)
        return LLVMFuzzerMutate(data, size_B, most_B);
    memmove(data + at + length, data + end, size_B - end);
    memcpy(data + at, word, length);
    return at + length + (size_B - end);
}
