# SPDX-License-Identifier: MIT
set(PGS_SHADERS_OF "" CACHE PATH "Another build folder of this tree, whose compiled shaders are taken")

# pgs-shader-tools: glslangValidator and spirv-val for hundreds of files in one process. PGS_SHADER_TOOLS is empty where
# there is none: in a cross build alone, and where glslang has no libraries. Each file has a process of its own then.
set(PGS_SHADER_TOOLS "")
if(PGS_SHADERS_OF)
  if(EXISTS ${PGS_SHADERS_OF}/tests/common/pgs-shader-tools)
    set(PGS_SHADER_TOOLS ${PGS_SHADERS_OF}/tests/common/pgs-shader-tools)
  endif()
elseif(NOT CMAKE_CROSSCOMPILING)
  find_path(GLSLANG_INCLUDE_DIR glslang/SPIRV/GlslangToSpv.h)
  find_path(SPIRV_TOOLS_INCLUDE_DIR spirv-tools/libspirv.hpp)
  set(tools_libraries "")
  foreach(name glslang MachineIndependent GenericCodeGen OSDependent HLSL OGLCompiler SPIRV glslang-default-resource-limits
          SPIRV-Tools-opt SPIRV-Tools)
    find_library(PGS_LIBRARY_${name} ${name}) # which there are depends on the version
    if(PGS_LIBRARY_${name})
      list(APPEND tools_libraries ${PGS_LIBRARY_${name}})
    endif()
  endforeach()
  if(GLSLANG_INCLUDE_DIR AND SPIRV_TOOLS_INCLUDE_DIR AND PGS_LIBRARY_glslang AND PGS_LIBRARY_SPIRV AND PGS_LIBRARY_SPIRV-Tools)
    enable_language(CXX)
    set(PGS_SHADER_TOOLS ${CMAKE_CURRENT_BINARY_DIR}/common/pgs-shader-tools)
  endif()
endif()

# pgs_shader_command(OUTPUT what add_custom_command is told besides...): makes one shader, or takes it from the other
# build: what compilers of C and sanitizers change is not in it.
function(pgs_shader_command output)
  if(PGS_SHADERS_OF)
    cmake_path(RELATIVE_PATH output BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE same)
    add_custom_command(OUTPUT ${output} COMMAND ${CMAKE_COMMAND} -E copy ${PGS_SHADERS_OF}/${same} ${output}
                       DEPENDS ${PGS_SHADERS_OF}/${same} VERBATIM)
  else()
    add_custom_command(OUTPUT ${output} ${ARGN} VERBATIM)
  endif()
endfunction()

# pgs_compile_glsl(OUTPUT SOURCE arguments of glslangValidator...): compiles one file; together with all others of the folder
# where that is possible.
function(pgs_compile_glsl output source)
  if(PGS_SHADERS_OF OR NOT PGS_SHADER_TOOLS)
    pgs_shader_command(
      ${output}
      COMMAND ${GLSLANG_VALIDATOR} --quiet -V ${ARGN} -o ${output} ${source} --depfile ${output}.d
      DEPFILE ${output}.d
      DEPENDS ${source}
      COMMENT "GLSL ${output}")
    return()
  endif()
  get_property(others DIRECTORY PROPERTY PGS_SHADER_OUTPUTS)
  if(NOT others)
    cmake_language(DEFER CALL pgs_compile_folder)
  endif()
  list(JOIN ARGN "\t" arguments)
  set_property(DIRECTORY APPEND PROPERTY PGS_SHADER_OUTPUTS ${output})
  set_property(DIRECTORY APPEND PROPERTY PGS_SHADER_SOURCES ${source})
  set_property(DIRECTORY APPEND_STRING PROPERTY PGS_SHADER_COMMANDS "glslang\t${arguments}\t-o\t${output}\t${source}\n")
endfunction()

