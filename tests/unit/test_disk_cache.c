/* SPDX-License-Identifier: MIT
 *
 * The cache on disk: what comes back, what damaged and foreign files do, the limit, and threads and
 * processes that write at the same time.
 */
#include "base/alloc.h"
#include "base/disk_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { VALUE_B = 3000, THREADS = 4, PROCESSES = 8, ROUNDS = 200, KEYS = 20 };

static char parent[] = "/tmp/pgs-disk-cache-XXXXXX";
static char folder[64];

static int set_up(void **state)
{
    (void)state;
    strcpy(parent + strlen(parent) - 6, "XXXXXX");
    if (!mkdtemp(parent))
        return -1;
    snprintf(folder, sizeof(folder), "%s/a/b", parent);
    return 0;
}

/* Calls `visit` for each file of the folder; NULL: only counts them. */
static unsigned visit_files(void (*visit)(const char *path))
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *at; dir && (at = readdir(dir));) {
        char path[512];
        snprintf(path, sizeof(path), "%s/%s", folder, at->d_name);
        if (strcmp(at->d_name, ".") == 0 || strcmp(at->d_name, "..") == 0)
            continue;
        count++;
        if (visit)
            visit(path);
    }
    if (dir)
        closedir(dir);
    return count;
}

static void remove_folder(const char *path)
{
    rmdir(path);
}

static void remove_file(const char *path)
{
    unlink(path);
}

static int tear_down(void **state)
{
    (void)state;
    char middle[64];
    snprintf(middle, sizeof(middle), "%s/a", parent);
    visit_files(remove_file);
    rmdir(folder);
    rmdir(middle);
    rmdir(parent);
    return pgs_alloc_live() == 0 ? 0 : -1;
}

/* The value of key n, in which every byte depends on n. */
static void fill(unsigned char value[VALUE_B], unsigned n)
{
    for (unsigned i = 0; i < VALUE_B; i++)
        value[i] = (unsigned char)(i * 7 + n * 31 + (i >> 8));
}

static void write_value(struct pgs_disk_cache *cache, unsigned n)
{
    unsigned char value[VALUE_B];
    fill(value, n);
    pgs_disk_cache_write(cache, &n, sizeof(n), value, sizeof(value));
}

/* 1: there is the right one, 0: none, -1: another. */
static int read_value(struct pgs_disk_cache *cache, unsigned n)
{
    unsigned char expected[VALUE_B];
    void *value;
    size_t value_B;
    if (!pgs_disk_cache_read(cache, &n, sizeof(n), &value, &value_B))
        return 0;
    fill(expected, n);
    const bool is_right = value_B == VALUE_B && memcmp(value, expected, VALUE_B) == 0;
    pgs_free(value);
    return is_right ? 1 : -1;
}

/* True if there is one; it must be the right one. */
static bool has_value(struct pgs_disk_cache *cache, unsigned n)
{
    const int found = read_value(cache, n);
    assert_int_not_equal(found, -1);
    return found == 1;
}

static void gives_back_what_was_stored(void **state)
{
    (void)state;
    struct pgs_disk_cache *cache = pgs_disk_cache_open(folder, 1 << 20);
    assert_non_null(cache);
    assert_false(has_value(cache, 1));
    write_value(cache, 1);
    write_value(cache, 2);
    assert_true(has_value(cache, 1) && has_value(cache, 2));
    assert_false(has_value(cache, 3));
    write_value(cache, 1); /* again */
    assert_true(has_value(cache, 1));
    pgs_disk_cache_close(cache);
    cache = pgs_disk_cache_open(folder, 1 << 20);
    assert_true(has_value(cache, 1) && has_value(cache, 2));
    pgs_disk_cache_close(cache);
    assert_int_equal(visit_files(NULL), 2);
}

static void does_nothing_without_a_cache(void **state)
{
    (void)state;
    write_value(NULL, 1);
    assert_false(has_value(NULL, 1));
    pgs_disk_cache_close(NULL);
}

