/* SPDX-License-Identifier: MIT */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_MAX_B 4096
#define NAME_MAX_B (PATH_MAX_B + 1) /* with a slash in front */
#define MAX_LINKS 40                /* of one path, as in the kernel */
#define MAX_TRIES 100

/* -- who is trusted -- */

static bool is_own_or_root(uid_t owner)
{
    return owner == geteuid() || owner == 0;
}

/* Also if that is not known. */
static bool everybody_writes(int folder, const char *path)
{
    struct stat about;
    return fstatat(folder, path, &about, 0) != 0 || (about.st_mode & S_IWOTH);
}

/* Root outside of a namespace of users, which stands for everybody whom that does not know. */
static bool is_outer_root(uid_t owner)
{
    struct stat proc;
    return stat("/proc", &proc) == 0 && owner == proc.st_uid;
}

/* -- paths -- */

/* A path that is walked name by name. */
struct walk {
    char rest[PATH_MAX_B]; /* what is still to be walked */
    unsigned links;        /* that were followed */
    bool from_root;        /* the next name begins at "/" */
    bool make;
    bool exposed; /* the end is a file, in a folder that everybody may write to */
};

/* Moves the first name to `name`, behind a slash if it begins at the root. That is never opened by
 * itself: emulators in user mode would take the root of their programs' libraries for it. False:
 * there is no name left. */
static bool take_name(struct walk *walk, char name[NAME_MAX_B])
{
    const char *start = walk->rest + strspn(walk->rest, "/");
    const size_t length = strcspn(start, "/");
    if (length == 0)
        return false;
    const size_t slash = walk->from_root;
    name[0] = '/';
    memcpy(name + slash, start, length);
    name[slash + length] = '\0';
    walk->from_root = false;
    memmove(walk->rest, start + length, strlen(start + length) + 1);
    return true;
}

/* Puts what a link says in front of the rest. */
static bool take_link(struct walk *walk, int link)
{
    char text[2 * PATH_MAX_B];
    const ssize_t length = readlinkat(link, "", text, PATH_MAX_B);
    const size_t rest_B = strlen(walk->rest) + 1;
    if (length < 0)
        return false;
    if (length == 0 || (size_t)length + rest_B > sizeof(walk->rest) || ++walk->links > MAX_LINKS) {
        errno = ELOOP;
        return false;
    }
    memcpy(text + length, walk->rest, rest_B);
    memcpy(walk->rest, text, (size_t)length + rest_B);
    return true;
}

/* Keeps errno. */
static void close_file(int file)
{
    const int error = errno;
    if (file >= 0)
        close(file);
    errno = error;
}

static int fail(int file, int error)
{
    close_file(file);
    errno = error;
    return -1;
}

/* The folder in which a name lies, as seen from `at`. */
static const char *folder_of(const char *name)
{
    return name[0] == '/' ? "/" : ".";
}

/* O_PATH suffices to go on, as in folders that this user may pass but not list. With O_DIRECTORY
 * the kernel mounts what it mounts on demand, such as homes. */
static int enter_folder(const struct walk *walk, int at, const char *name)
{
    const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const int found = openat(at, name, flags);
    if (found >= 0 || errno != ENOENT || !walk->make)
        return found;
    if (mkdirat(at, name, 0700) != 0 && errno != EEXIST)
        return -1;
    return openat(at, name, flags);
}

