/* SPDX-License-Identifier: MIT
 *
 * glslangValidator and spirv-val for many files in one process: what glslang sets up when it
 * starts, the built-in functions of all stages, takes longer than most shaders of the tests.
 *
 * usage: pgs-shader-tools FILE [DEPFILE]
 *          runs the commands in FILE; stops after the first that fails. DEPFILE says what they
 * read. pgs-shader-tools runs those on stdin, and answers each with a line "STATUS SIZE" and SIZE
 * bytes of messages.
 *
 * A command is a line of words with tabs between them: "glslang" with arguments of glslangValidator
 * (those that read_options() knows), or "validate", the target environment of spirv-val, a file,
 * and --scalar-block-layout or nothing.
 */
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <spirv-tools/libspirv.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace
{

using Words = std::vector<std::string>;

std::set<std::string> files_read;

bool read_file(const std::string &path, std::string *text)
{
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return false;
    text->assign(std::istreambuf_iterator<char>(in), {});
    files_read.insert(path);
    return true;
}

std::string folder_of(const std::string &path)
{
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : path.substr(0, slash);
}

/* Looks beside the file that includes, and then where -I says. */
class Includer : public glslang::TShader::Includer
{
  public:
    explicit Includer(const Words &folders) : folders_(folders)
    {
    }

    IncludeResult *includeLocal(const char *name, const char *includer, size_t) override
    {
        Words folders = {folder_of(includer)};
        folders.insert(folders.end(), folders_.begin(), folders_.end());
        for (const std::string &folder : folders) {
            auto text = std::make_unique<std::string>();
            const std::string path = folder + "/" + name;
            if (read_file(path, text.get())) {
                const std::string *kept = text.release();
                return new IncludeResult(path, kept->data(), kept->size(),
                                         const_cast<std::string *>(kept));
            }
        }
        return nullptr;
    }

    void releaseInclude(IncludeResult *result) override
    {
        if (!result)
            return;
        delete static_cast<std::string *>(result->userData);
        delete result;
    }

  private:
    Words folders_;
};

struct Target {
    glslang::EShTargetClientVersion client;
    glslang::EShTargetLanguageVersion language;
};

struct Options {
    std::string source, out, name, preamble, stage;
    Words folders;
    Target target = {glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0};
};

bool take_target(const std::string &name, Target *target)
{
    static const std::map<std::string, Target> vulkan = {
        {"vulkan1.0", {glslang::EShTargetVulkan_1_0, glslang::EShTargetSpv_1_0}},
        {"vulkan1.1", {glslang::EShTargetVulkan_1_1, glslang::EShTargetSpv_1_3}},
        {"vulkan1.2", {glslang::EShTargetVulkan_1_2, glslang::EShTargetSpv_1_5}},
        {"vulkan1.3", {glslang::EShTargetVulkan_1_3, glslang::EShTargetSpv_1_6}},
    };
    const auto found = vulkan.find(name);
    if (found != vulkan.end())
        *target = found->second;
    else if (name == "spirv1.4")
        target->language = glslang::EShTargetSpv_1_4;
    else
        return false;
    return true;
}

/* As glslangValidator: the first = is for the value. */
void define(std::string what, std::string *preamble)
{
    const size_t equal = what.find('=');
    if (equal != std::string::npos)
        what[equal] = ' ';
    *preamble += "#define " + what + "\n";
}

/* The first word is "glslang". False with a message where one is not known. */
bool read_options(const Words &words, Options *options, std::string *said)
{
    for (size_t i = 1; i < words.size(); i++) {
        const std::string &word = words[i];
        const bool more = i + 1 < words.size();
        if (word == "-V" || word == "--quiet")
            continue;
        if (word == "--target-env" && more && take_target(words[i + 1], &options->target))
            i++;
        else if (word == "--vn" && more)
            options->name = words[++i];
        else if (word == "-o" && more)
            options->out = words[++i];
        else if (word == "-S" && more)
            options->stage = words[++i];
        else if (word.compare(0, 2, "-D") == 0)
            define(word.substr(2), &options->preamble);
        else if (word.compare(0, 2, "-I") == 0)
            options->folders.push_back(word.substr(2));
        else if (!word.empty() && word[0] != '-' && options->source.empty())
            options->source = word;
        else {
            *said = "pgs-shader-tools does not know " + word + "\n";
            return false;
        }
    }
    return true;
}

/* By the name of the file, or by -S. */
bool find_stage(const Options &options, EShLanguage *stage)
{
    static const std::map<std::string, EShLanguage> stages = {
        {"vert", EShLangVertex},    {"tesc", EShLangTessControl}, {"tese", EShLangTessEvaluation},
        {"geom", EShLangGeometry},  {"frag", EShLangFragment},    {"comp", EShLangCompute},
        {"mesh", EShLangMesh},      {"task", EShLangTask},        {"rgen", EShLangRayGen},
        {"rint", EShLangIntersect}, {"rahit", EShLangAnyHit},     {"rchit", EShLangClosestHit},
        {"rmiss", EShLangMiss},     {"rcall", EShLangCallable},
    };
    std::string name = options.source;
    if (name.size() > 5 && name.compare(name.size() - 5, 5, ".glsl") == 0)
        name.resize(name.size() - 5);
    const auto found =
        stages.find(options.stage.empty() ? name.substr(name.rfind('.') + 1) : options.stage);
    if (found == stages.end())
        return false;
    *stage = found->second;
    return true;
}

bool compile(const Words &words, std::string *said)
{
    Options options;
    std::string text;
    EShLanguage stage = EShLangVertex;
    if (!read_options(words, &options, said))
        return false;
    if (!read_file(options.source, &text) || !find_stage(options, &stage)) {
        *said = options.source + ": no such file, or no stage\n";
        return false;
    }
    glslang::TShader shader(stage);
    const char *string = text.data(), *name = options.source.c_str();
    const int length = static_cast<int>(text.size());
    shader.setStringsWithLengthsAndNames(&string, &length, &name, 1);
    shader.setPreamble(options.preamble.c_str());
    shader.setEnvInput(glslang::EShSourceGlsl, stage, glslang::EShClientVulkan, 100);
    shader.setEnvClient(glslang::EShClientVulkan, options.target.client);
    shader.setEnvTarget(glslang::EShTargetSpv, options.target.language);
    const auto messages =
        static_cast<EShMessages>(EShMsgDefault | EShMsgSpvRules | EShMsgVulkanRules);
    Includer includer(options.folders);
    const bool parsed = shader.parse(GetDefaultResources(), 100, false, messages, includer);
    *said = shader.getInfoLog();
    if (!parsed)
        return false;
    glslang::TProgram program;
    program.addShader(&shader);
    const bool linked = program.link(messages) && program.mapIO();
    *said += program.getInfoLog();
    if (!linked)
        return false;
    std::vector<unsigned int> spirv;
    spv::SpvBuildLogger logger;
    glslang::SpvOptions how;
    glslang::GlslangToSpv(*program.getIntermediate(stage), spirv, &logger, &how);
    *said += logger.getAllMessages();
    if (options.name.empty())
        glslang::OutputSpvBin(spirv, options.out.c_str());
    else
        glslang::OutputSpvHex(spirv, options.out.c_str(), options.name.c_str());
    return true;
}

bool validate(const Words &words, std::string *said)
{
    spv_target_env environment;
    std::string bytes;
    spvtools::ValidatorOptions options;
    const bool scalar = words.size() == 4 && words[3] == "--scalar-block-layout";
    options.SetScalarBlockLayout(scalar);
    if (words.size() != (scalar ? 4 : 3) || !spvParseTargetEnv(words[1].c_str(), &environment) ||
        !read_file(words[2], &bytes)) {
        *said = "no such file or target environment\n";
        return false;
    }
    std::vector<uint32_t> module(bytes.size() / 4);
    bytes.copy(reinterpret_cast<char *>(module.data()), module.size() * 4);
    spvtools::SpirvTools tools(environment);
    tools.SetMessageConsumer(
        [said](spv_message_level_t, const char *, const spv_position_t &at, const char *message) {
            *said += std::to_string(at.index) + ": " + message + "\n";
        });
    return tools.Validate(module.data(), module.size(), options);
}

bool run(const std::string &line, std::string *said)
{
    Words words;
    std::stringstream stream(line);
    for (std::string word; std::getline(stream, word, '\t');)
        words.push_back(word);
    if (!words.empty() && words[0] == "glslang")
        return compile(words, said);
    if (!words.empty() && words[0] == "validate")
        return validate(words, said);
    *said = "neither glslang nor validate: " + line + "\n";
    return false;
}

/* The word behind -o. */
std::string out_of(const std::string &line)
{
    const size_t at = line.find("\t-o\t");
    return at == std::string::npos ? "" : line.substr(at + 4, line.find('\t', at + 4) - at - 4);
}

int run_all(const char *path, const char *depfile)
{
    std::ifstream commands(path);
    std::string first_out;
    for (std::string line; std::getline(commands, line);) {
        std::string said;
        const bool good = run(line, &said);
        std::cout << said;
        if (!good)
            return EXIT_FAILURE;
        if (first_out.empty())
            first_out = out_of(line);
    }
    if (depfile) {
        std::ofstream out(depfile);
        out << first_out << ":";
        for (const std::string &file : files_read)
            out << " \\\n " << file;
        out << "\n";
    }
    return EXIT_SUCCESS;
}

int answer()
{
    for (std::string line; std::getline(std::cin, line);) {
        std::string said;
        const bool good = run(line, &said);
        std::cout << (good ? 0 : 1) << " " << said.size() << "\n" << said << std::flush;
    }
    return EXIT_SUCCESS;
}

} // namespace

int main(int argc, char **argv)
{
    glslang::InitializeProcess();
    const int status = argc > 1 ? run_all(argv[1], argc > 2 ? argv[2] : nullptr) : answer();
    glslang::FinalizeProcess();
    return status;
}
