/* SPDX-License-Identifier: MIT
 *
 * Files and folders of users: what other users put in the way is not taken, and what users have in
 * homes, containers and on phones is. Only root can act for another user, so what needs one is
 * skipped for others.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* unshare */
#endif
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { OTHER = 4321 }; /* a user that is neither this one nor root */

static char top[64];

/* Each test works in an empty folder. */
static int set_up(void **state)
{
    (void)state;
    snprintf(top, sizeof(top), "/tmp/pgs-files-XXXXXX");
    return mkdtemp(top) && chdir(top) == 0 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[96];
    snprintf(command, sizeof(command), "rm -rf '%s'", top);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void make_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void make_link(const char *target, const char *path, uid_t owner)
{
    assert_int_equal(symlink(target, path), 0);
    if (owner != geteuid())
        assert_int_equal(lchown(path, owner, owner), 0);
}

/* The empty folder is then one that others may pass. */
static void needs_root(void)
{
    if (geteuid() != 0)
        skip();
    assert_int_equal(chmod(top, 0755), 0);
}

/* Whether the other user, in a process of its own, finds things as they should be. */
static bool other_finds(bool (*find)(void))
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        const bool other = setgroups(0, NULL) == 0 && setresgid(OTHER, OTHER, OTHER) == 0 &&
                           setresuid(OTHER, OTHER, OTHER) == 0;
        _exit(other && find() ? 0 : 1);
    }
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void make_folder(const char *path, mode_t mode, uid_t owner)
{
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(chmod(path, mode), 0); /* whatever umask says */
    if (owner != geteuid())
        assert_int_equal(chown(path, owner, owner), 0);
}

static bool reads(const char *path, bool named, const char *text)
{
    char found[16] = "";
    const int file = pgs_open_file(path, named);
    if (file < 0)
        return false;
    const ssize_t length = read(file, found, sizeof(found) - 1);
    close(file);
    return length == (ssize_t)strlen(text) && strcmp(found, text) == 0;
}

static bool refuses(const char *path, bool named)
{
    errno = 0;
    return pgs_open_file(path, named) == -1 && errno == EPERM;
}

static bool opens(const char *path, bool make)
{
    const int folder = pgs_open_folder(path, make);
    return folder >= 0 && close(folder) == 0;
}

static bool keeps_out(const char *path)
{
    errno = 0;
    return pgs_open_folder(path, true) == -1 && errno == EPERM;
}

static void assert_reads(const char *path, const char *text)
{
    assert_true(reads(path, false, text));
    assert_true(reads(path, true, text));
}

static void assert_no_file(const char *path, int error)
{
    for (int named = 0; named < 2; named++) {
        errno = 0;
        assert_int_equal(pgs_open_file(path, named), -1);
        assert_int_equal(errno, error);
    }
}

static void assert_folder(const char *path, bool make)
{
    assert_true(opens(path, make));
}

static void assert_no_folder(const char *path, bool make, int error)
{
    errno = 0;
    assert_int_equal(pgs_open_folder(path, make), -1);
    assert_int_equal(errno, error);
}

/* -- files -- */

static void reads_own_files(void **state)
{
    (void)state;
    char path[128];
    assert_int_equal(mkdir("a", 0755), 0);
    make_file("a/file", "one");
    snprintf(path, sizeof(path), "%s//a/./../a/file", top);
    assert_reads(path, "one");
    assert_reads("a/file", "one");
    assert_int_equal(chmod("a/file", 0664), 0);
    assert_reads("./a//file", "one");
    assert_int_equal(chmod("a/file", 0777), 0); /* as on file systems that know no modes */
    assert_reads("a/file", "one");
}

static void reads_no_others(void **state)
{
    (void)state;
    char path[5000];
    assert_int_equal(mkfifo("pipe", 0600), 0);
    make_file("open", "");
    assert_no_file("pipe", EINVAL); /* and does not wait for a writer */
    assert_no_file(top, EINVAL);
    assert_no_file("/", EINVAL);
    assert_no_file("nothing", ENOENT);
    assert_no_file("open/file", ENOTDIR);
    assert_no_file("", ENOENT);
    memset(path, 'a', sizeof(path) - 1);
    path[sizeof(path) - 1] = '\0';
    assert_no_file(path, ENOENT);
    path[4095] = '\0';
    assert_no_file(path, ENAMETOOLONG);
}

static bool finds_files_of_root(void)
{
    return reads("fixed", false, "one") && reads("fixed", true, "one") && refuses("open", false) &&
           refuses("open", true) && reads("link", false, "one");
}

