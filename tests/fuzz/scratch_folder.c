/* SPDX-License-Identifier: MIT */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* nftw */
#endif
#include "scratch_folder.h"

#include "target.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];

static int drop(const char *name, const struct stat *about, int kind, struct FTW *at)
{
    (void)about;
    (void)kind;
    (void)at;
    return remove(name);
}

static void drop_all(void)
{
    if (chdir("/") == 0)
        nftw(path, drop, 8, FTW_DEPTH | FTW_PHYS);
}

const char *scratch_folder(void)
{
    if (path[0])
        return path;
    snprintf(path, sizeof(path), "%s/pgs-fuzz-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(path) || chdir(path) != 0)
        fuzz_die("cannot make a folder");
    atexit(drop_all);
    return path;
}
