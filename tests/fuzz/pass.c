/* SPDX-License-Identifier: MIT
 *
 * One pass over shaders, on any module that is taken for one of its stage.
 */
#include "all_passes.h"
#include "module_input.h"
#include "target.h"

#define PASSES 64 /* more than any stage has */

void fuzz_one(const uint8_t *data, size_t size_B)
{
    struct module_input module;
    if (!module_input_read(data, size_B, &module))
        return;
    const struct pgs_spv_shader shader =
        specialized_shader(module.words, module.count, module.entry, module.stage);
    const uint32_t wanted = module.choice % PASSES, count = run_one_pass(&shader, wanted);
    if (wanted >= count)
        run_one_pass(&shader, wanted % count);
}
