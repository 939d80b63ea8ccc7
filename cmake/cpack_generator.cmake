# SPDX-License-Identifier: MIT
# Read by cpack for each generator: the archive has one component, for containers; packages have what is installed.
if(CPACK_GENERATOR STREQUAL "TGZ")
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_ALL container)
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
  set(CPACK_INCLUDE_TOPLEVEL_DIRECTORY OFF)
elseif(CPACK_DEBIAN_PACKAGE_ARCHITECTURE)
  # dpkg-shlibdeps knows the libraries of this machine only. The layer's is libc: which version do its symbols come from?
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
  execute_process(COMMAND ${CPACK_PGS_READELF} -VW ${CPACK_PGS_LIBRARY} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "GLIBC_[0-9.]+" versions "${symbols}")
  list(SORT versions COMPARE NATURAL ORDER DESCENDING)
  list(GET versions 0 version)
  string(REPLACE "GLIBC_" "" version ${version})
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libc6 (>= ${version})")
endif()
