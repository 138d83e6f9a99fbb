# SPDX-License-Identifier: Apache-2.0
# Every header compiles alone. Most are proven by their own .cpp, which includes them before all else; each of the others
# gets a file that includes nothing but it, twice.
file(GLOB_RECURSE controller_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/*.h)
file(GLOB_RECURSE wire_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/wire/*.h)
file(GLOB_RECURSE worker_headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/worker/*.h)

# etalon_proven_by_source(HEADER RESULT): ON when the .cpp beside HEADER includes it first.
function(etalon_proven_by_source header result)
  string(REGEX REPLACE "h$" "cpp" source ${header})
  set(${result} OFF PARENT_SCOPE)
  if(EXISTS ${source})
    file(STRINGS ${source} includes REGEX "^#include" LIMIT_COUNT 1)
    cmake_path(GET header FILENAME name)
    if(includes MATCHES "[/\"]${name}\"")
      set(${result} ON PARENT_SCOPE)
    endif()
  endif()
endfunction()

# etalon_headers_alone(TARGET FOLDER LINKS … HEADERS …): HEADERS as they are included, relative to FOLDER
function(etalon_headers_alone target folder)
  cmake_parse_arguments(arg "" "" "LINKS;HEADERS" ${ARGN})
  foreach(header IN LISTS arg_HEADERS)
    etalon_proven_by_source(${folder}/${header} proven)
    if(proven)
      continue()
    endif()
    string(MAKE_C_IDENTIFIER ${header} name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@header@\"\n#include \"@header@\"\n" @ONLY)
    list(APPEND sources ${source})
  endforeach()
  if(NOT sources)
    return()
  endif()
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE etalon_defaults ${arg_LINKS})
  target_compile_options(${target} PRIVATE -O0)
endfunction()

etalon_headers_alone(headers_alone ${PROJECT_SOURCE_DIR}/src HEADERS ${controller_headers}
  LINKS etalon_command_line etalon_wire etalon_toml CLI11::CLI11 Boost::headers PkgConfig::SODIUM)
etalon_headers_alone(wire_headers_alone ${PROJECT_SOURCE_DIR} HEADERS ${wire_headers} LINKS etalon_wire)
if(TARGET etalon_worker)
  etalon_headers_alone(worker_headers_alone ${PROJECT_SOURCE_DIR} HEADERS ${worker_headers} LINKS etalon_worker)
endif()
