/* SPDX-License-Identifier: MIT */
#include "draw/alike.h"

#include <stddef.h>

#define MEMBER(name) offsetof(struct pgs_draw_record, name)

void pgs_alike_write(const struct pgs_alike *alike, const struct pgs_emulated_pipeline *pipeline,
                     const struct pgs_draw_call *call, struct pgs_draw_record *record)
{
    unsigned char *mapped = alike->first;
    struct pgs_record_lines lines;
    pgs_record_lines_find(&lines, pipeline, alike->record_B);
    pgs_record_set_step(&lines, MEMBER(self), alike->stride_B);
    pgs_record_set_step(&lines, MEMBER(draw_args), record->draw_args ? alike->args_stride_B : 0);
    pgs_record_set_step(&lines, MEMBER(draw_index), 1);
    pgs_record_set_step(&lines, MEMBER(raster_instance), alike->drawn_at_once);
    for (uint32_t i = 1; i < alike->count; i++) {
        if (i == call->max_draws) {
            pgs_record_set_step(&lines, MEMBER(draw_index), 0);
            record->draw_index = pgs_alike_number(call, i);
        }
        mapped += alike->stride_B;
        pgs_record_write_step(mapped, record, &lines);
    }
}