# All that the folder told pgs_compile_glsl, when its CMakeLists.txt ends.
function(pgs_compile_folder)
  get_property(outputs DIRECTORY PROPERTY PGS_SHADER_OUTPUTS)
  get_property(sources DIRECTORY PROPERTY PGS_SHADER_SOURCES)
  get_property(commands DIRECTORY PROPERTY PGS_SHADER_COMMANDS)
  list(REMOVE_DUPLICATES sources)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/shaders.txt)
  file(CONFIGURE OUTPUT ${list} CONTENT "${commands}")
  add_custom_command(
    OUTPUT ${outputs}
    COMMAND ${PGS_SHADER_TOOLS} ${list} ${list}.d
    DEPFILE ${list}.d
    DEPENDS pgs-shader-tools ${list} ${sources}
    COMMENT "GLSL of ${CMAKE_CURRENT_SOURCE_DIR}"
    VERBATIM)
endfunction()

# pgs_embedded_folder(TARGET RESULT): where the headers of a target's shaders lie, which it may include. Those of another
# build are not even copied.
function(pgs_embedded_folder target result)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/spv/${target})
  if(PGS_SHADERS_OF)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_BINARY_DIR} OUTPUT_VARIABLE same)
    target_include_directories(${target} PRIVATE ${PGS_SHADERS_OF}/${same})
  else()
    file(MAKE_DIRECTORY ${folder})
    target_include_directories(${target} PRIVATE ${folder})
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

# pgs_test_shader(TARGET file [NAME name] [ENV vulkan1.x] [DEFINES a=1 ...])
# Compiles a GLSL file to SPIR-V and embeds it as `const uint32_t name[]` in "name.h". The name is the file's with '_'
# for '.', unless another is given.
function(pgs_test_shader target file)
  cmake_parse_arguments(arg "" "NAME;ENV" "DEFINES" ${ARGN})
  get_filename_component(base ${file} NAME)
  if(NOT arg_NAME)
    string(REPLACE "." "_" arg_NAME ${base})
  endif()
  if(NOT arg_ENV)
    set(arg_ENV vulkan1.1)
  endif()
  set(flags "")
  foreach(define ${arg_DEFINES})
    list(APPEND flags -D${define})
  endforeach()
  pgs_embedded_folder(${target} folder)
  if(PGS_SHADERS_OF)
    return()
  endif()
  set(header ${folder}/${arg_NAME}.h)
  pgs_compile_glsl(${header} ${CMAKE_CURRENT_SOURCE_DIR}/${file} --target-env ${arg_ENV} ${flags} --vn ${arg_NAME}
                   -I${CMAKE_CURRENT_SOURCE_DIR}/shaders)
  target_sources(${target} PRIVATE ${header})
endfunction()

# pgs_test_shaders(TARGET files... [ENV vulkan1.x]): the plain form for many files.
function(pgs_test_shaders target)
  cmake_parse_arguments(arg "" "ENV" "" ${ARGN})
  foreach(file ${arg_UNPARSED_ARGUMENTS})
    pgs_test_shader(${target} ${file} ENV ${arg_ENV})
  endforeach()
endfunction()

# pgs_test_assembly(TARGET files...): the same for SPIR-V as text, which has what GLSL cannot say. name.stage.spvasm
# becomes name_stage in "name_stage.h".
function(pgs_test_assembly target)
  find_program(SPIRV_AS spirv-as REQUIRED)
  pgs_embedded_folder(${target} folder)
  if(PGS_SHADERS_OF)
    return()
  endif()
  foreach(file ${ARGN})
    get_filename_component(base ${file} NAME)
    string(REPLACE ".spvasm" "" name ${base})
    string(REPLACE "." "_" name ${name})
    set(header ${folder}/${name}.h)
    add_custom_command(
      OUTPUT ${header}
      COMMAND ${PGS_PYTHON} ${CMAKE_SOURCE_DIR}/tests/common/embed_assembly.py ${SPIRV_AS}
              ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${name} ${header}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${CMAKE_SOURCE_DIR}/tests/common/embed_assembly.py
      COMMENT "SPIR-V ${name}"
      VERBATIM)
    target_sources(${target} PRIVATE ${header})
  endforeach()
endfunction()
