/* SPDX-License-Identifier: MIT
 *
 * The cache on disk: an entry of any bytes is a miss, or what was written, and whatever else lies
 * in its folder stays there. The first byte of the input says which of both, and what of the
 * entry's head is set right, so that the rest is looked at, too.
 */
#include "base/disk_cache.h"

#include "base/alloc.h"
#include "base/files.h"
#include "base/hash.h"
#include "scratch_folder.h"
#include "target.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC UINT64_C(0x31656863616373)
#define HEAD_W 4u /* magic, bytes of the key, bytes of the value, checksum */
#define MOST_B 4096u

const char *const fuzz_words[] = {".pgs", ".pgs-new-", "0123456789abcdef0123456789abcdef.pgs",
                                  "the key of the entry", NULL};

static const char key[] = "the key of the entry";
static struct pgs_disk_cache *cache, *full;
static char name[64];
static int folder = -1;

static void find_entry(void)
{
    DIR *entries = opendir("folder");
    for (struct dirent *at; entries && (at = readdir(entries));)
        if (at->d_name[0] != '.')
            snprintf(name, sizeof(name), "%.60s", at->d_name);
    if (entries)
        closedir(entries);
}

/* Both caches live as long as the process, so their blocks are none of an execution's. */
static void begin(void)
{
    char path[128];
    snprintf(path, sizeof(path), "%s/folder", scratch_folder());
    cache = pgs_disk_cache_open(path, 1 << 20);
    pgs_disk_cache_write(cache, key, sizeof(key), "value", 5);
    find_entry();
    folder = open("folder", O_RDONLY | O_DIRECTORY);
    pgs_disk_cache_close(cache);
    if (!cache || folder < 0 || !name[0])
        fuzz_die("cannot make a cache");
}

/* What the head says for what follows it. */
static void set_right(uint8_t *entry, size_t size_B, uint8_t what)
{
    uint64_t head[HEAD_W];
    const size_t head_B = sizeof(head), rest_B = size_B - head_B;
    memcpy(head, entry, head_B);
    if (what & 1)
        head[0] = MAGIC;
    if (what & 2)
        head[1] = sizeof(key);
    if ((what & 4) && rest_B >= sizeof(key))
        head[2] = rest_B - sizeof(key);
    if ((what & 8) && rest_B >= sizeof(key))
        memcpy(entry + head_B, key, sizeof(key));
    if ((what & 16) && rest_B > sizeof(key))
        head[3] = pgs_hash(entry + head_B + sizeof(key), rest_B - sizeof(key),
                           pgs_hash(entry + head_B, sizeof(key), MAGIC));
    memcpy(entry, head, head_B);
}

static void write_entry(const char *path, const uint8_t *bytes, size_t size_B)
{
    const int file = openat(folder, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, bytes, size_B) != (ssize_t)size_B)
        fuzz_die("cannot write an entry");
    close(file);
}

/* A value is what the file says, with a key and a checksum that fit. */
static void read_entry(uint8_t *entry, size_t size_B, uint8_t what)
{
    uint64_t head[HEAD_W];
    void *value;
    size_t value_B;
    if (size_B >= sizeof(head))
        set_right(entry, size_B, what);
    write_entry(name, entry, size_B);
    cache = pgs_disk_cache_open("folder", 1 << 20);
    if (!cache)
        fuzz_die("cannot open the cache");
    if (pgs_disk_cache_read(cache, key, sizeof(key), &value, &value_B)) {
        memcpy(head, entry, sizeof(head));
        const uint8_t *rest = entry + sizeof(head);
        if (value_B == 0 || size_B != sizeof(head) + sizeof(key) + value_B ||
            memcmp(rest, key, sizeof(key)) != 0 ||
            memcmp(rest + sizeof(key), value, value_B) != 0 ||
            head[3] != pgs_hash(value, value_B, pgs_hash(key, sizeof(key), MAGIC)))
            fuzz_die("a value that nobody wrote");
        pgs_free(value);
    } else if (size_B > sizeof(head) + sizeof(key) && (what & 31) == 31) {
        fuzz_die("an entry that is not read");
    }
    pgs_disk_cache_close(cache);
}

static bool is_entry(const char *path)
{
    return strlen(path) == 36 && strspn(path, "0123456789abcdef") == 32 &&
           strcmp(path + 32, ".pgs") == 0;
}

/* A file of any name, when the folder is full. */
static void keep_others(const uint8_t *bytes, size_t size_B)
{
    char other[200] = "";
    struct stat about;
    for (size_t i = 0; i < size_B && i < sizeof(other) - 1; i++)
        other[i] = (char)(bytes[i] == '/' ? '_' : bytes[i]);
    if (!other[0] || strcmp(other, ".") == 0 || strcmp(other, "..") == 0)
        return;
    write_entry(other, bytes, size_B);
    full = pgs_disk_cache_open("folder", 1);
    pgs_disk_cache_write(full, key, sizeof(key), bytes, size_B);
    pgs_disk_cache_close(full);
    const bool stays = fstatat(folder, other, &about, 0) == 0;
    if (stays == is_entry(other))
        fuzz_die(stays ? "an entry stays where there is no room" : "another's file is gone");
    unlinkat(folder, other, 0);
}

void fuzz_one(const uint8_t *data, size_t size_B)
{
    uint8_t entry[MOST_B];
    if (folder < 0)
        begin();
    if (size_B < 2 || size_B > MOST_B)
        return;
    memcpy(entry, data + 1, size_B - 1);
    if (data[0] & 0x80)
        keep_others(entry, size_B - 1);
    else
        read_entry(entry, size_B - 1, data[0]);
}
