/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/log.h"
#include "base/workers.h"
#include "entry/layer_settings_ext.h"
#include "entry/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64];
static const VkInstanceCreateInfo plain = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};

/* Every test starts in an empty folder of its own, with none of our variables set. */
static int set_up(void **state)
{
    (void)state;
    static const char *const names[] = {
        "VK_POLY_GS_FORCE",  "VK_POLY_GS_FEEDBACK", "VK_POLY_GS_TESSELLATION", "VK_POLY_GS_PLAN",
        "VK_POLY_GS_DUMP",   "VK_POLY_GS_LOG",      "VK_POLY_GS_VIEWPORTS",    "VK_POLY_GS_POOL",
        "VK_POLY_GS_LAYERS", "VK_POLY_GS_FUSE",     "VK_LAYER_SETTINGS_PATH",  "XDG_DATA_HOME",
        "VK_POLY_GS_CACHE",  "XDG_CACHE_HOME",      "VK_POLY_GS_SHOW",         "VK_POLY_GS_HIDE",
        "VK_POLY_GS_FILL",   "VK_POLY_GS_CLIP",     "VK_POLY_GS_CLASS",        "VK_POLY_GS_SPLIT",
        "VK_POLY_GS_RANGES", "VK_POLY_GS_GUARDS",   "VK_POLY_GS_MEMORY",       "VK_POLY_GS_STORES",
        "VK_POLY_GS_LAYOUT", "VK_POLY_GS_STRIPS",   "VK_POLY_GS_ARGUMENTS",    "VK_POLY_GS_SLOTS",
        "VK_POLY_GS_FETCH",  "VK_POLY_GS_HEAP",     "VK_POLY_GS_CULL"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        unsetenv(names[i]);
    snprintf(folder, sizeof(folder), "/tmp/pgs-settings-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return -1;
    return setenv("HOME", folder, 1);
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    const bool removed = chdir("/") == 0 && system(command) == 0;
    assert_int_equal(pgs_alloc_live(), 0);
    return removed ? 0 : -1;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* What the layer says on stderr while it reads its settings. */
static struct pgs_settings read_settings(const VkInstanceCreateInfo *info, char *said,
                                         size_t said_size_B)
{
    struct pgs_settings settings;
    fflush(stderr);
    const int saved = dup(2);
    FILE *captured = tmpfile();
    assert_non_null(captured);
    dup2(fileno(captured), 2);
    const VkResult result = pgs_settings_init(&settings, info);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    rewind(captured);
    const size_t length = fread(said, 1, said_size_B - 1, captured);
    said[length] = '\0';
    fclose(captured);
    assert_int_equal(result, VK_SUCCESS);
    return settings;
}

static void says_nothing_by_default(void **state)
{
    (void)state;
    char said[256];
    struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
    assert_false(settings.force_geometry || settings.force_xfb || settings.force_tessellation);
    assert_true(settings.xfb && settings.tessellation);
    assert_int_equal(settings.plan, PGS_PLAN_AUTO);
    assert_int_equal(settings.layers, PGS_LAYERS_AUTO);
    assert_int_equal(settings.viewports, PGS_VIEWPORTS_AUTO);
    assert_int_equal(settings.fill, PGS_BRING_AUTO);
    assert_int_equal(settings.clip, PGS_BRING_AUTO);
    assert_int_equal(settings.lines, PGS_BRING_AUTO);
    assert_int_equal(settings.points, PGS_BRING_AUTO);
    assert_int_equal(settings.stores, PGS_BRING_AUTO);
    assert_int_equal(settings.draws, PGS_BRING_AUTO);
    assert_int_equal(settings.divisors, PGS_BRING_AUTO);
    assert_int_equal(settings.pushes, PGS_BRING_AUTO);
    assert_int_equal(settings.depth_clip, PGS_BRING_AUTO);
    assert_int_equal(settings.statistics, PGS_STATISTICS_DRIVER);
    assert_int_equal(settings.fuse, PGS_FUSE_AUTO);
    assert_int_equal(settings.cull, PGS_CULL_AUTO);
    assert_int_equal(settings.pool_MiB, 64);
    assert_int_equal(settings.threads, pgs_workers_for(pgs_processors()));
    assert_true(settings.scales_pools && settings.limits_threads && !settings.memory_MiB);
    assert_int_equal(settings.device_class.kind, PGS_DEVICE_ANY);
    assert_int_equal(settings.device_class.split, PGS_SPLIT_AUTO);
    assert_int_equal(settings.device_class.index_range_KiB, 0);
    assert_int_equal(settings.device_class.heap_MiB, 0);
    assert_int_equal(settings.device_class.layout, PGS_LAYOUT_AUTO);
    assert_int_equal(settings.device_class.slots, PGS_SLOTS_AUTO);
    assert_int_equal(settings.device_class.fetch, PGS_FETCH_AUTO);
    assert_int_equal(settings.device_class.strips, PGS_STRIPS_AUTO);
    assert_int_equal(settings.device_class.arguments, PGS_ARGUMENTS_AUTO);
    assert_false(settings.device_class.chooses_guards);
    assert_null(settings.dump_dir);
    assert_null(settings.shown_extensions);
    assert_null(settings.hidden_extensions);
    assert_int_equal(settings.log_level, PGS_LOG_ERROR);
    assert_string_equal(said, "");
    pgs_settings_finish(&settings);
}

static void reads_what_is_forced(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        bool geometry, xfb, tessellation;
    } words[] = {{"1", true, true, true},
                 {"true", true, true, true},
                 {"ON", true, true, true},
                 {"yes", true, true, true},
                 {"All", true, true, true},
                 {"0", false, false, false},
                 {"", false, false, false},
                 {"off", false, false, false},
                 {"False", false, false, false},
                 {"geometry", true, false, false},
                 {"no", false, false, false},
                 {"FEEDBACK", false, true, false},
                 {"geometryx", false, false, false},
                 {"Tessellation", false, false, true},
                 {"2", false, false, false}};
    char said[256];
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        setenv("VK_POLY_GS_FORCE", words[i].word, 1);
        struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
        assert_int_equal(settings.force_geometry, words[i].geometry);
        assert_int_equal(settings.force_xfb, words[i].xfb);
        assert_int_equal(settings.force_tessellation, words[i].tessellation);
        assert_true(settings.xfb);
        pgs_settings_finish(&settings);
    }
    unsetenv("VK_POLY_GS_FORCE");
}

static void reads_the_environment(void **state)
{
    (void)state;
    char said[256];
    setenv("VK_POLY_GS_FORCE", "2", 1);
    setenv("VK_POLY_GS_PLAN", "Vertex", 1);
    setenv("VK_POLY_GS_LAYERS", "Replay", 1);
    setenv("VK_POLY_GS_VIEWPORTS", "One", 1);
    setenv("VK_POLY_GS_FILL", "Emulate", 1);
    setenv("VK_POLY_GS_CLIP", "Emulate", 1);
    setenv("VK_POLY_GS_LINES", "Emulate", 1);
    setenv("VK_POLY_GS_POINTS", "Emulate", 1);
    setenv("VK_POLY_GS_STORES", "Emulate", 1);
    setenv("VK_POLY_GS_DRAWS", "emulate", 1);
    setenv("VK_POLY_GS_DIVISORS", "emulate", 1);
    setenv("VK_POLY_GS_PUSHES", "emulate", 1);
    setenv("VK_POLY_GS_DEPTH_CLIP", "emulate", 1);
    setenv("VK_POLY_GS_STATISTICS", "Emulate", 1);
    setenv("VK_POLY_GS_FUSE", "Never", 1);
    setenv("VK_POLY_GS_CULL", "Always", 1);
    setenv("VK_POLY_GS_POOL", "3", 1);
    setenv("VK_POLY_GS_MEMORY", "128", 1);
    setenv("VK_POLY_GS_HEAP", "Any", 1);
    setenv("VK_POLY_GS_CLASS", "PowerVR", 1);
    setenv("VK_POLY_GS_SPLIT", "Needed", 1);
    setenv("VK_POLY_GS_RANGES", "512", 1);
    setenv("VK_POLY_GS_LAYOUT", "Split", 1);
    setenv("VK_POLY_GS_SLOTS", "packed", 1);
    setenv("VK_POLY_GS_FETCH", "Attributes", 1);
    setenv("VK_POLY_GS_STRIPS", "Lists", 1);
    setenv("VK_POLY_GS_ARGUMENTS", "Direct", 1);
    setenv("VK_POLY_GS_GUARDS", "All", 1);
    setenv("VK_POLY_GS_THREADS", "16", 1);
    setenv("VK_POLY_GS_DUMP", "/some/where", 1);
    setenv("VK_POLY_GS_SHOW", "VK_A,VK_B", 1);
    setenv("VK_POLY_GS_HIDE", "VK_C", 1);
    setenv("VK_POLY_GS_FEEDBACK", "off", 1);
    setenv("VK_POLY_GS_TESSELLATION", "no", 1);
    setenv("VK_POLY_GS_LOG", "debug", 1);
    struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
    assert_true(!settings.xfb && !settings.tessellation);
    assert_int_equal(settings.plan, PGS_PLAN_VERTEX);
    assert_int_equal(settings.layers, PGS_LAYERS_REPLAY);
    assert_int_equal(settings.viewports, PGS_VIEWPORTS_ONE);
    assert_int_equal(settings.fill, PGS_BRING_EMULATE);
    assert_int_equal(settings.clip, PGS_BRING_EMULATE);
    assert_int_equal(settings.lines, PGS_BRING_EMULATE);
    assert_int_equal(settings.points, PGS_BRING_EMULATE);
    assert_int_equal(settings.stores, PGS_BRING_EMULATE);
    assert_int_equal(settings.draws, PGS_BRING_EMULATE);
    assert_int_equal(settings.divisors, PGS_BRING_EMULATE);
    assert_int_equal(settings.pushes, PGS_BRING_EMULATE);
    assert_int_equal(settings.depth_clip, PGS_BRING_EMULATE);
    assert_int_equal(settings.statistics, PGS_STATISTICS_EMULATE);
    assert_int_equal(settings.fuse, PGS_FUSE_NEVER);
    assert_int_equal(settings.cull, PGS_CULL_ALWAYS);
    assert_int_equal(settings.pool_MiB, 3);
    assert_false(settings.scales_pools || settings.limits_threads);
    assert_int_equal(settings.memory_MiB, 128);
    assert_int_equal(settings.device_class.heap_MiB, PGS_HEAP_ANY);
    assert_int_equal(settings.device_class.kind, PGS_DEVICE_POWERVR);
    assert_int_equal(settings.device_class.split, PGS_SPLIT_NEEDED);
    assert_int_equal(settings.device_class.index_range_KiB, 512);
    assert_int_equal(settings.device_class.layout, PGS_LAYOUT_SPLIT);
    assert_int_equal(settings.device_class.slots, PGS_SLOTS_PACKED);
    assert_int_equal(settings.device_class.fetch, PGS_FETCH_ATTRIBUTES);
    assert_int_equal(settings.device_class.strips, PGS_STRIPS_LISTS);
    assert_int_equal(settings.device_class.arguments, PGS_ARGUMENTS_DIRECT);
    assert_true(settings.device_class.chooses_guards);
    assert_int_equal(settings.device_class.guards, PGS_GUARDS_ALL);
    assert_int_equal(settings.threads, 16);
    assert_string_equal(settings.dump_dir, "/some/where");
    assert_string_equal(settings.shown_extensions, "VK_A,VK_B");
    assert_string_equal(settings.hidden_extensions, "VK_C");
    assert_int_equal(settings.log_level, PGS_LOG_DEBUG);
    assert_true(pgs_log_enabled(PGS_LOG_DEBUG));
    assert_non_null(strstr(said, "poly_gs.force: \"2\"")); /* which is none of its words */
    pgs_settings_finish(&settings);
}

static void keeps_to_numbers_in_range(void **state)
{
    (void)state;
    char said[256];
    struct pgs_settings settings;
    setenv("VK_POLY_GS_LOG", "warn", 1);
    static const char *const sizes[] = {"-1", "4097", "64M", "much"};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        setenv("VK_POLY_GS_POOL", sizes[i], 1);
        settings = read_settings(&plain, said, sizeof(said));
        assert_int_equal(settings.pool_MiB, 64);
        assert_non_null(strstr(said, "poly_gs.pool"));
        pgs_settings_finish(&settings);
    }
    static const char *const threads[] = {"17", "-1", "one"};
    for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
        setenv("VK_POLY_GS_THREADS", threads[i], 1);
        settings = read_settings(&plain, said, sizeof(said));
        assert_int_equal(settings.threads, pgs_workers_for(pgs_processors()));
        assert_non_null(strstr(said, "poly_gs.threads"));
        pgs_settings_finish(&settings);
    }
}

