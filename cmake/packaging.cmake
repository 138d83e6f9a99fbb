# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` lays down, its undoing, and the .deb of the controller. Components: controller, worker.
include(GNUInstallDirs)

# The man page and the completions are printed by the program itself, from the text of --help.
set(manual ${CMAKE_BINARY_DIR}/manual)
set(manual_man ${CMAKE_INSTALL_MANDIR}/man1/etalon.1)
set(manual_bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions/etalon)
set(manual_zsh ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions/_etalon)
set(manual_fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/etalon.fish)
foreach(format man bash zsh fish)
  set(page ${manual}/${manual_${format}})
  cmake_path(GET page PARENT_PATH folder)
  add_custom_command(OUTPUT ${page} DEPENDS etalon VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -Dprogram=$<TARGET_FILE:etalon> -Dformat=${format} -Doutput=${page} -P ${PROJECT_SOURCE_DIR}/cmake/print_manual.cmake)
  list(APPEND pages ${page})
  string(REGEX REPLACE "/[^/]*$" "" destination ${manual_${format}})
  install(FILES ${page} DESTINATION ${destination} COMPONENT controller)
endforeach()
add_custom_target(manual ALL DEPENDS ${pages})

# All that ./bootstrap run needs, without tests.
add_custom_target(programs DEPENDS etalon manual)
set(controller_documents README.md CHANGELOG.md LICENSE NOTICE docs)
install(TARGETS etalon DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT controller)
foreach(folder recipes data schemas)
  install(DIRECTORY ${folder} DESTINATION ${CMAKE_INSTALL_DATADIR}/etalon COMPONENT controller OPTIONAL)
endforeach()
foreach(document IN LISTS controller_documents)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${document})
    install(DIRECTORY ${document}/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT controller FILES_MATCHING PATTERN *.md)
  elseif(EXISTS ${PROJECT_SOURCE_DIR}/${document})
    install(FILES ${document} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT controller)
  endif()
endforeach()
if(TARGET etalon-torch)
  add_dependencies(programs etalon-torch)
  # An installed worker stays bound to the PyTorch that it was linked with: its folders are in the run path.
  # (INSTALL_RPATH_USE_LINK_PATH would leave them out where they lie in the build folder.)
  set(run_path $<TARGET_FILE_DIR:etalon_torch::torch_cpu>)
  if(TARGET etalon_torch::cudart)
    list(APPEND run_path $<TARGET_FILE_DIR:etalon_torch::cudart>)
  endif()
  set_target_properties(etalon-torch PROPERTIES INSTALL_RPATH "${run_path}")
  install(TARGETS etalon-torch DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT worker)
endif()

add_custom_target(uninstall VERBATIM COMMAND ${CMAKE_COMMAND} -Dbuild=${CMAKE_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake)

install(FILES share/draw_charts.py DESTINATION ${CMAKE_INSTALL_DATADIR}/etalon COMPONENT controller)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME etalon)
set(CPACK_PACKAGE_CONTACT "The étalon project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL controller)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_CONTROLLER_PACKAGE_NAME etalon)
set(CPACK_DEBIAN_CONTROLLER_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The summary stands before it.
set(CPACK_COMPONENT_CONTROLLER_DESCRIPTION "The controller: recipes, measurement, dossiers and their verification.
 The native worker is built from source against a PyTorch (./bootstrap build).")
include(CPack)
