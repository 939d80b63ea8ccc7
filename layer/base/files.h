/* SPDX-License-Identifier: MIT
 *
 * Files and folders of users. What other users put in the way is not taken for theirs: a symbolic
 * link is followed only if this user or root made it, wherever it leads, and what others own is
 * opened only where this user named it.
 *
 * In a namespace that does not know root, root is whoever owns /proc; but so are all other users
 * that it does not know, so that this one counts only in folders that not everybody may write to.
 */
#ifndef PGS_BASE_FILES_H
#define PGS_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A new file has such a name until it is complete. Whoever writes many removes what killed writers
 * left. */
#define PGS_TEMPORARY_PREFIX ".pgs-new-"

/* Opens a regular file to be read: this user's, or root's that not everybody may write to. named:
 * this user named the file, and did not only start a program in or with its folder. Then it may
 * also be another user's, if everybody may write neither to it nor to its folder. -1, with errno:
 * not there, or not to be trusted (EPERM). */
int pgs_open_file(const char *path, bool named);

/* Opens a folder that this user named, which others may write to, too. It is this user's or root's,
 * or lies in a folder that not everybody may write to. make: it and its parents are made (mode
 * 0700) if they are not there. -1 as above. */
int pgs_open_folder(const char *path, bool make);

struct pgs_bytes {
    const void *data;
    size_t size_B;
};

/* Writes the parts, one behind the other, as a file of an open folder. mode: without what umask
 * takes away. It appears complete or not at all, in place of what had that name; links are
 * replaced, not followed. False, with errno: not written. Thread-safe. */
bool pgs_write_file(int folder, const char *name, mode_t mode, const struct pgs_bytes *parts,
                    size_t count);

#endif
