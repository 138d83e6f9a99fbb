# SPDX-License-Identifier: Apache-2.0
# One folder is one static library; the libraries that it links are its place in the architecture.

# etalon_folder(NAME [SOURCES …] [GLOB folder …] [ALONE folder …] [LINKS …] [PRIVATE_LINKS …])
# Of the ALONE folders (of GLOB) every plug-in is compiled alone, also in a quick build.
# GLOB is for the plug-in folders alone (a plug-in is one new file and one line in catalog.h).
function(etalon_folder name)
  cmake_parse_arguments(arg "" "" "SOURCES;GLOB;ALONE;LINKS;PRIVATE_LINKS" ${ARGN})
  foreach(folder IN LISTS arg_GLOB)
    file(GLOB plugins CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(APPEND arg_SOURCES ${plugins})
    if(folder IN_LIST arg_ALONE)
      list(APPEND alone ${plugins})
    endif()
  endforeach()
  add_library(etalon_${name} STATIC ${arg_SOURCES})
  target_include_directories(etalon_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
  target_link_libraries(etalon_${name} PUBLIC etalon_defaults ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  etalon_quick(etalon_${name} etalon_precompiled)
  etalon_together(etalon_${name} ALONE ${alone})
endfunction()
