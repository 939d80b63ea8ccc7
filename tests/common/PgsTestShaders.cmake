# SPDX-License-Identifier: MIT
set(PGS_SHADERS_OF "" CACHE PATH "Another build folder of this tree, whose compiled shaders are taken")

# pgs_shader_command(OUTPUT what add_custom_command is told besides...): compiles one shader, or takes it from the other
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
  set(header ${CMAKE_CURRENT_BINARY_DIR}/spv/${target}/${arg_NAME}.h)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/spv/${target})
  pgs_shader_command(
    ${header}
    COMMAND ${GLSLANG_VALIDATOR} --quiet -V --target-env ${arg_ENV} ${flags} --vn ${arg_NAME}
            -I${CMAKE_CURRENT_SOURCE_DIR}/shaders -o ${header} ${CMAKE_CURRENT_SOURCE_DIR}/${file}
            --depfile ${header}.d
    DEPFILE ${header}.d
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file}
    COMMENT "GLSL ${arg_NAME}")
  target_sources(${target} PRIVATE ${header})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/spv/${target})
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
  foreach(file ${ARGN})
    get_filename_component(base ${file} NAME)
    string(REPLACE ".spvasm" "" name ${base})
    string(REPLACE "." "_" name ${name})
    set(header ${CMAKE_CURRENT_BINARY_DIR}/spv/${target}/${name}.h)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/spv/${target})
    pgs_shader_command(
      ${header}
      COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/tests/common/embed_assembly.py ${SPIRV_AS}
              ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${name} ${header}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} ${CMAKE_SOURCE_DIR}/tests/common/embed_assembly.py
      COMMENT "SPIR-V ${name}")
    target_sources(${target} PRIVATE ${header})
    target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/spv/${target})
  endforeach()
endfunction()
