# Finds LibTorch and defines the imported target apiary_libtorch, without torch's own CMake package: that one demands a
# CUDA toolkit for CUDA builds, sets global flags and may pick up another libtorch.
# Looked up in this order: Torch_DIR and CMAKE_PREFIX_PATH (an unpacked LibTorch), APIARY_TORCH_ROOT (set by
# scripts/setup.sh), the torch package of python3, that of ./.venv.
set(APIARY_TORCH_ROOT "" CACHE PATH "Folder with LibTorch's include/ and lib/")
set(APIARY_TORCH_OLDEST 2.11)

# Prints nothing and sets `out` to the version in a LibTorch folder ("2.15"), or to "" where there is none.
function(apiary_torch_version root out)
  set(${out} "" PARENT_SCOPE)
  if(NOT EXISTS "${root}/lib/libtorch_cpu.so"
     OR NOT EXISTS "${root}/include/torch/csrc/api/include/torch/torch.h")
    return()
  endif()
  foreach(header IN ITEMS torch/headeronly/version.h torch/csrc/api/include/torch/version.h)
    if(EXISTS "${root}/include/${header}")
      file(STRINGS "${root}/include/${header}" lines REGEX "define TORCH_VERSION_(MAJOR|MINOR)")
      if(lines MATCHES "MAJOR ([0-9]+).*MINOR ([0-9]+)")
        set(${out} "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}" PARENT_SCOPE)
        return()
      endif()
    endif()
  endforeach()
endfunction()

set(torch_candidates)
if(Torch_DIR)
  list(APPEND torch_candidates "${Torch_DIR}" "${Torch_DIR}/../../..")
endif()
list(APPEND torch_candidates ${CMAKE_PREFIX_PATH} ${APIARY_TORCH_ROOT})
foreach(python IN ITEMS python3 "${PROJECT_SOURCE_DIR}/.venv/bin/python")
  # Looks the package up without importing it: importing needs libraries that C++ does not.
  execute_process(COMMAND "${python}" -c
                          "import importlib.util as u, os; print(os.path.dirname(u.find_spec('torch').origin))"
                  OUTPUT_VARIABLE root OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    list(APPEND torch_candidates "${root}")
  endif()
endforeach()

set(torch_root)
foreach(candidate IN LISTS torch_candidates)
  apiary_torch_version("${candidate}" version)
  if(NOT version)
    continue()
  endif()
  if(version VERSION_LESS APIARY_TORCH_OLDEST)
    message(STATUS "LibTorch ${version} in ${candidate} is too old: ${APIARY_TORCH_OLDEST} or newer is needed")
    continue()
  endif()
  get_filename_component(torch_root "${candidate}" REALPATH)
  set(torch_version ${version})
  break()
endforeach()
if(NOT torch_root)
  message(FATAL_ERROR "No LibTorch ${APIARY_TORCH_OLDEST} or newer found: run scripts/setup.sh, or give "
                      "-DCMAKE_PREFIX_PATH=<unpacked libtorch>, or build without it (preset notorch).")
endif()

set(torch_libraries "${torch_root}/lib/libtorch_cpu.so" "${torch_root}/lib/libc10.so")
set(APIARY_TORCH_DEVICE "CPU")
# CUDA libraries are linked only where a driver is, or where a program for such a machine is made: a machine without a GPU
# must not need them. Nothing calls libtorch_cuda by name, so the linker must be told to keep it.
option(APIARY_TORCH_CUDA "Link LibTorch's CUDA libraries although this machine has no GPU" OFF)
if(EXISTS "${torch_root}/lib/libtorch_cuda.so" AND (APIARY_TORCH_CUDA OR EXISTS /dev/nvidiactl))
  list(APPEND torch_libraries "-Wl,--no-as-needed,${torch_root}/lib/libtorch_cuda.so,--as-needed"
       "${torch_root}/lib/libc10_cuda.so")
  set(APIARY_TORCH_DEVICE "CUDA")
endif()

# The wheel's include folder also has other versions of fmt and of protobuf, which would hide those that we are linked with: ours come first.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/include_before_torch/google")
find_path(fmt_include fmt/format.h REQUIRED)
file(CREATE_LINK "${fmt_include}/fmt" "${PROJECT_BINARY_DIR}/include_before_torch/fmt" SYMBOLIC)
find_path(protobuf_include google/protobuf/message.h)
if(protobuf_include)
  file(CREATE_LINK "${protobuf_include}/google/protobuf" "${PROJECT_BINARY_DIR}/include_before_torch/google/protobuf" SYMBOLIC)
endif()

add_library(apiary_libtorch INTERFACE)
target_include_directories(apiary_libtorch SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/include_before_torch"
                                                            "${torch_root}/include"
                                                            "${torch_root}/include/torch/csrc/api/include")
target_link_libraries(apiary_libtorch INTERFACE ${torch_libraries})
target_link_options(apiary_libtorch INTERFACE "-Wl,-rpath,${torch_root}/lib")
if(APIARY_TORCH_CUDA)
  # What libtorch_cuda itself needs is on the other machine.
  target_link_options(apiary_libtorch INTERFACE "-Wl,--allow-shlib-undefined")
endif()
# CUDA's headers lie in a sibling package; LibTorch 2.11 has no other way to record work.
file(GLOB cuda_header "${torch_root}/../nvidia/*/include/cuda_runtime_api.h")
if(APIARY_TORCH_DEVICE STREQUAL "CUDA" AND cuda_header)
  list(GET cuda_header 0 cuda_header)
  get_filename_component(cuda_include "${cuda_header}" DIRECTORY)
  target_include_directories(apiary_libtorch SYSTEM INTERFACE "${cuda_include}")
  target_compile_definitions(apiary_libtorch INTERFACE APIARY_CUDA_HEADERS=1)
endif()
# The CPU library of a CUDA wheel needs two small CUDA libraries, which lie in sibling Python packages.
file(GLOB nvidia_folders "${torch_root}/../nvidia/*/lib")
foreach(folder IN LISTS nvidia_folders)
  get_filename_component(folder "${folder}" REALPATH)
  target_link_options(apiary_libtorch INTERFACE "-Wl,-rpath,${folder}" "-Wl,-rpath-link,${folder}")
endforeach()
message(STATUS "LibTorch ${torch_version} (${APIARY_TORCH_DEVICE}): ${torch_root}")
