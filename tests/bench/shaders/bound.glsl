/* SPDX-License-Identifier: MIT
 * With BOUND, colours depend on a descriptor set and push constants. */
#ifdef BOUND
layout(set = 0, binding = 0) uniform Tone { vec4 tone; };
layout(push_constant) uniform Shift { vec4 shift[2]; };
#define BOUND_TO(color) ((color) * tone + shift[0] + shift[1])
#else
#define BOUND_TO(color) (color)
#endif
