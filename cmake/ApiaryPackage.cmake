# What `cmake --install` puts in place: the environment as a CMake package. docs/environment.md says how to use it.
#   find_package(apiary) ... target_link_libraries(mine PRIVATE apiary::env)
# Headers lie in include/apiary, which is the include folder of the target: #include "env/board.h", as in the sources.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/apiary)
set(header_dir ${CMAKE_INSTALL_INCLUDEDIR}/apiary)

foreach(library IN ITEMS base_core env)
  target_include_directories(apiary_${library} INTERFACE $<INSTALL_INTERFACE:${header_dir}>)
  set_target_properties(apiary_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
install(TARGETS apiary_base_core apiary_env EXPORT apiary ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT env)
install(EXPORT apiary NAMESPACE apiary:: FILE apiaryTargets.cmake DESTINATION ${package_dir} COMPONENT env)

install(DIRECTORY env/ DESTINATION ${header_dir}/env COMPONENT env FILES_MATCHING PATTERN "*.h")
install(FILES base/check.h base/contains.h base/random.h base/result.h base/uninitialized.h DESTINATION ${header_dir}/base COMPONENT env)

configure_package_config_file(cmake/apiaryConfig.cmake.in ${PROJECT_BINARY_DIR}/apiaryConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/apiaryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/apiaryConfig.cmake ${PROJECT_BINARY_DIR}/apiaryConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT env)
