# SPDX-License-Identifier: MIT
# What the compiler and the linker can do against those who find a defect. For the folder that includes this, and those
# below it. tests/loader/hardening.sh looks at the libraries.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)

if(NOT PGS_SANITIZE) # these look closer
  foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
    string(MAKE_C_IDENTIFIER "PGS_HAS${flag}" has)
    check_c_compiler_flag("-Werror ${flag}" ${has})
    if(${has})
      add_compile_options(${flag})
    endif()
  endforeach()
  # Only with optimization, without which glibc warns. Some compilers define it themselves.
  set(optimized $<CONFIG:Release,RelWithDebInfo,MinSizeRel>)
  add_compile_options($<${optimized}:-U_FORTIFY_SOURCE> $<${optimized}:-D_FORTIFY_SOURCE=2>)
endif()

foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,-z,shstk)
  string(MAKE_C_IDENTIFIER "PGS_HAS${flag}" has)
  check_linker_flag(C "${flag}" ${has})
  if(${has} AND NOT (flag MATCHES shstk AND NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64"))
    add_link_options(${flag})
  endif()
endforeach()
