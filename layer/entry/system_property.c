/* SPDX-License-Identifier: MIT */
#include "entry/system_property.h"

#ifdef __ANDROID__
#include <string.h>
#include <sys/system_properties.h>

struct wanted {
    char *value;
    size_t size_B;
    bool found;
};

static void take(void *context, const char *name, const char *value, uint32_t serial)
{
    struct wanted *wanted = context;
    const size_t length = strlen(value);
    (void)name;
    (void)serial;
    if (length == 0 || length >= wanted->size_B)
        return;
    memcpy(wanted->value, value, length + 1);
    wanted->found = true;
}

/* Not __system_property_get, which cuts names off at 32 bytes in front of API 26. */
bool pgs_system_property(const char *name, char *value, size_t size_B)
{
    struct wanted wanted = {.value = value, .size_B = size_B};
    const prop_info *property = __system_property_find(name);
    if (property)
        __system_property_read_callback(property, take, &wanted);
    return wanted.found;
}
#else
bool pgs_system_property(const char *name, char *value, size_t size_B)
{
    (void)name;
    (void)value;
    (void)size_B;
    return false;
}
#endif
