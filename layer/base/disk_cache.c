/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "base/disk_cache.h"

#include "base/alloc.h"
#include "base/array.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x31656863616373) /* "scache1", also the version of the layout */
#define MAX_ENTRY_B (UINT64_C(8) << 20)  /* larger values are not kept */
#define NAME_B 48                        /* of a file, with the zero */
#define SUFFIX ".pgs"                    /* of an entry, after two hashes in hexadecimal */
#define HASHES_EL 32
#define TEMPORARY_AGE_S 3600 /* an older file of a writer that was killed */

struct pgs_disk_cache {
    int folder; /* file descriptor */
    uint64_t limit_B;
    _Atomic uint64_t written_B; /* since the folder was last measured */
    _Atomic bool measured;
    pthread_mutex_t trim_lock;
};

/* What a file begins with; the key and the value follow. */
struct header {
    uint64_t magic, key_B, value_B, checksum; /* of key and value */
};

/* -- the folder -- */

/* Whoever may write to the folder chooses what shaders run. */
static bool is_private(int folder)
{
    struct stat about;
    return fstat(folder, &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           !(about.st_mode & (S_IWGRP | S_IWOTH));
}

struct pgs_disk_cache *pgs_disk_cache_open(const char *folder, uint64_t limit_B)
{
    struct pgs_disk_cache *cache = pgs_calloc(1, sizeof(*cache));
    if (!cache)
        return NULL;
    cache->limit_B = limit_B;
    cache->folder = pgs_open_folder(folder, true);
    if (cache->folder < 0)
        goto fail;
    if (!is_private(cache->folder))
        goto fail_folder;
    if (pthread_mutex_init(&cache->trim_lock, NULL) == 0)
        return cache;
fail_folder:
    close(cache->folder);
fail:
    pgs_log(PGS_LOG_INFO,
            "no shaders are kept on disk: %s is not a folder that only this user can "
            "write to",
            folder);
    pgs_free(cache);
    return NULL;
}

void pgs_disk_cache_close(struct pgs_disk_cache *cache)
{
    if (!cache)
        return;
    close(cache->folder);
    pthread_mutex_destroy(&cache->trim_lock);
    pgs_free(cache);
}

/* -- the limit -- */

struct file {
    char name[NAME_B];
    int64_t used_s; /* when it was last written or read */
    uint64_t size_B;
};

static int by_age(const void *a, const void *b)
{
    const struct file *x = a, *y = b;
    return x->used_s < y->used_s ? -1 : x->used_s > y->used_s;
}

static void remove_temporary(int folder, const char *name, const struct stat *about)
{
    if (time(NULL) - about->st_mtime > TEMPORARY_AGE_S)
        unlinkat(folder, name, 0);
}

/* Whatever else lies in the folder stays there. */
static bool is_entry(const char *name)
{
    return strspn(name, "0123456789abcdef") == HASHES_EL && strcmp(name + HASHES_EL, SUFFIX) == 0;
}

/* Lists the entries, and removes what killed writers left. Incomplete if memory runs out. */
static uint64_t list_files(const struct pgs_disk_cache *cache, struct file **files, size_t *count)
{
    PGS_ARRAY(struct file) list = {0};
    uint64_t sum_B = 0;
    const int copy = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = copy < 0 ? NULL : fdopendir(copy);
    for (struct dirent *at; folder && (at = readdir(folder));) {
        struct stat about;
        if (fstatat(cache->folder, at->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode))
            continue;
        if (strncmp(at->d_name, PGS_TEMPORARY_PREFIX, strlen(PGS_TEMPORARY_PREFIX)) == 0) {
            remove_temporary(cache->folder, at->d_name, &about);
            continue;
        }
        struct file file = {.used_s = about.st_mtime, .size_B = (uint64_t)about.st_size};
        if (!is_entry(at->d_name))
            continue;
        memcpy(file.name, at->d_name, HASHES_EL + sizeof(SUFFIX));
        if (!pgs_array_push(&list, file))
            break;
        sum_B += file.size_B;
    }
    if (folder)
        closedir(folder);
    else if (copy >= 0)
        close(copy);
    *files = list.items;
    *count = list.count;
    return sum_B;
}

/* Removes the files that were not used for longest, until a quarter of the limit is free. */
static void trim(struct pgs_disk_cache *cache)
{
    struct file *files;
    size_t count;
    uint64_t sum_B = list_files(cache, &files, &count);
    if (sum_B > cache->limit_B) {
        qsort(files, count, sizeof(*files), by_age);
        for (size_t i = 0; i < count && sum_B > cache->limit_B / 4 * 3; i++)
            if (unlinkat(cache->folder, files[i].name, 0) == 0)
                sum_B -= files[i].size_B;
    }
    pgs_free(files);
}

/* Measures the folder before the first value, and whenever an eighth of the limit was written. */
static void keep_limit(struct pgs_disk_cache *cache, uint64_t size_B)
{
    const uint64_t written_B = atomic_fetch_add(&cache->written_B, size_B) + size_B;
    if (atomic_load(&cache->measured) && written_B <= cache->limit_B / 8)
        return;
    if (pthread_mutex_trylock(&cache->trim_lock) != 0)
        return; /* another thread does it */
    atomic_store(&cache->written_B, 0);
    atomic_store(&cache->measured, true);
    trim(cache);
    pthread_mutex_unlock(&cache->trim_lock);
}

/* -- entries -- */

static void name_entry(char name[NAME_B], const void *key, size_t key_B)
{
    const uint64_t first = pgs_hash(key, key_B, 0);
    snprintf(name, NAME_B, "%016" PRIx64 "%016" PRIx64 SUFFIX, first, pgs_hash(key, key_B, first));
}

static uint64_t checksum_of(const void *key, size_t key_B, const void *value, size_t value_B)
{
    return pgs_hash(value, value_B, pgs_hash(key, key_B, MAGIC));
}

static bool read_all(int file, void *bytes, size_t size_B)
{
    for (size_t done_B = 0; done_B < size_B;) {
        const ssize_t now_B = read(file, (char *)bytes + done_B, size_B - done_B);
        if (now_B <= 0 && !(now_B < 0 && errno == EINTR))
            return false;
        done_B += now_B > 0 ? (size_t)now_B : 0;
    }
    return true;
}

/* The key and value of an open entry, if it is one of this key. NULL: it is not. */
static void *read_entry(int file, const void *key, size_t key_B, size_t *value_B)
{
    struct header header;
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) ||
        !read_all(file, &header, sizeof(header)) || header.magic != MAGIC ||
        header.key_B != key_B || header.value_B == 0 || header.value_B > MAX_ENTRY_B ||
        (uint64_t)about.st_size != sizeof(header) + header.key_B + header.value_B)
        return NULL;
    char *bytes = pgs_alloc(key_B + header.value_B);
    if (!bytes)
        return NULL;
    if (!read_all(file, bytes, key_B + header.value_B) || memcmp(bytes, key, key_B) != 0 ||
        checksum_of(key, key_B, bytes + key_B, header.value_B) != header.checksum) {
        pgs_free(bytes);
        return NULL;
    }
    *value_B = header.value_B;
    return bytes;
}

