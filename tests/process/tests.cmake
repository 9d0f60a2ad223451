# Tests that start, stop and kill the real program. They need the learner, hence LibTorch.
if(APIARY_TORCH)
  set(process_sources process/tiny_run.cc app/program.cc)
  function(apiary_process_test name)
    apiary_test(${name} ${ARGN} DEPENDS train)
    target_compile_definitions(${name}_test PRIVATE APIARY_PROGRAM="$<TARGET_FILE:apiary>")
    add_dependencies(${name}_test apiary)
  endfunction()
  apiary_process_test(process
    SOURCES process/disk_full_test.cc process/faults_test.cc process/kill_test.cc process/stop_test.cc ${process_sources})
  apiary_process_test(process_slow SOURCES process/latest_slow_test.cc ${process_sources} LABELS slow)
endif()
