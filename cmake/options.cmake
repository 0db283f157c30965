# Build options and the flags every target shares.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(DEW_SANITIZE "" CACHE STRING "sanitizers to build with: address,undefined or thread")
option(DEW_WERROR "treat warnings as errors" OFF)
option(DEW_AUDIT "walk whole structures after each change (slow; on in CI)" OFF)
option(DEW_FUZZ "build the libFuzzer targets (needs clang)" OFF)
option(DEW_FUZZ_FAST "fuzz targets for many executions: findings trap without a report, comparisons are not traced" OFF)
option(DEW_TESTS "build the tests (needs cmocka)" ON)
option(DEW_EMBREE "use Embree for ray tracing when it is found" ON)
option(DEW_HDF5 "write VTKHDF when HDF5 is found" ON)
option(DEW_ASSIMP "read glTF, FBX and others by assimp when its headers are found" ON)
option(DEW_GL "draw with OpenGL when the headers of EGL and OpenGL ES are found" ON)
option(DEW_SDL "dew view: a window, when the headers of SDL2 are found" ON)
option(DEW_HARDENING "stack protector, FORTIFY, control-flow protection, full RELRO (off with sanitizers)" ON)
option(BUILD_SHARED_LIBS "libdew as a shared library" OFF)

add_library(dew_flags INTERFACE)
target_compile_definitions(dew_flags INTERFACE _GNU_SOURCE DEW_VERSION="${PROJECT_VERSION}"
  $<$<BOOL:${DEW_AUDIT}>:DEW_AUDIT_ON=1>)
# No fast-math and no contraction: bit-identical on every machine of one architecture.
target_compile_options(dew_flags INTERFACE -ffp-contract=off -fno-math-errno
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wdouble-promotion -Wmissing-prototypes
  -Wstrict-prototypes -Wvla
  $<$<BOOL:${DEW_WERROR}>:-Werror>)
# What distributions harden their programs with, so far as the compiler has it; tests/hardening.py looks at the result.
# Sanitizers check more, and do not go together with FORTIFY.
if(DEW_HARDENING AND NOT DEW_SANITIZE)
  include(CheckCCompilerFlag)
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES C)
  foreach(flag IN ITEMS -fstack-protector-strong -fstack-clash-protection -fcf-protection=full)
    string(MAKE_C_IDENTIFIER "DEW_HAS${flag}" has_flag)
    check_c_compiler_flag("${flag} -Werror" ${has_flag})
    if(${has_flag})
      target_compile_options(dew_flags INTERFACE ${flag})
    endif()
  endforeach()
  # FORTIFY needs an optimising build; -U first: some distributions' compilers define it themselves.
  target_compile_options(dew_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
    $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
  if(CMAKE_SYSTEM_NAME STREQUAL Linux)
    target_link_options(dew_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
  endif()
endif()
if(DEW_SANITIZE)
  target_compile_options(dew_flags INTERFACE -fsanitize=${DEW_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  target_link_options(dew_flags INTERFACE -fsanitize=${DEW_SANITIZE})
endif()
# libFuzzer clears and reads all counters at each execution: code that a target cannot reach is not linked, and
# targets with DEW_NO_COVERAGE have none. Of a fast execution, tracing comparisons would take two thirds.
if(DEW_FUZZ)
  set(coverage -fsanitize=fuzzer-no-link)
  if(DEW_FUZZ_FAST)
    set(coverage -fsanitize-coverage=inline-8bit-counters,pc-table)
  endif()
  target_compile_options(dew_flags INTERFACE -ffunction-sections -fdata-sections
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:DEW_NO_COVERAGE>>>:${coverage}> $<$<BOOL:${DEW_FUZZ_FAST}>:-fsanitize-trap=${DEW_SANITIZE}>)
  target_link_options(dew_flags INTERFACE -Wl,--gc-sections,-z,start-stop-gc)
endif()
