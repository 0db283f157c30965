# `cmake --install build [--prefix DIR]`: the program, the library with headers, pkg-config and
# CMake package files, man page, shell completions, bundled scenes.
include(CMakePackageConfigHelpers)

if(TARGET dew_program)
  install(TARGETS dew_program RUNTIME)
endif()
install(TARGETS dew EXPORT dewTargets)
install(DIRECTORY include/dew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/dew)
install(EXPORT dewTargets NAMESPACE dew:: DESTINATION ${package_dir})
configure_package_config_file(cmake/dewConfig.cmake.in ${PROJECT_BINARY_DIR}/dewConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/dewConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)  # before 1.0 a minor version may break
install(FILES ${PROJECT_BINARY_DIR}/dewConfig.cmake ${PROJECT_BINARY_DIR}/dewConfigVersion.cmake
  DESTINATION ${package_dir})

# The prefix is relative to the file, so that the installed tree can be moved.
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/dew.pc.in ${PROJECT_BINARY_DIR}/dew.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/dew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(DEW_SCDOC)
  install(FILES ${PROJECT_BINARY_DIR}/dew.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES completions/dew.bash RENAME dew
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES completions/_dew DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/dew.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/dew)
