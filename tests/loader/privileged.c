/* SPDX-License-Identifier: MIT
 *
 * What the layer takes from its user, for privileged.sh: a line for each. It is the whole layer, on
 * the fake driver, so that no other layer or driver is found by the same user's environment.
 */
#include "base/log.h"
#include "fake_driver.h"
#include "pipeline/device.h"
#include "pipeline/dump.h"

#include <stdio.h>
#include <sys/auxv.h>

static void say(const char *what, const char *value)
{
    printf("%s %s\n", what, value ? value : "-");
}

int main(void)
{
    fake_reset(NULL);
    const VkInstance instance = fake_open_instance(VK_API_VERSION_1_3);
    const VkDevice handle = fake_open_geometry_device(instance);
    const struct pgs_device *dev = pgs_device_from_handle(handle);
    const struct pgs_settings *settings = &dev->physical->instance->settings;
    static const uint32_t words[] = {0x07230203};
    const struct pgs_spv_blob blob = {(uint32_t *)words, 1};
    pgs_dump_module(dev, 0, "probe", &blob);
    say("secure", getauxval(AT_SECURE) ? "yes" : "no");
    say("plan", settings->plan == PGS_PLAN_AUTO ? "auto" : "other");
    say("log", pgs_log_enabled(PGS_LOG_INFO) ? "info" : "error");
    say("cache", settings->cache_dir);
    say("dump", settings->dump_dir);
    fake_close_device(handle);
    fake_close_instance(instance);
    return 0;
}