/* The folder from which to go on where a link leads. */
static int follow(struct walk *walk, int at, const char *name, int link, uid_t owner)
{
    if (!is_own_or_root(owner) &&
        !(is_outer_root(owner) && !everybody_writes(at, folder_of(name)))) {
        errno = EPERM;
        return -1;
    }
    if (!take_link(walk, link))
        return -1;
    walk->from_root = walk->rest[0] == '/' || name[0] == '/';
    return walk->from_root ? AT_FDCWD : openat(at, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* What is no folder: a link, or a file at the end, which is opened to be read. */
static int open_other(struct walk *walk, int at, const char *name)
{
    struct stat about;
    const int found = openat(at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (found < 0 || fstat(found, &about) != 0)
        return fail(found, errno);
    if (S_ISLNK(about.st_mode)) {
        const int folder = follow(walk, at, name, found, about.st_uid);
        close_file(found);
        return folder;
    }
    if (!S_ISREG(about.st_mode) || walk->rest[strspn(walk->rest, "/")] != '\0')
        return found;
    close(found);
    walk->exposed = everybody_writes(at, folder_of(name));
    return openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* What is at the end of a path: a file that can be read, or something else opened with O_PATH. */
static int walk_path(struct walk *walk, const char *path)
{
    char name[NAME_MAX_B];
    const size_t length = strlen(path);
    if (length == 0 || length >= sizeof(walk->rest))
        return fail(-1, ENOENT);
    memcpy(walk->rest, path, length + 1);
    walk->from_root = path[0] == '/';
    int at = AT_FDCWD;
    while (at != -1 && take_name(walk, name)) {
        int next = enter_folder(walk, at, name);
        if (next == -1 && (errno == ENOTDIR || errno == ELOOP))
            next = open_other(walk, at, name);
        close_file(at);
        at = next;
    }
    if (at != AT_FDCWD)
        return at;
    return open(walk->from_root ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* -- what is at their ends -- */

static bool is_trusted_file(const struct stat *about, bool exposed, bool named)
{
    const uid_t owner = about->st_uid;
    if (owner == geteuid())
        return true;
    if (about->st_mode & S_IWOTH)
        return false;
    return owner == 0 || (!exposed && (named || is_outer_root(owner)));
}

int pgs_open_file(const char *path, bool named)
{
    struct walk walk = {.make = false};
    struct stat about;
    const int file = walk_path(&walk, path);
    if (file < 0 || fstat(file, &about) != 0)
        return fail(file, errno);
    if (!S_ISREG(about.st_mode))
        return fail(file, EINVAL);
    if (!is_trusted_file(&about, walk.exposed, named))
        return fail(file, EPERM);
    return file;
}

int pgs_open_folder(const char *path, bool make)
{
    struct walk walk = {.make = make};
    struct stat about;
    const int found = walk_path(&walk, path);
    if (found < 0 || fstat(found, &about) != 0)
        return fail(found, errno);
    if (!S_ISDIR(about.st_mode))
        return fail(found, ENOTDIR);
    if (!is_own_or_root(about.st_uid) && everybody_writes(found, ".."))
        return fail(found, EPERM);
    const int folder = openat(found, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close_file(found);
    return folder;
}

/* -- new files -- */

/* Makes a file of a name that nobody has. */
static int make_temporary(int folder, mode_t mode, char name[64])
{
    static _Atomic unsigned serial;
    int file = -1;
    for (unsigned i = 0; i < MAX_TRIES && file < 0; i++) {
        snprintf(name, 64, PGS_TEMPORARY_PREFIX "%ld-%u", (long)getpid(),
                 atomic_fetch_add(&serial, 1));
        file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (file < 0 && errno != EEXIST)
            return -1;
    }
    return file;
}

static bool write_all(int file, const struct pgs_bytes *part)
{
    for (size_t done_B = 0; done_B < part->size_B;) {
        const char *from = (const char *)part->data + done_B;
        const ssize_t now_B = write(file, from, part->size_B - done_B);
        if (now_B < 0 && errno != EINTR)
            return false;
        done_B += now_B > 0 ? (size_t)now_B : 0;
    }
    return true;
}

bool pgs_write_file(int folder, const char *name, mode_t mode, const struct pgs_bytes *parts,
                    size_t count)
{
    char fresh[64];
    const int file = make_temporary(folder, mode, fresh);
    if (file < 0)
        return false;
    bool written = true;
    for (size_t i = 0; i < count && written; i++)
        written = write_all(file, &parts[i]);
    int error = errno;
    if (close(file) != 0 && written) {
        written = false;
        error = errno;
    }
    if (written && renameat(folder, fresh, folder, name) == 0)
        return true;
    if (written)
        error = errno;
    unlinkat(folder, fresh, 0);
    errno = error;
    return false;
}
