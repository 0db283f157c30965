# The program, at build/dew, and its man page, build/dew.1 (where scdoc is found).
if("app" IN_LIST DEW_FOLDERS)
  # Where the bundled scenes lie: beside the sources, and where `install` puts them.
  target_compile_definitions(dew_app PRIVATE
    DEW_SCENE_DIR_SOURCE="${PROJECT_SOURCE_DIR}/scenes"
    DEW_SCENE_DIR_INSTALLED="${CMAKE_INSTALL_FULL_DATADIR}/dew/scenes")
  add_executable(dew_program src/app/main.c $<TARGET_OBJECTS:dew_app>)
  target_include_directories(dew_program PRIVATE ${PROJECT_SOURCE_DIR}/src)
  set_target_properties(dew_program PROPERTIES OUTPUT_NAME dew LINKER_LANGUAGE C
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(dew_program PRIVATE dew dew_flags PkgConfig::YAML PkgConfig::PNG
    Threads::Threads m)
  if(BUILD_SHARED_LIBS)
    file(RELATIVE_PATH libdir_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(dew_program PROPERTIES INSTALL_RPATH "$ORIGIN/${libdir_from_bin}")
  endif()
endif()

find_program(DEW_SCDOC scdoc)
if(DEW_SCDOC)
  set(manual_source ${PROJECT_SOURCE_DIR}/docs/man/dew.1.scd)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/dew.1
    COMMAND ${DEW_SCDOC} < ${manual_source} > ${PROJECT_BINARY_DIR}/dew.1
    DEPENDS ${manual_source} VERBATIM)
  add_custom_target(dew_man ALL DEPENDS ${PROJECT_BINARY_DIR}/dew.1)
endif()
