# SPDX-License-Identifier: Apache-2.0
# Language level, warnings and sanitizers, carried by one interface target that every library of ours links.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(ETALON_BIN ${CMAKE_BINARY_DIR}/bin CACHE PATH "where the executables for users lie; tests stay in the build folder")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${ETALON_BIN})
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")  # -O3 doubles the time of compiling and gains nothing here: kernels set their own
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Paths are hashed relative to the sources, so that another checkout shares the results; the two settings admit precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

add_library(etalon_defaults INTERFACE)
# Recomputed figures must agree bit for bit between machines: no contraction into fused multiply-adds.
target_compile_options(etalon_defaults INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow;-Wnon-virtual-dtor;-Woverloaded-virtual;-Werror;-ffp-contract=off>
  # -Wno-restrict: g++ 12 sees overlapping copies in std::string where there are none (GCC bug 105329).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wmissing-declarations;-Wno-restrict>
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wmissing-prototypes>)
if(ETALON_FUZZ)
  set(ETALON_SANITIZE "fuzzer-no-link,address,undefined")
endif()
if(ETALON_SANITIZE)
  target_compile_options(etalon_defaults INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ETALON_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>)
  target_link_options(etalon_defaults INTERFACE -fsanitize=${ETALON_SANITIZE})
endif()
