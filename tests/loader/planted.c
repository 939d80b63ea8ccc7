/* SPDX-License-Identifier: MIT
 *
 * A library that nobody should load, for planted.sh: it leaves a file in the working folder.
 */
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void leave_trace(void)
{
    const int file = open("loaded", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
}
