/* SPDX-License-Identifier: MIT
 *
 * Paths of files, as users and the environment name them, through folders and links. Where all of
 * them are this user's, the layer opens what the kernel would open, or nothing. The input names the
 * path and where two links lead, in letters of a small alphabet.
 */
#include "base/files.h"

#include "scratch_folder.h"
#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_B 4200u /* longer than any that is allowed */

const char *const fuzz_words[] = {"\x01", "\x02\x02", "\x03\x01\x03", "\x0f", NULL};

static bool begun;

static void make_file(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0 || close(file) != 0)
        fuzz_die("cannot make a file");
}

static void begin(void)
{
    begun = true;
    scratch_folder();
    if (mkdir("a", 0700) != 0 || mkdir("a/b", 0700) != 0 || symlink("..", "a/b/up") != 0 ||
        symlink(".", "same") != 0 || symlink("loop", "loop") != 0)
        fuzz_die("cannot make folders");
    make_file("f");
    make_file("a/f");
    make_file("a/b/f");
}

/* Text up to the next byte that is no letter. Returns how many bytes were read. */
static size_t read_path(const uint8_t *data, size_t size_B, char path[PATH_B])
{
    static const char *const letters[] = {"/", ".",  "..",   "a",    "b",   "f",  "x",
                                          "y", "up", "same", "loop", "/a/", "/f", "../"};
    size_t length = 0, at = 0;
    for (; at < size_B && data[at] % 16; at++) {
        const uint8_t letter = data[at] % 16 - 1;
        const uint32_t times = letter < 14 ? 1 : 700; /* long ones, too */
        const char *text = letters[letter < 14 ? letter : 13];
        for (uint32_t i = 0; i < times && length + strlen(text) < PATH_B; i++) {
            memcpy(path + length, text, strlen(text));
            length += strlen(text);
        }
    }
    path[length] = '\0';
    return at < size_B ? at + 1 : at;
}

/* Links stay until another is wanted. */
static void make_link(const char *name, const char *wanted, char is[PATH_B])
{
    if (strcmp(wanted, is) == 0)
        return;
    unlink(name);
    if (wanted[0] && symlink(wanted, name) != 0 && errno != ENAMETOOLONG)
        fuzz_die("cannot make a link");
    strcpy(is, wanted);
}

/* What the kernel finds; a slash behind a file is an error of its own only. */
static bool find(const char *path, struct stat *about)
{
    char plain[PATH_B];
    size_t length = strlen(path);
    memcpy(plain, path, length + 1);
    while (length > 1 && plain[length - 1] == '/')
        plain[--length] = '\0';
    return stat(plain, about) == 0;
}

static void open_file(const char *path)
{
    struct stat wanted, found;
    const int file = pgs_open_file(path, true), error = errno;
    const bool is_there = find(path, &wanted);
    if (file < 0) {
        /* The kernel allows longer paths where links lead, and counts them otherwise. */
        if (is_there && S_ISREG(wanted.st_mode) && error != ELOOP && strlen(path) < 4096)
            fuzz_die("a file that is not opened");
        return;
    }
    if (fstat(file, &found) != 0 || !S_ISREG(found.st_mode))
        fuzz_die("no file");
    if (is_there && (wanted.st_ino != found.st_ino || wanted.st_dev != found.st_dev))
        fuzz_die("another file than the kernel opens");
    close(file);
}

static void open_folder(const char *path)
{
    struct stat wanted, found;
    const int folder = pgs_open_folder(path, false);
    if (folder < 0)
        return;
    if (fstat(folder, &found) != 0 || !S_ISDIR(found.st_mode))
        fuzz_die("no folder");
    if (find(path, &wanted) && (wanted.st_ino != found.st_ino || wanted.st_dev != found.st_dev))
        fuzz_die("another folder than the kernel opens");
    close(folder);
}

void fuzz_one(const uint8_t *data, size_t size_B)
{
    static char path[PATH_B], x[PATH_B], y[PATH_B];
    if (!begun)
        begin();
    if (!size_B)
        return;
    const bool folder = data[0] & 1;
    size_t at = 1;
    at += read_path(data + at, size_B - at, path);
    make_link("x", path, x);
    at += read_path(data + at, size_B - at, path);
    make_link("a/y", path, y);
    read_path(data + at, size_B - at, path);
    if (folder)
        open_folder(path);
    else
        open_file(path);
}