bool pgs_disk_cache_read(struct pgs_disk_cache *cache, const void *key, size_t key_B, void **value,
                         size_t *value_B)
{
    char name[NAME_B];
    if (!cache || key_B > MAX_ENTRY_B)
        return false;
    name_entry(name, key, key_B);
    const int file = openat(cache->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return false;
    char *bytes = read_entry(file, key, key_B, value_B);
    if (bytes) {
        futimens(file, NULL); /* it was used now */
        memmove(bytes, bytes + key_B, *value_B);
    }
    close(file);
    *value = bytes;
    return bytes;
}

void pgs_disk_cache_write(struct pgs_disk_cache *cache, const void *key, size_t key_B,
                          const void *value, size_t value_B)
{
    char name[NAME_B];
    if (!cache || value_B == 0 || value_B > MAX_ENTRY_B || key_B > MAX_ENTRY_B)
        return;
    const struct header header = {MAGIC, key_B, value_B, checksum_of(key, key_B, value, value_B)};
    const struct pgs_bytes parts[] = {{&header, sizeof(header)}, {key, key_B}, {value, value_B}};
    keep_limit(cache, sizeof(header) + key_B + value_B);
    name_entry(name, key, key_B);
    pgs_write_file(cache->folder, name, 0600, parts, sizeof(parts) / sizeof(parts[0]));
}
