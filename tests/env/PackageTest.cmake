# cmake -DSOURCE=... -DBINARY=... -DFLAGS=... -DGENERATOR=... -DCOMPILER=... [-DALONE=ON] -P PackageTest.cmake
# Installs the environment into an empty folder, builds docs/example against it as a project of its own, runs it and reads
# what it prints. ALONE: the environment is first built by itself, where no other dependency than fmt can be found.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${failed}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

# The tools of the tree under test: a bare machine may have no others.
set(tools -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}")

set(work "${BINARY}/package_test")
if(ALONE)
  set(work "${BINARY}/package_alone_test")
endif()
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")

set(built "${BINARY}")
if(ALONE)
  set(built "${work}/env")
  set(absent)
  foreach(package IN ITEMS spdlog Eigen3 nlohmann_json OpenSSL PkgConfig CLI11 GTest benchmark)
    list(APPEND absent -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON)
  endforeach()
  run(${CMAKE_COMMAND} -S "${SOURCE}" -B "${built}" -DAPIARY_ENV_ONLY=ON ${tools} ${absent})
  run(${CMAKE_COMMAND} --build "${built}" --parallel 2)
endif()

run(${CMAKE_COMMAND} --install "${built}" --prefix "${work}/prefix" --component env)
run(${CMAKE_COMMAND} -S "${SOURCE}/docs/example" -B "${work}/example" "-DCMAKE_PREFIX_PATH=${work}/prefix" ${tools}
    "-DCMAKE_BUILD_TYPE=${BUILD_TYPE}")
run(${CMAKE_COMMAND} --build "${work}/example")
run("${work}/example/random_games")
# 400 plies of 32 environments, at most 200 plies a game: each finishes two at least.
if(NOT output MATCHES "^([0-9]+) games finished, ([0-9]+) rows in the last observation\n$")
  message(FATAL_ERROR "random_games printed: ${output}")
endif()
if(CMAKE_MATCH_1 LESS 64 OR CMAKE_MATCH_1 GREATER 12800 OR CMAKE_MATCH_2 LESS 32 OR CMAKE_MATCH_2 GREATER 2816)
  message(FATAL_ERROR "random_games printed: ${output}")
endif()
file(REMOVE_RECURSE "${work}")
