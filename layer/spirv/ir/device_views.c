/* SPDX-License-Identifier: MIT */
#include "spirv/ir/device_views.h"

#include "spirv/ir/builder.h"

/* An input of which an instruction says that it is the view's index, or 0. */
static uint32_t view_of(const uint32_t *ins)
{
    return pgs_spv_op(ins) == SpvOpDecorate && pgs_spv_length(ins) > 3 &&
                   ins[2] == SpvDecorationBuiltIn && ins[3] == SpvBuiltInViewIndex
               ? ins[1]
               : 0;
}

static bool redecorate(struct pgs_spv_module *m)
{
    struct pgs_spv_list *annotations = &m->sections[PGS_SPV_ANNOTATIONS];
    bool found = false;
    for (uint32_t i = 0; i < annotations->count; i++) {
        const uint32_t id = view_of(annotations->items[i]);
        if (!id)
            continue;
        const uint32_t words[] = {id, SpvDecorationBuiltIn, SpvBuiltInDeviceIndex};
        annotations->items[i] = pgs_spv_make(m, SpvOpDecorate, words, 3);
        found = true;
    }
    return found;
}

enum pgs_spv_result pgs_spv_device_views(const uint32_t *words, size_t word_count,
                                         struct pgs_spv_blob *out)
{
    struct pgs_spv_module m;
    *out = (struct pgs_spv_blob){0};
    enum pgs_spv_result result = pgs_spv_parse(&m, words, word_count);
    if (result == PGS_SPV_OK && redecorate(&m)) {
        pgs_spv_add_capability(&m, SpvCapabilityDeviceGroup);
        if (m.version < PGS_SPV_VERSION(1, 3))
            pgs_spv_add_extension(&m, "SPV_KHR_device_group");
        result = pgs_spv_write(&m, out);
    }
    pgs_spv_finish(&m);
    return result;
}
