# The program, at build/dew, and its man page, build/dew.1 (where scdoc is found).
#
# Each folder of programs/ is an object library. They see include/dew and one another, nothing of src.
# `support` is what commands share: arguments, scene names, signals. Each program's folder has its own command.
set(DEW_PROGRAM_FOLDERS support view validate bench cli)
foreach(folder IN LISTS DEW_PROGRAM_FOLDERS)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/programs/${folder}/*.c)
  list(FILTER sources EXCLUDE REGEX "_test\\.c$|/cli/main\\.c$")
  add_library(dew_${folder} OBJECT ${sources})
  target_include_directories(dew_${folder} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/programs)
  target_link_libraries(dew_${folder} PRIVATE dew_flags Threads::Threads)
endforeach()

# A test of a program's folder: the folders up to it, and the library as its objects.
function(dew_link_program target folder)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/programs)
  foreach(other IN LISTS DEW_PROGRAM_FOLDERS)
    target_link_libraries(${target} PRIVATE dew_${other})
    if(other STREQUAL folder)
      break()
    endif()
  endforeach()
  dew_link_up_to(${target} programs)
endfunction()

# Where the bundled scenes lie: beside the sources, and where `install` puts them.
target_compile_definitions(dew_support PRIVATE
  DEW_SCENE_DIR_SOURCE="${PROJECT_SOURCE_DIR}/scenes"
  DEW_SCENE_DIR_INSTALLED="${CMAKE_INSTALL_FULL_DATADIR}/dew/scenes")
add_executable(dew_program programs/cli/main.c)
target_include_directories(dew_program PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/programs)
foreach(folder IN LISTS DEW_PROGRAM_FOLDERS)
  target_sources(dew_program PRIVATE $<TARGET_OBJECTS:dew_${folder}>)
endforeach()
set_target_properties(dew_program PROPERTIES OUTPUT_NAME dew LINKER_LANGUAGE C
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_link_libraries(dew_program PRIVATE dew_flags PkgConfig::YAML PkgConfig::EXPAT PkgConfig::PNG Threads::Threads m
  ${DEW_EMBREE_LIBRARY} ${CMAKE_DL_LIBS})  # Embree alone is a row of `dew bench render`
target_link_libraries(dew_program PRIVATE dew)
if(BUILD_SHARED_LIBS)
  file(RELATIVE_PATH libdir_from_bin ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(dew_program PROPERTIES INSTALL_RPATH "$ORIGIN/${libdir_from_bin}")
endif()

find_program(DEW_SCDOC scdoc)
if(DEW_SCDOC)
  set(manual_source ${PROJECT_SOURCE_DIR}/docs/man/dew.1.scd)
  add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/dew.1
    COMMAND ${DEW_SCDOC} < ${manual_source} > ${PROJECT_BINARY_DIR}/dew.1
    DEPENDS ${manual_source} VERBATIM)
  add_custom_target(dew_man ALL DEPENDS ${PROJECT_BINARY_DIR}/dew.1)
endif()
