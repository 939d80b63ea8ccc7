/* SPDX-License-Identifier: MIT */
#include "entry/user_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __ANDROID__
#include <unistd.h>
#else
#include <sys/auxv.h>
#endif

bool pgs_is_privileged(void)
{
#ifdef __ANDROID__
    /* All applications are copies of a process that is secure to the kernel, since it changed its
     * SELinux domain when it began; their environment is the system's and their own. */
    return getuid() != geteuid() || getgid() != getegid();
#else
    return getauxval(AT_SECURE) != 0; /* by set-uid, capabilities of the file, or its domain */
#endif
}

const char *pgs_getenv(const char *name)
{
    return pgs_is_privileged() ? NULL : getenv(name);
}

/* The first argument, which Android replaces by the name of the package when it makes an
 * application of a process. */
bool pgs_process_name(char *name, size_t size_B)
{
    char text[256];
    name[0] = '\0';
    FILE *file = fopen("/proc/self/cmdline", "re");
    if (!file)
        return false;
    const size_t length = fread(text, 1, sizeof(text) - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *slash = strrchr(text, '/');
    const char *start = slash ? slash + 1 : text;
    const size_t name_B = strcspn(start, ":");
    if (name_B == 0 || name_B >= size_B || strlen(text) == sizeof(text) - 1)
        return false;
    memcpy(name, start, name_B);
    name[name_B] = '\0';
    return true;
}
