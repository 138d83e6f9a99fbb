# SPDX-License-Identifier: Apache-2.0
# Quick builds: third-party headers are precompiled and the sources of a folder are compiled several at a time, which takes a
# third of the time. Without it every source is compiled alone, which shows a forgotten include (clang-tidy does so in .ci/run).
option(ETALON_QUICK "precompiled third-party headers and several sources in one compilation" ON)

# etalon_precompiled_headers(NAME HEADERS … LINKS …): an object library that carries them.
function(etalon_precompiled_headers name)
  cmake_parse_arguments(arg "" "" "HEADERS;LINKS" ${ARGN})
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(${name} PRIVATE etalon_defaults ${arg_LINKS})
  target_precompile_headers(${name} PRIVATE ${arg_HEADERS})
  set_target_properties(${name} PROPERTIES ETALON_CARRIED "${arg_LINKS}")
endfunction()

# etalon_reuse_precompiled(TARGET CARRIER): compiles TARGET's C++ with the headers of CARRIER.
function(etalon_reuse_precompiled target carrier)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")  # CMake would give it -fpie, and the precompiled header is built with -fPIC
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fPIC>)
  endif()
  # A compiler takes the precompiled header only under the definitions that it was made with.
  get_target_property(carried ${carrier} ETALON_CARRIED)
  foreach(library IN LISTS carried)
    target_link_libraries(${target} PRIVATE $<COMPILE_ONLY:${library}>)
  endforeach()
  target_precompile_headers(${target} REUSE_FROM ${carrier})
  # g++ 12 loses track of what is a system header behind a precompiled one, and warns of what the standard library does.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-subobject-linkage>)
endfunction()

# etalon_quick(TARGET CARRIER): with the precompiled headers, in a quick build.
function(etalon_quick target carrier)
  if(NOT ETALON_QUICK)
    return()
  endif()
  etalon_reuse_precompiled(${target} ${carrier})
endfunction()

# etalon_together(TARGET [ALONE sources …]): several sources in one compilation, in a quick build; not those ALONE, which use
# names that others of the folder use too.
function(etalon_together target)
  cmake_parse_arguments(arg "" "" "ALONE" ${ARGN})
  if(ETALON_QUICK)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 10)
  endif()
  if(arg_ALONE)
    set_source_files_properties(${arg_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

if(ETALON_QUICK)
  etalon_precompiled_headers(etalon_precompiled LINKS fmt::fmt nlohmann_json::nlohmann_json
    HEADERS <algorithm> <array> <cstdint> <filesystem> <functional> <map> <optional> <string> <string_view> <variant> <vector>
      <fmt/format.h> <nlohmann/json.hpp>)
endif()
