# cmake -DOUT=FILE.c "-DSOURCES=a.glsl;b.glsl" -P embed_glsl.cmake: the texts as C arrays dew_glsl_NAME.
set(text "// Made from the .glsl files of src/render/gl.\n#include \"render/gl/glsl.h\"\n")
foreach(source IN LISTS SOURCES)
  get_filename_component(name ${source} NAME_WE)
  file(READ ${source} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND text "\nconst char dew_glsl_${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