static void refuses_folders_of_others(void **state)
{
    (void)state;
    FILE *file = fopen(folder, "w"); /* the parent is not there */
    assert_null(file);
    pgs_disk_cache_close(pgs_disk_cache_open(folder, 1 << 20));
    assert_int_equal(chmod(folder, 0770), 0);
    assert_null(pgs_disk_cache_open(folder, 1 << 20));
    assert_int_equal(chmod(folder, 0702), 0);
    assert_null(pgs_disk_cache_open(folder, 1 << 20));
    assert_int_equal(chmod(folder, 0700), 0);
    char path[80];
    snprintf(path, sizeof(path), "%s/file", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_null(pgs_disk_cache_open(path, 1 << 20));
    assert_null(pgs_disk_cache_open("", 1 << 20));
}

static void truncate_file(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size - 1), 0);
}

static void empty_file(const char *path)
{
    assert_int_equal(truncate(path, 0), 0);
}

static void lengthen_file(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(truncate(path, about.st_size + 1), 0);
}

static long damaged_at; /* byte to change */

static void damage_file(const char *path)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, damaged_at, damaged_at < 0 ? SEEK_END : SEEK_SET);
    const int was = fgetc(file);
    fseek(file, -1, SEEK_CUR);
    fputc(was ^ 0x40, file);
    fclose(file);
}

static void replace_by_folder(const char *path)
{
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void replace_by_link(const char *path)
{
    char other[600];
    snprintf(other, sizeof(other), "%s/linked", parent);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
}

static void replace_by_pipe(const char *path)
{
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void misses_what_is_damaged(void **state)
{
    (void)state;
    void (*const damages[])(const char *) = {truncate_file,  empty_file,        lengthen_file,
                                             damage_file,    replace_by_folder, replace_by_link,
                                             replace_by_pipe};
    struct pgs_disk_cache *cache = pgs_disk_cache_open(folder, 1 << 20);
    for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        write_value(cache, 1);
        assert_true(has_value(cache, 1));
        damaged_at = -1;
        visit_files(damages[i]);
        assert_false(has_value(cache, 1));
        visit_files(damages[i] == replace_by_folder ? remove_folder : remove_file);
    }
    for (damaged_at = 0; damaged_at < 64; damaged_at++) { /* each byte of the header, and more */
        write_value(cache, 1);
        visit_files(damage_file);
        assert_false(has_value(cache, 1));
    }
    char linked[80];
    snprintf(linked, sizeof(linked), "%s/linked", parent);
    unlink(linked);
    pgs_disk_cache_close(cache);
}

/* As if two keys had the same hashes. */
static char other_path[600];

static void note_path(const char *path)
{
    snprintf(other_path, sizeof(other_path), "%s", path);
}

static void compares_the_key(void **state)
{
    (void)state;
    char first[600];
    struct pgs_disk_cache *cache = pgs_disk_cache_open(folder, 1 << 20);
    write_value(cache, 1);
    visit_files(note_path);
    strcpy(first, other_path);
    char moved[80];
    snprintf(moved, sizeof(moved), "%s/moved", parent);
    assert_int_equal(rename(first, moved), 0);
    write_value(cache, 2);
    visit_files(note_path);
    assert_int_equal(rename(moved, other_path), 0);
    assert_false(has_value(cache, 2));
    pgs_disk_cache_close(cache);
}

static void set_age(const char *path, time_t age_s)
{
    const struct timespec then = {.tv_sec = time(NULL) - age_s};
    const struct timespec times[2] = {then, then};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void make_old(const char *path)
{
    set_age(path, 100000);
}

static void keeps_its_limit(void **state)
{
    (void)state;
    enum { LIMIT_B = 10 * (VALUE_B + 100) };
    char foreign[128], killed[128];
    struct pgs_disk_cache *cache = pgs_disk_cache_open(folder, LIMIT_B);
    snprintf(foreign, sizeof(foreign), "%s/a file of the user", folder);
    snprintf(killed, sizeof(killed), "%s/.pgs-new-1-1", folder);
    fclose(fopen(foreign, "w"));
    fclose(fopen(killed, "w"));
    for (unsigned n = 0; n < 8; n++)
        write_value(cache, n);
    visit_files(make_old);
    assert_true(has_value(cache, 0)); /* used now */
    for (unsigned n = 8; n < 14; n++)
        write_value(cache, n);
    unsigned kept = 0;
    for (unsigned n = 1; n < 8; n++)
        kept += has_value(cache, n);
    assert_true(kept < 7);
    assert_true(has_value(cache, 0) && has_value(cache, 13));
    assert_int_equal(access(foreign, F_OK), 0);
    assert_int_not_equal(access(killed, F_OK), 0);
    for (unsigned n = 0; n < 100; n++)
        write_value(cache, n);
    assert_true(visit_files(NULL) <= 13);
    pgs_disk_cache_close(cache);
}

/* Returns the cache if all that it reads is right. */
static void *write_and_read(void *context)
{
    struct pgs_disk_cache *cache = context;
    bool is_right = true;
    for (unsigned i = 0; i < ROUNDS; i++) {
        write_value(cache, i % KEYS);
        is_right &= read_value(cache, (i * 7) % KEYS) >= 0;
    }
    return is_right ? cache : NULL;
}

static void is_used_by_many(void **state)
{
    (void)state;
    struct pgs_disk_cache *caches[2] = {pgs_disk_cache_open(folder, 15 * VALUE_B),
                                        pgs_disk_cache_open(folder, 15 * VALUE_B)};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_and_read, caches[i & 1]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, caches[i & 1]);
    }
    pgs_disk_cache_close(caches[0]);
    pgs_disk_cache_close(caches[1]);
}