static void reads_the_file(void **state)
{
    (void)state;
    char long_line[6000], said[1024];
    memset(long_line, 'x', sizeof(long_line) - 1);
    long_line[sizeof(long_line) - 1] = '\0';
    FILE *file = fopen("vk_layer_settings.txt", "w");
    assert_non_null(file);
    fprintf(file, "# poly_gs.plan = compute\nother.force = false\n\n%s\n", long_line);
    fprintf(file, "  poly_gs.force= Geometry  \r\npoly_gs.feedback=yes\npoly_gs.tessellation = "
                  "off\npoly_gs.dump =  a folder "
                  "\npoly_gs.frce = 1\npoly_gs.plan\n");
    fprintf(file, "poly_gs.plan = fastest\npoly_gs.log = warn"); /* no newline at the end */
    fclose(file);
    setenv("VK_POLY_GS_LOG", "warn", 1);
    struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
    assert_true(settings.force_geometry && settings.xfb);
    assert_false(settings.force_xfb || settings.tessellation);
    assert_int_equal(settings.plan, PGS_PLAN_AUTO);
    assert_string_equal(settings.dump_dir, "a folder");
    assert_int_equal(settings.log_level, PGS_LOG_WARN);
    assert_non_null(strstr(said, "unknown setting poly_gs.frce"));
    assert_non_null(strstr(said, "\"poly_gs.plan\" has no \"= value\""));
    assert_non_null(strstr(said, "\"fastest\""));
    assert_null(strstr(said, "other"));
    pgs_settings_finish(&settings);
}

