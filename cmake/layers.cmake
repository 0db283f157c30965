# One object library per folder of src, in the order of src/layers.txt. FOLDER/** is one with its subfolders.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/layers.txt)
file(STRINGS ${PROJECT_SOURCE_DIR}/src/layers.txt layer_lines REGEX "^[^#]")
set(DEW_FOLDERS "")      # folders that have sources, lowest first
set(DEW_LAYER_INDEX 0)
foreach(line IN LISTS layer_lines)
  string(REPLACE " " ";" folders "${line}")
  foreach(pattern IN LISTS folders)
    set(glob GLOB)
    if(pattern MATCHES "/\\*\\*$")
      string(REGEX REPLACE "/\\*\\*$" "" found ${pattern})
      set(glob GLOB_RECURSE)
    elseif(pattern MATCHES "\\*$")
      file(GLOB found RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS
        ${PROJECT_SOURCE_DIR}/src/${pattern})
      list(REMOVE_ITEM found ${DEW_FOLDERS})  # what a lower line names is there already
    else()
      set(found ${pattern})
    endif()
    foreach(folder IN LISTS found)
      file(${glob} sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${folder}/*.c)
      list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.c$")
      if(sources)
        string(REPLACE "/" "_" target dew_${folder})
        add_library(${target} OBJECT ${sources})
        target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/include
          PRIVATE ${PROJECT_SOURCE_DIR}/src ${XXHASH_INCLUDE_DIRS})
        target_link_libraries(${target} PRIVATE dew_flags PkgConfig::YAML PkgConfig::EXPAT PkgConfig::PNG
          Threads::Threads)
        if(folder MATCHES "^(grid|surface|solvers|render)")
          set_target_properties(${target} PROPERTIES DEW_NO_COVERAGE ON)  # they read no files
        endif()
        list(APPEND DEW_FOLDERS ${folder})
        set(DEW_LEVEL_${folder} ${DEW_LAYER_INDEX})
        set(DEW_GLOB_${folder} ${glob})
      endif()
    endforeach()
  endforeach()
  math(EXPR DEW_LAYER_INDEX "${DEW_LAYER_INDEX} + 1")
endforeach()

set(DEW_LEVEL_programs ${DEW_LAYER_INDEX})  # above all of src

# The objects of `folder` and of every folder below it (neighbours left out), and outside libraries.
function(dew_link_up_to target folder)
  foreach(other IN LISTS DEW_FOLDERS)
    if(other STREQUAL folder OR DEW_LEVEL_${other} LESS DEW_LEVEL_${folder})
      string(REPLACE "/" "_" name dew_${other})
      target_link_libraries(${target} PRIVATE ${name})
    endif()
  endforeach()
  target_link_libraries(${target} PRIVATE dew_flags PkgConfig::YAML PkgConfig::EXPAT PkgConfig::PNG OpenEXRCore ${DEW_EMBREE_LIBRARY}
    Threads::Threads m)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/include)
endfunction()

# libdew: all of src.
add_library(dew)
add_library(dew::dew ALIAS dew)
foreach(folder IN LISTS DEW_FOLDERS)
  string(REPLACE "/" "_" name dew_${folder})
  target_sources(dew PRIVATE $<TARGET_OBJECTS:${name}>)
endforeach()
target_include_directories(dew PUBLIC
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_libraries(dew PRIVATE $<BUILD_INTERFACE:dew_flags> PkgConfig::YAML PkgConfig::EXPAT PkgConfig::PNG
  OpenEXRCore ${DEW_EMBREE_LIBRARY} Threads::Threads m)
# docs/decisions/abi.md: the number in libdew.so.0 rises with every release that breaks the binary interface.
set_target_properties(dew PROPERTIES LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION 0)
