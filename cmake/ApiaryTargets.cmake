# One static library a folder (or a named part of one), with an explicit source list.
#   apiary_library(env SOURCES board.cc ... DEPENDS base)
# makes target apiary_env with alias apiary::env; DEPENDS are names of our own or imported targets.
# apiary_program and apiary_test make executables.
include(CheckIPOSupported)

add_library(apiary_flags INTERFACE)
target_include_directories(apiary_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(apiary_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(APIARY_WERROR)
  target_compile_options(apiary_flags INTERFACE -Werror)
endif()
# GCC's warnings that follow the flow of data rely on optimisation and misfire without it or with a sanitizer's code in
# between; release compiles the same sources with them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND (APIARY_SANITIZER OR CMAKE_BUILD_TYPE STREQUAL "Debug"))
  target_compile_options(apiary_flags INTERFACE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-restrict
                                                -Wno-stringop-overflow -Wno-stringop-overread -Wno-null-dereference)
endif()
if(APIARY_NATIVE)
  target_compile_options(apiary_flags INTERFACE -march=native)
endif()
if(APIARY_SANITIZER)
  target_compile_options(apiary_flags INTERFACE -fsanitize=${APIARY_SANITIZER} -fno-sanitize-recover=all
                                                -fno-omit-frame-pointer)
  target_link_options(apiary_flags INTERFACE -fsanitize=${APIARY_SANITIZER})
endif()

# Link-time optimisation of our own libraries in Release. The objects hold machine code as well ("fat"), so that the many
# test programs link in the plain way, in a fraction of the time; apiary_program links with optimisation.
set(APIARY_LTO OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT APIARY_SANITIZER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  check_ipo_supported(RESULT APIARY_LTO OUTPUT lto_output LANGUAGES CXX)
endif()

# Links `target` with each name of the list: a library of ours or any other target.
function(apiary_link target visibility)
  foreach(dependency IN LISTS ARGN)
    if(TARGET apiary_${dependency})
      target_link_libraries(${target} ${visibility} apiary_${dependency})
    else()
      target_link_libraries(${target} ${visibility} ${dependency})
    endif()
  endforeach()
endfunction()

# Compiles torch/torch.h once (15 to 25 s) for all targets that include it: the first one builds the precompiled header and
# the others, compiled with the same flags, share its file. Does nothing for a target that does not use LibTorch.
function(apiary_torch_pch target)
  if(NOT APIARY_TORCH OR NOT "${ARGN}" MATCHES "(^|;)(apiary_libtorch|nn_torch)(;|$)")
    return()
  endif()
  get_property(owner GLOBAL PROPERTY APIARY_TORCH_PCH_OWNER)
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE <torch/torch.h>)
    set_property(GLOBAL PROPERTY APIARY_TORCH_PCH_OWNER ${target})
  endif()
endfunction()

function(apiary_library name)
  cmake_parse_arguments(PARSE_ARGV 1 LIB "" "" "SOURCES;DEPENDS")
  if(NOT LIB_SOURCES)  # headers only
    add_library(apiary_${name} INTERFACE)
    add_library(apiary::${name} ALIAS apiary_${name})
    target_link_libraries(apiary_${name} INTERFACE apiary_flags)
    apiary_link(apiary_${name} INTERFACE ${LIB_DEPENDS})
    return()
  endif()
  add_library(apiary_${name} STATIC ${LIB_SOURCES})
  add_library(apiary::${name} ALIAS apiary_${name})
  # Our warnings and processor flags are not for those who use the installed libraries.
  target_link_libraries(apiary_${name} PUBLIC $<BUILD_INTERFACE:apiary_flags>)
  target_compile_features(apiary_${name} PUBLIC cxx_std_20)
  apiary_link(apiary_${name} PUBLIC ${LIB_DEPENDS})
  apiary_torch_pch(apiary_${name} ${LIB_DEPENDS})
  # Files that include torch stay out: their hot loops are inside LibTorch, and the templates cost minutes at link time.
  if(APIARY_LTO AND NOT "apiary_libtorch" IN_LIST LIB_DEPENDS AND NOT "nn_torch" IN_LIST LIB_DEPENDS)
    target_compile_options(apiary_${name} PRIVATE -flto=auto -ffat-lto-objects)
  endif()
endfunction()

# apiary_program(apiary SOURCES main.cc ... DEPENDS train play)
function(apiary_program name)
  cmake_parse_arguments(PARSE_ARGV 1 PROGRAM "" "" "SOURCES;DEPENDS")
  add_executable(${name} ${PROGRAM_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_libraries(${name} PRIVATE apiary_flags)
  apiary_link(${name} PRIVATE ${PROGRAM_DEPENDS})
  if(APIARY_LTO)
    target_link_options(${name} PRIVATE -flto=auto -O3)
  endif()
endfunction()

# apiary_test(env_board SOURCES env/board_test.cc DEPENDS env [LABELS slow] [TIMEOUT seconds])
# makes an executable of GoogleTests, each registered with ctest on its own.
function(apiary_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "TIMEOUT" "SOURCES;DEPENDS;LABELS")
  add_executable(${name}_test ${TEST_SOURCES})
  target_link_libraries(${name}_test PRIVATE apiary_flags GTest::gmock GTest::gtest_main)
  apiary_link(${name}_test PRIVATE ${TEST_DEPENDS} base)
  apiary_torch_pch(${name}_test ${TEST_DEPENDS})
  target_compile_definitions(${name}_test PRIVATE APIARY_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                                  APIARY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                  APIARY_BINARY_DIR="${PROJECT_BINARY_DIR}")
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 600)
  endif()
  # Under ThreadSanitizer the programs may only run in the environment that scripts/test.sh makes; those for another
  # machine's GPU do not run here.
  set(discovery POST_BUILD)
  if(APIARY_SANITIZER STREQUAL "thread" OR APIARY_TORCH_CUDA)
    set(discovery PRE_TEST)
  endif()
  gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 120 DISCOVERY_MODE ${discovery}
                       PROPERTIES TIMEOUT ${TEST_TIMEOUT} LABELS "${TEST_LABELS}")
endfunction()
