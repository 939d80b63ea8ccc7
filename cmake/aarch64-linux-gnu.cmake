# SPDX-License-Identifier: MIT
# Toolchain of the preset `arm64`: Debian's cross compiler, its libc to link with, and QEMU in user mode, which runs the
# tests. PGS_ARM64_SYSROOT has what they run on: libc, the other libraries that they link, a driver; scripts/arm64.sh fills it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
find_program(PGS_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(PGS_QEMU)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${PGS_QEMU} -L ${PGS_ARM64_SYSROOT})
endif()
set(CMAKE_FIND_ROOT_PATH ${PGS_ARM64_SYSROOT} /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PGS_ARM64_SYSROOT)
