/* SPDX-License-Identifier: MIT
 *
 * An empty folder for targets that read files, in memory where there is such a file system. The
 * process works in it until it exits; then it is removed.
 */
#ifndef PGS_TESTS_FUZZ_SCRATCH_FOLDER_H
#define PGS_TESTS_FUZZ_SCRATCH_FOLDER_H

/* Its absolute path. Makes it at the first call. */
const char *scratch_folder(void);

#endif
