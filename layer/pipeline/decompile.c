/* SPDX-License-Identifier: MIT */
#include "pipeline/decompile.h"

#ifdef PGS_SPIRV_CROSS
#include "base/alloc.h"
#include "base/log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <spirv_cross/spirv_cross_c.h>

#define STRING(text) #text
#define LIBRARY_OF(version) "libspirv-cross-c-shared.so." STRING(version)
#define LIBRARY LIBRARY_OF(SPVC_C_API_VERSION_MAJOR)

#define FUNCTIONS(DO)                                                                              \
    DO(context_create)                                                                             \
    DO(context_destroy)                                                                            \
    DO(context_get_last_error_string)                                                              \
    DO(context_parse_spirv)                                                                        \
    DO(context_create_compiler)                                                                    \
    DO(compiler_create_compiler_options)                                                           \
    DO(compiler_options_set_bool)                                                                  \
    DO(compiler_options_set_uint)                                                                  \
    DO(compiler_install_compiler_options)                                                          \
    DO(compiler_compile)

/* Loaded at run time, as only dumps need the library. */
static struct {
#define MEMBER(name) __typeof__(spvc_##name) *name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} spvc;
static bool loaded;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        pgs_log(PGS_LOG_INFO, "no GLSL beside the dumped SPIR-V: %s", dlerror());
        return;
    }
    loaded = true;
#define LOAD(name)                                                                                 \
    *(void **)&spvc.name = dlsym(library, "spvc_" #name);                                          \
    loaded = loaded && spvc.name;
    FUNCTIONS(LOAD)
#undef LOAD
    if (!loaded)
        pgs_log(PGS_LOG_INFO, "no GLSL beside the dumped SPIR-V: %s is not as it should be",
                LIBRARY);
}

/* The context owns the text. */
static spvc_result compile(spvc_context context, const struct pgs_spv_blob *blob, const char **text)
{
    spvc_parsed_ir ir;
    spvc_compiler compiler;
    spvc_compiler_options options;
    spvc_result result =
        spvc.context_parse_spirv(context, (const SpvId *)blob->words, blob->word_count, &ir);
    if (result == SPVC_SUCCESS)
        result = spvc.context_create_compiler(context, SPVC_BACKEND_GLSL, ir,
                                              SPVC_CAPTURE_MODE_TAKE_OWNERSHIP, &compiler);
    if (result == SPVC_SUCCESS)
        result = spvc.compiler_create_compiler_options(compiler, &options);
    if (result == SPVC_SUCCESS)
        result = spvc.compiler_options_set_uint(options, SPVC_COMPILER_OPTION_GLSL_VERSION, 460);
    if (result == SPVC_SUCCESS)
        result = spvc.compiler_options_set_bool(options, SPVC_COMPILER_OPTION_GLSL_VULKAN_SEMANTICS,
                                                SPVC_TRUE);
    if (result == SPVC_SUCCESS)
        result = spvc.compiler_install_compiler_options(compiler, options);
    if (result == SPVC_SUCCESS)
        result = spvc.compiler_compile(compiler, text);
    return result;
}

char *pgs_decompile(const struct pgs_spv_blob *blob)
{
    pthread_once(&load_once, load);
    spvc_context context;
    if (!loaded || spvc.context_create(&context) != SPVC_SUCCESS)
        return NULL;
    const char *text = NULL;
    char *copy = NULL;
    if (compile(context, blob, &text) == SPVC_SUCCESS)
        copy = pgs_strdup(text);
    else
        pgs_log(PGS_LOG_WARN, "SPIRV-Cross: %s", spvc.context_get_last_error_string(context));
    spvc.context_destroy(context);
    return copy;
}
#else
char *pgs_decompile(const struct pgs_spv_blob *blob)
{
    (void)blob;
    return NULL;
}
#endif
