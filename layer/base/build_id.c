/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "base/build_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>

struct search {
    unsigned char *id;
    size_t size_B;
};

static size_t padded(size_t size_B)
{
    return (size_B + 3) & ~(size_t)3;
}

/* Looks through the notes of one segment. */
static size_t find_in_notes(const unsigned char *notes, size_t left_B, unsigned char *id)
{
    ElfW(Nhdr) note;
    while (left_B >= sizeof(note)) {
        memcpy(&note, notes, sizeof(note));
        const size_t name_B = padded(note.n_namesz), size_B = note.n_descsz;
        if (left_B < sizeof(note) + name_B + padded(size_B))
            return 0;
        const unsigned char *name = notes + sizeof(note);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && !memcmp(name, "GNU", 4) &&
            size_B <= PGS_BUILD_ID_MAX_B) {
            memcpy(id, name + name_B, size_B);
            return size_B;
        }
        notes += sizeof(note) + name_B + padded(size_B);
        left_B -= sizeof(note) + name_B + padded(size_B);
    }
    return 0;
}

/* True if one of the object's segments contains this function. */
static int is_own(const struct dl_phdr_info *object)
{
    const uintptr_t here = (uintptr_t)&find_in_notes;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const uintptr_t start = (uintptr_t)(object->dlpi_addr + segment->p_vaddr);
        if (segment->p_type == PT_LOAD && here >= start && here - start < segment->p_memsz)
            return 1;
    }
    return 0;
}

static int visit(struct dl_phdr_info *object, size_t size_B, void *context)
{
    struct search *search = context;
    (void)size_B;
    if (!is_own(object))
        return 0;
    for (int i = 0; i < object->dlpi_phnum && !search->size_B; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE)
            search->size_B =
                find_in_notes((const unsigned char *)(object->dlpi_addr + segment->p_vaddr),
                              segment->p_memsz, search->id);
    }
    return 1;
}

size_t pgs_build_id(unsigned char id[PGS_BUILD_ID_MAX_B])
{
    struct search search = {.id = id};
    dl_iterate_phdr(visit, &search);
    return search.size_B;
}
