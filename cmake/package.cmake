# SPDX-License-Identifier: MIT
# `cpack -G DEB` in the build folder: the library, the implicit manifest and the documents that Debian wants. Configure
# with -DCMAKE_INSTALL_PREFIX=/usr to have the library in the folder of the architecture.
# `cpack -G TGZ`: library, manifest and one README, to be unpacked over the root of a container.
set(package vulkan-layer-poly-gs)
set(CPACK_PACKAGE_NAME ${package})
set(CPACK_PACKAGE_VENDOR "the poly_gs authors")
if(NOT CPACK_PACKAGE_CONTACT) # whoever packages gives an address that is read
  set(CPACK_PACKAGE_CONTACT "the poly_gs authors <poly-gs@invalid>")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Vulkan layer that emulates geometry shaders and tessellation")
set(CPACK_PACKAGE_DESCRIPTION
    "VK_LAYER_poly_gs runs geometry shaders, tessellation and transform feedback as
compute shaders, for Vulkan drivers that lack them.
The implicit layer is off until a program is started with ENABLE_POLY_GS=1.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libvulkan1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
if(CMAKE_CROSSCOMPILING AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64) # else cpack takes that of this machine
  set(CPACK_PGS_READELF ${CMAKE_READELF})
  set(CPACK_PGS_LIBRARY ${CMAKE_BINARY_DIR}/layer/libVkLayer_poly_gs.so)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/cpack_generator.cmake)
string(TOLOWER ${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}
       CPACK_ARCHIVE_CONTAINER_FILE_NAME)
include(CPack)

set(package_doc share/doc/${package})
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${package_doc} RENAME copyright)
install(FILES ${CMAKE_SOURCE_DIR}/SECURITY.md DESTINATION ${package_doc})
# Ours, and that of the package, which says nothing else.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC) # SOURCE_DATE_EPOCH, where it is set
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/package/changelog.Debian @ONLY CONTENT
"@package@ (@PROJECT_VERSION@-@CPACK_DEBIAN_PACKAGE_RELEASE@) unstable; urgency=medium

  * Version @PROJECT_VERSION@: see changelog.gz.

 -- @CPACK_PACKAGE_CONTACT@  @now@
")
configure_file(${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_BINARY_DIR}/package/changelog COPYONLY)
find_program(GZIP gzip)
foreach(changelog changelog changelog.Debian)
  if(GZIP)
    execute_process(COMMAND ${GZIP} -9nf ${CMAKE_BINARY_DIR}/package/${changelog} COMMAND_ERROR_IS_FATAL ANY)
    install(FILES ${CMAKE_BINARY_DIR}/package/${changelog}.gz DESTINATION ${package_doc})
  endif()
endforeach()

# The container's: no folder of an architecture, so that its manifest is another one.
install(TARGETS VkLayer_poly_gs LIBRARY DESTINATION usr/lib COMPONENT container EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_BINARY_DIR}/json/container/VkLayer_poly_gs.json
        DESTINATION usr/share/vulkan/implicit_layer.d COMPONENT container EXCLUDE_FROM_ALL)
configure_file(${CMAKE_CURRENT_LIST_DIR}/container_readme.txt ${CMAKE_BINARY_DIR}/package/README.poly_gs @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/README.poly_gs DESTINATION . COMPONENT container EXCLUDE_FROM_ALL)
