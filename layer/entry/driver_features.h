/* SPDX-License-Identifier: MIT
 *
 * Which features a driver has, one by one, and what the layer does about those that it lacks.
 * Internal to entry/.
 */
#ifndef PGS_ENTRY_DRIVER_FEATURES_H
#define PGS_ENTRY_DRIVER_FEATURES_H

#include "entry/physical_entry.h"
#include "vulkan/feature.h"

#include <stddef.h>

/* What the layer runs in place of the driver where a feature is missing. */
enum pgs_remedy {
    PGS_REMEDY_STAGE,     /* all pipelines with the stage */
    PGS_REMEDY_CAPTURES,  /* all captures and counts: a counter buffer, or a query, that both wrote
                           * could not go on from one to the other. Pipelines stay the driver's */
    PGS_REMEDY_PIPELINES, /* pipelines that use the feature, whole; and all captures */
    PGS_REMEDY_BROUGHT,   /* what uses the feature, in the way of each (entry/physical_device.c,
                           * entry/brought.h), where pgs_replaces_geometry */
};

struct pgs_feature_rule {
    const char *name;      /* in the registry, and in the setting `missing` */
    const char *needed_by; /* what a pipeline, draw or capture looks like that needs it */
    enum pgs_remedy remedy;
    bool wakes;  /* The layer works for it alone. Else the feature is given where the layer works
                  * anyway: good desktop drivers lack it, too, and few programs use it. */
    size_t core; /* its place in VkPhysicalDeviceFeatures, 0 for one of an extension */
};

/* By enum pgs_feature. */
extern const struct pgs_feature_rule pgs_feature_rules[PGS_FEATURE_COUNT];

/* The features of a mask with this remedy; `wakes`: only those. */
uint32_t pgs_features_with(uint32_t mask, enum pgs_remedy remedy, bool wakes);

/* Fills the members `lacks` and `features` of the entry, whose properties, features and extensions
 * are known, and takes transform feedback out of native_extensions if it is missing. A feature
 * that the driver's limits contradict is logged and missing, and so is what the setting `missing`
 * names, which has the last word. list: the driver's extensions. */
void pgs_driver_features_find(struct pgs_physical_entry *entry, const VkExtensionProperties *list,
                              uint32_t count);

/* Reads a list of names for the setting `missing`, "-NAME" for a feature that is there. False if
 * one of them is none; the masks then stay. */
bool pgs_features_parse(const char *list, uint32_t *missing, uint32_t *present);

#endif
