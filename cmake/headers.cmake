# SPDX-License-Identifier: MIT
# Where the headers of Vulkan and SPIR-V are: Vulkan_INCLUDE_DIRS, SPIRV_HEADERS_INCLUDE_DIR, Vulkan_VERSION.
# They must be those of the registry and the grammar that the generators read, and are the same for every machine. So a
# cross build takes those of this machine, by a folder that has nothing else: not its libc.
if(NOT CMAKE_CROSSCOMPILING)
  find_package(Vulkan REQUIRED)
  find_path(SPIRV_HEADERS_INCLUDE_DIR spirv/unified1/spirv.h REQUIRED)
else()
  set(Vulkan_INCLUDE_DIRS ${CMAKE_BINARY_DIR}/host_include)
  file(MAKE_DIRECTORY ${Vulkan_INCLUDE_DIRS})
  # pgs_take_headers(FOLDER HEADER [REQUIRED])
  function(pgs_take_headers folder header)
    find_path(PGS_HOST_${folder} ${folder}/${header} PATHS /usr/local/include /usr/include NO_DEFAULT_PATH
              NO_CMAKE_FIND_ROOT_PATH ${ARGN})
    if(PGS_HOST_${folder})
      file(CREATE_LINK ${PGS_HOST_${folder}}/${folder} ${Vulkan_INCLUDE_DIRS}/${folder} SYMBOLIC)
    endif()
  endfunction()
  pgs_take_headers(vulkan vulkan_core.h REQUIRED)
  pgs_take_headers(vk_video vulkan_video_codecs_common.h)
  pgs_take_headers(spirv unified1/spirv.h REQUIRED)
  set(SPIRV_HEADERS_INCLUDE_DIR ${Vulkan_INCLUDE_DIRS})
  file(STRINGS ${Vulkan_INCLUDE_DIRS}/vulkan/vulkan_core.h version REGEX "define VK_HEADER_VERSION_COMPLETE ")
  string(REGEX REPLACE ".*\\(0, ([0-9]+), ([0-9]+),.*" "\\1.\\2" Vulkan_VERSION "${version}")
endif()