/* The first place that has a file wins: named file or folder, XDG, home, here. */
static void finds_the_file(void **state)
{
    (void)state;
    char said[256], path[128];
    assert_int_equal(system("mkdir -p named xdg/vulkan/settings.d .local/share/vulkan/settings.d"),
                     0);
    static const char *const files[] = {"vk_layer_settings.txt",
                                        ".local/share/vulkan/settings.d/vk_layer_settings.txt",
                                        "xdg/vulkan/settings.d/vk_layer_settings.txt",
                                        "named/vk_layer_settings.txt", "named/other.txt"};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char text[64];
        snprintf(text, sizeof(text), "poly_gs.dump = %zu\n", i);
        write_file(files[i], text);
        if (i == 2) {
            snprintf(path, sizeof(path), "%s/xdg", folder);
            setenv("XDG_DATA_HOME", path, 1);
        }
        if (i >= 3)
            setenv("VK_LAYER_SETTINGS_PATH", i == 3 ? "named" : files[i], 1);
        struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
        assert_non_null(settings.dump_dir);
        assert_int_equal(atoi(settings.dump_dir), i);
        pgs_settings_finish(&settings);
    }
    setenv("VK_LAYER_SETTINGS_PATH", "nowhere", 1);
    struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
    assert_string_equal(settings.dump_dir, "2");
    pgs_settings_finish(&settings);
}