/* An administrator's, to which an administrator's link leads. */
static void reads_files_of_root(void **state)
{
    (void)state;
    needs_root();
    make_file("fixed", "one");
    make_file("open", "one");
    assert_int_equal(chmod("fixed", 0644), 0);
    assert_int_equal(chmod("open", 0646), 0);
    make_link("fixed", "link", 0);
    assert_true(other_finds(finds_files_of_root));
}

/* As in a container whose user is root, with a folder of the host: if it was named. */
static void reads_files_of_another_user_if_named(void **state)
{
    (void)state;
    needs_root();
    make_folder("host", 0755, OTHER);
    make_folder("shared", 01777, 0);
    make_file("host/file", "one");
    make_file("shared/file", "one");
    assert_int_equal(chown("host/file", OTHER, OTHER), 0);
    assert_int_equal(chown("shared/file", OTHER, OTHER), 0);
    assert_true(refuses("host/file", false));
    assert_true(reads("host/file", true, "one"));
    assert_no_file("shared/file", EPERM);
    assert_int_equal(chmod("host/file", 0646), 0);
    assert_no_file("host/file", EPERM);
}

static void follows_own_links(void **state)
{
    (void)state;
    char absolute[96];
    assert_int_equal(mkdir("a", 0755), 0);
    make_file("a/file", "one");
    make_link("a", "relative", geteuid());
    snprintf(absolute, sizeof(absolute), "%s/relative/file", top);
    make_link(absolute, "a/link", geteuid());
    make_link("../a/link", "a/again", geteuid());
    assert_reads("relative/file", "one");
    assert_reads("a/link", "one");
    assert_reads("relative/again", "one");
    assert_folder("relative", false);
}

static void follows_no_circles(void **state)
{
    (void)state;
    make_link("two", "one", geteuid());
    make_link("one", "two", geteuid());
    assert_no_file("one", ELOOP);
    assert_no_folder("two", true, ELOOP);
    make_link("nowhere", "dangling", geteuid());
    assert_no_file("dangling", ENOENT);
}

static void follows_no_links_of_another_user(void **state)
{
    (void)state;
    needs_root();
    assert_int_equal(mkdir("a", 0755), 0);
    make_file("a/file", "one");
    make_link("a", "folder", OTHER);
    make_link("a/file", "file", OTHER);
    make_link("file", "own", geteuid()); /* leads over the other's */
    assert_no_file("file", EPERM);
    assert_no_file("folder/file", EPERM);
    assert_no_file("own", EPERM);
    assert_no_folder("folder", false, EPERM);
    assert_no_folder("folder/b/c", true, EPERM);
    assert_int_equal(access("a/b", F_OK), -1);
}

/* -- folders -- */

static void makes_folders(void **state)
{
    (void)state;
    struct stat about;
    assert_no_folder("a/b", false, ENOENT);
    assert_folder("a/b", true);
    assert_int_equal(stat("a/b", &about), 0);
    assert_int_equal(about.st_mode & 07777, 0700);
    assert_folder("a/b", true);
    assert_folder("/", false);
    make_file("file", "");
    assert_no_folder("file", true, ENOTDIR);
    assert_no_folder("file/a", true, ENOTDIR);
}

/* To which the other user may write, and make links there. */
static void opens_no_folders_that_others_made_for_all(void **state)
{
    (void)state;
    needs_root();
    make_folder("shared", 01777, 0);
    make_folder("shared/theirs", 0777, OTHER);
    assert_no_folder("shared/theirs", true, EPERM);
    make_folder("shared/own", 0700, geteuid());
    assert_folder("shared/own", false);
    assert_folder("shared", false); /* root's */
    assert_folder("shared/new/below", true);
}

/* The folder of a host in a container whose user is root. */
static void opens_named_folders_of_another_user(void **state)
{
    (void)state;
    needs_root();
    make_folder("host", 0755, OTHER);
    assert_folder("host", false);
    assert_folder("host/new", true);
}

/* A home on another disk: the link is there, the folder is not yet. */
static void makes_folders_behind_own_links(void **state)
{
    (void)state;
    char path[96];
    struct stat about;
    make_folder("disk", 0755, geteuid());
    snprintf(path, sizeof(path), "%s/disk/cache", top);
    make_link(path, ".cache", geteuid());
    assert_folder(".cache/poly_gs", true);
    assert_int_equal(stat("disk/cache/poly_gs", &about), 0);
    assert_int_equal(about.st_mode & 07777, 0700);
}

/* Whose home a group may write to. */
static void makes_folders_in_shared_homes(void **state)
{
    (void)state;
    make_folder("home", 02775, geteuid());
    assert_folder("home/.cache/poly_gs", true);
    make_file("home/file", "one");
    assert_reads("home/file", "one");
}

