/* SPDX-License-Identifier: MIT
 *
 * Every pass over shaders, on any module.
 */
#include "all_passes.h"
#include "module_input.h"
#include "target.h"

void fuzz_one(const uint8_t *data, size_t size_B)
{
    struct module_input module;
    if (module_input_read(data, size_B, &module))
        run_all_passes(module.words, module.count, module.entry);
}
