# The program, at build/dew.
if("app" IN_LIST DEW_FOLDERS)
  add_executable(dew_program $<TARGET_OBJECTS:dew_app>)
  set_target_properties(dew_program PROPERTIES OUTPUT_NAME dew
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  target_link_libraries(dew_program PRIVATE dew dew_flags PkgConfig::YAML PkgConfig::PNG Threads::Threads m)
endif()