static bool finds_folders_of_application(void)
{
    make_file("data/app/file", "one");
    return opens("data/app", false) && opens("data/app/cache/poly_gs", true) &&
           reads("data/app/file", false, "one");
}

/* Folders that only lead to one's own, and cannot be listed: those of applications on Android, and
 * of homes. */
static void passes_folders_of_others(void **state)
{
    (void)state;
    needs_root();
    make_folder("data", 0711, OTHER + 1);
    make_folder("data/app", 0700, OTHER);
    assert_true(other_finds(finds_folders_of_application));
}

static bool finds_root_by_another_number(void)
{
    static const char map[] = "4321 4321 1";
    struct stat about;
    if (prctl(PR_SET_DUMPABLE, 1) != 0 || unshare(CLONE_NEWUSER) != 0)
        return true; /* not allowed here */
    const int file = open("/proc/self/uid_map", O_WRONLY | O_CLOEXEC);
    const bool mapped = file >= 0 && write(file, map, sizeof(map) - 1) > 0 && close(file) == 0;
    return mapped && geteuid() == OTHER && stat("file", &about) == 0 && about.st_uid != 0 &&
           reads("file", false, "one") && reads("link", false, "one") &&
           refuses("shared/file", false) && refuses("shared/link", false) &&
           keeps_out("shared/link/new") && opens("own", false);
}

/* As in sandboxes, where root owns what leads to homes but has no number. */
static void knows_root_outside_of_namespaces(void **state)
{
    (void)state;
    needs_root();
    make_file("file", "one");
    make_link("file", "link", 0);
    make_folder("own", 0700, OTHER);
    make_folder("shared", 01777, 0);
    make_file("shared/file", "one");
    make_link("../file", "shared/link", 0);
    assert_true(other_finds(finds_root_by_another_number));
}

/* -- new files -- */

static const struct pgs_bytes parts[] = {{"on", 2}, {"", 0}, {"e", 1}};

static void writes_files(void **state)
{
    (void)state;
    struct stat about;
    const int folder = pgs_open_folder(".", false);
    const mode_t mask = umask(022);
    make_file("old", "something else");
    assert_true(pgs_write_file(folder, "new", 0600, parts, 3));
    assert_true(pgs_write_file(folder, "old", 0666, parts, 3));
    umask(mask);
    assert_reads("new", "one");
    assert_reads("old", "one");
    assert_int_equal(stat("new", &about), 0);
    assert_int_equal(about.st_mode & 07777, 0600);
    assert_int_equal(stat("old", &about), 0);
    assert_int_equal(about.st_mode & 07777, 0644);
    assert_int_equal(unlink("new"), 0);
    assert_int_equal(unlink("old"), 0);
    assert_int_equal(mkdir("taken", 0700), 0);
    assert_false(pgs_write_file(folder, "taken", 0600, parts, 3));
    assert_int_equal(errno, EISDIR);
    assert_int_equal(rmdir("taken"), 0);
    close(folder);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(top), 0); /* nothing is left */
    assert_int_equal(mkdir(top, 0700), 0);
}

/* Links that somebody who may write to the folder left, under the name of the file and under those
 * that temporary ones will have. */
static void writes_through_no_links(void **state)
{
    (void)state;
    struct stat about;
    const int folder = pgs_open_folder(".", false);
    make_file("victim", "mine");
    make_link("victim", "new", geteuid());
    for (unsigned i = 0; i < 50; i++) {
        char name[64];
        snprintf(name, sizeof(name), PGS_TEMPORARY_PREFIX "%ld-%u", (long)getpid(), i);
        make_link("victim", name, geteuid());
    }
    assert_true(pgs_write_file(folder, "new", 0600, parts, 3));
    assert_reads("victim", "mine");
    assert_int_equal(lstat("new", &about), 0);
    assert_true(S_ISREG(about.st_mode));
    assert_reads("new", "one");
    close(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(reads_own_files),
        TEST(reads_no_others),
        TEST(reads_files_of_root),
        TEST(reads_files_of_another_user_if_named),
        TEST(follows_own_links),
        TEST(follows_no_circles),
        TEST(follows_no_links_of_another_user),
        TEST(makes_folders),
        TEST(opens_no_folders_that_others_made_for_all),
        TEST(opens_named_folders_of_another_user),
        TEST(makes_folders_behind_own_links),
        TEST(makes_folders_in_shared_homes),
        TEST(passes_folders_of_others),
        TEST(knows_root_outside_of_namespaces),
        TEST(writes_files),
        TEST(writes_through_no_links),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
