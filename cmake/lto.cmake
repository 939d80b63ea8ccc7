# SPDX-License-Identifier: MIT
# Whether the layer's link optimizes what records draws across files: see layer/CMakeLists.txt.
set(lto ON)
if(PGS_SANITIZE OR NOT CMAKE_C_COMPILER_ID STREQUAL "GNU") # others make no objects that tests can link without it
  set(lto OFF)
endif()
# Who builds the layer may have chosen for all of it; objects that are only for it cannot be linked without it.
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION OR "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE} ${CMAKE_C_FLAGS_RELWITHDEBINFO}"
   MATCHES "-f(no-)?lto")
  set(lto OFF)
endif()
option(PGS_LTO "Optimize what records draws across files; gcc, not in debug builds" ${lto})
if(PGS_LTO)
  add_link_options(-fno-lto) # all but the layer link as without it
endif()
