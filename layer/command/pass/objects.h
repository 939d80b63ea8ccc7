/* SPDX-License-Identifier: MIT
 *
 * Shader objects that are bound for graphics. The driver draws with its own as long as it can. For
 * draws that the layer emulates, captures or counts, a pipeline stands in for them, and for the
 * others they are bound again.
 */
#ifndef PGS_COMMAND_PASS_OBJECTS_H
#define PGS_COMMAND_PASS_OBJECTS_H

#include "command/state/buffer.h"

/* Notes objects by the numbers of their stages' bits, NULL for those that become unbound; stages
 * that are not in the mask stay. Binds them in the driver if it draws with them. */
void pgs_objects_bind(struct pgs_command_buffer *cb, VkShaderStageFlags stages,
                      const struct pgs_shader_object *const objects[PGS_OBJECT_STAGES]);

/* Notes an object of the task or the mesh stage, or NULL. Call pgs_objects_bind then. */
void pgs_objects_note_mesh(struct pgs_command_buffer *cb, VkShaderStageFlagBits stage,
                           const struct pgs_shader_object *object);

/* Call it when the topology has changed: the driver draws no adjacency. */
void pgs_objects_note_topology(struct pgs_command_buffer *cb);

void pgs_objects_settle_slowly(struct pgs_command_buffer *cb);

/* Call it before each draw that does not go straight to the driver: binds what draws it. */
static inline void pgs_objects_settle(struct pgs_command_buffer *cb)
{
    if (cb->objects.active)
        pgs_objects_settle_slowly(cb);
}

/* Likewise for a draw that only the driver can do: one with mesh shaders. */
void pgs_objects_settle_with_driver(struct pgs_command_buffer *cb);

/* Likewise for a draw that only the layer can do. */
void pgs_objects_settle_with_pipeline(struct pgs_command_buffer *cb);

#endif
