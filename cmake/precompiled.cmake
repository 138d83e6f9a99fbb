# SPDX-License-Identifier: Apache-2.0
# Precompiled headers shared between targets. The release build does without, so that it shows a forgotten include.
option(ETALON_PRECOMPILE "compile with precompiled third-party headers: sanitizer and fuzz builds take half the time" OFF)

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
endfunction()

# etalon_precompile(TARGET CARRIER): the same, where the build is to be quick rather than strict.
function(etalon_precompile target carrier)
  if(ETALON_PRECOMPILE)
    etalon_reuse_precompiled(${target} ${carrier})
  endif()
endfunction()

if(ETALON_PRECOMPILE)
  etalon_precompiled_headers(etalon_precompiled LINKS fmt::fmt nlohmann_json::nlohmann_json
    HEADERS <algorithm> <array> <cstdint> <filesystem> <functional> <map> <optional> <string> <string_view> <vector>
      <fmt/format.h> <nlohmann/json.hpp>)
endif()
