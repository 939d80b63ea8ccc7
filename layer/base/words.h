/* SPDX-License-Identifier: MIT
 *
 * The words of a list that a user wrote, with commas, semicolons or spaces between them.
 */
#ifndef PGS_BASE_WORDS_H
#define PGS_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct pgs_word {
    const char *start; /* in the list */
    size_t length;
};

/* Takes the next word, and moves *list behind it. False: there is none. */
static inline bool pgs_word_next(const char **list, struct pgs_word *word)
{
    static const char between[] = ",; \t";
    word->start = *list + strspn(*list, between);
    word->length = strcspn(word->start, between);
    *list = word->start + word->length;
    return word->length > 0;
}

/* True if the word is that name, in whatever case. */
static inline bool pgs_word_is(const struct pgs_word *word, const char *name)
{
    return strlen(name) == word->length && strncasecmp(name, word->start, word->length) == 0;
}

#endif
