/* SPDX-License-Identifier: MIT */
#define VOLK_IMPLEMENTATION
#include <volk.h>
