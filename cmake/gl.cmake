# The GLSL sources of src/render/gl become C arrays; with DEW_GL off, or without headers, neither they nor
# the code that uses them are compiled, and --engine gl says so.
if(DEW_GL_FOUND)
  file(GLOB shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/render/gl/*.glsl)
  set(shader_code ${PROJECT_BINARY_DIR}/glsl.c)
  add_custom_command(OUTPUT ${shader_code}
    COMMAND ${CMAKE_COMMAND} -DOUT=${shader_code} "-DSOURCES=${shaders}"
      -P ${PROJECT_SOURCE_DIR}/cmake/embed_glsl.cmake
    DEPENDS ${shaders} ${PROJECT_SOURCE_DIR}/cmake/embed_glsl.cmake VERBATIM)
  target_sources(dew_render_gl PRIVATE ${shader_code})
  set(calls_are_looked_up GL_GLES_PROTOTYPES=0 EGL_EGL_PROTOTYPES=0)  # no declarations: nothing is linked
  foreach(layer IN ITEMS dew_render_gl dew_bench)
    target_compile_definitions(${layer} PRIVATE DEW_HAVE_GL=1 ${calls_are_looked_up})
    target_include_directories(${layer} SYSTEM PRIVATE ${DEW_EGL_HEADERS} ${DEW_GLES_HEADERS})
  endforeach()
endif()

# The window needs both OpenGL and SDL2.
if(DEW_GL_FOUND)
  target_include_directories(dew_view SYSTEM PRIVATE ${DEW_EGL_HEADERS} ${DEW_GLES_HEADERS})
  target_compile_definitions(dew_view PRIVATE ${calls_are_looked_up})
endif()
if(DEW_SDL_FOUND)
  foreach(layer IN ITEMS dew_view dew_bench)
    target_compile_definitions(${layer} PRIVATE DEW_HAVE_SDL=1)
    target_include_directories(${layer} SYSTEM PRIVATE ${DEW_SDL_HEADERS})
  endforeach()
endif()
