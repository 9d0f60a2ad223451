apiary_test(base
  SOURCES base/chart_test.cc base/check_test.cc base/contains_test.cc base/files_test.cc base/includes_test.cc base/line_file_test.cc
          base/log_test.cc base/metrics_test.cc base/processor_test.cc base/random_test.cc base/result_test.cc base/settings_test.cc base/stop_test.cc base/xml_test.cc
  DEPENDS base)

# TensorBoard itself, installed from PyPI into a throw-away environment, must read what EventFile writes.
add_executable(write_events base/write_events.cc)
target_link_libraries(write_events PRIVATE apiary_base)
add_test(NAME TensorBoardReadsOurEvents
         COMMAND ${PROJECT_SOURCE_DIR}/scripts/check_tensorboard.sh $<TARGET_FILE:write_events>)
set_tests_properties(TensorBoardReadsOurEvents PROPERTIES LABELS slow TIMEOUT 600)