/* In the folder where a program is started, or in a shared home, unless it is named. */
static void reads_no_file_of_another_user(void **state)
{
    (void)state;
    char said[512];
    if (geteuid() != 0)
        skip();
    write_file("vk_layer_settings.txt", "poly_gs.dump = theirs\n");
    assert_int_equal(chown("vk_layer_settings.txt", 4321, 4321), 0);
    setenv("VK_POLY_GS_LOG", "warn", 1);
    struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
    assert_null(settings.dump_dir);
    assert_non_null(strstr(said, "belongs to another user"));
    pgs_settings_finish(&settings);
    setenv("VK_LAYER_SETTINGS_PATH", "vk_layer_settings.txt", 1);
    settings = read_settings(&plain, said, sizeof(said));
    assert_string_equal(settings.dump_dir, "theirs");
    pgs_settings_finish(&settings);
}

static void reads_the_extension(void **state)
{
    (void)state;
    const VkBool32 yes = VK_TRUE;
    const uint32_t one = 1;
    const float third = 0.3f;
    const char *plan = "compute", *dump = "from the application", *loud = "warn";
    const VkLayerSettingEXT list[] = {
        {"VK_LAYER_poly_gs", "log", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &loud},
        {"VK_LAYER_poly_gs", "force", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &yes},
        {"VK_LAYER_poly_gs", "feedback", VK_LAYER_SETTING_TYPE_UINT32_EXT, 1, &one},
        {"VK_LAYER_poly_gs", "tessellation", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 1, &yes},
        {"VK_LAYER_poly_gs", "plan", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &plan},
        {"VK_LAYER_poly_gs", "dump", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &dump},
        {"VK_LAYER_poly_gs", "no_such", VK_LAYER_SETTING_TYPE_UINT32_EXT, 1, &one},
        {"VK_LAYER_poly_gs", "force", VK_LAYER_SETTING_TYPE_FLOAT32_EXT, 1, &third},
        {"VK_LAYER_poly_gs", "force", VK_LAYER_SETTING_TYPE_BOOL32_EXT, 0, NULL},
        {"VK_LAYER_else", "force", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &plan},
    };
    const VkLayerSettingsCreateInfoEXT node = {.sType =
                                                   VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT,
                                               .settingCount = sizeof(list) / sizeof(list[0]),
                                               .pSettings = list};
    VkInstanceCreateInfo info = plain;
    info.pNext = &node;
    char said[512];
    struct pgs_settings settings = read_settings(&info, said, sizeof(said));
    assert_true(settings.force_geometry && settings.force_xfb && settings.xfb);
    assert_true(settings.force_tessellation && settings.tessellation);
    assert_int_equal(settings.plan, PGS_PLAN_COMPUTE);
    assert_string_equal(settings.dump_dir, "from the application");
    assert_int_equal(settings.log_level, PGS_LOG_WARN);
    assert_non_null(strstr(said, "unknown setting poly_gs.no_such"));
    assert_null(strstr(said, "compute"));
    pgs_settings_finish(&settings);

    /* The file stands above the extension, the environment above both. */
    write_file("vk_layer_settings.txt", "poly_gs.force = feedback\npoly_gs.dump = from the file\n");
    setenv("VK_POLY_GS_DUMP", "from the environment", 1);
    settings = read_settings(&info, said, sizeof(said));
    assert_true(settings.force_xfb);
    assert_false(settings.force_geometry);
    assert_int_equal(settings.plan, PGS_PLAN_COMPUTE);
    assert_string_equal(settings.dump_dir, "from the environment");
    pgs_settings_finish(&settings);
}

