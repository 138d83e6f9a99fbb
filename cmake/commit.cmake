# SPDX-License-Identifier: Apache-2.0
# The commit that a build was made from, asked at every build and written only when it changed: one file recompiles, no more.
# Included, it defines etalon_commit_source(); run as a script, it is what that target runs.

# etalon_commit_source(TEMPLATE RESULT): RESULT becomes the path of TEMPLATE filled with version, commit and build type.
function(etalon_commit_source template result)
  cmake_path(GET template STEM name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set(type "${CMAKE_BUILD_TYPE}")
  if(ETALON_SANITIZE)
    string(APPEND type " with sanitizers ${ETALON_SANITIZE}")
  endif()
  find_package(Git QUIET)
  add_custom_target(etalon_commit BYPRODUCTS ${output} VERBATIM
    COMMAND ${CMAKE_COMMAND} -Dtemplate=${CMAKE_CURRENT_SOURCE_DIR}/${template} -Doutput=${output} -Dsources=${PROJECT_SOURCE_DIR}
      -Dgit=${GIT_EXECUTABLE} -Detalon_version=${etalon_version} "-DETALON_BUILD_TYPE=${type}"
      "-Dcompiler=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" -P ${PROJECT_SOURCE_DIR}/cmake/commit.cmake)
  set(${result} ${output} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.28)
  set(ETALON_COMMIT unknown)
  execute_process(COMMAND "${git}" -C ${sources} rev-parse --show-toplevel HEAD OUTPUT_VARIABLE said RESULT_VARIABLE failed ERROR_QUIET)
  string(REGEX MATCH "^(.*)\n([0-9a-f]+)\n$" matched "${said}")
  if(NOT failed AND "${CMAKE_MATCH_1}" PATH_EQUAL "${sources}")
    set(ETALON_COMMIT ${CMAKE_MATCH_2})
    execute_process(COMMAND ${git} -C ${sources} status --porcelain --untracked-files=no OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND ETALON_COMMIT "-dirty")
    endif()
  endif()
  string(REGEX MATCH "^([^ ]*) (.*)$" matched "${compiler}")
  set(CMAKE_CXX_COMPILER_ID "${CMAKE_MATCH_1}")
  set(CMAKE_CXX_COMPILER_VERSION "${CMAKE_MATCH_2}")
  configure_file(${template} ${output} @ONLY)
endif()
