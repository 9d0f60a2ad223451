# apiary_static_program(NAME SOURCES ... LIBRARIES ...): a program in one file that needs nothing where it runs. LIBRARIES
# are ours, users before used. They are taken as files: as targets they bring the shared libraries of fmt and spdlog, of
# which Debian has no static ones; two sources of base/ stand in for those.
include(CheckLinkerFlag)
# libcrypto can look up hosts, which the linker says would need shared libraries; nothing here does.
check_linker_flag(CXX LINKER:--no-warnings APIARY_LINKER_NO_WARNINGS)

function(apiary_static_program name)
  cmake_parse_arguments(PARSE_ARGV 1 PROGRAM "" "" "SOURCES;LIBRARIES")
  set(stand_ins ${PROJECT_SOURCE_DIR}/base/static_fmt.cc ${PROJECT_SOURCE_DIR}/base/static_spdlog.cc)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/base/static_spdlog.cc PROPERTIES COMPILE_OPTIONS "-w")
  add_executable(${name} ${PROGRAM_SOURCES} ${stand_ins})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_SEARCH_START_STATIC ON
                                           LINK_SEARCH_END_STATIC ON)
  target_compile_definitions(${name} PRIVATE FMT_SHARED SPDLOG_COMPILED_LIB SPDLOG_FMT_EXTERNAL)
  target_link_libraries(${name} PRIVATE apiary_flags)
  foreach(library IN LISTS PROGRAM_LIBRARIES)
    add_dependencies(${name} apiary_${library})
    target_link_libraries(${name} PRIVATE $<TARGET_FILE:apiary_${library}>)
  endforeach()
  target_link_libraries(${name} PRIVATE libcrypto.a libzstd.a)
  target_link_options(${name} PRIVATE -static -s LINKER:--undefined=ApiaryCheckProcessor)
  if(APIARY_LINKER_NO_WARNINGS)
    target_link_options(${name} PRIVATE LINKER:--no-warnings)
  endif()
  if(APIARY_LTO)
    target_link_options(${name} PRIVATE -flto=auto -O3)
  endif()
endfunction()