static void finds_the_cache(void **state)
{
    (void)state;
    char said[256], home[128];
    snprintf(home, sizeof(home), "%s/.cache/poly_gs", folder);
    const struct {
        const char *xdg, *value, *expected; /* NULL: not set, or none */
    } cases[] = {{NULL, NULL, home},       {"/xdg", NULL, "/xdg/poly_gs"},
                 {"relative", NULL, home}, {"/xdg", "0", NULL},
                 {"/xdg", "off", NULL},    {"/xdg", "1", "/xdg/poly_gs"},
                 {"/xdg", "here", "here"}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (cases[i].xdg)
            setenv("XDG_CACHE_HOME", cases[i].xdg, 1);
        if (cases[i].value)
            setenv("VK_POLY_GS_CACHE", cases[i].value, 1);
        struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
        if (cases[i].expected)
            assert_string_equal(settings.cache_dir, cases[i].expected);
        else
            assert_null(settings.cache_dir);
        pgs_settings_finish(&settings);
        unsetenv("XDG_CACHE_HOME");
        unsetenv("VK_POLY_GS_CACHE");
    }
    unsetenv("HOME");
    struct pgs_settings settings = read_settings(&plain, said, sizeof(said));
    assert_null(settings.cache_dir);
    pgs_settings_finish(&settings);
}

static void reports_want_of_memory(void **state)
{
    (void)state;
    struct pgs_settings settings;
    setenv("VK_POLY_GS_DUMP", "/some/where", 1);
    write_file("vk_layer_settings.txt", "poly_gs.dump = from the file\n");
    for (int n = 1; n <= 3; n++) { /* the default cache, and two values for the dump */
        pgs_alloc_fail_after(n, false);
        assert_int_equal(pgs_settings_init(&settings, &plain), VK_ERROR_OUT_OF_HOST_MEMORY);
        pgs_alloc_fail_after(0, false);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(says_nothing_by_default),
        TEST(reads_what_is_forced),
        TEST(reads_the_environment),
        TEST(keeps_to_numbers_in_range),
        TEST(reads_the_file),
        TEST(finds_the_file),
        TEST(reads_no_file_of_another_user),
        TEST(reads_the_extension),
        TEST(reports_want_of_memory),
        TEST(finds_the_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
