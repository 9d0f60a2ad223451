# The environment as other people's projects use it.
set(package_flags "${CMAKE_CXX_FLAGS}")
if(APIARY_SANITIZER)
  string(APPEND package_flags " -fsanitize=${APIARY_SANITIZER}")
endif()
set(package_test ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DBINARY=${PROJECT_BINARY_DIR} -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
                 "-DFLAGS=${package_flags}" "-DGENERATOR=${CMAKE_GENERATOR}" "-DCOMPILER=${CMAKE_CXX_COMPILER}")
add_test(NAME EnvPackage.InstalledTreeServesAnotherProject
         COMMAND ${package_test} -P ${CMAKE_CURRENT_SOURCE_DIR}/env/PackageTest.cmake)
set_tests_properties(EnvPackage.InstalledTreeServesAnotherProject PROPERTIES TIMEOUT 300)
add_test(NAME EnvPackage.EnvironmentBuildsAlone
         COMMAND ${package_test} -DALONE=ON -P ${CMAKE_CURRENT_SOURCE_DIR}/env/PackageTest.cmake)
set_tests_properties(EnvPackage.EnvironmentBuildsAlone PROPERTIES TIMEOUT 600 LABELS slow)

# Its other half, with tensors.
if(APIARY_TORCH)
  add_executable(example_with_torch ${PROJECT_SOURCE_DIR}/docs/example/random_games.cc)
  target_compile_definitions(example_with_torch PRIVATE EXAMPLE_WITH_TORCH)
  target_link_libraries(example_with_torch PRIVATE apiary_env apiary_libtorch)
  add_test(NAME EnvPackage.ExampleWithTorch COMMAND example_with_torch)
  set_tests_properties(EnvPackage.ExampleWithTorch PROPERTIES
                       PASS_REGULAR_EXPRESSION "32 rows in a tensor\n[0-9]+ games finished")
endif()