/* A process with a cache of its own in the folder. */
static pid_t start_process(void)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct pgs_disk_cache *cache = pgs_disk_cache_open(folder, 15 * VALUE_B);
        const bool is_right = cache && write_and_read(cache) == cache;
        pgs_disk_cache_close(cache);
        _exit(is_right && pgs_alloc_live() == 0 ? 0 : 1);
    }
    return child;
}

/* Every second one is killed, wherever it is. What is there then is right, and may be replaced. */
static void is_shared_by_processes(void **state)
{
    (void)state;
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++)
        children[i] = start_process();
    for (int i = 0; i < PROCESSES; i += 2) {
        usleep(1000);
        kill(children[i], SIGKILL);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true((WIFEXITED(status) && WEXITSTATUS(status) == 0) ||
                    (i % 2 == 0 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
    }
    struct pgs_disk_cache *cache = pgs_disk_cache_open(folder, 1 << 20);
    for (unsigned n = 0; n < KEYS; n++) {
        has_value(cache, n);
        write_value(cache, n);
        assert_true(has_value(cache, n));
    }
    pgs_disk_cache_close(cache);
}

static void lives_without_memory(void **state)
{
    (void)state;
    struct pgs_disk_cache *cache = pgs_disk_cache_open(folder, 1 << 20);
    write_value(cache, 1);
    for (int n = 1; n < 4; n++) {
        pgs_alloc_fail_after(n, true);
        pgs_disk_cache_close(pgs_disk_cache_open(folder, 1 << 20));
        assert_true(!has_value(cache, 1) || n > 1);
        write_value(cache, 2);
        pgs_alloc_fail_after(0, false);
    }
    assert_true(has_value(cache, 1));
    pgs_disk_cache_close(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gives_back_what_was_stored, set_up, tear_down),
        cmocka_unit_test(does_nothing_without_a_cache),
        cmocka_unit_test_setup_teardown(refuses_folders_of_others, set_up, tear_down),
        cmocka_unit_test_setup_teardown(misses_what_is_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(compares_the_key, set_up, tear_down),
        cmocka_unit_test_setup_teardown(keeps_its_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(is_used_by_many, set_up, tear_down),
        cmocka_unit_test_setup_teardown(is_shared_by_processes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lives_without_memory, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
